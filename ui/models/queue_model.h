// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/runs/run_controller.h"

#include <QAbstractTableModel>

#include <array>
#include <vector>

namespace lambdascope {

/// Experiments that wait for their turn: name, family, data, lanes. Row 0 is next.
class QueueModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Name, Family, Data, Lanes, ColumnCount };

    /// `controller` must outlive the model.
    explicit QueueModel(RunController& controller, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    [[nodiscard]] RunController& controller() const { return m_controller; }

  private:
    void reload();

    RunController& m_controller;
    std::vector<std::array<QString, ColumnCount>> m_rows;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/runs/run_collection.h"

#include <QAbstractTableModel>

#include <optional>

namespace lambdascope {

/// The path table of one run: a row per finished point, a column per column the family gave. Rows are appended as
/// points finish.
class PathTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    /// `runs` must outlive the model.
    explicit PathTableModel(RunCollection& runs, QObject* parent = nullptr);

    void setRun(std::optional<RunId> id);
    [[nodiscard]] std::optional<RunId> run() const { return m_run; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Header and rows as comma-separated text with exact numbers.
    [[nodiscard]] QString csv() const;

  private:
    void sync();

    RunCollection& m_runs;
    std::optional<RunId> m_run;
    std::shared_ptr<const RunRecord> m_record;
    int m_shownRows = 0;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/runs/run_collection.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace lambdascope {

/// Settings in which ticked runs differ: a row per setting, a column per lane. Lanes that agree in all of them, which
/// lanes of one experiment often do but for their bounds, share a column.
class DifferencesModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    /// `runs` must outlive the model.
    explicit DifferencesModel(RunCollection& runs, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    void reload();

    struct Row {
        QString setting; ///< its key
        QStringList values;
        QStringList shown; ///< the same in few words
        bool operator==(const Row&) const = default;
    };
    RunCollection& m_runs;
    QStringList m_lanes; ///< heads of the columns
    std::vector<Row> m_rows;
};

} // namespace lambdascope

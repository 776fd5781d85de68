// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"
#include "ui/models/runs_proxy_model.h"
#include "ui/session/runs/run_collection.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace lambdascope {

/// "finished"; of a run that ended before its path did, "interrupted at 78 of 100".
[[nodiscard]] QString endedStateText(RunRecord::State state, int finishedPoints, int plannedPoints);

/// All runs of a collection, one row each. Column 0 is checkable (tick = shown in the charts) and holds the editable
/// name; its decoration is left to the view, which knows colours. One dataChanged per batch of updates.
class RunsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Name, State, SafetyState, Points, Rate, Cpu, Ratio, Ended, Lane, Experiment, Family, ColumnCount };
    enum Role {
        RunIdRole = Qt::UserRole, ///< qlonglong, RunId::value
        SortRole,                 ///< a number where the column shows one, else the text
        StyleIndexRole,           ///< int, RunDisplay::styleIndex
        BaselineRole,             ///< bool, lane without screening
        BatchRole,                ///< int, RunDisplay::batch
        SafetyRole,               ///< int, Safety: what is known about the decisions of the lane
    };

    /// `runs` must outlive the model.
    explicit RunsModel(RunCollection& runs, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    [[nodiscard]] RunId runAt(int row) const;
    [[nodiscard]] int rowOf(RunId id) const; ///< −1 when there is none
    [[nodiscard]] RunCollection& runs() const { return m_runs; }

    /// Rows of runs that compute say that they wait.
    void setPaused(bool isPaused);

  private:
    [[nodiscard]] QVariant text(RunId id, int column) const;
    [[nodiscard]] QString tooltip(RunId id, int column) const;
    /// The number a column shows; nothing while unknown.
    [[nodiscard]] std::optional<double> figure(RunId id, int column) const;
    [[nodiscard]] QVariant sortKey(RunId id, int column) const;
    void onAdded(const std::vector<RunId>& ids);
    void onRemoved(const std::vector<RunId>& ids);
    void onChanged(const std::vector<RunId>& ids);

    RunCollection& m_runs;
    bool m_isPaused = false;
    std::vector<RunId> m_rows;
};

} // namespace lambdascope

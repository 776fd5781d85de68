// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_library.h"
#include "ui/models/runs_model.h"

#include <QAbstractItemModel>

#include <map>
#include <optional>
#include <vector>

namespace lambdascope {

/// Runs as a tree: experiments with their lanes, newest on top; below those of this session, what the library keeps
/// besides. Columns are those of RunsModel, which answers for the lanes of the session. A tick shows in the charts; on
/// what only the library has, it asks for it to be read.
class RunsTreeModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Role {
        KeptRole = RunsModel::SafetyRole + 1, ///< qlonglong: library id of a kept experiment, or of that of a kept lane
        LaneRole,                             ///< QString: name of a kept lane
    };

    /// An experiment of the tree: runs of the session, or what the library keeps.
    struct Group {
        quintptr key = 0; ///< never used twice
        int batch = -1;
        std::vector<RunId> runs;
        std::optional<LibraryExperiment> kept;
        std::optional<LibraryExperiment> labels; ///< of one of the session: as the library keeps it, if it does

        /// Null when the library does not keep it.
        [[nodiscard]] const LibraryExperiment* inLibrary() const { return kept ? &*kept : labels ? &*labels : nullptr; }
    };

    /// `lanes` must outlive the model.
    explicit RunsTreeModel(RunsModel& lanes, QObject* parent = nullptr);

    /// What the library keeps and the session does not have, newest first; and how it keeps what the session has.
    void setKept(const std::vector<LibraryExperiment>& experiments,
                 const std::map<RunId, LibraryExperiment>& ofSession = {});

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    [[nodiscard]] QModelIndex indexOf(RunId run) const; ///< invalid when there is none
    /// The run of a lane of the session; nothing for other rows.
    [[nodiscard]] std::optional<RunId> runAt(const QModelIndex& index) const;
    /// The experiment of a row.
    [[nodiscard]] const Group* groupAt(const QModelIndex& index) const;
    /// Its row; invalid when the library keeps no such experiment.
    [[nodiscard]] QModelIndex indexOf(LibraryExperimentId id) const;
    /// An experiment as a search sees it: what the library says, and how far its runs are now.
    [[nodiscard]] LibraryExperiment searched(const Group& group) const;

  Q_SIGNALS:
    /// A kept experiment, or one lane of it, was ticked.
    void keptTicked(qint64 experiment, const QString& lane);
    void keptRenamed(const lambdascope::LibraryExperiment& experiment, const QString& name);

  private:
    void addLanes(int first, int last);
    void removeLanes(int first, int last);
    void tellChanged(int first, int last);
    void removeKept();
    [[nodiscard]] std::size_t firstKept() const; ///< row of the first one of the library
    [[nodiscard]] int rowOf(quintptr key) const;
    [[nodiscard]] QVariant groupData(const Group& group, int column, int role) const;
    [[nodiscard]] QString groupHint(const Group& group) const;
    [[nodiscard]] QString groupText(const Group& group, int column) const;
    /// What the columns Cpu and Points say in numbers.
    [[nodiscard]] double groupNumber(const Group& group, int column) const;
    [[nodiscard]] QString groupState(const Group& group) const;
    [[nodiscard]] QVariant keptLaneData(const Group& group, const LibraryRun& lane, int column, int role) const;
    /// Without those that are deleted, and whose rows are about to go.
    [[nodiscard]] std::vector<RunId> lanesOf(const Group& group) const;
    [[nodiscard]] Qt::CheckState ticksOf(const Group& group) const;

    RunsModel& m_lanes;
    std::vector<Group> m_groups; ///< in the order of rows
    quintptr m_lastKey = 0;
};

} // namespace lambdascope

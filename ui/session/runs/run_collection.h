// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/run/run_event.h"
#include "core/store/audit_file.h"
#include "ui/session/runs/lane_colours.h"
#include "ui/session/runs/setting_differences.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QUndoStack;

namespace lambdascope {

class RunRecord;

/// Where a shown run came from.
enum class RunOrigin { Live, Folder, Library };

/// What the window adds to the record of a run.
struct RunDisplay {
    QString name;        ///< shown name; the lane name unless the user renamed it
    bool isShown = true; ///< ticked in the runs table, drawn in charts
    /// Place in the cycle of colours, dashes and markers: the colour is that of the lane's name, whatever else is
    /// shown. Of ticked runs with one name the newest looks plain, earlier ones have another dash and tint.
    int styleIndex = 0;
    RunOrigin origin = RunOrigin::Live;
    int batch = 0; ///< lanes of one start (or one opened folder) share it: the group in which baselines are looked for
    QString note;  ///< "point 12 of about 40", "stopped by user", or the failure in one line
    std::filesystem::path folder;   ///< of a run that was read from a run folder
    std::optional<LaneAudit> audit; ///< what the last audit of its decisions found
};

/// All runs that the window knows: those computing, those computed, and those opened from disk. One run is one lane.
/// GUI thread only. Renaming, deleting and ticking go through the undo stack; deleting keeps the record until the undo
/// history drops it, so that it can come back.
class RunCollection : public QObject {
    Q_OBJECT

  public:
    /// `undoStack` may be null (changes then are final); it must outlive the collection.
    explicit RunCollection(QUndoStack* undoStack = nullptr, QObject* parent = nullptr);
    ~RunCollection() override;

    /// Ids in the order in which the runs came.
    [[nodiscard]] const std::vector<RunId>& ids() const { return m_order; }
    /// The ids of ticked runs, in the same order.
    [[nodiscard]] std::vector<RunId> shownIds() const;
    [[nodiscard]] bool contains(RunId id) const;
    /// Null when there is no such run. The pointer holds until control returns to the event loop.
    [[nodiscard]] const RunRecord* record(RunId id) const;
    [[nodiscard]] std::shared_ptr<const RunRecord> sharedRecord(RunId id) const;
    [[nodiscard]] const RunDisplay& display(RunId id) const; ///< asserts contains(id)

    [[nodiscard]] const LaneSettings& settings(RunId id) const; ///< of its experiment and lane; asserts contains(id)

    /// The lane without screening that CPU ratios of `id` refer to: same batch and group, isBaseline. Null when there
    /// is none; the run itself when it is the baseline.
    [[nodiscard]] const RunRecord* baselineOf(RunId id) const;
    /// The oracle lane of the same batch that knows the sets of `id`; null when there is none.
    [[nodiscard]] const RunRecord* oracleOf(RunId id) const;

    /// Applies events in order; runs appear with RunStarted. Emits at most one runsAdded and one runsUpdated.
    /// Events of runs that are gone (deleted while computing) are ignored.
    void apply(const std::vector<RunEvent>& events);
    /// RunStarted events that come from now on belong to a new batch.
    void beginBatch();

    /// Adds finished runs read from disk as one batch, under fresh ids; returns those.
    /// `names` gives display names where they differ from lane names; `folder`, where a run folder was read from.
    std::vector<RunId> add(std::vector<RunRecord> records, RunOrigin origin, const std::vector<QString>& names = {},
                           const std::filesystem::path& folder = {});

    void setShown(RunId id, bool shown);
    void setShown(const std::vector<RunId>& ids, bool shown);
    void showOnly(const std::vector<RunId>& ids);
    void rename(RunId id, const QString& name);
    void remove(const std::vector<RunId>& ids);
    /// What an audit of a run found; nothing takes an earlier one away. Not a matter for the undo stack.
    void setAudit(RunId id, std::optional<LaneAudit> audit);

  Q_SIGNALS:
    void runsAdded(const std::vector<lambdascope::RunId>& ids);
    /// Records changed (new points, iterations, end), or display names or notes.
    void runsUpdated(const std::vector<lambdascope::RunId>& ids);
    void runsRemoved(const std::vector<lambdascope::RunId>& ids);
    /// A display name changed, also by undo.
    void renamed(lambdascope::RunId id, const QString& name);
    void auditChanged(lambdascope::RunId id);
    void visibilityChanged(const std::vector<lambdascope::RunId>& ids);
    /// A path point ended; what λ cursors follow. Emitted at most once per apply() and run, for the latest point.
    void pointFinished(lambdascope::RunId id, int index);

  private:
    friend class RunCollectionCommands;
    struct Entry;
    struct Placed;
    [[nodiscard]] const Entry* find(RunId id) const;
    Entry* find(RunId id);
    void insertNew(RunId id, std::shared_ptr<Entry> entry);
    void insertEntries(const std::vector<Placed>& entries);
    void removeEntries(const std::vector<Placed>& entries);
    void changeShown(std::vector<std::pair<RunId, bool>> states);
    void applyShown(const std::vector<std::pair<RunId, bool>>& states);
    void applyName(RunId id, const QString& name);
    /// Gives every run its look; returns those that got another one.
    std::vector<RunId> refreshStyles();
    void refreshStylesAndTell();

    std::vector<RunId> m_order;
    std::map<RunId, std::shared_ptr<Entry>> m_entries;
    std::map<RunId, std::weak_ptr<Entry>> m_deleted; ///< alive as long as undo can bring them back
    QUndoStack* m_undoStack;
    LaneColours m_colours;
    std::map<int, std::map<QString, int>> m_places; ///< of each batch: the places of its lanes among the colours
    int m_batch = 0;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_collection.h"

#include "core/record/run_record.h"
#include "core/run/path_runner.h"
#include "ui/session/count_text.h"
#include "ui/session/runs/run_collection_commands.h"
#include "ui/session/runs/run_collection_entry.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace lambdascope {

namespace {

QString noteOf(const RunRecord& record) {
    switch (record.state()) {
    case RunRecord::State::Running: {
        const auto done = static_cast<int>(record.finishedPointCount());
        return countText(done, QObject::tr("point"), QObject::tr("points"));
    }
    case RunRecord::State::Failed: return QString::fromStdString(record.failure()).section('\n', 0, 0);
    case RunRecord::State::Interrupted: return QObject::tr("its program ended before the run did");
    case RunRecord::State::Finished:
    case RunRecord::State::Stopped: break;
    }
    const auto how = record.termination();
    return how ? QString::fromUtf8(terminationName(*how).data(), static_cast<qsizetype>(terminationName(*how).size()))
               : QString();
}

} // namespace

RunCollection::RunCollection(QUndoStack* undoStack, QObject* parent) : QObject(parent), m_undoStack(undoStack) {}
RunCollection::~RunCollection() = default;

const RunCollection::Entry* RunCollection::find(RunId id) const {
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? nullptr : found->second.get();
}

RunCollection::Entry* RunCollection::find(RunId id) {
    return const_cast<Entry*>(std::as_const(*this).find(id));
}

bool RunCollection::contains(RunId id) const {
    return find(id) != nullptr;
}

std::vector<RunId> RunCollection::shownIds() const {
    std::vector<RunId> shown;
    std::copy_if(m_order.begin(), m_order.end(), std::back_inserter(shown),
                 [this](RunId id) { return find(id)->display.isShown; });
    return shown;
}

const RunRecord* RunCollection::record(RunId id) const {
    const Entry* entry = find(id);
    return entry != nullptr ? entry->record.get() : nullptr;
}

std::shared_ptr<const RunRecord> RunCollection::sharedRecord(RunId id) const {
    const Entry* entry = find(id);
    return entry != nullptr ? entry->record : nullptr;
}

const RunDisplay& RunCollection::display(RunId id) const {
    const Entry* entry = find(id);
    assert(entry != nullptr);
    return entry->display;
}

const LaneSettings& RunCollection::settings(RunId id) const {
    const Entry* entry = find(id);
    assert(entry != nullptr);
    return entry->settings;
}

const RunRecord* RunCollection::baselineOf(RunId id) const {
    const Entry* entry = find(id);
    if (entry == nullptr) {
        return nullptr;
    }
    if (entry->record->start().isBaseline) {
        return entry->record.get();
    }
    for (const RunId other : m_order) {
        const Entry* candidate = find(other);
        const RunStarted& start = candidate->record->start();
        if (candidate->display.batch == entry->display.batch && start.isBaseline &&
            start.laneGroup == entry->record->start().laneGroup) {
            return candidate->record.get();
        }
    }
    return nullptr;
}

const RunRecord* RunCollection::oracleOf(RunId id) const {
    const Entry* entry = find(id);
    std::vector<const RunRecord*> lanes;
    for (const RunId other : m_order) {
        const Entry* candidate = find(other);
        if (entry != nullptr && candidate->display.batch == entry->display.batch) {
            lanes.push_back(candidate->record.get());
        }
    }
    return entry != nullptr ? lambdascope::oracleOf(*entry->record, lanes) : nullptr;
}

void RunCollection::beginBatch() {
    ++m_batch;
}

std::vector<RunId> RunCollection::refreshStyles() {
    std::vector<RunId> order;
    for (const RunId id : m_order) { // lanes of one start in their order, the newest start first
        const auto place = std::find_if(order.begin(), order.end(), [&](RunId other) {
            return find(other)->display.batch < find(id)->display.batch;
        });
        order.insert(place, id);
    }
    std::set<int> used;
    std::vector<RunId> changed;
    for (const RunId id : order) {
        RunDisplay& display = find(id)->display;
        int place = m_places.at(display.batch).at(QString::fromStdString(find(id)->record->start().laneName));
        while (display.isShown && !used.insert(place).second) {
            place += LaneColours::kCount;
        }
        if (display.styleIndex != place) {
            display.styleIndex = place;
            changed.push_back(id);
        }
    }
    return changed;
}

void RunCollection::refreshStylesAndTell() {
    if (const std::vector<RunId> changed = refreshStyles(); !changed.empty()) {
        Q_EMIT runsUpdated(changed);
    }
}

void RunCollection::insertNew(RunId id, std::shared_ptr<Entry> entry) {
    QStringList lanes = laneNamesOf(*entry->record);
    std::map<QString, int>& places = m_places[entry->display.batch];
    for (const auto& [lane, place] : places) { // of one start, be it that its experiment does not list them
        lanes << lane;
    }
    lanes.removeDuplicates();
    m_colours.learn(lanes);
    places = m_colours.placesOf(lanes);
    if (entry->display.name.isEmpty()) {
        entry->display.name = QString::fromStdString(entry->record->start().laneName);
    }
    entry->display.note = noteOf(*entry->record);
    entry->settings = settingsOf(*entry->record);
    m_entries.emplace(id, std::move(entry));
    m_order.push_back(id);
}

void RunCollection::apply(const std::vector<RunEvent>& events) {
    std::vector<RunId> added;
    std::vector<RunId> updated;
    std::map<RunId, int> latestPoints;
    for (const RunEvent& event : events) {
        std::shared_ptr<Entry> entry;
        if (const auto found = m_entries.find(event.run); found != m_entries.end()) {
            entry = found->second;
        } else if (const auto gone = m_deleted.find(event.run); gone != m_deleted.end()) {
            // Undo may bring it back: it must not have missed anything.
            if (const auto kept = gone->second.lock()) {
                kept->record->apply(event);
            }
            continue;
        } else if (std::holds_alternative<RunStarted>(event.body)) {
            entry = std::make_shared<Entry>();
            entry->record = std::make_shared<RunRecord>(event.run);
            entry->display.batch = m_batch;
        } else {
            continue;
        }
        entry->record->apply(event);
        if (!contains(event.run)) {
            insertNew(event.run, entry);
            added.push_back(event.run);
        } else if (std::find(added.begin(), added.end(), event.run) == added.end() &&
                   std::find(updated.begin(), updated.end(), event.run) == updated.end()) {
            updated.push_back(event.run);
        }
        if (const auto* point = std::get_if<PointFinished>(&event.body)) {
            latestPoints[event.run] = point->index;
        }
    }
    for (const auto* changed : {&added, &updated}) {
        for (const RunId id : *changed) {
            Entry& entry = *find(id);
            entry.display.note = noteOf(*entry.record);
        }
    }
    if (!added.empty()) {
        for (const RunId id : refreshStyles()) {
            if (std::find(added.begin(), added.end(), id) == added.end() &&
                std::find(updated.begin(), updated.end(), id) == updated.end()) {
                updated.push_back(id);
            }
        }
        Q_EMIT runsAdded(added);
    }
    if (!updated.empty()) {
        Q_EMIT runsUpdated(updated);
    }
    for (const auto& [id, index] : latestPoints) {
        Q_EMIT pointFinished(id, index);
    }
}

std::vector<RunId> RunCollection::add(std::vector<RunRecord> records, RunOrigin origin,
                                      const std::vector<QString>& names, const std::filesystem::path& folder) {
    beginBatch();
    std::vector<RunId> added;
    for (std::size_t i = 0; i < records.size(); ++i) {
        auto entry = std::make_shared<Entry>();
        // Readers give fresh ids; a record that was made by hand may have none, or one that is taken.
        const RunId own = records[i].id();
        const RunId id = own.isValid() && !contains(own) ? own : RunIdSource::next();
        entry->record = std::make_shared<RunRecord>(std::move(records[i]));
        entry->display.origin = origin;
        entry->display.folder = folder;
        entry->display.batch = m_batch;
        if (i < names.size()) {
            entry->display.name = names[i];
        }
        insertNew(id, std::move(entry));
        added.push_back(id);
    }
    beginBatch();
    if (!added.empty()) {
        const std::vector<RunId> restyled = refreshStyles();
        Q_EMIT runsAdded(added);
        if (!restyled.empty()) {
            Q_EMIT runsUpdated(restyled);
        }
    }
    return added;
}

void RunCollection::setShown(RunId id, bool shown) {
    setShown(std::vector{id}, shown);
}

void RunCollection::setShown(const std::vector<RunId>& ids, bool shown) {
    std::vector<std::pair<RunId, bool>> states;
    for (const RunId id : ids) {
        if (contains(id) && display(id).isShown != shown) {
            states.emplace_back(id, shown);
        }
    }
    changeShown(std::move(states));
}

void RunCollection::showOnly(const std::vector<RunId>& ids) {
    std::vector<std::pair<RunId, bool>> states;
    for (const RunId id : m_order) {
        const bool shown = std::find(ids.begin(), ids.end(), id) != ids.end();
        if (display(id).isShown != shown) {
            states.emplace_back(id, shown);
        }
    }
    changeShown(std::move(states));
}

void RunCollection::changeShown(std::vector<std::pair<RunId, bool>> states) {
    if (!states.empty()) {
        RunCollectionCommands::changeShown(*this, m_undoStack, std::move(states));
    }
}

void RunCollection::rename(RunId id, const QString& name) {
    const QString trimmed = name.trimmed();
    if (contains(id) && !trimmed.isEmpty() && display(id).name != trimmed) {
        RunCollectionCommands::rename(*this, m_undoStack, id, trimmed);
    }
}

void RunCollection::remove(const std::vector<RunId>& ids) {
    std::vector<RunId> present;
    std::copy_if(ids.begin(), ids.end(), std::back_inserter(present), [this](RunId id) { return contains(id); });
    if (!present.empty()) {
        RunCollectionCommands::remove(*this, m_undoStack, present);
    }
}

void RunCollection::applyShown(const std::vector<std::pair<RunId, bool>>& states) {
    std::vector<RunId> changed;
    for (const auto& [id, shown] : states) {
        if (Entry* entry = find(id); entry != nullptr && entry->display.isShown != shown) {
            entry->display.isShown = shown;
            changed.push_back(id);
        }
    }
    if (!changed.empty()) {
        refreshStylesAndTell();
        Q_EMIT visibilityChanged(changed);
    }
}

void RunCollection::applyName(RunId id, const QString& name) {
    if (Entry* entry = find(id)) {
        entry->display.name = name;
        Q_EMIT runsUpdated({id});
        Q_EMIT renamed(id, name);
    }
}

void RunCollection::setAudit(RunId id, std::optional<LaneAudit> audit) {
    if (Entry* entry = find(id)) {
        entry->display.audit = std::move(audit);
        Q_EMIT runsUpdated({id});
        Q_EMIT auditChanged(id);
    }
}

void RunCollection::insertEntries(const std::vector<Placed>& entries) {
    std::vector<RunId> ids;
    for (const Placed& placed : entries) {
        m_deleted.erase(placed.id);
        placed.entry->display.note = noteOf(*placed.entry->record);
        m_entries.emplace(placed.id, placed.entry);
        const auto position = std::min(placed.position, m_order.size());
        m_order.insert(m_order.begin() + static_cast<std::ptrdiff_t>(position), placed.id);
        ids.push_back(placed.id);
    }
    const std::vector<RunId> restyled = refreshStyles();
    Q_EMIT runsAdded(ids);
    if (!restyled.empty()) {
        Q_EMIT runsUpdated(restyled);
    }
}

void RunCollection::removeEntries(const std::vector<Placed>& entries) {
    std::vector<RunId> ids;
    for (const Placed& placed : entries) {
        m_deleted[placed.id] = placed.entry;
        m_entries.erase(placed.id);
        std::erase(m_order, placed.id);
        ids.push_back(placed.id);
    }
    Q_EMIT runsRemoved(ids);
    refreshStylesAndTell();
}

} // namespace lambdascope

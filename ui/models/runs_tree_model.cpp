// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs_tree_model.h"

#include "core/record/run_record.h"

#include <algorithm>

namespace lambdascope {

namespace {

constexpr quintptr kTopLevel = 0; // internal id of the rows of experiments

} // namespace

RunsTreeModel::RunsTreeModel(RunsModel& lanes, QObject* parent) : QAbstractItemModel(parent), m_lanes(lanes) {
    connect(&lanes, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex&, int first, int last) { addLanes(first, last); });
    connect(&lanes, &QAbstractItemModel::rowsAboutToBeRemoved, this,
            [this](const QModelIndex&, int first, int last) { removeLanes(first, last); });
    connect(&lanes, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex& first, const QModelIndex& last) { tellChanged(first.row(), last.row()); });
    addLanes(0, lanes.rowCount() - 1);
}

void RunsTreeModel::addLanes(int first, int last) {
    for (int row = first; row <= last; ++row) {
        const RunId run = m_lanes.runAt(row);
        const int batch = m_lanes.index(row, 0).data(RunsModel::BatchRole).toInt();
        // Those of the session, the newest start first; then what is kept.
        auto place = std::find_if(m_groups.begin(), m_groups.end(), [batch](const Group& group) {
            return group.kept.has_value() || group.batch <= batch;
        });
        if (place == m_groups.end() || place->kept || place->batch != batch) {
            const int at = static_cast<int>(place - m_groups.begin());
            beginInsertRows({}, at, at);
            place = m_groups.insert(place, Group{++m_lastKey, batch, {}, {}, {}});
            endInsertRows();
        }
        const auto lane = std::find_if(place->runs.begin(), place->runs.end(),
                                       [&](RunId other) { return m_lanes.rowOf(other) > row; });
        const int at = static_cast<int>(lane - place->runs.begin());
        beginInsertRows(index(static_cast<int>(place - m_groups.begin()), 0), at, at);
        place->runs.insert(lane, run);
        endInsertRows();
    }
}

void RunsTreeModel::removeLanes(int first, int last) {
    for (int row = first; row <= last; ++row) {
        const QModelIndex lane = indexOf(m_lanes.runAt(row));
        if (!lane.isValid()) {
            continue;
        }
        const int groupRow = lane.parent().row();
        Group& group = m_groups[static_cast<std::size_t>(groupRow)];
        beginRemoveRows(lane.parent(), lane.row(), lane.row());
        group.runs.erase(group.runs.begin() + lane.row());
        endRemoveRows();
        if (group.runs.empty()) {
            beginRemoveRows({}, groupRow, groupRow);
            m_groups.erase(m_groups.begin() + groupRow);
            endRemoveRows();
        }
    }
}

void RunsTreeModel::tellChanged(int first, int last) {
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        const Group& group = m_groups[g];
        int from = -1;
        int to = -1;
        for (std::size_t k = 0; k < group.runs.size(); ++k) {
            const int row = m_lanes.rowOf(group.runs[k]);
            if (row >= first && row <= last) {
                from = from < 0 ? static_cast<int>(k) : from;
                to = static_cast<int>(k);
            }
        }
        if (from >= 0) {
            const QModelIndex top = index(static_cast<int>(g), 0);
            Q_EMIT dataChanged(index(from, 0, top), index(to, RunsModel::ColumnCount - 1, top));
            Q_EMIT dataChanged(top, index(static_cast<int>(g), RunsModel::ColumnCount - 1));
        }
    }
}

std::size_t RunsTreeModel::firstKept() const {
    // Those of the session, which are few, stand above.
    const auto first =
        std::find_if(m_groups.begin(), m_groups.end(), [](const Group& group) { return group.kept.has_value(); });
    return static_cast<std::size_t>(first - m_groups.begin());
}

void RunsTreeModel::removeKept() {
    const std::size_t first = firstKept();
    if (first < m_groups.size()) {
        beginRemoveRows({}, static_cast<int>(first), static_cast<int>(m_groups.size()) - 1);
        m_groups.resize(first);
        endRemoveRows();
    }
}

void RunsTreeModel::setKept(const std::vector<LibraryExperiment>& experiments,
                            const std::map<RunId, LibraryExperiment>& ofSession) {
    const std::size_t first = firstKept();
    for (std::size_t row = 0; row < first; ++row) {
        Group& group = m_groups[row];
        const auto found = std::find_if(group.runs.begin(), group.runs.end(),
                                        [&](RunId run) { return ofSession.find(run) != ofSession.end(); });
        group.labels = found == group.runs.end() ? std::nullopt : std::optional(ofSession.at(*found));
        Q_EMIT dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), RunsModel::ColumnCount - 1));
    }
    // Where they are the same as before, and only something is said of them, what is selected and open stays so.
    const bool isSame =
        m_groups.size() - first == experiments.size() &&
        std::equal(experiments.begin(), experiments.end(), m_groups.begin() + static_cast<int>(first),
                   [](const LibraryExperiment& experiment, const Group& group) {
                       return experiment.id == group.kept->id && experiment.runs.size() == group.kept->runs.size();
                   });
    if (isSame) {
        for (std::size_t i = 0; i < experiments.size(); ++i) {
            m_groups[first + i].kept = experiments[i];
        }
        if (!experiments.empty()) {
            Q_EMIT dataChanged(index(static_cast<int>(first), 0),
                               index(static_cast<int>(m_groups.size()) - 1, RunsModel::ColumnCount - 1));
        }
        return;
    }
    removeKept();
    if (experiments.empty()) {
        return;
    }
    beginInsertRows({}, static_cast<int>(first), static_cast<int>(first + experiments.size()) - 1);
    m_groups.reserve(first + experiments.size());
    for (const LibraryExperiment& experiment : experiments) {
        m_groups.push_back({++m_lastKey, -1, {}, experiment, {}});
    }
    endInsertRows();
}

QModelIndex RunsTreeModel::indexOf(LibraryExperimentId id) const {
    const auto found = std::find_if(m_groups.begin(), m_groups.end(), [id](const Group& group) {
        return group.inLibrary() != nullptr && group.inLibrary()->id == id;
    });
    return found == m_groups.end() ? QModelIndex() : index(static_cast<int>(found - m_groups.begin()), 0);
}

LibraryExperiment RunsTreeModel::searched(const Group& group) const {
    if (group.kept) {
        return *group.kept;
    }
    LibraryExperiment experiment = group.labels.value_or(LibraryExperiment());
    if (experiment.createdAt.empty()) { // of this session, so later than any time that is asked for
        experiment.createdAt = "9999";
    }
    experiment.runs.clear();
    for (const RunId run : lanesOf(group)) {
        const RunRecord& record = *m_lanes.runs().record(run);
        experiment.name = record.start().experimentName;
        experiment.family = record.start().family;
        LibraryRun lane;
        lane.lane = m_lanes.runs().display(run).name.toStdString();
        lane.state = record.state();
        experiment.runs.push_back(std::move(lane));
    }
    return experiment;
}

int RunsTreeModel::rowOf(quintptr key) const {
    // Keys of kept ones follow each other, and so do their rows.
    if (!m_groups.empty() && m_groups.back().kept && key <= m_groups.back().key) {
        const quintptr fromEnd = m_groups.back().key - key;
        if (fromEnd < m_groups.size() && m_groups[m_groups.size() - 1 - fromEnd].key == key) {
            return static_cast<int>(m_groups.size() - 1 - fromEnd);
        }
    }
    const auto found =
        std::find_if(m_groups.begin(), m_groups.end(), [key](const Group& group) { return group.key == key; });
    return found == m_groups.end() ? -1 : static_cast<int>(found - m_groups.begin());
}

QModelIndex RunsTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(row, column,
                       parent.isValid() ? m_groups[static_cast<std::size_t>(parent.row())].key : kTopLevel);
}

QModelIndex RunsTreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == kTopLevel) {
        return {};
    }
    const int row = rowOf(child.internalId());
    return row < 0 ? QModelIndex() : createIndex(row, 0, kTopLevel);
}

int RunsTreeModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) {
        return static_cast<int>(m_groups.size());
    }
    if (parent.internalId() != kTopLevel || parent.column() > 0) {
        return 0;
    }
    const Group& group = m_groups[static_cast<std::size_t>(parent.row())];
    return static_cast<int>(group.kept ? group.kept->runs.size() : group.runs.size());
}

int RunsTreeModel::columnCount(const QModelIndex&) const {
    return RunsModel::ColumnCount;
}

const RunsTreeModel::Group* RunsTreeModel::groupAt(const QModelIndex& index) const {
    if (!index.isValid()) {
        return nullptr;
    }
    const int row = index.internalId() == kTopLevel ? index.row() : rowOf(index.internalId());
    return row < 0 || row >= static_cast<int>(m_groups.size()) ? nullptr : &m_groups[static_cast<std::size_t>(row)];
}

std::optional<RunId> RunsTreeModel::runAt(const QModelIndex& index) const {
    const Group* group = groupAt(index);
    const bool isLane = group != nullptr && index.internalId() != kTopLevel && !group->kept &&
                        index.row() < static_cast<int>(group->runs.size());
    return isLane ? std::optional(group->runs[static_cast<std::size_t>(index.row())]) : std::nullopt;
}

QModelIndex RunsTreeModel::indexOf(RunId run) const {
    for (const Group& group : m_groups) {
        const auto found = std::find(group.runs.begin(), group.runs.end(), run);
        if (found != group.runs.end()) {
            return createIndex(static_cast<int>(found - group.runs.begin()), 0, group.key);
        }
    }
    return {};
}

QVariant RunsTreeModel::data(const QModelIndex& index, int role) const {
    const Group* group = groupAt(index);
    if (group == nullptr) {
        return {};
    }
    if (index.internalId() == kTopLevel) {
        return groupData(*group, index.column(), role);
    }
    if (const auto run = runAt(index)) {
        return m_lanes.index(m_lanes.rowOf(*run), index.column()).data(role);
    }
    return group->kept && index.row() < static_cast<int>(group->kept->runs.size())
               ? keptLaneData(*group, group->kept->runs[static_cast<std::size_t>(index.row())], index.column(), role)
               : QVariant();
}

bool RunsTreeModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const Group* group = groupAt(index);
    if (group == nullptr || index.column() != RunsModel::Name) {
        return false;
    }
    if (group->kept) {
        const bool isTick = role == Qt::CheckStateRole && value.value<Qt::CheckState>() != Qt::Unchecked;
        if (isTick) {
            Q_EMIT keptTicked(group->kept->id.value, index.data(LaneRole).toString());
        }
        if (role == Qt::EditRole && index.internalId() == kTopLevel) {
            Q_EMIT keptRenamed(*group->kept, value.toString());
            return true;
        }
        return isTick;
    }
    if (const auto run = runAt(index)) {
        return m_lanes.setData(m_lanes.index(m_lanes.rowOf(*run), RunsModel::Name), value, role);
    }
    if (role != Qt::CheckStateRole) {
        return false;
    }
    m_lanes.runs().setShown(group->runs, value.value<Qt::CheckState>() != Qt::Unchecked);
    return true;
}

QVariant RunsTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return m_lanes.headerData(section, orientation, role);
}

Qt::ItemFlags RunsTreeModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (index.isValid()) {
        const bool isName = index.column() == RunsModel::Name;
        flags |= isName ? Qt::ItemIsUserCheckable : Qt::NoItemFlags;
        const bool isKeptTop = index.internalId() == kTopLevel && groupAt(index)->kept;
        flags |= isName && (isKeptTop || runAt(index)) ? Qt::ItemIsEditable : Qt::NoItemFlags;
        flags |= index.internalId() != kTopLevel ? Qt::ItemNeverHasChildren : Qt::NoItemFlags;
    }
    return flags;
}

} // namespace lambdascope

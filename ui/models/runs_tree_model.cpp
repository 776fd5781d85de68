// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs_tree_model.h"

#include "core/common/number_text.h"
#include "core/record/run_record.h"

#include <algorithm>
#include <limits>

namespace lambdascope {

namespace {

using State = RunRecord::State;

constexpr quintptr topLevel = 0; // internal id of the rows of experiments

/// How far a lane is, or was when it ended.
struct LaneState {
    State state = State::Running;
    int finished = 0;
    int planned = 0;
};

/// What is to be said of lanes that have all ended.
QString endOf(const std::vector<LaneState>& lanes) {
    for (const State state : {State::Failed, State::Interrupted, State::Stopped}) {
        const auto count =
            std::count_if(lanes.begin(), lanes.end(), [state](const LaneState& lane) { return lane.state == state; });
        if (count == 0) {
            continue;
        }
        LaneState least{state, std::numeric_limits<int>::max(), 0};
        for (const LaneState& lane : lanes) {
            least.finished = lane.state == state ? std::min(least.finished, lane.finished) : least.finished;
            least.planned = std::max(least.planned, lane.state == State::Finished ? lane.finished : lane.planned);
        }
        if (state == State::Failed && count < static_cast<std::ptrdiff_t>(lanes.size())) {
            return QObject::tr("%1 of %2 failed").arg(count).arg(lanes.size());
        }
        return endedStateText(state, least.finished, least.planned);
    }
    return endedStateText(State::Finished, 0, 0);
}

QString dateText(const LibraryExperiment& experiment) {
    QString time = QString::fromStdString(experiment.createdAt).left(16);
    return time.replace(QLatin1Char('T'), QLatin1Char(' '));
}

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
            place = m_groups.insert(place, Group{++m_lastKey, batch, {}, {}});
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

void RunsTreeModel::removeKept() {
    const auto first =
        std::find_if(m_groups.begin(), m_groups.end(), [](const Group& group) { return group.kept.has_value(); });
    if (first != m_groups.end()) {
        beginRemoveRows({}, static_cast<int>(first - m_groups.begin()), static_cast<int>(m_groups.size()) - 1);
        m_groups.erase(first, m_groups.end());
        endRemoveRows();
    }
}

void RunsTreeModel::setKept(const std::vector<LibraryExperiment>& experiments) {
    removeKept();
    if (experiments.empty()) {
        return;
    }
    const auto first = static_cast<int>(m_groups.size());
    beginInsertRows({}, first, first + static_cast<int>(experiments.size()) - 1);
    for (const LibraryExperiment& experiment : experiments) {
        m_groups.push_back({++m_lastKey, -1, {}, experiment});
    }
    endInsertRows();
}

int RunsTreeModel::rowOf(quintptr key) const {
    const auto found =
        std::find_if(m_groups.begin(), m_groups.end(), [key](const Group& group) { return group.key == key; });
    return found == m_groups.end() ? -1 : static_cast<int>(found - m_groups.begin());
}

QModelIndex RunsTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(row, column, parent.isValid() ? m_groups[static_cast<std::size_t>(parent.row())].key : topLevel);
}

QModelIndex RunsTreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == topLevel) {
        return {};
    }
    const int row = rowOf(child.internalId());
    return row < 0 ? QModelIndex() : createIndex(row, 0, topLevel);
}

int RunsTreeModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) {
        return static_cast<int>(m_groups.size());
    }
    if (parent.internalId() != topLevel || parent.column() > 0) {
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
    const int row = index.internalId() == topLevel ? index.row() : rowOf(index.internalId());
    return row < 0 || row >= static_cast<int>(m_groups.size()) ? nullptr : &m_groups[static_cast<std::size_t>(row)];
}

std::optional<RunId> RunsTreeModel::runAt(const QModelIndex& index) const {
    const Group* group = groupAt(index);
    const bool isLane = group != nullptr && index.internalId() != topLevel && !group->kept &&
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
    if (index.internalId() == topLevel) {
        return groupData(*group, index.column(), role);
    }
    if (const auto run = runAt(index)) {
        return m_lanes.index(m_lanes.rowOf(*run), index.column()).data(role);
    }
    return group->kept && index.row() < static_cast<int>(group->kept->runs.size())
               ? keptLaneData(*group, group->kept->runs[static_cast<std::size_t>(index.row())], index.column(), role)
               : QVariant();
}

std::vector<RunId> RunsTreeModel::lanesOf(const Group& group) const {
    std::vector<RunId> lanes;
    std::copy_if(group.runs.begin(), group.runs.end(), std::back_inserter(lanes),
                 [this](RunId run) { return m_lanes.runs().contains(run); });
    return lanes;
}

Qt::CheckState RunsTreeModel::ticksOf(const Group& group) const {
    const std::vector<RunId> lanes = lanesOf(group);
    const auto shown =
        std::count_if(lanes.begin(), lanes.end(), [this](RunId run) { return m_lanes.runs().display(run).isShown; });
    return shown == 0                                           ? Qt::Unchecked
           : shown == static_cast<std::ptrdiff_t>(lanes.size()) ? Qt::Checked
                                                                : Qt::PartiallyChecked;
}

QString RunsTreeModel::groupState(const Group& group) const {
    std::vector<LaneState> lanes;
    if (group.kept) {
        for (const LibraryRun& run : group.kept->runs) {
            if (run.state == State::Running) { // by another program
                return endedStateText(State::Running, 0, 0);
            }
            lanes.push_back({run.state, run.finishedPoints, run.plannedPoints});
        }
    }
    for (const RunId run : lanesOf(group)) {
        const RunRecord& record = *m_lanes.runs().record(run);
        if (!record.hasEnded()) {
            return m_lanes.index(m_lanes.rowOf(run), RunsModel::State).data().toString();
        }
        lanes.push_back({record.state(), static_cast<int>(record.finishedPointCount()), record.plannedPointCount()});
    }
    return endOf(lanes);
}

double RunsTreeModel::groupNumber(const Group& group, int column) const {
    double cpu = 0;
    std::size_t points = 0;
    for (const RunId run : lanesOf(group)) {
        const RunRecord& record = *m_lanes.runs().record(run);
        cpu += record.cpuSolve() + record.cpuScreen();
        points = std::max(points, record.finishedPointCount());
    }
    if (group.kept) {
        for (const LibraryRun& run : group.kept->runs) {
            cpu += run.cpuSolve + run.cpuScreen;
            points = std::max(points, static_cast<std::size_t>(std::max(run.finishedPoints, 0)));
        }
    }
    return column == RunsModel::Cpu ? cpu : static_cast<double>(points);
}

QString RunsTreeModel::groupText(const Group& group, int column) const {
    const std::vector<RunId> lanes = lanesOf(group);
    const RunStarted* start = lanes.empty() ? nullptr : &m_lanes.runs().record(lanes.front())->start();
    switch (column) {
    case RunsModel::Name:
        return QString::fromStdString(group.kept ? group.kept->name : start == nullptr ? "" : start->experimentName);
    case RunsModel::State: return groupState(group);
    case RunsModel::Points: return QString::number(groupNumber(group, column));
    case RunsModel::Cpu: return QString::fromStdString(durationText(groupNumber(group, column)));
    case RunsModel::Ended: return group.kept ? dateText(*group.kept) : QString();
    case RunsModel::Family:
        return QString::fromStdString(group.kept ? group.kept->family : start == nullptr ? "" : start->family);
    default: return {};
    }
}

QVariant RunsTreeModel::groupData(const Group& group, int column, int role) const {
    const bool isNumber = column >= RunsModel::Points && column <= RunsModel::Ratio;
    switch (role) {
    case Qt::DisplayRole: return groupText(group, column);
    case Qt::CheckStateRole: return column == RunsModel::Name ? QVariant(ticksOf(group)) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::AccessibleTextRole: return headerData(column, Qt::Horizontal).toString() + ": " + groupText(group, column);
    case Qt::ToolTipRole:
        return group.kept ? tr("%1\nKept since %2 UTC. A tick reads it and shows it beside the others.")
                                .arg(groupText(group, RunsModel::Name), dateText(*group.kept))
                          : QVariant(groupText(group, RunsModel::Name));
    case RunsModel::SortRole:
        return column == RunsModel::Cpu || column == RunsModel::Points ? QVariant(groupNumber(group, column))
                                                                       : QVariant(groupText(group, column));
    case KeptRole: return group.kept ? QVariant(static_cast<qlonglong>(group.kept->id.value)) : QVariant();
    default: return {};
    }
}

QVariant RunsTreeModel::keptLaneData(const Group& group, const LibraryRun& lane, int column, int role) const {
    const auto textOf = [&lane](int which) -> QString {
        switch (which) {
        case RunsModel::Name: return QString::fromStdString(lane.lane);
        case RunsModel::State: return endedStateText(lane.state, lane.finishedPoints, lane.plannedPoints);
        case RunsModel::Points: return QString::number(lane.finishedPoints);
        case RunsModel::Cpu: return QString::fromStdString(durationText(lane.cpuSolve + lane.cpuScreen));
        default: return {};
        }
    };
    const bool isNumber = column >= RunsModel::Points && column <= RunsModel::Ratio;
    switch (role) {
    case Qt::DisplayRole: return textOf(column);
    case Qt::CheckStateRole: return column == RunsModel::Name ? QVariant(Qt::Unchecked) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::AccessibleTextRole: return headerData(column, Qt::Horizontal).toString() + ": " + textOf(column);
    case RunsModel::SortRole:
        return column == RunsModel::Cpu      ? QVariant(lane.cpuSolve + lane.cpuScreen)
               : column == RunsModel::Points ? QVariant(static_cast<double>(lane.finishedPoints))
                                             : QVariant(textOf(column));
    case KeptRole: return static_cast<qlonglong>(group.kept->id.value);
    case LaneRole: return QString::fromStdString(lane.lane);
    default: return {};
    }
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
        flags |= isName && runAt(index) ? Qt::ItemIsEditable : Qt::NoItemFlags;
        flags |= index.internalId() != topLevel ? Qt::ItemNeverHasChildren : Qt::NoItemFlags;
    }
    return flags;
}

} // namespace lambdascope

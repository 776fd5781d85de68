// SPDX-License-Identifier: GPL-3.0-or-later
// What the rows of RunsTreeModel say.
#include "core/common/number_text.h"
#include "core/record/run_record.h"
#include "ui/models/runs_tree_model.h"

#include <algorithm>
#include <limits>

namespace lambdascope {

namespace {

using State = RunRecord::State;

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
    case RunsModel::Name: {
        const bool isStarred = group.inLibrary() != nullptr && group.inLibrary()->isStarred;
        return (isStarred ? QStringLiteral("★ ") : QString()) + QString::fromStdString(group.kept ? group.kept->name
                                                                                       : start == nullptr
                                                                                           ? ""
                                                                                           : start->experimentName);
    }
    case RunsModel::State: return groupState(group);
    case RunsModel::Points: return QString::number(groupNumber(group, column));
    case RunsModel::Cpu: return QString::fromStdString(durationText(groupNumber(group, column)));
    case RunsModel::Ended: return group.kept ? dateText(*group.kept) : QString();
    case RunsModel::Family:
        return QString::fromStdString(group.kept ? group.kept->family : start == nullptr ? "" : start->family);
    default: return {};
    }
}

QString RunsTreeModel::groupHint(const Group& group) const {
    QString hint = groupText(group, RunsModel::Name);
    if (group.kept) {
        hint += tr("\nKept since %1 UTC. A tick reads it and shows it beside the others.").arg(dateText(*group.kept));
    }
    if (const LibraryExperiment* labels = group.inLibrary()) {
        QStringList tags;
        for (const std::string& tag : labels->tags) {
            tags << QString::fromStdString(tag);
        }
        hint += tags.isEmpty() ? QString() : tr("\nTags: %1").arg(tags.join(' '));
        hint += labels->notes.empty() ? QString() : tr("\nNotes: %1").arg(QString::fromStdString(labels->notes));
    }
    return hint;
}

QVariant RunsTreeModel::groupData(const Group& group, int column, int role) const {
    const bool isNumber = column >= RunsModel::Points && column <= RunsModel::Ratio;
    switch (role) {
    case Qt::DisplayRole: return groupText(group, column);
    case Qt::CheckStateRole: return column == RunsModel::Name ? QVariant(ticksOf(group)) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::AccessibleTextRole: return headerData(column, Qt::Horizontal).toString() + ": " + groupText(group, column);
    case Qt::ToolTipRole: return groupHint(group);
    case Qt::EditRole:
        return column == RunsModel::Name && group.kept ? QString::fromStdString(group.kept->name) : QVariant();
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

} // namespace lambdascope

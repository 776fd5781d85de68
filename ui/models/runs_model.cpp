// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs_model.h"

#include "core/common/number_text.h"
#include "core/record/run_record.h"
#include "core/record/time_comparison.h"
#include "ui/session/runs/safety.h"
#include "ui/session/runs/shown_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lambdascope {

QString endedStateText(RunRecord::State state, int finishedPoints, int plannedPoints) {
    const auto name = recordStateName(state);
    const QString word = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    const bool isPart = state == RunRecord::State::Stopped || state == RunRecord::State::Interrupted;
    return isPart && plannedPoints > finishedPoints
               ? QObject::tr("%1 at %2 of %3").arg(word).arg(finishedPoints).arg(plannedPoints)
               : word;
}

namespace {

QString toText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString stateText(const RunCollection& runs, RunId id, bool isPaused) {
    const RunRecord& record = *runs.record(id);
    if (record.state() != RunRecord::State::Running) {
        return endedStateText(record.state(), static_cast<int>(record.finishedPointCount()),
                              record.plannedPointCount());
    }
    const QString word = isPaused ? QObject::tr("paused") : toText(recordStateName(record.state()));
    const double about = pathLengthOf(runs, id).points;
    return about > 0
               ? QObject::tr("%1, %2 %")
                     .arg(word)
                     .arg(static_cast<int>(std::floor(100 * static_cast<double>(record.finishedPointCount()) / about)))
               : word;
}

QString endOrFailure(const RunRecord& record) {
    return record.state() == RunRecord::State::Failed ? QString::fromStdString(record.failure()).section('\n', 0, 0)
                                                      : endText(record);
}

QString number(const std::optional<double>& value, const char* suffix = "", double factor = 1) {
    return value ? QString::fromStdString(shortText(*value * factor, 3)) + suffix : QString();
}

double totalCpu(const RunRecord& record) {
    return record.cpuSolve() + record.cpuScreen();
}

/// Screening rate of the last finished point that has one.
std::optional<double> lastRate(const RunRecord& record) {
    const auto column = record.columnWithRole(ColumnRole::FinalRate);
    for (std::size_t i = column ? record.finishedPointCount() : 0; i > 0; --i) {
        if (const double rate = record.points()[i - 1].values.at(*column); std::isfinite(rate)) {
            return rate;
        }
    }
    return std::nullopt;
}

} // namespace

RunsModel::RunsModel(RunCollection& runs, QObject* parent)
    : QAbstractTableModel(parent), m_runs(runs), m_rows(runs.ids()) {
    connect(&runs, &RunCollection::runsAdded, this, &RunsModel::onAdded);
    connect(&runs, &RunCollection::runsRemoved, this, &RunsModel::onRemoved);
    connect(&runs, &RunCollection::runsUpdated, this, &RunsModel::onChanged);
    connect(&runs, &RunCollection::visibilityChanged, this, &RunsModel::onChanged);
    connect(&runs, &RunCollection::renamed, this, [this] { onChanged(m_rows); }); // numbers of equal names
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

RunId RunsModel::runAt(int row) const {
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)] : RunId{};
}

int RunsModel::rowOf(RunId id) const {
    const auto found = std::find(m_rows.begin(), m_rows.end(), id);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

std::optional<double> RunsModel::figure(RunId id, int column) const {
    const RunRecord& record = *m_runs.record(id);
    switch (column) {
    case Points: return static_cast<double>(record.finishedPointCount());
    case Rate: return lastRate(record);
    case Cpu: return totalCpu(record);
    case Ratio: {
        const RunRecord* baseline = m_runs.baselineOf(id);
        return baseline != nullptr ? tellingCpuRatio(record, *baseline) : std::nullopt;
    }
    default: return std::nullopt;
    }
}

QVariant RunsModel::text(RunId id, int column) const {
    const RunRecord& record = *m_runs.record(id);
    switch (column) {
    case Name: return runLabel(m_runs, id);
    case State: return stateText(m_runs, id, m_isPaused);
    case Family: return QString::fromStdString(record.start().family);
    case Lane: return QString::fromStdString(record.start().laneName);
    case Experiment: return QString::fromStdString(record.start().experimentName);
    case Points: {
        const auto done = record.finishedPointCount();
        const PathLength length = pathLengthOf(m_runs, id);
        return record.hasEnded() || length.points <= 0
                   ? QString::number(done)
                   : QString("%1 / %2%3").arg(done).arg(length.isKnown ? "" : "~").arg(length.points);
    }
    case Rate: return number(figure(id, column), " %", 100);
    case Cpu: return QString::fromStdString(durationText(totalCpu(record)));
    case Ratio: {
        const RunRecord* baseline = m_runs.baselineOf(id);
        const bool isTooShort = baseline != nullptr && totalCpuRatio(record, *baseline) && !figure(id, column);
        return isTooShort ? QObject::tr("too short") : number(figure(id, column), " ×");
    }
    case SafetyState: return safetyText(record, m_runs.display(id).audit);
    case Ended: return endOrFailure(record);
    default: return {};
    }
}

QVariant RunsModel::sortKey(RunId id, int column) const {
    switch (column) {
    case Points:
    case Rate:
    case Cpu:
    case Ratio: return figure(id, column).value_or(-std::numeric_limits<double>::infinity());
    case SafetyState: return static_cast<int>(safetyOf(*m_runs.record(id), m_runs.display(id).audit));
    default: return text(id, column);
    }
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const RunId id = runAt(index.row());
    if (!m_runs.contains(id)) {
        return {}; // deleted; its row is about to go
    }
    const RunDisplay& display = m_runs.display(id);
    const bool isNumber = index.column() >= Points && index.column() <= Ratio;
    switch (role) {
    case Qt::DisplayRole: return text(id, index.column());
    case Qt::EditRole: return index.column() == Name ? QVariant(display.name) : text(id, index.column());
    case Qt::CheckStateRole:
        return index.column() == Name ? QVariant(display.isShown ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::ToolTipRole: return tooltip(id, index.column());
    case Qt::TextAlignmentRole:
        return QVariant(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return headerData(index.column(), Qt::Horizontal).toString() + ": " + text(id, index.column()).toString();
    case RunIdRole: return static_cast<qlonglong>(id.value);
    case SortRole: return sortKey(id, index.column());
    case StyleIndexRole: return display.styleIndex;
    case BaselineRole: return m_runs.record(id)->start().isBaseline;
    case BatchRole: return display.batch;
    case SafetyRole: return static_cast<int>(safetyOf(*m_runs.record(id), display.audit));
    default: return {};
    }
}

QString RunsModel::tooltip(RunId id, int column) const {
    const RunRecord& record = *m_runs.record(id);
    if (const auto& audit = m_runs.display(id).audit; column == SafetyState && audit) {
        return auditDetails(*audit);
    }
    QString text = QString::fromStdString(record.start().experimentName + " · " + record.start().laneName);
    if (record.start().isBaseline) {
        text += tr("\nBaseline: other lanes' CPU times are divided by this one's.");
    }
    if (const std::vector<double> rates = columnByRole(record, ColumnRole::FinalRate);
        column == Rate && !rates.empty() && figure(id, Rate)) {
        const auto known = std::count_if(rates.begin(), rates.end(), [](double rate) { return std::isfinite(rate); });
        const double sum = std::accumulate(rates.begin(), rates.end(), 0.0, [](double all, double rate) {
            return std::isfinite(rate) ? all + rate : all;
        });
        if (known > 0) {
            text += tr("\nMean along the path: %1 %")
                        .arg(QString::fromStdString(shortText(100 * sum / static_cast<double>(known), 3)));
        }
    }
    const QString note = m_runs.display(id).note;
    return note.isEmpty() ? text : text + "\n" + note;
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != Name) {
        return false;
    }
    const RunId id = runAt(index.row());
    if (role == Qt::CheckStateRole) {
        m_runs.setShown(id, value.value<Qt::CheckState>() == Qt::Checked);
        return true;
    }
    if (role == Qt::EditRole && !value.toString().trimmed().isEmpty()) {
        m_runs.rename(id, value.toString());
        return true;
    }
    return false;
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    struct Header {
        QString title;
        QString help;
    };
    const auto header = [section]() -> Header {
        switch (section) {
        case Name: return {tr("Run"), tr("Ticked runs are drawn in the charts.")};
        case State: return {tr("State"), tr("What the run is doing.")};
        case Family: return {tr("Family"), tr("Problem family.")};
        case Lane: return {tr("Lane"), tr("Lane of the experiment.")};
        case Experiment: return {tr("Experiment"), tr("The experiment the lane belongs to.")};
        case Points: return {tr("Points"), tr("Finished path points, and about how many there will be.")};
        case Rate:
            return {tr("Rate, last"),
                    tr("Share of the decidable items that screening fixed before the last point was solved. A run's "
                       "tooltip has the mean along its path.")};
        case Cpu: return {tr("CPU"), tr("CPU time of solving and screening over all finished points.")};
        case Ratio:
            return {tr("Ratio"),
                    tr("CPU time divided by that of the baseline lane over the same points; both need 100 ms.")};
        case SafetyState:
            return {tr("Safety"),
                    tr("What an audit of the lane's decisions found. The Inspector's Verify starts one.")};
        default: return {tr("Ended"), tr("Why the run ended.")};
        }
    }();
    switch (role) {
    case Qt::DisplayRole: return header.title;
    case Qt::ToolTipRole: return header.help;
    case Qt::TextAlignmentRole:
        return QVariant(section >= Points && section <= Ratio ? Qt::AlignRight | Qt::AlignVCenter
                                                              : Qt::AlignLeft | Qt::AlignVCenter);
    default: return {};
    }
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid()) {
        flags |= Qt::ItemNeverHasChildren;
        if (index.column() == Name) {
            flags |= Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
        }
    }
    return flags;
}

void RunsModel::onAdded(const std::vector<RunId>& ids) {
    // Undo may put runs back in the middle; each keeps the place it has in the collection.
    const auto& order = m_runs.ids();
    for (const RunId id : ids) {
        if (rowOf(id) >= 0) {
            continue;
        }
        int row = 0;
        for (const RunId other : order) {
            if (other == id) {
                break;
            }
            row += rowOf(other) >= 0 ? 1 : 0;
        }
        beginInsertRows({}, row, row);
        m_rows.insert(m_rows.begin() + row, id);
        endInsertRows();
    }
}

void RunsModel::onRemoved(const std::vector<RunId>& ids) {
    // The collection no longer knows them: rows must go before a view asks for their data.
    for (const RunId id : ids) {
        if (const int row = rowOf(id); row >= 0) {
            beginRemoveRows({}, row, row);
            m_rows.erase(m_rows.begin() + row);
            endRemoveRows();
        }
    }
    onChanged(std::vector<RunId>(m_rows)); // numbers of equal names
}

void RunsModel::setPaused(bool isPaused) {
    if (m_isPaused != isPaused) {
        m_isPaused = isPaused;
        onChanged(std::vector<RunId>(m_rows));
    }
}

void RunsModel::onChanged(const std::vector<RunId>& ids) {
    int first = rowCount();
    int last = -1;
    for (const RunId id : ids) {
        if (const int row = rowOf(id); row >= 0) {
            first = std::min(first, row);
            last = std::max(last, row);
        }
    }
    if (last >= 0) {
        Q_EMIT dataChanged(index(first, 0), index(last, ColumnCount - 1));
    }
}

} // namespace lambdascope

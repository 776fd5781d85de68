// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/log_model.h"

#include "core/common/number_text.h"
#include "ui/session/count_text.h"
#include "ui/session/runs/shown_runs.h"

#include <algorithm>

namespace lambdascope {

namespace {

QString plainText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString levelName(LogLevel level) {
    switch (level) {
    case LogLevel::Warning: return QObject::tr("Warning");
    case LogLevel::Error: return QObject::tr("Error");
    case LogLevel::Info: break;
    }
    return QObject::tr("Info");
}

} // namespace

LogModel::LogModel(QObject* parent) : QAbstractTableModel(parent) {}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int LogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    if (role == LevelRole) {
        return static_cast<int>(line.level);
    }
    if (role == Qt::ToolTipRole) {
        return line.message;
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (index.column()) {
    case Time: return line.time.toString("hh:mm:ss");
    case Level: return levelName(line.level);
    case Source: return line.source;
    default: return line.message;
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Time: return tr("Time");
    case Level: return tr("Level");
    case Source: return tr("Source");
    case Message: return tr("Message");
    default: return {};
    }
}

void LogModel::add(LogLevel level, const QString& source, const QString& message) {
    append({{QDateTime::currentDateTime(), level, source, message}});
}

void LogModel::add(const Error& error, const QString& source) {
    std::vector<Line> lines;
    const QDateTime now = QDateTime::currentDateTime();
    for (const Fault& fault : error.faults) {
        lines.push_back({now, LogLevel::Error, source, QString::fromStdString(fault.text())});
    }
    if (lines.empty()) {
        lines.push_back({now, LogLevel::Error, source, QString::fromStdString(error.message)});
    }
    append(std::move(lines));
}

void LogModel::add(const std::vector<RunEvent>& events) {
    std::vector<Line> lines;
    const QDateTime now = QDateTime::currentDateTime();
    for (const RunEvent& event : events) {
        RunNames& names = m_names[event.run];
        const auto say = [&](LogLevel level, const QString& message) {
            lines.push_back({now, level, names.lane, message});
        };
        if (const auto* start = std::get_if<RunStarted>(&event.body)) {
            const auto isOfIterations = [](const ColumnDescription& column) {
                return column.role == ColumnRole::Iterations;
            };
            names = {QString::fromStdString(start->laneName), QString::fromStdString(start->axisLabel),
                     pathEndReason(*start), std::any_of(start->columns.begin(), start->columns.end(), isOfIterations)};
            say(LogLevel::Info, tr("started, %1").arg(QString::fromStdString(start->experimentName)));
        } else if (const auto* point = std::get_if<PointFinished>(&event.body)) {
            const bool isWhole = point->termination == Termination::Converged;
            // An epoch is a step of the solver: nothing was to converge within it.
            const QString how =
                isWhole && !names.iterates ? tr("done") : plainText(terminationName(point->termination));
            say(isWhole ? LogLevel::Info : LogLevel::Warning,
                tr("point %1, %2 = %3: %4")
                    .arg(point->index + 1)
                    .arg(names.axis, QString::fromStdString(shortText(point->axisValue, 6)), how));
        } else if (const auto* end = std::get_if<RunFinished>(&event.body)) {
            const bool isAtEnd = end->termination == Termination::PathEnded && !names.pathEnd.isEmpty();
            say(LogLevel::Info, tr("%1 after %2, %3 of CPU time")
                                    .arg(endText(end->termination, names.pathEnd) + (isAtEnd ? ";" : ""),
                                         countText(end->finishedPoints, tr("point"), tr("points")),
                                         QString::fromStdString(durationText(end->cpuSolve + end->cpuScreen))));
            m_names.erase(event.run);
        } else if (const auto* failure = std::get_if<RunFailed>(&event.body)) {
            say(LogLevel::Error, QString::fromStdString(failure->message));
            m_names.erase(event.run);
        }
    }
    append(std::move(lines));
}

void LogModel::append(std::vector<Line> lines) {
    if (lines.size() > kCapacity) {
        lines.erase(lines.begin(), lines.end() - kCapacity);
    }
    const int excess = rowCount() + static_cast<int>(lines.size()) - kCapacity;
    if (excess > 0) {
        beginRemoveRows({}, 0, excess - 1);
        m_lines.erase(m_lines.begin(), m_lines.begin() + excess);
        endRemoveRows();
    }
    if (!lines.empty()) {
        beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(lines.size()) - 1);
        m_lines.insert(m_lines.end(), std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end()));
        endInsertRows();
    }
}

void LogModel::clear() {
    beginResetModel();
    m_lines.clear();
    endResetModel();
}

QString LogModel::text() const {
    QString text;
    for (const Line& line : m_lines) {
        text += line.time.toString(Qt::ISODate) + '\t' + levelName(line.level) + '\t' + line.source + '\t' +
                QString(line.message).replace('\n', ' ') + '\n';
    }
    return text;
}

} // namespace lambdascope

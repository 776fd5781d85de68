// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/run/run_event.h"

#include <QAbstractTableModel>
#include <QDateTime>

#include <deque>
#include <map>
#include <vector>

namespace lambdascope {

enum class LogLevel { Info, Warning, Error };

/// What happened, newest last: time · level · source · message. Keeps the last `kCapacity` lines.
class LogModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    static constexpr int kCapacity = 5000;
    enum Role { LevelRole = Qt::UserRole }; ///< int, LogLevel
    enum Column { Time, Level, Source, Message, ColumnCount };

    explicit LogModel(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    void add(LogLevel level, const QString& source, const QString& message);
    /// One line per fault.
    void add(const Error& error, const QString& source);
    /// Lines for starts, finished points and ends; iterations and screenings make none.
    void add(const std::vector<RunEvent>& events);
    void clear();
    /// All lines as tab-separated text, for the clipboard.
    [[nodiscard]] QString text() const;

  private:
    struct Line {
        QDateTime time;
        LogLevel level;
        QString source;
        QString message;
    };
    struct RunNames {
        QString lane;
        QString axis;
        QString pathEnd;      ///< why the path ends where it does; empty for its planned end
        bool iterates = true; ///< its points are solved by iterations, and converge or do not
    };
    void append(std::vector<Line> lines);

    std::deque<Line> m_lines;
    std::map<RunId, RunNames> m_names;
};

} // namespace lambdascope

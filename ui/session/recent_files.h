// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

namespace lambdascope {

/// Files opened or saved lately, newest first, kept in QSettings under "recent/<kind>". GUI thread only.
class RecentFiles : public QObject {
    Q_OBJECT

  public:
    static constexpr int kLimit = 10;

    /// `kind` keeps lists apart: "experiments", "data", "runs".
    explicit RecentFiles(const QString& kind, QObject* parent = nullptr);

    /// Absolute paths; files that no longer exist are left out (but not forgotten: a disk may come back).
    [[nodiscard]] QStringList files() const;
    void add(const QString& file);
    void remove(const QString& file);
    void clear();

    /// What was noted of a file when it was last read; empty for nothing.
    [[nodiscard]] QString note(const QString& file) const;
    void setNote(const QString& file, const QString& note);

  Q_SIGNALS:
    void changed();

  private:
    [[nodiscard]] QStringList stored() const;
    void store(const QStringList& files);

    QString m_key;
};

} // namespace lambdascope

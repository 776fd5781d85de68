// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/recent_files.h"

#include <QFileInfo>
#include <QSettings>
#include <QVariantMap>

namespace lambdascope {

RecentFiles::RecentFiles(const QString& kind, QObject* parent) : QObject(parent), m_key("recent/" + kind) {}

QStringList RecentFiles::files() const {
    QStringList existing;
    for (const QString& file : stored()) {
        if (QFileInfo::exists(file)) {
            existing.append(file);
        }
    }
    return existing;
}

void RecentFiles::add(const QString& file) {
    const QString absolute = QFileInfo(file).absoluteFilePath();
    QStringList files = stored();
    files.removeAll(absolute);
    files.prepend(absolute);
    store(files.mid(0, kLimit));
}

void RecentFiles::remove(const QString& file) {
    QStringList files = stored();
    if (files.removeAll(QFileInfo(file).absoluteFilePath()) > 0) {
        store(files);
    }
}

void RecentFiles::clear() {
    store({});
}

QString RecentFiles::note(const QString& file) const {
    return QSettings().value(m_key + "-notes").toMap().value(QFileInfo(file).absoluteFilePath()).toString();
}

void RecentFiles::setNote(const QString& file, const QString& note) {
    const QStringList kept = stored();
    const QVariantMap before = QSettings().value(m_key + "-notes").toMap();
    QVariantMap notes;
    for (const QString& path : kept) { // of those that are not on the list there is no more to tell
        if (before.contains(path)) {
            notes[path] = before[path];
        }
    }
    notes[QFileInfo(file).absoluteFilePath()] = note;
    if (notes != before) {
        QSettings().setValue(m_key + "-notes", notes);
        Q_EMIT changed();
    }
}

QStringList RecentFiles::stored() const {
    return QSettings().value(m_key).toStringList();
}

void RecentFiles::store(const QStringList& files) {
    QSettings().setValue(m_key, files);
    Q_EMIT changed();
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/file_kind.h"

#include <QDir>
#include <QFileInfo>
#include <QStringList>

namespace lambdascope {

FileKind fileKind(const QString& path) {
    const QFileInfo info(path);
    if (!info.exists()) {
        return FileKind::Missing;
    }
    if (info.isDir()) {
        const auto holds = [&](const char* file) {
            return QFileInfo::exists(QDir(path).filePath(QLatin1String(file)));
        };
        return holds("run.json")     ? FileKind::RunFolder
               : holds("study.json") ? FileKind::StudyFolder
                                     : FileKind::OtherFolder;
    }
    if (info.fileName() == QLatin1String("run.json")) {
        return FileKind::RunFolder;
    }
    if (info.fileName() == QLatin1String("study.json")) {
        return FileKind::StudyFolder;
    }
    const QString suffix = info.suffix().toLower();
    if (suffix == QLatin1String("json")) {
        return FileKind::Experiment;
    }
    const QStringList figures{QStringLiteral("pdf"), QStringLiteral("svg"), QStringLiteral("png")};
    return figures.contains(suffix) ? FileKind::FigureFile : FileKind::Data;
}

} // namespace lambdascope

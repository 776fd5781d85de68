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
        return QFileInfo::exists(QDir(path).filePath(QStringLiteral("run.json"))) ? FileKind::RunFolder
                                                                                  : FileKind::OtherFolder;
    }
    if (info.fileName() == QLatin1String("run.json")) {
        return FileKind::RunFolder;
    }
    const QString suffix = info.suffix().toLower();
    if (suffix == QLatin1String("json")) {
        return FileKind::Experiment;
    }
    const QStringList figures{QStringLiteral("pdf"), QStringLiteral("svg"), QStringLiteral("png")};
    return figures.contains(suffix) ? FileKind::FigureFile : FileKind::Data;
}

} // namespace lambdascope

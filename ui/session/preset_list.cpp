// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/preset_list.h"

#include "core/common/resource_folder.h"
#include "ui/session/count_text.h"

#include <QDir>
#include <QFile>
#include <QObject>

namespace lambdascope {

namespace {

QString presetFolder() {
    return QString::fromStdString((resourceFolder() / "presets").string());
}

} // namespace

QString presetFile(const QString& name) {
    return QDir(presetFolder()).filePath(name + ".json");
}

std::vector<PresetListing> listedPresets(const SchemaCatalog& catalog) {
    std::vector<PresetListing> presets;
    for (const QString& fileName : QDir(presetFolder()).entryList({"*.json"}, QDir::Files, QDir::Name)) {
        QFile file(QDir(presetFolder()).filePath(fileName));
        if (!file.open(QIODevice::ReadOnly)) {
            continue;
        }
        const auto experiment = readExperiment(file.readAll().toStdString(), fileName.toStdString(), catalog);
        if (!experiment) {
            continue;
        }
        const Experiment& read = **experiment;
        const FamilySchema* family = catalog.find(read.family);
        QString summary = QString::fromStdString(read.description);
        if (summary.isEmpty()) {
            const auto source = read.data.find("source");
            summary =
                QObject::tr("%1 on %2, %3")
                    .arg(QString::fromStdString(family->title),
                         source != read.data.end() && source->is_string()
                             ? QString::fromStdString(source->get<std::string>())
                             : QObject::tr("no data"),
                         countText(static_cast<int>(read.lanes.size()), QObject::tr("lane"), QObject::tr("lanes")));
        }
        presets.push_back({fileName.chopped(5), QString::fromStdString(read.name), summary});
    }
    return presets;
}

} // namespace lambdascope

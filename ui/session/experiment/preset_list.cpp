// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/preset_list.h"

#include "core/common/resource_folder.h"
#include "ui/session/count_text.h"

#include <QDir>
#include <QObject>

#include <algorithm>
#include <iterator>

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
        const auto document = readJsonDocument(QDir(presetFolder()).filePath(fileName).toStdString());
        if (!document) {
            continue;
        }
        const auto experiment = validateExperiment(document->value, catalog);
        if (!experiment) {
            continue;
        }
        const Experiment& read = **experiment;
        const FamilySchema* family = catalog.find(read.family);
        QString summary = QString::fromStdString(read.description);
        if (summary.isEmpty()) {
            summary =
                QObject::tr("%1 on %2, %3")
                    .arg(QString::fromStdString(family->title), QString::fromStdString(read.data.source),
                         countText(static_cast<int>(read.laneNames.size()), QObject::tr("lane"), QObject::tr("lanes")));
        }
        presets.push_back({fileName.chopped(5), QString::fromStdString(read.name), summary, read.family});
    }
    return presets;
}

std::vector<PresetListing> listedStudies() {
    const QDir folder(QString::fromStdString((resourceFolder() / "studies").string()));
    std::vector<PresetListing> studies;
    for (const QString& fileName : folder.entryList({"*.json"}, QDir::Files, QDir::Name)) {
        const auto document = readJsonDocument(folder.filePath(fileName).toStdString());
        if (document && document->value.isObject()) {
            studies.push_back({fileName.chopped(5),
                               QString::fromStdString(document->value.value("name", std::string())),
                               QString::fromStdString(document->value.value("description", std::string()))});
        }
    }
    std::stable_sort(studies.begin(), studies.end(),
                     [](const PresetListing& a, const PresetListing& b) { return comesBefore(a.title, b.title); });
    return studies;
}

bool comesBefore(const QString& a, const QString& b) {
    const auto digits = [](const QString& text, qsizetype from) {
        qsizetype to = from;
        while (to < text.size() && text[to].isDigit()) {
            ++to;
        }
        return to - from;
    };
    qsizetype i = 0;
    qsizetype j = 0;
    while (i < a.size() && j < b.size()) {
        const qsizetype inA = digits(a, i);
        const qsizetype inB = digits(b, j);
        if (inA > 0 && inB > 0) {
            const qlonglong left = a.mid(i, inA).toLongLong();
            const qlonglong right = b.mid(j, inB).toLongLong();
            if (left != right) {
                return left < right;
            }
            i += inA;
            j += inB;
        } else if (a[i].toLower() != b[j].toLower()) {
            return a[i].toLower() < b[j].toLower();
        } else {
            ++i;
            ++j;
        }
    }
    return a.size() - i < b.size() - j;
}

std::vector<PresetGroup> groupedPresets(const SchemaCatalog& catalog) {
    std::vector<PresetListing> presets = listedPresets(catalog);
    std::stable_sort(presets.begin(), presets.end(),
                     [](const PresetListing& a, const PresetListing& b) { return comesBefore(a.title, b.title); });
    const auto isOfPaper = [](const PresetListing& preset) {
        return preset.title.startsWith(QLatin1String("Figure ")) || preset.title.startsWith(QLatin1String("Table "));
    };
    std::vector<PresetGroup> groups;
    for (const FamilySchema& family : catalog.families) {
        const QString reference = QString::fromStdString(family.reference);
        for (const bool ofPaper : {false, true}) {
            PresetGroup group{QString::fromStdString(family.title), {}, {}, {}};
            if (ofPaper) {
                group.paper = QObject::tr("%1 et al.").arg(reference.section(QLatin1Char(','), 0, 0));
                group.reference = reference;
            }
            std::copy_if(presets.begin(), presets.end(), std::back_inserter(group.presets),
                         [&](const PresetListing& preset) {
                             return preset.family == family.id && isOfPaper(preset) == ofPaper;
                         });
            if (!group.presets.empty()) {
                groups.push_back(std::move(group));
            }
        }
    }
    return groups;
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/setting_differences.h"

#include "core/common/number_text.h"
#include "core/data/data_edits.h"
#include "core/record/run_record.h"

#include <QObject>
#include <QStringList>

#include <algorithm>
#include <set>

namespace lambdascope {

namespace {

bool changesNothing(const std::string& key) {
    static const std::set<std::string> names{"name", "description", "view", "published", "lanes"};
    return names.contains(key);
}

void addSettings(const std::string& path, const Json& object, LaneSettings& settings) {
    for (const auto& [key, value] : object.items()) {
        const std::string place = path.empty() ? key : path + "." + key;
        if (value.isObject()) {
            addSettings(place, value, settings);
        } else if (!(changesNothing(key) && (path.empty() || path == "lane"))) {
            settings[place] = value;
        }
    }
}

/// Parameters that the field writes as letters.
QString symbolOf(const QString& word) {
    static const std::map<QString, QString> symbols{{QStringLiteral("gamma"), QStringLiteral("γ")},
                                                    {QStringLiteral("lambda"), QStringLiteral("λ")},
                                                    {QStringLiteral("tau"), QStringLiteral("τ")},
                                                    {QStringLiteral("pi"), QStringLiteral("π")}};
    const auto found = symbols.find(word);
    return found == symbols.end() ? QString(word).replace('_', ' ') : found->second;
}

} // namespace

LaneSettings settingsOf(const RunRecord& record) {
    LaneSettings settings;
    const RunStarted& start = record.start();
    if (!start.experiment.isObject()) {
        return settings;
    }
    addSettings({}, start.experiment, settings);
    if (const auto lanes = start.experiment.find("lanes"); lanes != start.experiment.end() && lanes->isArray()) {
        for (const Json& lane : *lanes) {
            if (lane.isObject() && lane.value("name", std::string()) == start.laneName) {
                addSettings("lane", lane, settings);
            }
        }
    }
    return settings;
}

std::vector<SettingDifference> settingDifferences(const std::vector<const LaneSettings*>& lanes) {
    std::vector<SettingDifference> differences;
    if (lanes.size() < 2) {
        return differences;
    }
    std::set<std::string> keys;
    for (const LaneSettings* lane : lanes) {
        for (const auto& [key, value] : *lane) {
            keys.insert(key);
        }
    }
    for (const std::string& key : keys) {
        SettingDifference difference{key, {}};
        for (const LaneSettings* lane : lanes) {
            const auto found = lane->find(key);
            difference.values.push_back(found == lane->end() ? Json() : found->second);
        }
        const Json& first = difference.values.front();
        if (std::any_of(difference.values.begin(), difference.values.end(),
                        [&first](const Json& value) { return value != first; })) {
            differences.push_back(std::move(difference));
        }
    }
    return differences;
}

QString settingValue(const Json& value) {
    if (value.isText()) {
        return QString::fromStdString(value.text());
    }
    if (value.isBoolean()) {
        return value.get<bool>() ? QObject::tr("yes") : QObject::tr("no");
    }
    if (value.isInteger()) {
        return QString::fromStdString(value.dump());
    }
    if (value.isNumber()) {
        return QString::fromStdString(shortText(value.get<double>(), 6));
    }
    if (value.isArray()) {
        QStringList parts;
        for (const Json& element : value) {
            parts << settingValue(element);
        }
        return parts.isEmpty() ? QObject::tr("none") : parts.join(QStringLiteral(", "));
    }
    return QStringLiteral("–");
}

QString briefSetting(const std::string& key, const Json& value) {
    if (key == "data.edits" && value.isText()) { // as they stand they can be as long as the data
        const std::string summary = editsSummary(value.text());
        return summary.empty() ? QObject::tr("no edits") : QString::fromStdString(summary);
    }
    const QString name = symbolOf(QString::fromStdString(key).section(QLatin1Char('.'), -1));
    if (value.isBoolean()) {
        return value.get<bool>() ? name : QObject::tr("no %1").arg(name);
    }
    if (value.isArray() && value.empty()) {
        return QObject::tr("no %1").arg(name);
    }
    return value.isText() || value.isArray() ? settingValue(value)
                                             : QStringLiteral("%1 %2").arg(name, settingValue(value));
}

} // namespace lambdascope

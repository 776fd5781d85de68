// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/experiment_changes.h"

#include "core/config/json_document.h"

#include <map>
#include <set>

namespace lambdascope {

namespace {

using SettingValues = std::map<std::string, Json>;

bool countsNot(const std::string& key) {
    static const std::set<std::string> others{"name", "description", "view", "published"};
    return others.contains(key);
}

void addSettings(const std::string& path, const Json& object, SettingValues& settings) {
    for (const auto& [key, value] : object.items()) {
        const std::string place = path.empty() ? key : path + "." + key;
        if (value.isObject()) {
            addSettings(place, value, settings);
        } else {
            settings[place] = value;
        }
    }
}

SettingValues settingsOf(const Json& experiment) {
    SettingValues settings;
    for (const auto& [key, value] : experiment.items()) {
        if (key == "lanes" && value.isArray()) {
            for (const Json& lane : value) {
                if (lane.isObject() && !lane.value("enabled", true)) {
                    continue; // nothing is computed of it
                }
                const std::string place = "lanes[" + (lane.isObject() ? lane.value("name", std::string()) : "") + "]";
                settings[place] = true;
                if (lane.isObject()) {
                    Json fields = lane;
                    for (const char* word : {"enabled", "group", "note"}) { // which say nothing of what it computes
                        fields.erase(word);
                    }
                    addSettings(place, fields, settings);
                }
            }
        } else if (value.isObject()) {
            addSettings(key, value, settings);
        } else if (!countsNot(key)) {
            settings[key] = value;
        }
    }
    return settings;
}

} // namespace

QStringList changedSettings(const Json& before, const Json& after) {
    QStringList changed;
    if (!before.isObject() || !after.isObject()) {
        return changed;
    }
    const SettingValues old = settingsOf(before);
    const SettingValues fresh = settingsOf(after);
    const auto add = [&changed](const std::string& key) {
        const QString text = QString::fromStdString(key);
        // A lane that is there in one of them only differs as a whole.
        const bool isInside = !changed.isEmpty() && changed.last().endsWith(QLatin1Char(']')) &&
                              text.startsWith(changed.last() + QLatin1Char('.'));
        if (!isInside) {
            changed << text;
        }
    };
    std::set<std::string> keys;
    for (const SettingValues* settings : {&old, &fresh}) {
        for (const auto& [key, value] : *settings) {
            keys.insert(key);
        }
    }
    for (const std::string& key : keys) {
        const auto one = old.find(key);
        const auto other = fresh.find(key);
        if (one == old.end() || other == fresh.end() || one->second != other->second) {
            add(key);
        }
    }
    return changed;
}

} // namespace lambdascope

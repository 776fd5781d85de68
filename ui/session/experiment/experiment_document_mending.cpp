// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ExperimentDocument that takes out of a document what is wrong in it.
#include "core/config/json_document.h"
#include "ui/session/experiment/experiment_document.h"
#include "ui/session/experiment/key_path.h"

#include <algorithm>
#include <functional>

namespace lambdascope {

namespace {

/// Takes the first value that is wrong out of `json`, if `isMeant` says so; false when none is left.
bool eraseOne(Json& json, const std::vector<Fault>& faults, const std::function<bool(const Fault&)>& isMeant,
              std::vector<Fault>& erased) {
    for (const Fault& fault : faults) {
        const auto path = parseKeyPath(holderOf(QString::fromStdString(fault.key)));
        if (isMeant(fault) && path && !path->empty() && findAt(json, *path) != nullptr) {
            Json next = json;
            eraseAt(next, *path);
            if (next != json) {
                json = std::move(next);
                erased.push_back(fault);
                return true;
            }
        }
    }
    return false;
}

/// Takes all of them out, one after the other: what is wrong depends on what is there.
std::vector<Fault> eraseFaulty(Json& json, const SchemaCatalog& catalog,
                               const std::function<bool(const Fault&)>& isMeant) {
    constexpr int kMost = 1000;
    std::vector<Fault> erased;
    for (int i = 0; i < kMost; ++i) {
        const auto checked = validateExperiment(json, catalog);
        if (checked || !eraseOne(json, checked.error().faults, isMeant, erased)) {
            break;
        }
    }
    return erased;
}

} // namespace

std::vector<Fault> ExperimentDocument::loadMended(Json json) {
    std::vector<Fault> erased = eraseFaulty(json, m_catalog, [](const Fault&) { return true; });
    if (const auto checked = validateExperiment(json, m_catalog); !checked) {
        const Json family = json.isObject() && json.contains("family") ? json["family"] : Json();
        Json fresh = freshDocument(family.isText() ? QString::fromStdString(family.get<std::string>()) : QString());
        for (const char* kept : {"name", "data"}) {
            if (json.isObject() && json.contains(kept)) {
                fresh[kept] = json[kept];
            }
        }
        const std::vector<Fault>& rest = checked.error().faults;
        erased.insert(erased.end(), rest.begin(), rest.end());
        json = std::move(fresh);
    }
    load(std::move(json));
    return erased;
}

bool ExperimentDocument::isStray(const Fault& fault) const {
    const QString key = holderOf(QString::fromStdString(fault.key));
    const auto path = parseKeyPath(key);
    const bool hasInput = field(key) != nullptr || key == QLatin1String("name") || key == QLatin1String("family") ||
                          key == QLatin1String("lanes") || key.endsWith(QLatin1String("].name"));
    return !hasInput && path && !path->empty() && findAt(m_json, *path) != nullptr;
}

bool ExperimentDocument::hasStrayFaults() const {
    return std::any_of(m_faults.begin(), m_faults.end(), [this](const Fault& fault) { return isStray(fault); });
}

void ExperimentDocument::removeStrayFaults() {
    Json next = m_json;
    eraseFaulty(next, m_catalog, [this](const Fault& fault) { return isStray(fault); });
    push(std::move(next), ChangeKind::Everything, {}, tr("leave out what is unknown"));
}

} // namespace lambdascope

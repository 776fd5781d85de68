// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/json_document.h"

#include "core/common/number_text.h"
#include "core/common/text_file.h"
#include "core/config/json_text.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace lambdascope {

namespace {

/// Whether JSON can hold the text.
bool isUtf8(std::string_view text) {
    try {
        (void)Json(std::string(text)).dump();
        return true;
    } catch (const JsonError&) {
        return false;
    }
}

Failure badKeyPath(std::string_view keyPath, std::string message,
                   std::string remedy = "Write key=value, for example problem.k=20.") {
    return Failure{singleFault(ErrorCode::BadUsage, {std::string(keyPath), std::move(message), std::move(remedy), {}})};
}

/// One step of a key path: an object key or an array index.
struct Step {
    std::string key;
    std::size_t index = 0;
    bool isIndex = false;
};

std::optional<std::vector<Step>> splitKeyPath(std::string_view keyPath) {
    std::vector<Step> steps;
    for (std::size_t at = 0; at < keyPath.size();) {
        if (keyPath[at] == '[') {
            const auto close = keyPath.find(']', at);
            const auto index =
                close == std::string_view::npos ? std::nullopt : parseInteger(keyPath.substr(at + 1, close - at - 1));
            if (!index || *index < 0) {
                return std::nullopt;
            }
            steps.push_back({"", static_cast<std::size_t>(*index), true});
            at = close + 1;
            continue;
        }
        if (keyPath[at] == '.') {
            ++at;
        }
        const auto end = std::min(keyPath.find_first_of(".[", at), keyPath.size());
        if (end == at) {
            return std::nullopt;
        }
        steps.push_back({std::string(keyPath.substr(at, end - at)), 0, false});
        at = end;
    }
    if (steps.empty() || steps.size() > kJsonNesting) {
        return std::nullopt;
    }
    return steps;
}

/// The value that `text` stands for: JSON if it can be, else the text itself.
Result<Json> valueOfText(std::string_view keyPath, std::string_view text) {
    if (!isUtf8(text)) {
        return badKeyPath(keyPath, "the value is not UTF-8", "Write it in UTF-8, as in an experiment file.");
    }
    if (isNestedTooDeeply(text)) {
        return badKeyPath(keyPath,
                          "brackets in the value stand within each other more than " + std::to_string(kJsonNesting) +
                              " deep",
                          "Nothing that can be set needs such a depth.");
    }
    auto value = Json::tryParse(text);
    return value ? std::move(*value) : Json(text);
}

} // namespace

Result<JsonDocument> readJsonDocument(const std::string& path) {
    return readJsonDocument(path, kExperimentBytes, "an experiment");
}

Result<JsonDocument> readJsonDocument(const std::string& path, std::size_t largest, std::string_view what) {
    auto text = readTextFile(path, largest, what);
    if (!text) {
        return Failure{std::move(text).error()};
    }
    return parseJsonDocument(*text, path);
}

void locateFaults(std::vector<Fault>& faults, const PlaceMap& places) {
    for (Fault& fault : faults) {
        std::string path = fault.key;
        while (fault.place == SourcePlace{}) {
            if (const auto found = places.find(path); found != places.end()) {
                fault.place = found->second;
                break;
            }
            if (path.empty()) {
                break;
            }
            const auto cut = path.find_last_of(".[");
            path.resize(cut == std::string::npos ? 0 : cut);
        }
    }
}

Result<void> setByKeyPath(Json& document, std::string_view keyPath, std::string_view valueText) {
    if (!isUtf8(keyPath)) {
        return badKeyPath("", "a key is not UTF-8");
    }
    const auto steps = splitKeyPath(keyPath);
    if (!steps) {
        return badKeyPath(keyPath.substr(0, 80), "not a key path");
    }
    auto value = valueOfText(keyPath, valueText);
    if (!value) {
        return Failure{std::move(value).error()};
    }
    Json changed = document; // so that a path that leads nowhere leaves no half-made objects behind
    Json* at = &changed;
    for (const Step& step : *steps) {
        if (step.isIndex) {
            if (!at->isArray() || step.index >= at->size()) {
                return badKeyPath(keyPath, "there is no element [" + std::to_string(step.index) + "]");
            }
            at = &(*at)[step.index];
        } else {
            if (!at->isNull() && !at->isObject()) {
                return badKeyPath(keyPath, "'" + step.key + "' is not inside an object");
            }
            at = &(*at)[step.key];
        }
    }
    *at = std::move(*value);
    document = std::move(changed);
    return {};
}

} // namespace lambdascope

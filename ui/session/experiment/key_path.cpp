// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/key_path.h"

#include <algorithm>

namespace lambdascope {

std::optional<KeyPath> parseKeyPath(const QString& text) {
    KeyPath path;
    for (const QString& part : text.split('.')) {
        const qsizetype bracket = part.indexOf('[');
        const QString name = bracket < 0 ? part : part.left(bracket);
        if (name.isEmpty()) {
            return std::nullopt;
        }
        path.emplace_back(name.toStdString());
        QString rest = bracket < 0 ? QString() : part.mid(bracket);
        while (!rest.isEmpty()) {
            const qsizetype end = rest.indexOf(']');
            bool isNumber = false;
            const uint index = end < 0 ? 0 : rest.mid(1, end - 1).toUInt(&isNumber);
            if (!rest.startsWith('[') || !isNumber) {
                return std::nullopt;
            }
            path.emplace_back(std::size_t{index});
            rest = rest.mid(end + 1);
        }
    }
    return path;
}

QString holderOf(const QString& key) {
    return key.endsWith(']') ? key.left(key.lastIndexOf('[')) : key;
}

const Json* findAt(const Json& document, const KeyPath& path) {
    const Json* place = &document;
    for (const auto& step : path) {
        if (const auto* name = std::get_if<std::string>(&step)) {
            const auto found = place->isObject() ? place->find(*name) : place->end();
            if (found == place->end()) {
                return nullptr;
            }
            place = &*found;
        } else {
            const std::size_t index = std::get<std::size_t>(step);
            if (!place->isArray() || index >= place->size()) {
                return nullptr;
            }
            place = &(*place)[index];
        }
    }
    return place;
}

bool setAt(Json& document, const KeyPath& path, const Json& value) {
    Json* place = &document;
    for (const auto& step : path) {
        if (const auto* name = std::get_if<std::string>(&step)) {
            if (place->isNull()) {
                *place = Json::object();
            }
            if (!place->isObject()) {
                return false;
            }
            place = &(*place)[*name];
        } else {
            const std::size_t index = std::get<std::size_t>(step);
            if (!place->isArray() || index >= place->size()) {
                return false;
            }
            place = &(*place)[index];
        }
    }
    *place = value;
    return true;
}

void eraseAt(Json& document, const KeyPath& path) {
    for (KeyPath rest = path; !rest.empty(); rest.pop_back()) {
        const auto* name = std::get_if<std::string>(&rest.back());
        const KeyPath parentPath(rest.begin(), rest.end() - 1);
        const Json* parent = findAt(document, parentPath);
        if (name == nullptr || parent == nullptr || !parent->isObject()) {
            return;
        }
        const bool isWholePath = rest.size() == path.size();
        const auto member = parent->find(*name);
        if (member == parent->end() || (!isWholePath && !(member->isObject() && member->empty()))) {
            return;
        }
        const_cast<Json*>(parent)->erase(*name);
    }
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/experiment/command_line.h"

#include "core/common/shell_word.h"

#include <QStringList>

#include <optional>

namespace lambdascope {

namespace {

QString wordOf(const QString& text) {
    return QString::fromStdString(shellWord(text.toStdString()));
}

/// A string whose text would read as other JSON, such as "5", must keep its quotes.
QString settingText(const Json& value) {
    if (value.isText()) {
        const auto& text = value.text();
        return QString::fromStdString(Json::tryParse(text) ? value.dump() : text);
    }
    return QString::fromStdString(value.dump());
}

/// Appends "key=value" for all differences; false when a member of `base` is gone, which --set cannot say.
bool collectSettings(const Json& value, const Json* base, const QString& path, QStringList& settings) {
    if (base != nullptr && value == *base) {
        return true;
    }
    if (value.isObject() && (base == nullptr || base->isObject()) && !(base == nullptr && value.empty())) {
        if (base != nullptr) {
            for (const auto& [key, member] : base->items()) {
                if (!value.contains(key)) {
                    return false;
                }
            }
        }
        for (const auto& [key, member] : value.items()) {
            const QString inner = (path.isEmpty() ? QString() : path + ".") + QString::fromStdString(key);
            const bool isKnown = base != nullptr && base->contains(key);
            if (!collectSettings(member, isKnown ? &base->at(key) : nullptr, inner, settings)) {
                return false;
            }
        }
        return true;
    }
    const bool holdsObjects = value.isArray() && !value.empty() && value.front().isObject();
    if (holdsObjects && base != nullptr && base->isArray() && base->size() == value.size()) {
        QStringList inner;
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (!collectSettings(value[i], &(*base)[i], path + "[" + QString::number(i) + "]", inner)) {
                settings.append(path + "=" + settingText(value)); // the list as a whole
                return true;
            }
        }
        settings.append(inner);
        return true;
    }
    settings.append(path + "=" + settingText(value));
    return true;
}

} // namespace

QString commandLineFor(const Json& document, const Json& base, const QString& source) {
    QStringList settings;
    if (source.isEmpty() || !collectSettings(document, &base, {}, settings)) {
        return "printf %s " + QString::fromStdString(shellWord(document.dump())) + " | lambdascope-cli run /dev/stdin";
    }
    QStringList words{"lambdascope-cli", "run", wordOf(source)};
    for (const QString& setting : settings) {
        words << "--set" << wordOf(setting);
    }
    return words.join(' ');
}

} // namespace lambdascope

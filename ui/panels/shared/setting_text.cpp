// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/setting_text.h"

#include "core/common/number_text.h"

#include <QObject>
#include <QStringList>

#include <algorithm>

namespace lambdascope {

QString numberText(const Json& number) {
    return QString::fromStdString(number.isInteger() ? number.dump() : exactText(number.get<double>()));
}

QString settingText(const FieldDescription& field, const Json& value) {
    if (value.isArray()) {
        QStringList words;
        for (const Json& element : value) {
            words << settingText(field, element);
        }
        return words.join(", ");
    }
    if (value.isNumber()) {
        return numberText(value);
    }
    if (value.isBoolean()) {
        return value.get<bool>() ? QObject::tr("yes") : QObject::tr("no");
    }
    if (!value.isText()) {
        return QString::fromStdString(value.dump());
    }
    const auto& word = value.text();
    const auto choice = std::find_if(field.choices.begin(), field.choices.end(),
                                     [&](const Choice& candidate) { return candidate.value == word; });
    return QString::fromStdString(choice != field.choices.end() ? choice->label : word);
}

QString settingPhrase(const FieldDescription& field, const Json& value) {
    QString name = QString::fromStdString(field.label).toLower();
    if (value.isBoolean() ? !value.get<bool>() : value.isArray() && value.empty()) {
        return QObject::tr("no %1").arg(name);
    }
    if (value.isBoolean()) {
        return name;
    }
    return field.kind == FieldKind::Choices ? settingText(field, value) : name + " " + settingText(field, value);
}

} // namespace lambdascope

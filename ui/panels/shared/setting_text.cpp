// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/setting_text.h"

#include "core/common/number_text.h"

#include <QObject>
#include <QStringList>

#include <algorithm>

namespace lambdascope {

QString numberText(const Json& number) {
    return QString::fromStdString(number.is_number_integer() ? number.dump() : exactText(number.get<double>()));
}

QString settingText(const FieldDescription& field, const Json& value) {
    if (value.is_array()) {
        QStringList words;
        for (const Json& element : value) {
            words << settingText(field, element);
        }
        return words.join(", ");
    }
    if (value.is_number()) {
        return numberText(value);
    }
    if (value.is_boolean()) {
        return value.get<bool>() ? QObject::tr("yes") : QObject::tr("no");
    }
    if (!value.is_string()) {
        return QString::fromStdString(value.dump());
    }
    const auto& word = value.get_ref<const std::string&>();
    const auto choice = std::find_if(field.choices.begin(), field.choices.end(),
                                     [&](const Choice& candidate) { return candidate.value == word; });
    return QString::fromStdString(choice != field.choices.end() ? choice->label : word);
}

QString settingPhrase(const FieldDescription& field, const Json& value) {
    const QString name = QString::fromStdString(field.label).toLower();
    if (value.is_boolean() ? !value.get<bool>() : value.is_array() && value.empty()) {
        return QObject::tr("no %1").arg(name);
    }
    if (value.is_boolean()) {
        return name;
    }
    return field.kind == FieldKind::Choices ? settingText(field, value) : name + " " + settingText(field, value);
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/theme_switch.h"

#include "core/common/resource_folder.h"
#include "core/config/json_document.h"
#include "ui/charts/chart_theme.h"
#include "ui/windows/framed_style.h"

#include <QApplication>
#include <QStyle>

#include <array>
#include <utility>

namespace lambdascope {

namespace {

constexpr std::array<std::pair<const char*, QPalette::ColorRole>, 20> kRoles{{
    {"window", QPalette::Window},
    {"window-text", QPalette::WindowText},
    {"base", QPalette::Base},
    {"alternate-base", QPalette::AlternateBase},
    {"text", QPalette::Text},
    {"placeholder-text", QPalette::PlaceholderText},
    {"button", QPalette::Button},
    {"button-text", QPalette::ButtonText},
    {"bright-text", QPalette::BrightText},
    {"highlight", QPalette::Highlight},
    {"highlighted-text", QPalette::HighlightedText},
    {"link", QPalette::Link},
    {"link-visited", QPalette::LinkVisited},
    {"tool-tip-base", QPalette::ToolTipBase},
    {"tool-tip-text", QPalette::ToolTipText},
    {"light", QPalette::Light},
    {"midlight", QPalette::Midlight},
    {"mid", QPalette::Mid},
    {"dark", QPalette::Dark},
    {"shadow", QPalette::Shadow},
}};

void setColours(QPalette& palette, const Json& colours, const std::vector<QPalette::ColorGroup>& groups) {
    for (const auto& [key, role] : kRoles) {
        const auto found = colours.find(key);
        if (found == colours.end() || !found->isText()) {
            continue;
        }
        const QColor colour(QString::fromStdString(found->get<std::string>()));
        for (const QPalette::ColorGroup group : groups) {
            palette.setColor(group, role, colour);
        }
    }
}

} // namespace

QPalette themePalette(bool dark) {
    QPalette palette = QApplication::style()->standardPalette();
    const auto path = resourceFolder() / "themes" / (dark ? "dark.json" : "light.json");
    const Result<JsonDocument> document = readJsonDocument(path.string());
    if (!document) {
        return palette;
    }
    const Json& theme = document->value;
    if (const auto colours = theme.find("colours"); colours != theme.end()) {
        setColours(palette, *colours, {QPalette::Active, QPalette::Inactive, QPalette::Disabled});
    }
    if (const auto disabled = theme.find("disabled"); disabled != theme.end()) {
        setColours(palette, *disabled, {QPalette::Disabled});
    }
    return palette;
}

ThemeSwitch::ThemeSwitch(Settings& settings, QObject* parent)
    : QObject(parent), m_systemIsDark(isDarkPalette(QApplication::palette())) {
    QApplication::setStyle(new FramedStyle);
    m_isDark = settings.theme() == Theme::Dark || (settings.theme() == Theme::System && m_systemIsDark);
    QApplication::setPalette(themePalette(m_isDark));
    connect(&settings, &Settings::themeChanged, this, &ThemeSwitch::follow);
}

void ThemeSwitch::follow(Theme theme) {
    const bool dark = theme == Theme::Dark || (theme == Theme::System && m_systemIsDark);
    if (dark == m_isDark) {
        return;
    }
    m_isDark = dark;
    QApplication::setPalette(themePalette(dark));
    Q_EMIT changed(dark);
}

} // namespace lambdascope

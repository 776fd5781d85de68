// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/style_presets.h"

#include <QCoreApplication>

namespace lambdascope {

const std::vector<StylePreset>& stylePresets() {
    static const std::vector<StylePreset> presets = {
        {QStringLiteral("single"), QCoreApplication::translate("Figures", "Single column, 88 mm wide"),
         FigureStyle::singleColumn()},
        {QStringLiteral("double"), QCoreApplication::translate("Figures", "Double column, 180 mm wide"),
         FigureStyle::doubleColumn()},
        {QStringLiteral("text"), QCoreApplication::translate("Figures", "One-column page, 122 mm wide"),
         FigureStyle::textWidth()},
        {QStringLiteral("slide"), QCoreApplication::translate("Figures", "Slide, 16:9"), FigureStyle::slide()},
    };
    return presets;
}

} // namespace lambdascope

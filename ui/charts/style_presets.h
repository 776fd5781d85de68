// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure_writer.h"

#include <QString>

#include <vector>

namespace lambdascope {

/// A size that exported figures can have, with its words for lists.
struct StylePreset {
    QString key; ///< "single", "double", "text", "slide"
    QString title;
    FigureStyle style;
};

/// All sizes that one can choose from, in windows and by `--render --size`; the first one is the default.
[[nodiscard]] const std::vector<StylePreset>& stylePresets();

} // namespace lambdascope

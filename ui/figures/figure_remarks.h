// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/figure_builders.h"

namespace lambdascope {

/// In words that a picture is constant: "Error is 0 at every λ"; empty when it is not, or has no two places.
/// Values that differ by less than `share` of them count as one.
[[nodiscard]] QString levelText(const CurveFigure& figure, double share = 0);

/// levelText(), or that all curves lie on each other: "All lanes have the same objective"; empty when a picture tells
/// more, or has no two points.
[[nodiscard]] QString samenessText(const CurveFigure& figure);

/// samenessText(), or which curves cannot be seen as others lie on them, and which are 0 all along: "PGB lies on
/// naive", "DT is 0 at every λ". Empty when every curve can be seen.
[[nodiscard]] QString remarkText(const CurveFigure& figure);

/// What the gaps of rateFigure are at this stage, and which lanes have nothing else; empty where there are none.
[[nodiscard]] QString gapsText(const CurveFigure& rates, ScreeningStage stage);

} // namespace lambdascope

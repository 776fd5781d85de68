// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/solver/hinge_width.h"

#include <algorithm>

namespace lambdascope::metric {

namespace {

constexpr double kWidestHinge = 0.05;
constexpr double kNarrowestHinge = 1e-12;
/// Between two widths.
constexpr double kHingeFactor = 0.25;
/// How much wider than the last point's width a point starts.
constexpr double kHingeRelaxation = 64;

} // namespace

double firstHingeWidth(double last) {
    return std::max(last, std::min(kWidestHinge, last * kHingeRelaxation));
}

std::optional<double> nextHingeWidth(double width) {
    return width > kNarrowestHinge ? std::optional(width * kHingeFactor) : std::nullopt;
}

bool isHingeTooWide(double cost, double gap) {
    return gap - cost <= 0.5 * cost;
}

} // namespace lambdascope::metric

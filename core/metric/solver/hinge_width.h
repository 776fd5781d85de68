// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace lambdascope::metric {

/// Widths s of the smoothed hinges through which a hinge is minimized (PointSolver).

/// With which a point starts, given the last width of the point before: wider than that, within limits.
[[nodiscard]] double firstHingeWidth(double last);
/// The next width; nothing when `width` is the narrowest one already.
[[nodiscard]] std::optional<double> nextHingeWidth(double width);
/// Whether a narrower hinge is due: when what the width costs is most of the gap.
[[nodiscard]] bool isHingeTooWide(double cost, double gap);

} // namespace lambdascope::metric

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/region_slicer.h"

#include <vector>

namespace lambdascope::svm {

/// What a plane cuts out of a ball.
struct Disc {
    double x = 0;
    double y = 0;
    double radius = 0;
};

/// The places a x + b y ≥ least.
struct HalfPlane {
    double a = 0;
    double b = 0;
    double least = 0;
};

/// Outline of what two discs have in common, by its arcs, each of at most a 64th of a circle; empty when that is
/// nothing or a point.
[[nodiscard]] std::vector<BallSlice::Corner> commonOutline(const Disc& first, const Disc& second);
/// … a disc and a half-plane have in common.
[[nodiscard]] std::vector<BallSlice::Corner> commonOutline(const Disc& disc, const HalfPlane& half);

} // namespace lambdascope::svm

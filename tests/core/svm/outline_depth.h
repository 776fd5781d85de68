// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/region_slicer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

/// How far inside of a convex outline of arcs a place lies: about its distance from the nearest line, negative outside.
/// Written from the meaning of corners and bulges alone.
inline double depthIn(const std::vector<BallSlice::Corner>& outline, double x, double y) {
    long double least = std::numeric_limits<long double>::infinity();
    for (std::size_t k = 0; k < outline.size(); ++k) {
        const BallSlice::Corner& from = outline[k];
        const BallSlice::Corner& to = outline[(k + 1) % outline.size()];
        const long double wx = static_cast<long double>(to.x) - from.x, wy = static_cast<long double>(to.y) - from.y;
        const long double px = x - static_cast<long double>(from.x), py = y - static_cast<long double>(from.y);
        const long double length = std::hypot(wx, wy);
        if (length == 0) {
            continue;
        }
        const long double along = (px * wx + py * wy) / length, left = (wx * py - wy * px) / length;
        const long double b = from.bulge;
        if (b == 0) {
            least = std::min(least, left);
            continue;
        }
        // r − |p − centre| without the difference of two large numbers: (r² − |p − centre|²) / (r + |p − centre|).
        const long double radius = length * (1 + b * b) / (4 * b), height = length * (1 - b * b) / (4 * b);
        const long double power = along * (length - along) - left * left + 2 * left * height;
        least = std::min(least, power / (radius + std::hypot(along - length / 2, left - height)));
    }
    return static_cast<double>(least);
}

} // namespace lambdascope::svm

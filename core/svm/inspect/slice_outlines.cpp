// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/slice_outlines.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lambdascope::svm {

namespace {

using Corner = BallSlice::Corner;

/// So that corners alone tell about where an outline lies.
constexpr double kLongestArc = std::numbers::pi / 32;

/// Corners of the arc of a rim up to `half` on both sides of the direction (ex, ey), without its end.
void addArc(std::vector<Corner>& outline, const Disc& disc, double ex, double ey, double half) {
    const int pieces = std::max(1, static_cast<int>(std::ceil(2 * half / kLongestArc)));
    const double bulge = std::tan(half / (2 * pieces));
    for (int piece = 0; piece < pieces; ++piece) {
        const double angle = half * (2.0 * piece / pieces - 1);
        const double along = disc.radius * std::cos(angle), across = disc.radius * std::sin(angle);
        outline.push_back({disc.x + along * ex - across * ey, disc.y + along * ey + across * ex, bulge});
    }
}

std::vector<Corner> rim(const Disc& disc) {
    std::vector<Corner> outline;
    addArc(outline, disc, 1, 0, std::numbers::pi);
    return outline;
}

} // namespace

std::vector<Corner> commonOutline(const Disc& first, const Disc& second) {
    if (!(first.radius > 0) || !(second.radius > 0)) {
        return {};
    }
    const double distance = std::hypot(second.x - first.x, second.y - first.y);
    const double sum = first.radius + second.radius;
    const double excess = first.radius - second.radius;
    if (!(distance < sum)) {
        return {};
    }
    if (distance <= std::abs(excess)) {
        return rim(excess > 0 ? second : first);
    }
    // Where the rims cross: `across` from the line of centres, by Heron's formula. As products of differences of what
    // is given these stay accurate when one circle is far larger than the other, or both than what they share.
    const double firstBeyond = (distance + excess) * (distance + sum) / (2 * distance);  // r₁ + along₁
    const double secondBeyond = (distance - excess) * (distance + sum) / (2 * distance); // r₂ + along₂
    const double across = std::sqrt((sum - distance) * (sum + distance)) *
                          std::sqrt((distance - excess) * (distance + excess)) / (2 * distance);
    const double ex = (second.x - first.x) / distance, ey = (second.y - first.y) / distance;
    std::vector<Corner> outline;
    addArc(outline, first, ex, ey, 2 * std::atan2(across, firstBeyond));
    addArc(outline, second, -ex, -ey, 2 * std::atan2(across, secondBeyond));
    return outline;
}

std::vector<Corner> commonOutline(const Disc& disc, const HalfPlane& half) {
    if (!(disc.radius > 0)) {
        return {};
    }
    const double length = std::hypot(half.a, half.b);
    if (!(length > 0)) {
        return half.least <= 0 ? rim(disc) : std::vector<Corner>();
    }
    const double ex = half.a / length, ey = half.b / length;
    const double away = half.least / length - ex * disc.x - ey * disc.y; // of the edge from the centre
    if (away <= -disc.radius) {
        return rim(disc);
    }
    if (!(away < disc.radius)) {
        return {};
    }
    const double across = std::sqrt((disc.radius - away) * (disc.radius + away));
    std::vector<Corner> outline;
    addArc(outline, disc, ex, ey, 2 * std::atan2(across, disc.radius + away));
    outline.push_back({disc.x + away * ex - across * ey, disc.y + away * ey + across * ex, 0});
    return outline;
}

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/slice_outlines.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lambdascope::svm {

namespace {

using Place = DecisionPlane::Place;

constexpr int kCorners = 180;

Place onRim(const Disc& disc, double angle) {
    return {disc.x + disc.radius * std::cos(angle), disc.y + disc.radius * std::sin(angle)};
}

/// Places of a rim that are wanted, and the ends of the arcs that they make.
template <class IsIn>
void addRim(std::vector<Place>& places, const Disc& disc, IsIn isIn) {
    for (int corner = 0; corner < kCorners; ++corner) {
        const Place place = onRim(disc, 2 * std::numbers::pi * corner / kCorners);
        if (isIn(place)) {
            places.push_back(place);
        }
    }
}

/// The corners of a convex outline, in whatever order, put in order and closed.
std::vector<Place> ordered(std::vector<Place> places) {
    if (places.size() < 3) {
        return {};
    }
    Place middle;
    for (const Place& place : places) {
        middle.x += place.x / static_cast<double>(places.size());
        middle.y += place.y / static_cast<double>(places.size());
    }
    std::sort(places.begin(), places.end(), [&middle](const Place& a, const Place& b) {
        return std::atan2(a.y - middle.y, a.x - middle.x) < std::atan2(b.y - middle.y, b.x - middle.x);
    });
    places.push_back(places.front());
    return places;
}

} // namespace

std::vector<Place> commonOutline(const Disc& first, const Disc& second) {
    if (!(first.radius > 0) || !(second.radius > 0)) {
        return {};
    }
    std::vector<Place> places;
    const auto isIn = [](const Disc& disc) {
        return [&disc](const Place& place) { return std::hypot(place.x - disc.x, place.y - disc.y) <= disc.radius; };
    };
    addRim(places, first, isIn(second));
    addRim(places, second, isIn(first));
    // Where the rims cross: at `along` from the first centre on the line of centres, `across` beside it.
    const double distance = std::hypot(second.x - first.x, second.y - first.y);
    const double along =
        (distance * distance + first.radius * first.radius - second.radius * second.radius) / (2 * distance);
    const double square = first.radius * first.radius - along * along;
    if (distance > 0 && square > 0) {
        const double ex = (second.x - first.x) / distance, ey = (second.y - first.y) / distance;
        for (const double across : {std::sqrt(square), -std::sqrt(square)}) {
            places.push_back({first.x + along * ex - across * ey, first.y + along * ey + across * ex});
        }
    }
    return ordered(std::move(places));
}

std::vector<Place> commonOutline(const Disc& disc, const HalfPlane& half) {
    if (!(disc.radius > 0)) {
        return {};
    }
    std::vector<Place> places;
    addRim(places, disc, [&half](const Place& place) { return half.a * place.x + half.b * place.y >= half.least; });
    const double length = std::hypot(half.a, half.b);
    const double away = length > 0 ? (half.least - half.a * disc.x - half.b * disc.y) / length : disc.radius;
    if (std::abs(away) < disc.radius) {
        const double across = std::sqrt(disc.radius * disc.radius - away * away);
        const double ex = half.a / length, ey = half.b / length;
        places.push_back({disc.x + away * ex - across * ey, disc.y + away * ey + across * ex});
        places.push_back({disc.x + away * ex + across * ey, disc.y + away * ey - across * ex});
    }
    return ordered(std::move(places));
}

} // namespace lambdascope::svm

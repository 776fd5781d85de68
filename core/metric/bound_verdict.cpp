// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/bound_verdict.h"

#include "core/metric/metric_config.h"

namespace lambdascope::metric {

KeptCheck::KeptCheck(const ScreeningCheck& check)
    : m_check(check.check), m_iteration(check.iteration), m_point(*check.reference.point),
      m_totals(*check.reference.totals), m_reference(check.reference),
      m_regions(check.regions.begin(), check.regions.end()) {
    m_reference.point = &m_point;
    m_reference.totals = &m_totals;
    if (check.reference.path.point != nullptr) {
        m_pathPoint = *check.reference.path.point;
        m_reference.path.point = &m_pathPoint;
    }
    if (check.reference.dual != nullptr) {
        m_dual = *check.reference.dual;
        m_reference.dual = &m_dual;
    }
}

BoundVerdict sphereVerdict(const TripletProbe& probe, const Sphere& sphere, std::string_view bound, double gamma) {
    const Bounded q = probe.margin(sphere.centre);
    const Bounded h = probe.norm();
    const double r = sphere.radius;
    const double padding = q.error + r * h.error;
    const double lowest = q.value - r * h.value;
    const double highest = q.value + r * h.value;
    const double roomAbove = lowest - padding - 1;
    const double roomBelow = 1 - gamma - (highest + padding);
    const bool showsAbove = roomAbove >= roomBelow;

    BoundVerdict verdict;
    verdict.bound = bound;
    verdict.rule = "sphere";
    verdict.inequality = showsAbove ? "⟨H,Q⟩ − r‖H‖ > 1" : (gamma > 0 ? "⟨H,Q⟩ + r‖H‖ < 1 − γ" : "⟨H,Q⟩ + r‖H‖ < 1");
    verdict.left = showsAbove ? lowest : highest;
    verdict.threshold = showsAbove ? 1 : 1 - gamma;
    verdict.room = showsAbove ? roomAbove : roomBelow;
    if (verdict.room > 0) {
        verdict.set = showsAbove ? "R" : "L";
    }
    verdict.terms = {{"⟨H,Q⟩", "margin at the centre of the ball", q.value},
                     {"r", "radius of the ball", r},
                     {"‖H‖", "norm of the triplet's matrix", h.value},
                     {"δ", "bound on rounding errors", padding}};
    return verdict;
}

std::vector<BoundKind> allBounds() {
    const FieldDescription* field = laneFields().schema().find("bounds");
    Json names = Json::array();
    for (const Choice& choice : field->choices) {
        names.push_back(choice.value);
    }
    Json settings = laneFields().write(LaneConfig{});
    settings["bounds"] = std::move(names);
    std::vector<BoundKind> bounds = laneFields().readResolved(settings).bounds;
    std::erase_if(bounds, [](BoundKind kind) { return !isSafe(kind); });
    return bounds;
}

} // namespace lambdascope::metric

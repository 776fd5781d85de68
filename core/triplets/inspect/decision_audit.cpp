// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/inspect/decision_audit.h"

#include "core/common/number_text.h"
#include "core/triplets/inspect/item_geometry.h"
#include "core/triplets/problem/pair_quadratic_forms.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

std::string exampleText(const ItemGeometry& probe, Decision decision, double margin, double lambda) {
    return probe.title() + " at λ = " + shortText(lambda) + ": fixed in " + (decision == Decision::Zero ? "R" : "L") +
           ", but ⟨H,M*⟩ = " + shortText(margin, 8);
}

} // namespace

DecisionAudit auditDecisions(const ProblemItems& items, const TripletStates& states, const SolvedPoint& tight,
                             double gamma, StopCheck& stopCheck) {
    DecisionAudit audit;
    audit.possible = {0, 0};
    const PairTable& table = items.table();
    PairQuadraticForms space(table);
    std::vector<double> z;
    if (!space.distances(tight.point, nullptr, stopCheck, z)) {
        return audit;
    }
    z.push_back(0); // noPair
    const auto lengthOf = [&](PairIndex p) { return p == items.noPair() ? 0 : table.squaredLength(p); };
    const double distance = std::sqrt(2 * tight.gap) / std::sqrt(tight.lambda) * (1 + 8 * kUnitRoundoff) + kUnderflow;
    const double spread = 4 * space.distanceError(tight.point.spectralBound());
    const auto visit = [&](TripletIndex number, const ProblemItem& item) {
        const double margin = z[static_cast<std::size_t>(item.far)] - z[static_cast<std::size_t>(item.near)];
        const double rounding = spread + 4 * kUnitRoundoff * std::abs(item.threshold);
        // ‖H‖ ≤ ‖a‖² + ‖b‖² settles nearly all.
        double norm = lengthOf(item.far) + lengthOf(item.near);
        const double above = margin - item.threshold;
        const double below = item.threshold - gamma - margin;
        audit.possible[0] += DecisionAudit::mayLieInside(above, distance * norm + rounding) ? 1 : 0;
        audit.possible[1] += DecisionAudit::mayLieInside(below, distance * norm + rounding) ? 1 : 0;
        const Decision decision = states.at(number);
        if (decision == Decision::Keep) {
            return;
        }
        const double slack = decision == Decision::Zero ? above : below;
        if (slack > distance * norm + rounding) {
            audit.count(number, slack, 0);
            return;
        }
        const ItemGeometry probe(items, number);
        norm = std::min(norm, probe.norm().upper());
        if (audit.count(number, slack, distance * norm + rounding)) {
            audit.examples.push_back(exampleText(probe, decision, margin, tight.lambda));
        }
    };
    (void)items.visitAll(8, stopCheck, visit);
    return audit;
}

} // namespace lambdascope::triplets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/decision_audit.h"

#include "core/common/number_text.h"
#include "core/metric/pair_space.h"
#include "core/metric/triplet_probe.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

std::string exampleText(const TripletProbe& probe, Verdict verdict, double margin, double lambda) {
    return probe.title() + " at λ = " + shortText(lambda) + ": fixed in " + (verdict == Verdict::Zero ? "R" : "L") +
           ", but ⟨H,M*⟩ = " + shortText(margin, 8);
}

} // namespace

DecisionAudit auditDecisions(const TripletSet& triplets, const TripletStates& states, const SolvedPoint& tight,
                             double gamma, WorkPoll& poll) {
    DecisionAudit audit;
    PairSpace space(triplets);
    std::vector<double> z;
    if (!space.distances(tight.point, nullptr, poll, z)) {
        return audit;
    }
    const double distance = std::sqrt(2 * tight.gap / tight.lambda);
    const double rounding = 4 * space.valueError(tight.point.spectralBound());
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        TripletIndex number = triplets.tripletOffset(i);
        for (std::int64_t s = triplets.sameOffset(i); s < triplets.sameOffset(i + 1); ++s) {
            for (std::int64_t o = triplets.otherOffset(i); o < triplets.otherOffset(i + 1); ++o, ++number) {
                const Verdict verdict = states.at(number);
                if (verdict == Verdict::Keep) {
                    continue;
                }
                const PairIndex same = triplets.samePair(s);
                const PairIndex other = triplets.otherPair(o);
                const double margin = z[static_cast<std::size_t>(other)] - z[static_cast<std::size_t>(same)];
                const double slack = verdict == Verdict::Zero ? margin - 1 : 1 - gamma - margin;
                // ‖H‖ ≤ ‖a‖² + ‖b‖² settles nearly all.
                double norm = triplets.squaredLength(same) + triplets.squaredLength(other);
                if (slack > distance * norm + rounding) {
                    audit.count(number, slack, 0);
                    continue;
                }
                const TripletProbe probe(triplets, number);
                norm = std::min(norm, probe.norm().upper());
                if (audit.count(number, slack, distance * norm + rounding)) {
                    audit.examples.push_back(exampleText(probe, verdict, margin, tight.lambda));
                }
            }
        }
        if (poll.spend(8 * triplets.sameCount(i) * triplets.otherCount(i))) {
            return audit;
        }
    }
    return audit;
}

} // namespace lambdascope::metric

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/properties/metric_audit.h"

#include "core/metric/pair_space.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

Audit auditDecisions(const TripletSet& triplets, const TripletStates& states, const SolvedPoint& tight, double gamma) {
    Audit audit;
    PairSpace space(triplets);
    WorkPoll never;
    std::vector<double> z;
    space.distances(tight.point, nullptr, never, z);
    const double distance = std::sqrt(2 * tight.gap / tight.lambda);
    const double rounding = 4 * space.valueError(tight.point.trace);
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        TripletIndex number = triplets.tripletOffset(i);
        for (std::int64_t s = triplets.sameOffset(i); s < triplets.sameOffset(i + 1); ++s) {
            for (std::int64_t o = triplets.otherOffset(i); o < triplets.otherOffset(i + 1); ++o, ++number) {
                const Verdict verdict = states.at(number);
                if (verdict == Verdict::Keep) {
                    continue;
                }
                ++audit.decided;
                const PairIndex same = triplets.samePair(s);
                const PairIndex other = triplets.otherPair(o);
                const double margin = z[static_cast<std::size_t>(other)] - z[static_cast<std::size_t>(same)];
                const double slack = verdict == Verdict::Zero ? margin - 1 : 1 - gamma - margin;
                // ‖H‖ ≤ ‖a‖² + ‖b‖² is enough here: the tight solution is very near.
                const double doubt =
                    distance * (triplets.squaredLength(same) + triplets.squaredLength(other)) + rounding;
                audit.wrong += slack < -doubt ? 1 : 0;
                audit.doubtful += std::abs(slack) <= doubt ? 1 : 0;
                audit.smallestSlack = std::min(audit.smallestSlack, slack);
            }
        }
    }
    return audit;
}

} // namespace lambdascope::metric

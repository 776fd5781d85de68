// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/pair_step.h"

#include "core/pu/problem/exact_sum.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

PairStep::Move PairStep::best() const {
    const double most = std::min(2 - raised, lowered);
    double slopeNow = slope;
    Move move;
    while (move.length < most && slopeNow > 0) {
        // The next kink of either sample, or the end of the way.
        double next = most;
        int kinks = 0;
        const double toRaised = 1 - raised;
        const double toLowered = lowered - 1;
        for (const double kink : {toRaised, toLowered}) {
            if (kink > move.length && kink < next) {
                next = kink;
            }
        }
        kinks = (toRaised == next ? 1 : 0) + (toLowered == next ? 1 : 0);
        const double way = next - move.length;
        const double wanted = slopeNow / curvature;
        if (wanted < way) {
            // Rounding down keeps within the piece; multiples of the quantum stay such when added.
            const double step = std::floor(wanted / kQuantum) * kQuantum;
            move.length += step;
            move.gain += step * (slopeNow - 0.5 * curvature * step);
            return move;
        }
        move.length = next;
        move.gain += way * (slopeNow - 0.5 * curvature * way);
        slopeNow -= curvature * way + 2 * epsilon * kinks;
    }
    return move;
}

} // namespace lambdascope::pu

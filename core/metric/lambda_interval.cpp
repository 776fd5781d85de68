// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/lambda_interval.h"

#include <limits>

namespace lambdascope::metric {

LambdaInterval relaxedPathInterval(Verdict side, double margin, double norm, const IntervalReference& reference) {
    const double t = margin;
    const double reach = reference.norm * norm;    // m h
    const double doubt = reference.epsilon * norm; // ε h
    const double lambda0 = reference.lambda;
    const double c = 1 - reference.gamma;
    if (side == Verdict::Zero) {
        if (!(t - doubt > 1) || !(t - 2 + reach > 0)) {
            return {};
        }
        return {lambda0 * (reach - t + 2 * doubt) / (t - 2 + reach),
                lambda0 * (reach + t) / (reach - t + 2 + 2 * doubt)};
    }
    if (!(t + doubt < c)) {
        return {};
    }
    const double below = 2 * c - t + reach;
    const double above = t + reach + 2 * doubt - 2 * c;
    return {below > 0 ? lambda0 * (t + reach + 2 * doubt) / below : 0,
            above > 0 ? lambda0 * (reach - t) / above : std::numeric_limits<double>::infinity()};
}

} // namespace lambdascope::metric

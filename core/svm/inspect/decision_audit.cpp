// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/decision_audit.h"

#include "core/common/number_text.h"
#include "core/svm/screening/bounds.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {

OptimumRegion optimumNear(const SvmProblem& problem, const SolvedSvm& solved) {
    ScreeningReference reference = referenceAt(solved);
    bracketBiases(problem, {}, reference);
    return {std::sqrt(solved.gap) * (1 + 4 * kUnitRoundoff), reference.currentBias.value_or(BiasBracket{0, 0})};
}

DecisionAudit auditDecisions(const SvmProblem& problem, std::span<const Decision> decisions, const SolvedSvm& tight,
                             const OptimumRegion& region) {
    DecisionAudit audit;
    audit.possible = {0, 0};
    const double middle = region.bias.middle();
    // Either end may be infinite: of one class at C_min any bias is best from some place downwards.
    const double above = (region.bias.high - middle) * (1 + 4 * kUnitRoundoff);
    const double below = (middle - region.bias.low) * (1 + 4 * kUnitRoundoff);
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double margin = tight.margins(i) + problem.y()(i) * middle;
        const double excess = margin - problem.thresholds()(i);
        const double doubt = region.distance * problem.reaches()[static_cast<std::size_t>(i)] +
                             tight.marginError * problem.norms()(i) +
                             (problem.hasFreeBias() ? 4 * kUnitRoundoff * (std::abs(middle) + std::abs(margin)) : 0.0);
        const double more = doubt + (problem.y()(i) > 0 ? above : below); // by so much the margin may be more
        const double less = doubt + (problem.y()(i) > 0 ? below : above);
        audit.possible[0] += DecisionAudit::mayLieInside(excess, more) ? 1 : 0;
        audit.possible[1] += DecisionAudit::mayLieInside(-excess, less) ? 1 : 0;
        const Decision decision = decisions[static_cast<std::size_t>(i)];
        if (decision == Decision::Keep) {
            continue;
        }
        const bool isZero = decision == Decision::Zero;
        const double slack = isZero ? excess : -excess;
        // Towards the other side of the threshold: what a right decision has to be proven against, a wrong one excused.
        if (audit.count(i, slack, isZero == (slack > 0) ? less : more)) {
            audit.examples.push_back("sample " + std::to_string(i) + " at C = " + shortText(tight.c) + ": fixed in " +
                                     (decision == Decision::Zero ? "R" : "L") + ", but f* = " + shortText(margin, 8));
        }
    }
    return audit;
}

} // namespace lambdascope::svm

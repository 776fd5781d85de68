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
    const double spread = std::max(region.bias.high - middle, middle - region.bias.low) * (1 + 4 * kUnitRoundoff);
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double margin = tight.margins(i) + problem.y()(i) * middle;
        const double excess = margin - problem.thresholds()(i);
        const double doubt =
            region.distance * problem.reaches()[static_cast<std::size_t>(i)] + tight.marginError * problem.norms()(i) +
            (problem.hasFreeBias() ? spread + 4 * kUnitRoundoff * (std::abs(middle) + std::abs(margin)) : 0.0);
        audit.possible[0] += DecisionAudit::mayLieInside(excess, doubt) ? 1 : 0;
        audit.possible[1] += DecisionAudit::mayLieInside(-excess, doubt) ? 1 : 0;
        const Decision decision = decisions[static_cast<std::size_t>(i)];
        if (decision == Decision::Keep) {
            continue;
        }
        const double slack = decision == Decision::Zero ? excess : -excess;
        if (audit.count(i, slack, doubt)) {
            audit.examples.push_back("sample " + std::to_string(i) + " at C = " + shortText(tight.c) + ": fixed in " +
                                     (decision == Decision::Zero ? "R" : "L") + ", but f* = " + shortText(margin, 8));
        }
    }
    return audit;
}

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/decision_audit.h"

#include "core/common/number_text.h"

#include <cmath>

namespace lambdascope::svm {

DecisionAudit auditDecisions(const SvmProblem& problem, std::span<const Decision> decisions, const SolvedSvm& tight) {
    DecisionAudit audit;
    audit.possible = {0, 0};
    const double distance = std::sqrt(tight.gap) * (1 + 4 * kUnitRoundoff) + tight.marginError;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double margin = tight.margins(i);
        const double doubt = distance * problem.norms()(i);
        audit.possible[0] += DecisionAudit::mayLieInside(margin - 1, doubt) ? 1 : 0;
        audit.possible[1] += DecisionAudit::mayLieInside(1 - margin, doubt) ? 1 : 0;
        const Decision decision = decisions[static_cast<std::size_t>(i)];
        if (decision == Decision::Keep) {
            continue;
        }
        const double slack = decision == Decision::Zero ? margin - 1 : 1 - margin;
        if (audit.count(i, slack, doubt)) {
            audit.examples.push_back("sample " + std::to_string(i) + " at C = " + shortText(tight.c) + ": fixed in " +
                                     (decision == Decision::Zero ? "R" : "L") + ", but f* = " + shortText(margin, 8));
        }
    }
    return audit;
}

} // namespace lambdascope::svm

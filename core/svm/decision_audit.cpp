// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/decision_audit.h"

#include "core/common/number_text.h"

#include <cmath>

namespace lambdascope::svm {

DecisionAudit auditDecisions(const SvmProblem& problem, std::span<const Verdict> verdicts, const SolvedSvm& tight) {
    DecisionAudit audit;
    const double distance = std::sqrt(tight.gap) * (1 + 4 * kUnitRoundoff) + tight.marginError;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const Verdict verdict = verdicts[static_cast<std::size_t>(i)];
        if (verdict == Verdict::Keep) {
            continue;
        }
        ++audit.decided;
        const double margin = tight.margins(i);
        const double slack = verdict == Verdict::Zero ? margin - 1 : 1 - margin;
        const double doubt = distance * problem.norms()(i);
        if (slack < audit.smallestSlack) {
            audit.smallestSlack = slack;
            audit.closestSample = i;
        }
        if (slack < -doubt) {
            ++audit.wrong;
            if (audit.examples.size() < DecisionAudit::kMostExamples) {
                audit.examples.push_back("sample " + std::to_string(i) + " at C = " + shortText(tight.c) +
                                         ": fixed in " + (verdict == Verdict::Zero ? "R" : "L") +
                                         ", but f* = " + shortText(margin, 8));
            }
        } else if (slack <= doubt) {
            ++audit.doubtful;
        }
    }
    return audit;
}

} // namespace lambdascope::svm

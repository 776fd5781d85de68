// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/audit_report.h"

#include "core/common/number_text.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

bool DecisionAudit::count(std::int64_t item, double slack, double doubt) {
    ++decided;
    if (slack < smallestSlack) {
        smallestSlack = slack;
        closest = item;
    }
    if (slack < -doubt) {
        ++wrong;
        return examples.size() < kMostExamples;
    }
    doubtful += slack > doubt ? 0 : 1; // also where either is no number
    return false;
}

void AuditReport::add(const DecisionAudit& audit, std::int32_t point) {
    if (audit.decided > 0 && (decisions == 0 || audit.smallestSlack < smallestSlack)) {
        smallestSlack = audit.smallestSlack;
        closestItem = audit.closest;
        closestPoint = point;
    }
    decisions += audit.decided;
    wrong += audit.wrong;
    undecided += audit.doubtful;
    const std::size_t room = DecisionAudit::kMostExamples - std::min(DecisionAudit::kMostExamples, examples.size());
    examples.insert(examples.end(), audit.examples.begin(),
                    audit.examples.begin() + static_cast<std::ptrdiff_t>(std::min(room, audit.examples.size())));
}

void AuditReport::noteGap(double gap, std::int32_t point) {
    const double known = std::isfinite(gap) ? gap : std::numeric_limits<double>::max();
    constexpr double kDivisionRounding = 1 + 1e-12; // the gap was compared before it was divided
    loosePoints += known <= promisedGap * kDivisionRounding ? 0 : 1;
    if (known > largestGap || largestGapPoint < 0) {
        largestGap = known;
        largestGapPoint = point;
    }
}

std::string auditText(const AuditReport& report) {
    if (report.decisions == 0) {
        return "no decisions to check";
    }
    std::string text = groupedText(report.wrong) + " of " + groupedText(report.decisions) +
                       " decisions wrong, smallest slack " + shortText(report.smallestSlack, 3);
    if (report.undecided > 0) {
        text += ", " + groupedText(report.undecided) + " too near the edge to tell";
    }
    constexpr double kWorthSaying = 1.5e-10; // what is asked for is 1e-10
    if (!(report.largestGap <= kWorthSaying)) {
        text += ", by solutions that are exact to a relative gap of " + shortText(report.largestGap, 2) + " only";
    }
    return text;
}

} // namespace lambdascope

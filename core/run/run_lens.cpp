// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_lens.h"

#include "core/common/number_text.h"

namespace lambdascope {

std::string auditText(const AuditReport& report) {
    if (report.decisions == 0) {
        return "no decisions to check";
    }
    std::string text = groupedText(report.wrong) + " of " + groupedText(report.decisions) +
                       " decisions wrong, smallest slack " + shortText(report.smallestSlack, 3);
    if (report.undecided > 0) {
        text += ", " + groupedText(report.undecided) + " too near the edge to tell";
    }
    return text;
}

} // namespace lambdascope

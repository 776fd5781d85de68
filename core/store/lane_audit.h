// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/audit_report.h"
#include "core/store/path_check.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// What `verify` found out about one lane.
struct LaneAudit {
    std::string lane;
    AuditReport report;
    std::string unsafeReason; ///< empty when the lane's decisions are guaranteed
    PathCheck path;
};

enum class Verdict {
    Proven,    ///< every decision and every value of the path that can be proven is
    NotProven, ///< nothing wrong was found, but something could not be told
    Wrong,     ///< a decision or a stored value is proven wrong
};
/// "proven", "not proven", "wrong".
[[nodiscard]] std::string_view verdictName(Verdict verdict);

/// A verdict, and why it is not Proven: what is wrong first, then what could not be told.
struct Judgement {
    Verdict verdict = Verdict::Proven;
    std::vector<std::string> reasons;
};
/// The one place that decides. A lane that its family calls unsafe is judged like others: its decisions may turn out to
/// be right, and the mark stays beside the verdict.
[[nodiscard]] Judgement judgementOf(const LaneAudit& audit);

/// "proven: 0 of 1,234 decisions wrong, smallest slack 0.02", "not proven: 3 of 1,234
/// decisions are too near their threshold to tell": the same words in the window and on
/// the command line.
[[nodiscard]] std::string judgementText(const LaneAudit& audit);

/// Computes the lane of `lens` again where `stored` has its points, audits its decisions and compares the paths.
/// Errors: those of RunLens::audit, Stopped among them.
Result<LaneAudit> auditLane(RunLens& lens, std::string lane, const StoredPath& stored,
                            const RunLens::Progress& progress, std::stop_token stop);

/// Values of the path parameter as they are stored, for RunLens::computeAt; InvalidData when there is no such column.
[[nodiscard]] Result<std::vector<double>> storedAxis(const StoredPath& stored, const LaneDescription& lane);

} // namespace lambdascope

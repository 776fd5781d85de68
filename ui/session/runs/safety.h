// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"
#include "core/store/audit_file.h"

#include <QString>

#include <optional>

namespace lambdascope {

/// What is known about the decisions of a lane.
enum class Safety {
    NothingDecided, ///< it screens nothing (so far)
    Unverified,     ///< guaranteed by theory, never audited
    Unsafe,         ///< one of its bounds is none; never audited, or proven all the same
    Proven,         ///< the verdicts of an audit
    NotProven,
    Wrong,
};

[[nodiscard]] Safety safetyOf(const RunRecord& record, const std::optional<LaneAudit>& audit);
/// For tables: "✓ proven", "? not proven", "✗ 12 wrong", "! unsafe, proven", "not verified". Never colour alone.
[[nodiscard]] QString safetyText(const RunRecord& record, const std::optional<LaneAudit>& audit);
/// The whole certificate: verdict with its reasons, counts, how it was made, examples.
[[nodiscard]] QString auditDetails(const LaneAudit& audit);

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_record.h"
#include "core/store/audit_file.h"

#include <QString>

#include <optional>

namespace lambdascope {

/// What is known about the decisions of a lane.
enum class Safety {
    NothingDecided, ///< it screens nothing (so far)
    Unverified,     ///< guaranteed by theory, never audited
    Unsafe,         ///< one of its bounds is none; never audited, or nothing wrong found
    Verified,       ///< audited, nothing wrong
    Wrong,          ///< audited: a decision is wrong, or computed again the path is another one
};

[[nodiscard]] Safety safetyOf(const RunRecord& record, const std::optional<LaneAudit>& audit);
/// For tables: "✓ 0 wrong", "✗ 12 wrong", "! unsafe, 0 wrong", "not verified". Never colour alone.
[[nodiscard]] QString safetyText(const RunRecord& record, const std::optional<LaneAudit>& audit);
/// The whole certificate: counts, how it was made, examples; empty without an audit.
[[nodiscard]] QString auditDetails(const LaneAudit& audit);

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/audit_report.h"
#include "core/inspect/capability.h"

#include <string>

namespace lambdascope {

/// A lens that checks the decisions of its lane.
class DecisionAuditor {
  public:
    static constexpr const char* kMissing = "runs of this family screen nothing that could be checked";

    virtual ~DecisionAuditor() = default;

    /// Compares all decisions of the path with accurate solutions. Opens the lane by the way when it is not open.
    virtual Result<AuditReport> audit(std::int32_t mostPoints, const RunLens::Progress& progress,
                                      std::stop_token stop) = 0;
    /// Why the lane's decisions are not guaranteed; empty when they are.
    [[nodiscard]] virtual std::string unsafeReason() const { return {}; }
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/audit_report.h"

namespace lambdascope::benchmarks {

/// What all tables amount to.
struct TableTotals {
    AuditReport audit;
    int failures = 0; ///< checks that did not hold
};

} // namespace lambdascope::benchmarks

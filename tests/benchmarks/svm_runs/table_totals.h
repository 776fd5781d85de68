// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/audit_report.h"

#include <string>

namespace lambdascope::benchmarks {

/// What all tables amount to.
struct TableTotals {
    AuditReport audit;
    int failures = 0;        ///< checks that did not hold
    int paths = 0;           ///< whose work was compared
    double workRatios = 0;   ///< sum over them, of screened by auto over shrinking: counted work
    double timeRatios = 0;   ///< and medians of CPU time
    double oracleRatios = 0; ///< counted work of an oracle of the final sets, and of one of distances, over shrinking
    double ballRatios = 0;
};

/// Whether samplesOf(name) are there: real data only if somebody put them beside the repository.
[[nodiscard]] bool hasSamples(const std::string& name);

} // namespace lambdascope::benchmarks

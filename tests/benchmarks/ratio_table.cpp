// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/ratio_table.h"

#include <cstdio>

namespace lambdascope::benchmarks {

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
    std::vector<Run> medians; // the other aggregates say little on a machine that does other things too
    for (const Run& run : runs) {
        const bool isOnly = run.run_type == Run::RT_Iteration && run.repetitions == 1; // has no aggregates
        if (run.error_occurred) {
            medians.push_back(run);
        } else if (isOnly || (run.run_type == Run::RT_Aggregate && run.aggregate_name == "median")) {
            medians.push_back(run);
            const double unit = run.time_unit == benchmark::kMillisecond   ? 1e-3
                                : run.time_unit == benchmark::kMicrosecond ? 1e-6
                                                                           : 1e-9;
            m_medians[run.run_name.function_name] = {run.GetAdjustedCPUTime() * unit, run.GetAdjustedRealTime() * unit};
        }
    }
    ConsoleReporter::ReportRuns(medians);
}

bool RatioReporter::printRatios(const std::vector<RatioLine>& lines) const {
    bool good = true;
    for (const RatioLine& line : lines) {
        const auto slow = m_medians.find(line.slow);
        const auto fast = m_medians.find(line.fast);
        if (slow == m_medians.end() || fast == m_medians.end()) {
            continue;
        }
        const double slowTime = slow->second.by(line.clock);
        const double fastTime = fast->second.by(line.clock);
        const double ratio = slowTime / fastTime;
        std::printf("ratio %s / %s = %.2f  (medians %.4g ms, %.4g ms%s)", line.slow.c_str(), line.fast.c_str(), ratio,
                    1e3 * slowTime, 1e3 * fastTime, line.clock == RatioClock::Wall ? " by the clock" : "");
        if (line.atLeast > 0) {
            std::printf("  required >= %g: %s", line.atLeast, ratio >= line.atLeast ? "met" : "MISSED");
            good = good && ratio >= line.atLeast;
        }
        std::printf("\n");
    }
    return good;
}

std::vector<RatioLine>& ratioLines() {
    static std::vector<RatioLine> lines;
    return lines;
}

} // namespace lambdascope::benchmarks

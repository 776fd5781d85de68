// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/ratio_table.h"

#include <cstdio>

namespace lambdascope::benchmarks {

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
    std::vector<Run> medians; // the other aggregates say little on a machine that does other things too
    for (const Run& run : runs) {
        if (run.error_occurred) {
            medians.push_back(run);
        } else if (run.run_type == Run::RT_Aggregate && run.aggregate_name == "median") {
            medians.push_back(run);
            m_medians[run.run_name.function_name] = run.GetAdjustedCPUTime() * 1e-9 *
                                                    (run.time_unit == benchmark::kMillisecond   ? 1e6
                                                     : run.time_unit == benchmark::kMicrosecond ? 1e3
                                                                                                : 1);
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
        const double ratio = slow->second / fast->second;
        std::printf("ratio %s / %s = %.2f  (medians %.4g ms, %.4g ms)", line.slow.c_str(), line.fast.c_str(), ratio,
                    1e3 * slow->second, 1e3 * fast->second);
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

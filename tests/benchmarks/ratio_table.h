// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace lambdascope::benchmarks {

enum class RatioClock { Cpu, Wall };

/// A ratio to print after a run: median time of `slow` over that of `fast`, with the least value it should have (0 for
/// none).
struct RatioLine {
    std::string slow;
    std::string fast;
    double atLeast = 0;
    RatioClock clock = RatioClock::Cpu;
};

/// Prints medians and remembers the median times of every benchmark, so that ratios can be formed within one run.
class RatioReporter : public benchmark::ConsoleReporter {
  public:
    RatioReporter() : ConsoleReporter(OO_Tabular) {}
    void ReportRuns(const std::vector<Run>& runs) override;
    /// False when a measured ratio is below its limit.
    bool printRatios(const std::vector<RatioLine>& lines) const;

  private:
    struct Medians {
        double cpu = 0;
        double wall = 0;
        [[nodiscard]] double by(RatioClock clock) const { return clock == RatioClock::Cpu ? cpu : wall; }
    };
    std::map<std::string, Medians> m_medians; ///< seconds per iteration
};

/// Ratios that the benchmark files want printed; they add to it while registering.
std::vector<RatioLine>& ratioLines();

} // namespace lambdascope::benchmarks

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/table_runner.h"

#include "core/common/number_text.h"
#include "tests/benchmarks/metric_runs/check_table.h"

#include <algorithm>
#include <cstdio>

namespace lambdascope::benchmarks {

namespace {

/// The block with one more lane, which knows the sets of the last one: the limit of all of them.
TableBlock withOracle(TableBlock block) {
    Json& lanes = block.experiment["lanes"];
    const std::string last = lanes[lanes.size() - 1].value("name", std::string());
    lanes.push_back({{"name", "oracle"}, {"oracle", last}});
    return block;
}

void printRow(const LaneMeasurement& lane, const LaneMeasurement& baseline, const LaneMeasurement& oracle) {
    const AuditReport& audit = lane.audit;
    std::printf("| %s | %zu | %lld | %.1f | %.1f | %s | %.2f | %.2f | %.2f | %.2f | %.0f | %s | %lld | %s | %s |\n",
                lane.name.c_str(), lane.points.size(), static_cast<long long>(lane.iterations()),
                100 * lane.meanPathRate(), 100 * lane.meanFinalRate(),
                durationText(lane.cpu(lane.points.size())).c_str(), cpuRatio(lane, baseline), cpuRatio(lane, oracle),
                workRatio(lane, oracle), evaluationRatio(lane, oracle),
                100 * lane.cpuScreen() / lane.cpu(lane.points.size()), groupedText(audit.decisions).c_str(),
                static_cast<long long>(audit.wrong), groupedText(audit.undecided).c_str(),
                audit.decisions > 0 ? shortText(audit.smallestSlack, 3).c_str() : "");
    for (const std::string& example : audit.examples) {
        std::printf("\nWRONG: %s\n", example.c_str());
    }
    std::fflush(stdout);
}

} // namespace

void runTable(const TableBlock& block, TableTotals& totals) {
    const auto prepared = openBlock(withOracle(block), totals.failures);
    if (!prepared) {
        return;
    }
    ++totals.tables;
    std::printf("| lane | λ | iterations | path rate %% | final rate %% | CPU | ratio to naive | CPU to oracle | work "
                "to oracle | last evaluation to oracle | screening %% of CPU | "
                "decisions audited | wrong | undecided | smallest slack |\n");
    std::printf("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    std::vector<LaneMeasurement> lanes;
    for (std::size_t lane = 0; lane < prepared->experiment.laneNames.size(); ++lane) {
        lanes.push_back(measureLane(*prepared->problem, prepared->experiment, lane, 1, !lanes.empty()));
        const LaneMeasurement& measured = lanes.back();
        if (!measured.failure.empty()) {
            std::printf("\nFAILED: lane %s: %s\n", measured.name.c_str(), measured.failure.c_str());
            ++totals.failures;
            continue;
        }
        totals.decisions += measured.audit.decisions;
        totals.wrong += measured.audit.wrong;
        totals.undecided += measured.audit.undecided;
    }
    for (const LaneMeasurement& measured : lanes) {
        if (measured.failure.empty()) {
            printRow(measured, lanes.front(), lanes.back());
        }
    }
    if (block.showsChecks) {
        printCheckTable(lanes);
    }
}

} // namespace lambdascope::benchmarks

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_tables/table_runner.h"

#include "core/common/number_text.h"
#include "core/families.h"
#include "tests/benchmarks/metric_tables/check_table.h"
#include "tests/core/metric/distorted_data.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace lambdascope::benchmarks {

namespace {

constexpr double kNearDuplicate = 1e-13;
const std::filesystem::path kRepository = LAMBDASCOPE_TEST_SOURCE_DIR;

DataPlaces places() {
    return {{kRepository / "../shared/data/metric"}, kRepository / "resources/datasets"};
}

/// A bundled name has no dot; a file may be missing, as it is no part of the repository.
bool isThere(const std::string& source) {
    return source.find('.') == std::string::npos || std::filesystem::exists(places().folders.front() / source);
}

struct Prepared {
    Experiment experiment;
    std::shared_ptr<const PreparedProblem> problem;
};

Result<Prepared> prepareBlock(const TableBlock& block) {
    Json document = block.experiment;
    const Family& family = *findFamily("metric");
    std::shared_ptr<const Dataset> data;
    for (bool again = true; again;) {
        auto experiment = validateExperiment(document, builtInCatalog());
        if (!experiment) {
            return Failure{experiment.error()};
        }
        if (!data) {
            auto loaded = loadDataset(dataFields().readResolved((*experiment)->data), places());
            if (!loaded) {
                return Failure{loaded.error()};
            }
            data = block.factor == 1 && !block.hasNearDuplicates
                       ? *loaded
                       : metric::distorted(**loaded, block.factor, kNearDuplicate);
        }
        auto problem = family.prepare(**experiment, data, {}, {});
        if (!problem) {
            return Failure{problem.error()};
        }
        again = block.decadesAbove > 0 && !document["path"].contains("start");
        if (!again) {
            return Prepared{**experiment, *problem};
        }
        const RunStarted lane = (*problem)->makeTask((*experiment)->lanes.front())->describe();
        document["path"]["start"] = lane.facts.at("lambda_max").get<double>() * std::pow(10, block.decadesAbove);
    }
    return Failure{plainError(ErrorCode::Internal, "no problem was prepared")};
}

void printRow(const LaneMeasurement& lane, const LaneMeasurement& baseline) {
    const AuditReport& audit = lane.audit;
    std::printf("| %s | %zu | %lld | %.1f | %.1f | %s | %.2f | %.0f | %s | %lld | %s | %s |\n", lane.name.c_str(),
                lane.points.size(), static_cast<long long>(lane.iterations()), 100 * lane.meanPathRate(),
                100 * lane.meanFinalRate(), durationText(lane.cpu(lane.points.size())).c_str(),
                cpuRatio(lane, baseline), 100 * lane.cpuScreen() / lane.cpu(lane.points.size()),
                groupedText(audit.decisions).c_str(), static_cast<long long>(audit.wrong),
                groupedText(audit.undecided).c_str(),
                audit.decisions > 0 ? shortText(audit.smallestSlack, 3).c_str() : "");
    for (const std::string& example : audit.examples) {
        std::printf("\nWRONG: %s\n", example.c_str());
    }
    std::fflush(stdout);
}

} // namespace

void runTable(const TableBlock& block, TableTotals& totals) {
    std::printf("\n### %s\n\n", block.title.c_str());
    const std::string source = block.experiment["data"]["source"].get<std::string>();
    if (!isThere(source)) {
        std::printf("Skipped: there is no %s in ../shared/data/metric.\n", source.c_str());
        return;
    }
    const auto prepared = prepareBlock(block);
    if (!prepared) {
        std::printf("FAILED: %s\n", prepared.error().describe().c_str());
        ++totals.failures;
        return;
    }
    ++totals.tables;
    std::vector<LaneMeasurement> lanes;
    for (const Lane& lane : prepared->experiment.lanes) {
        if (lanes.empty()) {
            const Json facts = prepared->problem->makeTask(lane)->describe().facts;
            std::printf("%s triplets, λ_max = %s\n\n", groupedText(facts.at("triplets").get<std::int64_t>()).c_str(),
                        shortText(facts.at("lambda_max").get<double>()).c_str());
            std::printf(
                "| lane | λ | iterations | path rate %% | final rate %% | CPU | ratio to naive | screening %% of "
                "CPU | decisions audited | wrong | undecided | smallest slack |\n");
            std::printf("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
        }
        lanes.push_back(measureLane(*prepared->problem, lane, 1, !lanes.empty()));
        const LaneMeasurement& measured = lanes.back();
        if (!measured.failure.empty()) {
            std::printf("\nFAILED: lane %s: %s\n", lane.name.c_str(), measured.failure.c_str());
            ++totals.failures;
            continue;
        }
        totals.decisions += measured.audit.decisions;
        totals.wrong += measured.audit.wrong;
        totals.undecided += measured.audit.undecided;
        printRow(measured, lanes.front());
    }
    if (block.showsChecks) {
        printCheckTable(lanes);
    }
}

} // namespace lambdascope::benchmarks

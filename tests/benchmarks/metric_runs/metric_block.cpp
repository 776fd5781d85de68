// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/metric_block.h"

#include "core/common/number_text.h"
#include "core/families.h"
#include "tests/benchmarks/program_options.h"
#include "tests/core/metric/distorted_data.h"

#include <cmath>
#include <cstdio>
#include <filesystem>

namespace lambdascope::benchmarks {

namespace {

constexpr double kNearDuplicate = 1e-13;

DataPlaces places() {
    return {{sharedData("metric")}, std::filesystem::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "resources/datasets"};
}

Result<std::shared_ptr<const Dataset>> loadBlock(const MetricBlock& block, const Experiment& experiment) {
    auto data = loadDataset(experiment.data, places());
    if (data && (block.factor != 1 || block.hasNearDuplicates)) {
        return metric::distorted(**data, block.factor, block.hasNearDuplicates ? kNearDuplicate : 0);
    }
    return data;
}

} // namespace

Json PreparedBlock::facts() const {
    return problem->makeTask(0)->describe().facts;
}

bool hasData(const MetricBlock& block) {
    const std::string source = block.source(); // a bundled name has no dot
    return source.find('.') == std::string::npos || std::filesystem::exists(places().folders.front() / source);
}

Result<PreparedBlock> prepareBlock(const MetricBlock& block) {
    Json document = block.experiment;
    std::shared_ptr<const Dataset> data;
    while (true) {
        auto experiment = validateExperiment(document, builtInCatalog());
        if (!experiment) {
            return Failure{experiment.error()};
        }
        if (!data) {
            auto loaded = loadBlock(block, **experiment);
            if (!loaded) {
                return Failure{loaded.error()};
            }
            data = *loaded;
        }
        auto problem = findFamily("metric")->prepare(**experiment, data, {}, {}, {});
        if (!problem) {
            return Failure{problem.error()};
        }
        PreparedBlock prepared{**experiment, *problem};
        if (block.decadesAbove <= 0 || document["path"].contains("start")) {
            return prepared;
        }
        // λ_max is known now: once more, from above it.
        document["path"]["start"] = prepared.facts().at("lambda_max").get<double>() * std::pow(10, block.decadesAbove);
    }
}

std::optional<PreparedBlock> openBlock(const MetricBlock& block, int& failures) {
    std::printf("\n### %s\n\n", block.title.c_str());
    if (!hasData(block)) {
        std::printf("Skipped: there is no %s in ../shared/data/metric.\n", block.source().c_str());
        return {};
    }
    auto prepared = prepareBlock(block);
    if (!prepared) {
        std::printf("FAILED: %s\n", prepared.error().describe().c_str());
        ++failures;
        return {};
    }
    const Json facts = prepared->facts();
    std::printf("%s triplets, λ_max = %s\n\n", groupedText(facts.at("triplets").get<std::int64_t>()).c_str(),
                shortText(facts.at("lambda_max").get<double>()).c_str());
    return std::move(*prepared);
}

} // namespace lambdascope::benchmarks

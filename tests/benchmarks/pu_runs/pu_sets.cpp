// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/pu_runs/pu_sets.h"

#include "core/common/random_stream.h"
#include "core/data/data_source.h"
#include "core/pu/solver/subsample_start.h"
#include "tests/benchmarks/program_options.h"

#include <filesystem>

namespace lambdascope::benchmarks {

const std::vector<PaperSet>& paperSets() {
    static const std::vector<PaperSet> sets = {
        {"Australian", "australian.csv", {68.3, 67.6, 69.3, 70.2}, {64.7, 70.6, 59.4, 0.0}},
        {"Diabetes", "diabetes.csv", {70.1, 71.1, 79.3, 82.3}, {70.0, 70.6, 80.1, 82.3}},
        {"Heart", "heart.csv", {59.4, 60.0, 66.0, 75.6}, {58.9, 59.8, 70.9, 75.6}},
        {"Heart-statlog", "heart-statlog.csv", {54.5, 55.2, 53.8, 60.2}, {53.5, 56.7, 56.4, 75.6}},
        {"House", "house.csv", {59.9, 59.0, 56.8, 64.0}, {56.5, 60.1, 54.2, 74.0}},
        {"House-votes", "house-votes.csv", {59.6, 59.9, 57.2, 62.0}, {61.2, 59.4, 57.5, 71.8}},
        {"Ionosphere", "ionosphere.csv", {65.1, 72.0, 73.7, 75.2}, {65.3, 74.1, 65.7, 74.2}},
        {"Isolet", "isolet.csv", {93.7, 93.3, 94.7, 95.5}, {75.3, 75.7, 76.4, 75.9}},
        {"Krvskp", "krvskp.csv", {81.1, 79.9, 82.9, 80.6}, {82.5, 84.1, 73.2, 73.2}},
        {"Liverdisorders", "liverDisorders.csv", {56.0, 63.4, 68.8, 68.8}, {56.2, 62.5, 68.8, 68.8}},
        {"Spectf", "spectf.csv", {73.5, 72.3, 80.6, 81.1}, {74.0, 72.1, 81.1, 81.1}},
    };
    return sets;
}

std::shared_ptr<const pu::PuProblem> problemOn(std::shared_ptr<const pu::PuSamples> samples,
                                               const KernelFunction& kernel, double prior, double budget, bool fills) {
    StopCheck never;
    ThreadTeam team(2);
    auto space = std::make_shared<pu::PuSpace>(std::move(samples), kernel, budget, fills, never, team);
    return std::make_shared<pu::PuProblem>(std::move(space), prior);
}

std::shared_ptr<const pu::PuProblem> paperProblem(const PaperSet& set, const KernelFunction& kernel,
                                                  std::uint64_t seed) {
    DataConfig config;
    config.source = (sharedData("pu") / set.file).string();
    config.labels = "label";
    config.scale = Scaling::None; // as prepared by the authors
    if (!std::filesystem::exists(config.source)) {
        return nullptr;
    }
    const auto data = loadDataset(config, {});
    if (!data) {
        return nullptr;
    }
    pu::ProblemConfig problem;
    problem.labelledShare = 0.2;
    const auto drawn = pu::drawSamples(**data, problem, seed);
    if (!drawn) {
        return nullptr;
    }
    return problemOn(drawn->samples, kernel, drawn->trainingShare, 2e9, true);
}

std::shared_ptr<const pu::PuSamples> gaussians(pu::SampleIndex unlabeled, Eigen::Index features, std::uint64_t seed) {
    RandomStream random(seed, "gaussians of the PU benchmark");
    auto samples = std::make_shared<pu::PuSamples>();
    samples->positives = 100;
    samples->unlabeled = unlabeled;
    samples->dense.resize(samples->size(), features);
    for (pu::SampleIndex i = 0; i < samples->size(); ++i) {
        const bool isPositive = i < samples->positives || random.uniform() < 0.4;
        if (i >= samples->positives) {
            samples->truth.push_back(isPositive ? 1 : 0);
        }
        for (Eigen::Index j = 0; j < features; ++j) {
            samples->dense(i, j) = 0.3 * (random.normal() + (isPositive ? 0.5 : -0.5));
        }
    }
    return samples;
}

pu::SolvedPu firstPoint(const pu::PuProblem& problem, double lambda) {
    StopCheck never;
    return pu::pointAt(problem, pu::subsampleStart(problem, lambda, never), never);
}

pu::PointOutcome solve(const pu::PuProblem& problem, double lambda, const pu::PointSettings& settings,
                       const pu::SolvedPu* start, pu::ScreeningObserver* observer) {
    pu::PointSolver solver(problem, settings);
    solver.observe(observer);
    NullSink sink;
    RunContext context(RunId{0}, sink);
    return solver.solve(lambda, start != nullptr ? *start : firstPoint(problem, lambda), 0, context);
}

} // namespace lambdascope::benchmarks

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/ordinal_runs/trial_runs.h"

#include "core/ordinal/path/comparison_file.h"
#include "core/ordinal/path/comparison_sampling.h"
#include "tests/benchmarks/program_options.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::benchmarks {

using namespace ordinal;

SyntheticSet syntheticSet(ObjectIndex n, Eigen::Index p, std::int64_t train, std::int64_t test, std::uint64_t seed) {
    RandomStream random(seed, "points");
    Points x(n, p);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        x.data()[i] = random.normal() / std::sqrt(20.0);
    }
    StopCheck stopCheck;
    const auto distance = [&x](ObjectIndex a, ObjectIndex b) { return (x.row(a) - x.row(b)).squaredNorm(); };
    const WeightedComparisons all =
        sampleFromDistances(n, distance, ComparisonLayout::Triplets, train + test, random, stopCheck);
    WeightedComparisons first;
    WeightedComparisons second;
    for (std::size_t q = 0; q < all.size(); ++q) {
        (static_cast<std::int64_t>(q) < train ? first : second).items.push_back(all.items[q]);
    }
    return {std::make_unique<ComparisonSet>(std::move(first), n),
            std::make_unique<ComparisonSet>(std::move(second), n)};
}

const std::vector<AnswerSet>& answerSets() {
    static const std::vector<AnswerSet> sets = {
        {"music", "music_triplets.csv", "", 9, 0, RepeatPolicy::Keep},
        {"eurodist", "eurodist_triplets.csv", "", 2, 2000, RepeatPolicy::Keep},
        {"zappos", "zappos_triplets.csv.gz", "", 2, 0, RepeatPolicy::Keep},
        {"material", "material_triplets_train.csv", "material_triplets_test.csv", 2, 0, RepeatPolicy::Majority}};
    return sets;
}

Result<SplitAnswers> splitAnswers(const AnswerSet& answers, std::uint64_t seed) {
    const std::filesystem::path folder = sharedData("ordinal");
    auto read = readComparisons(folder / answers.file, ComparisonLayout::Auto, IdBase::Auto, 0, true);
    if (!read) {
        return Failure{read.error()};
    }
    const WeightedComparisons all = mergeRepeats(read->comparisons, answers.repeats);
    Split split;
    if (answers.testFile.empty()) {
        RandomStream random(seed, "split");
        const auto size = static_cast<std::int64_t>(all.size());
        split = splitByQuestion(all, answers.train > 0 ? answers.train : size * 8 / 10, size, random);
    } else {
        auto test = readComparisons(folder / answers.testFile, ComparisonLayout::Auto, IdBase::Auto, read->objects);
        if (!test) {
            return Failure{test.error()};
        }
        split = {all, mergeRepeats(test->comparisons, answers.repeats)};
    }
    return SplitAnswers{std::make_unique<ComparisonSet>(std::move(split.train), read->objects),
                        std::make_unique<ComparisonSet>(std::move(split.test), read->objects)};
}

NamedSolver solverOf(const std::string& name, MethodKind method, double step, std::int64_t batch) {
    SolverConfig config;
    config.method = method;
    config.step = step;
    config.batch = batch;
    return {name, config};
}

double targetErrorOf(ModelKind kind) {
    return kind == ModelKind::Ckl ? 0.185 : 0.15;
}

TimeToError timeToError(const SolverConfig& config, const Objective& objective, const ComparisonSet& test,
                        Eigen::Index p, std::int64_t number, double target, std::int64_t mostEpochs) {
    Trial trial(config, objective, p, 1, number);
    TimeToError result;
    StopCheck stopCheck;
    for (std::int64_t epoch = 0; epoch <= mostEpochs; ++epoch) {
        trial.advance(stopCheck);
        result.error = violatedShare(test, trial.state().x, stopCheck);
        result.epochs = epoch;
        result.seconds = trial.seconds();
        result.hasFailed = trial.state().hasFailed;
        result.isReached = result.error <= target;
        if (result.isReached || result.hasFailed || trial.state().hasSettled) {
            break;
        }
    }
    return result;
}

} // namespace lambdascope::benchmarks

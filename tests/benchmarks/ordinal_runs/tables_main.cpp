// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope_ordinal_tables [--quick] [--list] [--only TEXT]: [O, table I] over 50 starts, and held-out errors on real
// answers with their spread over starts; Markdown on the standard output. Data that are not part of the repository are
// skipped when they are not at hand.
#include "core/common/number_text.h"
#include "core/data/data_source.h"
#include "core/data/dataset.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/classical_scaling.h"
#include "core/numeric/procrustes.h"
#include "core/ordinal/path/comparison_file.h"
#include "core/ordinal/path/comparison_sampling.h"
#include "tests/benchmarks/ordinal_runs/trial_runs.h"
#include "tests/benchmarks/program_options.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace lambdascope::benchmarks {
namespace {

using namespace ordinal;

constexpr ModelKind kModels[] = {ModelKind::Gnmds, ModelKind::Ckl, ModelKind::Ste, ModelKind::Tste, ModelKind::Soe};

std::vector<NamedSolver> tableOneSolvers() {
    constexpr double kStep = 1e-3;
    return {solverOf("convex", MethodKind::Convex, 0.01, 1),     solverOf("batch", MethodKind::Batch, 0.01, 1),
            solverOf("SGD", MethodKind::Sgd, kStep, 1),          solverOf("SVRG", MethodKind::Svrg, kStep, 1),
            solverOf("SBB0", MethodKind::SvrgSbb0, kStep, 1),    solverOf("SBB-1", MethodKind::SvrgSbb, kStep, 1),
            solverOf("SBB-5", MethodKind::SvrgSbb, kStep, 5),    solverOf("SBB-10", MethodKind::SvrgSbb, kStep, 10),
            solverOf("SBB-20", MethodKind::SvrgSbb, kStep, 20),  solverOf("SBB-50", MethodKind::SvrgSbb, kStep, 50),
            solverOf("SBB-100", MethodKind::SvrgSbb, kStep, 100)};
}

/// Minimum, mean, maximum and standard deviation of CPU seconds to an error of 0.15, and how many starts do not get
/// there or blow up.
void printTableOne(ModelKind kind, bool isQuick) {
    const int trials = isQuick ? 5 : 50;
    constexpr std::int64_t kMostEpochs = 100;
    const SyntheticSet set = syntheticSet(100, 10, 10000, 10000);
    const Objective objective(*set.train, modelOf(kind, 10));
    std::printf("CPU time to an error of %.3f on held-out triplets.\n\n", targetErrorOf(kind));
    std::printf("| method | min ms | mean ms | max ms | std ms | of %d not there | blown up |\n"
                "|---|---|---|---|---|---|---|\n",
                trials);
    for (const NamedSolver& solver : tableOneSolvers()) {
        if (solver.config.method == MethodKind::Convex && kind == ModelKind::Tste) {
            continue; // not convex in the Gram matrix either
        }
        std::vector<double> seconds;
        int missed = 0;
        int failed = 0;
        const int used = solver.config.method == MethodKind::Convex ? std::min(trials, 3) : trials;
        for (int number = 0; number < used; ++number) {
            const bool isConvex = solver.config.method == MethodKind::Convex;
            const TimeToError time = timeToError(solver.config, objective, *set.test, 10, number, targetErrorOf(kind),
                                                 isConvex ? 40 : kMostEpochs);
            missed += time.isReached ? 0 : 1;
            failed += time.hasFailed ? 1 : 0;
            if (time.isReached) {
                seconds.push_back(1e3 * time.seconds);
            }
        }
        if (seconds.empty()) {
            std::printf("| %s | – | – | – | – | %d of %d | %d |\n", solver.name.c_str(), missed, used, failed);
            continue;
        }
        const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
        double squares = 0;
        for (const double value : seconds) {
            squares += (value - mean) * (value - mean);
        }
        std::printf("| %s | %.2f | %.2f | %.2f | %.2f | %d of %d | %d |\n", solver.name.c_str(),
                    *std::min_element(seconds.begin(), seconds.end()), mean,
                    *std::max_element(seconds.begin(), seconds.end()),
                    std::sqrt(squares / static_cast<double>(seconds.size())), missed, used, failed);
        std::fflush(stdout);
    }
}

/// Real answers, and how they are embedded.
struct AnswerSet {
    std::string title;
    std::string file;
    std::string testFile; ///< empty for a part of the first
    Eigen::Index p;
    std::int64_t train; ///< 0 for 80 %
    RepeatPolicy repeats;
};

const std::vector<AnswerSet>& answerSets() {
    static const std::vector<AnswerSet> sets = {
        {"music", "music_triplets.csv", "", 9, 0, RepeatPolicy::Keep},
        {"eurodist", "eurodist_triplets.csv", "", 2, 2000, RepeatPolicy::Keep},
        {"zappos", "zappos_triplets.csv.gz", "", 2, 0, RepeatPolicy::Keep},
        {"material", "material_triplets_train.csv", "material_triplets_test.csv", 2, 0, RepeatPolicy::Majority}};
    return sets;
}

std::string spread(const std::vector<double>& values) {
    return shortText(quantile(values, 0.5), 3) + " (" + shortText(quantile(values, 0), 3) + "–" +
           shortText(quantile(values, 1), 3) + ")";
}

/// Coordinates by classical scaling of the cities' distances.
std::optional<Eigen::MatrixXd> cityMap() {
    DataConfig config;
    config.source = "eurodist";
    config.scale = Scaling::None;
    const auto data = loadDataset(config, {});
    if (!data) {
        return std::nullopt;
    }
    const Eigen::MatrixXd squared = (*data)->toDense().array().square();
    StopCheck stopCheck;
    return classicalScaling(squared, 2, stopCheck);
}

void printErrors(const AnswerSet& answers, bool isQuick) {
    const std::filesystem::path folder = sharedData("ordinal");
    auto read = readComparisons(folder / answers.file, ComparisonLayout::Auto, IdBase::Auto, 0, true);
    if (!read) {
        std::printf("Skipped: %s\n", read.error().describe().c_str());
        return;
    }
    const WeightedComparisons all = mergeRepeats(read->comparisons, answers.repeats);
    RandomStream random(1, "split");
    const auto size = static_cast<std::int64_t>(all.size());
    const std::int64_t train = answers.train > 0 ? answers.train : size * 8 / 10;
    Split split;
    if (answers.testFile.empty()) {
        split = splitByQuestion(all, train, size, random);
    } else {
        const auto test =
            readComparisons(folder / answers.testFile, ComparisonLayout::Auto, IdBase::Auto, read->objects);
        split = {all, test ? mergeRepeats(test->comparisons, answers.repeats) : WeightedComparisons{}};
    }
    const ComparisonSet trainSet(std::move(split.train), read->objects);
    const ComparisonSet testSet(std::move(split.test), read->objects);
    const bool isCities = answers.title == "eurodist";
    const auto cities = isCities ? cityMap() : std::nullopt;
    const int trials = isQuick ? 3 : 10;
    std::printf(
        "%d objects, %s comparisons to learn from, %s held out, p = %d; median (least–largest) of %d starts.\n\n"
        "| model | training error | held-out error | CPU s |%s\n|---|---|---|---|%s\n",
        read->objects, groupedText(trainSet.size()).c_str(), groupedText(testSet.size()).c_str(),
        static_cast<int>(answers.p), trials, cities ? " Procrustes distance to the map |" : "", cities ? "---|" : "");
    for (const ModelKind kind : kModels) {
        const Objective objective(trainSet, modelOf(kind, answers.p));
        std::vector<double> trainErrors;
        std::vector<double> testErrors;
        std::vector<double> seconds;
        std::vector<double> distances;
        for (int number = 0; number < trials; ++number) {
            SolverConfig config = solverOf("", MethodKind::SvrgSbb, 0.01, 10).config;
            Trial trial(config, objective, answers.p, 1, number);
            StopCheck stopCheck;
            for (int epoch = 0; epoch <= 40; ++epoch) {
                trial.advance(stopCheck);
            }
            trainErrors.push_back(trial.state().value.error);
            testErrors.push_back(violatedShare(testSet, trial.state().x, stopCheck));
            seconds.push_back(trial.seconds());
            if (cities) {
                distances.push_back(alignPoints(trial.state().x, *cities).distance);
            }
        }
        std::printf("| %s | %s | %s | %s |%s\n", nameOf(kind).c_str(), spread(trainErrors).c_str(),
                    spread(testErrors).c_str(), shortText(quantile(seconds, 0.5), 3).c_str(),
                    cities ? (" " + spread(distances) + " |").c_str() : "");
        std::fflush(stdout);
    }
}

} // namespace
} // namespace lambdascope::benchmarks

int main(int argc, char** argv) {
    lambdascope::restartWithBetterBlasKernels(argv);
    using namespace lambdascope::benchmarks;
    const ProgramOptions options = readOptions(argc, argv, "--quick");
    lambdascope::pinBlasToOneThread();
    const auto section = [&](const std::string& title, const auto& print) {
        if (!options.opens(title)) {
            return;
        }
        print();
    };
    for (const auto kind : kModels) {
        section("table I, " + nameOf(kind), [&] { printTableOne(kind, options.switched); });
    }
    for (const AnswerSet& answers : answerSets()) {
        section("errors, " + answers.title, [&] { printErrors(answers, options.switched); });
    }
    return 0;
}

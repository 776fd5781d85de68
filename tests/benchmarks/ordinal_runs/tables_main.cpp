// SPDX-License-Identifier: GPL-3.0-or-later
// lambdascope_ordinal_tables [--quick] [--list] [--only TEXT]: [O, table I] over 50 starts, held-out errors on real
// answers with their spread over starts, and rates and errors of the convex problem along λ beside STE and SOE;
// Markdown on the standard output. Data that are not part of the repository are skipped when they are not at hand.
#include "core/common/number_text.h"
#include "core/data/data_source.h"
#include "core/data/dataset.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/classical_scaling.h"
#include "core/numeric/memory_pages.h"
#include "core/numeric/procrustes.h"
#include "core/ordinal/path/gram_problem.h"
#include "core/ordinal/solver/gram_descent.h"
#include "core/run/event_sink.h"
#include "core/run/run_context.h"
#include "core/triplets/solver/point_solver.h"
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

std::string spread(const std::vector<double>& values) {
    if (quantile(values, 0) == quantile(values, 1)) {
        return shortText(quantile(values, 0), 3);
    }
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

/// After 40 epochs of SBB-10.
Trial embedded(const Objective& objective, Eigen::Index p, std::int64_t number) {
    Trial trial(solverOf("", MethodKind::SvrgSbb, 0.01, 10).config, objective, p, 1, number);
    StopCheck stopCheck;
    for (int epoch = 0; epoch <= 40; ++epoch) {
        trial.advance(stopCheck);
    }
    return trial;
}

void printErrors(const AnswerSet& answers, bool isQuick) {
    const auto split = splitAnswers(answers, 1);
    if (!split) {
        std::printf("Skipped: %s\n", split.error().describe().c_str());
        return;
    }
    const ComparisonSet& trainSet = *split->train;
    const ComparisonSet& testSet = *split->test;
    const bool isCities = answers.title == "eurodist";
    const auto cities = isCities ? cityMap() : std::nullopt;
    const int trials = isQuick ? 3 : 10;
    std::printf(
        "%d objects, %s comparisons to learn from, %s held out, p = %d; median (least–largest) of %d starts.\n\n"
        "| model | training error | held-out error | CPU s |%s\n|---|---|---|---|%s\n",
        trainSet.objects(), groupedText(trainSet.size()).c_str(), groupedText(testSet.size()).c_str(),
        static_cast<int>(answers.p), trials, cities ? " Procrustes distance to the map |" : "", cities ? "---|" : "");
    for (const ModelKind kind : kModels) {
        const Objective objective(trainSet, modelOf(kind, answers.p));
        std::vector<double> trainErrors;
        std::vector<double> testErrors;
        std::vector<double> seconds;
        std::vector<double> distances;
        for (int number = 0; number < trials; ++number) {
            const Trial trial = embedded(objective, answers.p, number);
            StopCheck stopCheck;
            trainErrors.push_back(trial.state().value.error);
            testErrors.push_back(violatedShare(testSet, trial.state().x, stopCheck));
            seconds.push_back(trial.seconds());
            if (cities) {
                distances.push_back(alignPoints(trial.state().x, *cities).distance);
            }
        }
        std::printf("| %s | %s | %s | %s |%s\n", modelName(kind).c_str(), spread(trainErrors).c_str(),
                    spread(testErrors).c_str(), shortText(quantile(seconds, 0.5), 3).c_str(),
                    cities ? (" " + spread(distances) + " |").c_str() : "");
        std::fflush(stdout);
    }
}

/// A λ of the convex problem, over some splits.
struct ConvexRow {
    std::vector<double> arrival; ///< share of R and L screened on arrival
    std::vector<double> solved;  ///< before the λ is solved
    std::vector<double> linear;  ///< share of comparisons in L
    std::vector<double> zero;    ///< in R
    std::vector<double> gramErrors;
    std::vector<double> axisErrors;
    std::vector<double> seconds;
};

constexpr int kPathPoints = 20;
constexpr double kPathRatio = 0.7;

/// Walks one split down the path by MGB, and adds what it finds to `rows`. False with a line that says why not.
bool walkConvexPath(const SplitAnswers& split, Eigen::Index p, std::vector<ConvexRow>& rows) {
    OrdinalConfig config;
    config.problem.model = ModelKind::Gnmds;
    const auto problem = GramProblem::make(config, *split.train, {});
    if (!problem) {
        std::printf("Skipped: %s\n", problem.error().describe().c_str());
        return false;
    }
    const double gamma = (*problem)->gamma();
    const auto engine = (*problem)->makeEngine({}, 1);
    std::vector<std::unique_ptr<triplets::Bound>> bounds;
    bounds.push_back(triplets::makeBound(triplets::BoundKind::MidpointGap));
    triplets::PointSolver solver(
        *engine, std::move(bounds),
        {.gamma = gamma, .tolerance = 1e-4, .screenEvery = 1, .method = triplets::MethodKind::Automatic});
    NullSink sink;
    RunContext context(RunId{0}, sink);
    StopCheck never;
    double lambda = (*problem)->top().lambdaMax;
    triplets::SolvedPoint solved = triplets::topPoint((*problem)->top(), lambda, gamma, *engine, never);
    for (int point = 0; point < kPathPoints; ++point, lambda *= kPathRatio) {
        const triplets::PointOutcome outcome = solver.solve(lambda, solved, point, context);
        solved = outcome.solved;
        const auto decidable =
            static_cast<double>(std::max<triplets::TripletIndex>(outcome.setCounts.above + outcome.setCounts.below, 1));
        const auto all = static_cast<double>((*problem)->set().size());
        ConvexRow& row = rows[static_cast<std::size_t>(point)];
        row.arrival.push_back(static_cast<double>(outcome.pathScreened.decided()) / decidable);
        row.solved.push_back(static_cast<double>(outcome.finalScreened.decided()) / decidable);
        row.zero.push_back(static_cast<double>(outcome.setCounts.above) / all);
        row.linear.push_back(static_cast<double>(outcome.setCounts.below) / all);
        const Eigen::MatrixXd& factor = solved.point.factor;
        row.gramErrors.push_back(violatedShare(*split.test, longestAxes(factor, factor.cols()), never));
        row.axisErrors.push_back(violatedShare(*split.test, longestAxes(factor, p), never));
        row.seconds.push_back(outcome.cpuSolve + outcome.cpuScreen);
    }
    return true;
}

/// Rates and held-out errors of the convex problem along λ beside those of STE and SOE by SBB-10, on the same splits.
void printConvexPath(const AnswerSet& answers, bool isQuick) {
    const int seeds = isQuick ? 2 : 5;
    std::vector<ConvexRow> rows(kPathPoints);
    struct Rival {
        ModelKind kind;
        std::vector<double> errors;
        std::vector<double> seconds;
    };
    std::vector<Rival> rivals = {{ModelKind::Ste, {}, {}}, {ModelKind::Soe, {}, {}}};
    std::string sizes;
    for (int seed = 1; seed <= seeds; ++seed) {
        const auto split = splitAnswers(answers, static_cast<std::uint64_t>(seed));
        if (!split) {
            std::printf("Skipped: %s\n", split.error().describe().c_str());
            return;
        }
        sizes = std::to_string(split->train->objects()) + " objects, " + groupedText(split->train->size()) +
                " comparisons to learn from, " + groupedText(split->test->size()) + " held out";
        const bool isAnotherSplit = seed == 1 || answers.testFile.empty();
        if (isAnotherSplit && !walkConvexPath(*split, answers.p, rows)) {
            return;
        }
        for (Rival& rival : rivals) {
            const Objective objective(*split->train, modelOf(rival.kind, answers.p));
            const Trial trial = embedded(objective, answers.p, seed);
            StopCheck never;
            rival.errors.push_back(violatedShare(*split->test, trial.state().x, never));
            rival.seconds.push_back(trial.seconds());
        }
    }
    std::printf("%s; median (least–largest) of %d %s. GNMDS with a ridge, γ = 0.05, relative gap 1e-4, MGB at every "
                "iteration; the last rows are STE and SOE in %d dimensions.\n\n"
                "| λ/λ_max | in R | in L | screened on arrival | before solved | held-out error of G | of its %d "
                "longest axes | CPU s |\n|---|---|---|---|---|---|---|---|\n",
                sizes.c_str(), seeds, answers.testFile.empty() ? "splits" : "starts on the one split",
                static_cast<int>(answers.p), static_cast<int>(answers.p));
    const auto percent = [](const std::vector<double>& values) {
        return shortText(std::round(1000 * quantile(values, 0.5)) / 10, 4) + " %";
    };
    for (std::size_t point = 0; point < rows.size(); ++point) {
        const ConvexRow& row = rows[point];
        std::printf("| %s | %s | %s | %s | %s | %s | %s | %s |\n",
                    shortText(std::pow(kPathRatio, static_cast<double>(point)), 2).c_str(), percent(row.zero).c_str(),
                    percent(row.linear).c_str(), percent(row.arrival).c_str(), percent(row.solved).c_str(),
                    spread(row.gramErrors).c_str(), spread(row.axisErrors).c_str(),
                    shortText(quantile(row.seconds, 0.5), 2).c_str());
    }
    for (const Rival& rival : rivals) {
        std::printf("| %s | | | | | | %s | %s |\n", modelName(rival.kind).c_str(), spread(rival.errors).c_str(),
                    shortText(quantile(rival.seconds, 0.5), 2).c_str());
    }
    std::fflush(stdout);
}

} // namespace
} // namespace lambdascope::benchmarks

int main(int argc, char** argv) {
    lambdascope::restartWithBetterBlasKernels(argv);
    lambdascope::keepFreedMemory();
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
        section("table I, " + modelName(kind), [&] { printTableOne(kind, options.switched); });
    }
    for (const AnswerSet& answers : answerSets()) {
        section("errors, " + answers.title, [&] { printErrors(answers, options.switched); });
    }
    for (const AnswerSet& answers : answerSets()) {
        section("convex, " + answers.title, [&] { printConvexPath(answers, options.switched); });
    }
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// What happens before any lane runs: rows of the kernel, the problem, where its path begins, and the values of C.
#include "core/svm/path/preparation.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/data/data_faults.h"
#include "core/numeric/blas_library.h"
#include "core/svm/path/data_checks.h"
#include "core/svm/path/path_plan.h"
#include "core/svm/path/prepared_multiclass.h"
#include "core/svm/path/svm_schema.h"
#include "core/svm/problem/kernel_matrix.h"
#include "core/svm/solver/path_start.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lambdascope::svm {

namespace {

/// Accuracy of the ε-path's own solutions, as a share of ε.
constexpr double kPlanShare = 0.01;
/// Least factor between two values, so that a poor reference cannot stop the path.
constexpr double kLeastStep = 1.001;

std::vector<double> approximationPath(const PathConfig& config, double start, std::span<const PathProblem> problems,
                                      RunContext& context, const std::function<void(double)>& progress) {
    PointSettings settings;
    settings.tolerance = kPlanShare * config.epsilon;
    std::vector<std::unique_ptr<PointSolver>> solvers;
    std::vector<PointOutcome> last;
    for (const PathProblem& part : problems) {
        settings.bounds = {part.problem.hasFreeBias() ? BoundKind::Gap : BoundKind::Intersection};
        solvers.push_back(std::make_unique<PointSolver>(part.problem, settings));
        last.push_back(solvers.back()->solve(start, part.bottom, 0, context));
    }
    const auto isFull = [](const PointOutcome& outcome) { return outcome.setCounts.full > 0; };
    std::vector<double> values = {start};
    while (static_cast<std::int64_t>(values.size()) < config.maxPoints && values.back() < config.maxC &&
           std::any_of(last.begin(), last.end(), isFull) && !context.shouldStop()) {
        double next = config.maxC; // the nearest of those that have samples in L
        for (const PointOutcome& outcome : last) {
            next = isFull(outcome) ? std::min(next, nextC(outcome.solved, config.epsilon)) : next;
        }
        const double c = std::min(config.maxC, std::max(next, kLeastStep * values.back()));
        for (std::size_t k = 0; k < last.size(); ++k) {
            last[k] = solvers[k]->solve(c, last[k].solved, static_cast<std::int32_t>(values.size()), context);
        }
        values.push_back(c);
        if (progress) {
            progress(std::log(c / start) / std::log(config.maxC / start));
        }
    }
    return values;
}

/// Kernel rows are made before any lane runs, so that all of the machine is free for them.
constexpr int kFillThreads = std::numeric_limits<int>::max();

/// What rows are to be told apart by or fitted to: the number of the positive class, or the targets into `parts`.
Result<std::int32_t> takeAnswers(const ProblemConfig& config, PreparedParts& parts) {
    const Dataset& data = *parts.data;
    if (auto checked = checkKernelMemory(data, config); !checked) {
        return Failure{checked.error()};
    }
    if (config.isNovelty()) {
        auto checked = checkFolds(data.rows(), "there are ", config);
        return checked ? Result<std::int32_t>(0) : Failure{checked.error()};
    }
    if (config.isRegression()) {
        auto targets = targetsOf(data);
        if (!targets) {
            return Failure{targets.error()};
        }
        parts.targets = std::move(*targets);
        // What the targets have in common would take digits from what they differ in.
        parts.targetMean = config.hasFreeBias() ? parts.targets.mean() : 0;
        auto checked = checkFolds(data.rows(), "there are ", config);
        return checked ? Result<std::int32_t>(0) : Failure{checked.error()};
    }
    const auto positive = positiveClass(data, config);
    if (!positive) {
        return Failure{positive.error()};
    }
    parts.positive = data.classNames()[static_cast<std::size_t>(*positive)];
    auto checked = checkFolds(rowsOfSmallerClass(data, *positive), "the smaller class has ", config);
    return checked ? positive : Failure{checked.error()};
}

/// Whether kernel values are worth something; a precomputed kernel gets what it needs to be one for certain.
Result<void> settleKernel(const ProblemConfig& config, StopCheck& stopCheck, PreparedParts& parts) {
    if (config.kernel == KernelKind::Precomputed) {
        const auto ridge = kernelMatrixRidge(*parts.data, stopCheck);
        if (!ridge) {
            return Failure{ridge.error()};
        }
        parts.kernelRidge = *ridge;
    }
    return checkKernel(config.kernelFor(parts.data->features()), featuresOf(parts));
}

/// The weights of samples from the file that the problem names, if it names one.
Result<void> takeSampleWeights(const ProblemConfig& config, std::stop_token stop, PreparedParts& parts) {
    if (config.weights.empty()) {
        return {};
    }
    auto weights = readSampleWeights(config.weights, parts.data->rows(), {}, stop);
    if (!weights) {
        return Failure{weights.error()};
    }
    parts.sampleWeights = std::move(*weights);
    return {};
}

/// Features with a bias, and the rows of a kernel that is not linear. False when `stopCheck` asked to stop.
bool makeRows(const ProblemConfig& config, const ProgressFunction& progress, StopCheck& stopCheck,
              PreparedParts& parts) {
    if (config.kernel == KernelKind::Linear && !config.hasFreeBias()) {
        if (const double bias = config.kernelFor(parts.data->features()).bias; bias > 0) {
            addBias(*parts.data, bias, parts);
        }
        return true;
    }
    if (progress) {
        progress(0, "computing kernel rows");
    }
    KernelFunction kernel = config.kernelFor(parts.data->features());
    kernel.ridge = parts.kernelRidge;
    auto rows = std::make_shared<KernelRows>(kernel, featuresOf(parts), 1e6 * static_cast<double>(config.kernelMemory));
    ThreadTeam team(kFillThreads);
    const CpuCharge charge(parts.rowsCpu);
    const bool done = rows->fill(stopCheck, team);
    parts.rows = std::move(rows);
    return done;
}

double smallestWeight(const Eigen::VectorXd& weights) {
    double least = std::numeric_limits<double>::infinity();
    for (const double weight : weights) {
        least = weight > 0 ? std::min(least, weight) : least;
    }
    return least;
}

} // namespace

double nextC(const SolvedSvm& reference, double epsilon) {
    const double a = reference.squaredNorm.upper();
    const double b = a + epsilon * reference.linearSum.value - reference.gap;
    const double discriminant = b * b - (1 + epsilon) * a * a;
    if (!(discriminant > 0) || !(a > 0)) {
        return reference.c;
    }
    return reference.c * std::max(1.0, (b + std::sqrt(discriminant)) / ((1 + epsilon) * a));
}

std::vector<double> pathSchedule(const PathConfig& config, std::span<const PathProblem> problems, double cMin,
                                 RunContext& context, const std::function<void(double)>& progress) {
    const auto inC = [&](double value) {
        return config.unit == CUnit::CMin ? value * cMin : config.unit == CUnit::Nu ? cMin / value : value;
    };
    std::vector<double> values;
    if (config.kind == PathKind::List || config.kind == PathKind::Reference) {
        values = config.values;
        if (config.kind == PathKind::List) {
            std::transform(values.begin(), values.end(), values.begin(), inC);
        }
        values.resize(std::min(values.size(), static_cast<std::size_t>(config.maxPoints)));
        return values;
    }
    const double start = std::min(config.start ? inC(*config.start) : cMin, config.maxC);
    if (config.kind == PathKind::Approximation) {
        return approximationPath(config, start, problems, context, progress);
    }
    // The last value is max_c to the last bit when the ratio leads there.
    constexpr double kAlmost = 1e-9;
    for (double c = start; static_cast<std::int64_t>(values.size()) < config.maxPoints; c *= config.ratio) {
        if (c > config.maxC * (1 - kAlmost)) {
            if (c <= config.maxC * (1 + kAlmost)) {
                values.push_back(config.maxC);
            }
            break;
        }
        values.push_back(c);
    }
    return values;
}

Result<void> checkShares(double cMin, std::vector<double>& schedule) {
    constexpr double kAlmost = 1e-12;
    for (double& c : schedule) {
        if (c < cMin * (1 - kAlmost)) {
            return dataFault("path",
                             "has C = " + exactText(c) + ", where ν = 1/(C Σω) = " + exactText(cMin / c) +
                                 " is above 1: more samples than there are would have to lie outside",
                             "Begin at C_min = " + exactText(cMin) + " or above; with unit \"nu\", at 1 or below.");
        }
        c = std::max(c, cMin);
    }
    return {};
}

void addBias(const Dataset& data, double bias, PreparedParts& parts) {
    if (!data.isSparse()) {
        DenseRows rows(data.rows(), data.features() + 1);
        rows.leftCols(data.features()) = data.dense();
        rows.col(data.features()).setConstant(bias);
        parts.biasedDense = std::make_shared<const DenseRows>(std::move(rows));
        return;
    }
    SparseRows rows(data.rows(), data.features() + 1);
    Eigen::VectorXi entries(data.rows()); // room for each row: a row that outgrows it moves all others
    for (Eigen::Index i = 0; i < data.rows(); ++i) {
        entries(i) = static_cast<int>(data.sparse().innerVector(i).nonZeros()) + 1;
    }
    rows.reserve(entries);
    for (Eigen::Index i = 0; i < data.rows(); ++i) {
        for (SparseRows::Base::InnerIterator it(data.sparse(), i); it; ++it) {
            rows.insert(i, it.col()) = it.value();
        }
        rows.insert(i, data.features()) = bias;
    }
    rows.makeCompressed();
    parts.biasedSparse = std::make_shared<const SparseRows>(std::move(rows));
}

FeatureRows featuresOf(const PreparedParts& parts) {
    if (parts.biasedDense) {
        return *parts.biasedDense;
    }
    if (parts.biasedSparse) {
        return *parts.biasedSparse;
    }
    return featureRowsOf(*parts.data);
}

Failure stoppedPreparing() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while preparing the kernel and the path")};
}

/// Classes as ±1 and factors of C, or both sides of the tube.
std::unique_ptr<SvmProblem> makeProblem(const ProblemConfig& config, std::int32_t positive, const PreparedParts& parts,
                                        StopCheck& stopCheck) {
    if (config.task != TaskKind::Classification) {
        const Eigen::VectorXd& given = parts.sampleWeights.values;
        const Eigen::VectorXd weights = given.size() > 0 ? given : Eigen::VectorXd::Ones(parts.data->rows());
        if (config.isNovelty()) {
            return std::make_unique<SvmProblem>(featuresOf(parts), oneClassTerms(weights), parts.rows, true,
                                                &stopCheck);
        }
        return std::make_unique<SvmProblem>(
            featuresOf(parts), tubeTerms(parts.targets.array() - parts.targetMean, weights, config.epsilon), parts.rows,
            config.hasFreeBias(), &stopCheck);
    }
    Eigen::VectorXd y(parts.data->rows());
    for (Eigen::Index i = 0; i < y.size(); ++i) {
        y(i) = parts.data->labels()[static_cast<std::size_t>(i)] == positive ? 1 : -1;
    }
    Eigen::VectorXd weights =
        (y.array() > 0).select(Eigen::VectorXd::Constant(y.size(), config.positiveWeight), config.negativeWeight);
    if (parts.sampleWeights.values.size() > 0) {
        weights = weights.cwiseProduct(parts.sampleWeights.values).eval();
    }
    return std::make_unique<SvmProblem>(featuresOf(parts), std::move(y), std::move(weights), parts.rows,
                                        config.hasFreeBias(), &stopCheck);
}

/// Why w = 0 is optimal at every C.
Failure noPath(const SvmProblem& problem, const ProblemConfig& config) {
    if (config.isRegression()) {
        return dataFault("problem.epsilon",
                         "is " + exactText(config.epsilon) + ", and a constant fits best at every C: " +
                             (problem.hasFreeBias() ? "no feature tells targets beyond the tube apart"
                                                    : "no target beyond the tube has features that tell it from 0"),
                         "Lower epsilon, or check data.target and the features.");
    }
    if (problem.hasFreeBias()) {
        return dataFault("problem.intercept",
                         "is free, and w = 0 is optimal at every C: the mean of the class of less weight is a mean of "
                         "the other class too, so that no margin is worth its length",
                         "Weigh the classes by positive_weight or negative_weight, or take another kernel.");
    }
    return dataFault("data.source",
                     "no sample gets a positive margin from all of them together, so that every C has all samples at "
                     "their bounds and there is no path",
                     "Check the features: are all of them zero?");
}

Result<void> takeRows(const SvmConfig& config, const PreparationInput& input, StopCheck& stopCheck,
                      PreparedParts& parts) {
    const ProblemConfig& problem = config.problem;
    if (auto settled = settleKernel(problem, stopCheck, parts); !settled) {
        return settled;
    }
    if (auto taken = takeSampleWeights(problem, input.stop, parts); !taken) {
        return taken;
    }
    return makeRows(problem, input.progress, stopCheck, parts) ? Result<void>() : stoppedPreparing();
}

Result<void> findStart(const SvmConfig& config, const PreparationInput& input, StopCheck& stopCheck,
                       PreparedParts& parts) {
    NullSink sink;
    RunContext context(RunId{0}, sink, input.stop, nullptr, {}, input.run.seed);
    const bool isClosed = config.problem.task == TaskKind::Classification && !parts.problem->hasFreeBias();
    if (!isClosed) {
        PathStart start = pathStart(*parts.problem, stopCheck, context);
        parts.cMin = start.cMin;
        parts.bottom = std::move(start.solved);
    } else {
        parts.bottom = bottomPoint(*parts.problem, 1, stopCheck);
        parts.cMin = smallestC(parts.bottom, *parts.problem);
    }
    if (isClosed && std::isfinite(parts.cMin) && !stopCheck.ask()) {
        parts.bottom = bottomPoint(*parts.problem, parts.cMin, stopCheck);
    }
    return stopCheck.ask() ? stoppedPreparing() : Result<void>();
}

Result<std::vector<double>> planPath(const SvmConfig& config, const PreparationInput& input,
                                     std::span<const PathProblem> problems, double cMin) {
    NullSink sink;
    RunContext context(RunId{0}, sink, input.stop, nullptr, {}, input.run.seed);
    PathConfig path = config.path;
    if (config.problem.isNovelty()) { // from there on no bound holds any more
        path.maxC = std::min(path.maxC, 1 / smallestWeight(problems.front().problem.weights()));
    }
    std::vector<double> schedule = pathSchedule(path, problems, cMin, context, [&input](double share) {
        if (input.progress) {
            input.progress(share, "walking the ε-path");
        }
    });
    if (input.stop.stop_requested()) {
        return stoppedPreparing();
    }
    if (config.problem.isNovelty()) {
        if (auto checked = checkShares(cMin, schedule); !checked) {
            return Failure{checked.error()};
        }
    }
    return schedule;
}

Result<std::shared_ptr<const PreparedProblem>> prepare(const std::shared_ptr<const SvmConfig>& config,
                                                       const PreparationInput& input) {
    pinBlasToOneThread();
    StopCheck stopCheck([&input] { return input.stop.stop_requested(); });
    PreparedParts parts;
    parts.data = input.data;
    if (config->problem.hasSeveralClasses()) {
        if (parts.data->classNames().size() != 2) {
            return prepareMulticlass(config, input, stopCheck, std::move(parts));
        }
        auto ofTwo = std::make_shared<SvmConfig>(*config);
        ofTwo->problem.classes = ClassesKind::Two;
        ofTwo->problem.positive = "auto";
        return prepare(ofTwo, input);
    }
    const auto positive = takeAnswers(config->problem, parts);
    if (!positive) {
        return Failure{positive.error()};
    }
    if (auto taken = takeRows(*config, input, stopCheck, parts); !taken) {
        return Failure{taken.error()};
    }
    if (config->problem.task == TaskKind::Classification && parts.sampleWeights.values.size() > 0) {
        if (auto checked = checkWeightOfClasses(*parts.data, *positive, parts.sampleWeights.values); !checked) {
            return Failure{checked.error()};
        }
    }
    parts.problem = makeProblem(config->problem, *positive, parts, stopCheck);
    if (auto found = findStart(*config, input, stopCheck, parts); !found) {
        return Failure{found.error()};
    }
    if (!std::isfinite(parts.cMin)) {
        return noPath(*parts.problem, config->problem);
    }
    const PathProblem only{*parts.problem, parts.bottom};
    auto schedule = planPath(*config, input, {&only, 1}, parts.cMin);
    if (!schedule) {
        return Failure{schedule.error()};
    }
    parts.schedule = std::move(*schedule);
    return std::shared_ptr<const PreparedProblem>(
        std::make_shared<PreparedSvm>(config, input.run.seed, std::move(parts)));
}

} // namespace lambdascope::svm

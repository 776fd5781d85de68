// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/path/prepared_svm.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/data/data_faults.h"
#include "core/numeric/blas_library.h"
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/path/data_checks.h"
#include "core/svm/path/fold_paths.h"
#include "core/svm/path/path_plan.h"
#include "core/svm/path/svm_schema.h"
#include "core/svm/path/svm_task.h"
#include "core/svm/problem/kernel_matrix.h"
#include "core/svm/solver/accurate_points.h"
#include "core/svm/solver/path_start.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

namespace {

/// Of rows of the data or of held-out ones, which may be null.
RowTruth truthOf(const Dataset* rows, const ProblemConfig& config, const PreparedParts& parts) {
    RowTruth truth{config.task, {}, parts.targetMean};
    if (rows == nullptr) {
        return truth;
    }
    if (config.isNovelty()) {
        truth.values = Eigen::VectorXd::Ones(rows->rows());
        return truth;
    }
    if (config.isRegression() && rows->hasTargets()) {
        truth.values = rows->targets();
        return truth;
    }
    truth.values.resize(rows->rows());
    for (Eigen::Index i = 0; i < truth.values.size(); ++i) {
        const std::string& name =
            rows->classNames()[static_cast<std::size_t>(rows->labels()[static_cast<std::size_t>(i)])];
        truth.values(i) = config.isRegression() ? *parseNumber(name) : name == parts.positive ? 1 : -1;
    }
    return truth;
}

} // namespace

PreparedSvm::PreparedSvm(const std::shared_ptr<const SvmConfig>& config, std::uint64_t seed, PreparedParts parts)
    : m_parts(std::move(parts)), m_config(withOracleBounds(config, kOracleBounds)), m_seed(seed),
      m_heldOutTest(*m_parts.problem, *m_parts.data, m_config->problem.kernelFor(m_parts.data->features()),
                    truthOf(m_parts.data->heldOut(), m_config->problem, m_parts)),
      m_accurate(std::make_shared<AccuratePoints>(*m_parts.problem)), m_finished(std::make_shared<FinishedPoints>()) {
    if (m_config->problem.folds > 0) {
        const bool isReference = path().kind == PathKind::Reference;
        m_folds = std::make_unique<FoldPaths>(
            *m_parts.problem, isReference ? std::vector<double>(m_parts.schedule.size(), fixedC()) : m_parts.schedule,
            static_cast<std::int32_t>(m_config->problem.folds), m_config->solver.tolerance, m_seed,
            m_parts.sampleWeights.values, truthOf(m_parts.data.get(), m_config->problem, m_parts));
    }
}

PreparedSvm::~PreparedSvm() = default;

std::unique_ptr<PathTask> PreparedSvm::makeTask(std::size_t lane) const {
    return std::make_unique<SvmTask>(*this, this->lane(lane));
}

std::unique_ptr<RunLens> PreparedSvm::makeLens(std::size_t lane) const {
    return std::make_unique<SvmLens>(*this, this->lane(lane), m_accurate);
}

std::unique_ptr<KnownLane> PreparedSvm::makeKnownLane(const Lane& lane) const {
    return KnownLane::of<SvmTask>(lane, *this, m_config->lanes, m_finished);
}

double PreparedSvm::rowsCpu() const {
    const bool isCounted = std::any_of(m_config->lanes.begin(), m_config->lanes.end(),
                                       [](const Lane& one) { return one.solver.method == MethodKind::Libsvm; });
    return isCounted ? m_parts.rowsCpu : 0;
}

FinishedPoints* PreparedSvm::finishedPoints(const Lane& lane) const {
    return isKnownToOracle(lane.name, m_config->lanes) ? m_finished.get() : nullptr;
}

namespace {

/// Why a path that was to reach its largest C ends before; empty when it does not.
std::string earlyEnd(const PathConfig& path, const std::vector<double>& schedule) {
    constexpr double kAlmost = 1e-9;
    const bool hasEnd = path.kind == PathKind::Grid || path.kind == PathKind::Approximation;
    if (!hasEnd || schedule.empty() || schedule.back() >= path.maxC * (1 - kAlmost)) {
        return {};
    }
    if (static_cast<std::int64_t>(schedule.size()) >= path.maxPoints) {
        return "it has the most points that it may have";
    }
    return path.kind == PathKind::Approximation ? "no sample lies at its bound C any more, so larger C change nothing"
                                                : std::string();
}

} // namespace

Json PreparedSvm::facts() const {
    const SvmProblem& problem = *m_parts.problem;
    Json facts = Json::object();
    facts["data"] = m_parts.data->name();
    facts["data_description"] = m_parts.data->description();
    facts["data_sha256"] = m_parts.data->sourceSha256();
    facts["content_sha256"] = m_parts.data->contentSha256();
    facts["n"] = problem.rowCount();
    facts["d"] = m_parts.data->features();
    if (config().isRegression()) {
        facts["task"] = problemFields().word(config(), "task");
        facts["target"] = m_parts.data->hasTargets() ? m_parts.data->targetName() : "label";
        facts["target_min"] = m_parts.targets.minCoeff();
        facts["target_max"] = m_parts.targets.maxCoeff();
        facts["epsilon"] = config().epsilon;
    } else if (config().isNovelty()) {
        facts["task"] = problemFields().word(config(), "task");
    } else {
        facts["classes"] = m_parts.data->classNames().size();
        facts["positive"] = m_parts.positive;
        facts["n_positive"] = (problem.y().array() > 0).count();
    }
    if (const SampleWeights& weights = m_parts.sampleWeights; weights.values.size() > 0) {
        facts["weights_sha256"] = weights.sha256;
        facts["left_out"] = (weights.values.array() == 0).count();
    }
    if (config().hasFreeBias()) {
        facts["intercept"] = problemFields().word(config(), "intercept");
    }
    facts["kernel"] = problemFields().word(config(), "kernel");
    if (m_parts.kernelRidge > 0) {
        facts["kernel_ridge"] = m_parts.kernelRidge;
    }
    facts["held_out"] = m_heldOutTest.rows();
    if (std::isfinite(m_parts.cMin)) {
        facts["c_min"] = m_parts.cMin;
    }
    if (config().kernel == KernelKind::Rbf || config().kernel == KernelKind::Polynomial) {
        facts["gamma"] = config().kernelFor(m_parts.data->features()).gamma;
    }
    if (const std::string reason = earlyEnd(path(), m_parts.schedule); !reason.empty()) {
        facts["path_end"] = reason;
    }
    facts["kernel_bytes"] = m_parts.rows ? m_parts.rows->bytes() : 0.0;
    return facts;
}

namespace {

/// Kernel rows are made before any lane runs, so that all of the machine is free for them.
constexpr int kFillThreads = std::numeric_limits<int>::max();

/// The rows with one more feature of value `bias`.
void addBias(const Dataset& data, double bias, PreparedParts& parts) {
    if (!data.isSparse()) {
        DenseRows rows(data.rows(), data.features() + 1);
        rows.leftCols(data.features()) = data.dense();
        rows.col(data.features()).setConstant(bias);
        parts.biasedDense = std::make_unique<const DenseRows>(std::move(rows));
        return;
    }
    SparseRows rows(data.rows(), data.features() + 1);
    rows.reserve(Eigen::VectorXi::Constant(
        data.rows(), static_cast<int>(data.sparse().nonZeros() / std::max<Eigen::Index>(1, data.rows())) + 2));
    for (Eigen::Index i = 0; i < data.rows(); ++i) {
        for (SparseRows::Base::InnerIterator it(data.sparse(), i); it; ++it) {
            rows.insert(i, it.col()) = it.value();
        }
        rows.insert(i, data.features()) = bias;
    }
    rows.makeCompressed();
    parts.biasedSparse = std::make_unique<const SparseRows>(std::move(rows));
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
Result<void> takeSampleWeights(const ProblemConfig& config, std::int32_t positive, std::stop_token stop,
                               PreparedParts& parts) {
    if (config.weights.empty()) {
        return {};
    }
    auto weights = readSampleWeights(config.weights, parts.data->rows(), {}, stop);
    if (!weights) {
        return Failure{weights.error()};
    }
    parts.sampleWeights = std::move(*weights);
    if (config.task != TaskKind::Classification) {
        return {};
    }
    return checkWeightOfClasses(*parts.data, positive, parts.sampleWeights.values);
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

/// Classes as ±1 and factors of C, or both sides of the tube.
std::unique_ptr<SvmProblem> makeProblem(const ProblemConfig& config, std::int32_t positive,
                                        const PreparedParts& parts) {
    if (config.task != TaskKind::Classification) {
        const Eigen::VectorXd& given = parts.sampleWeights.values;
        const Eigen::VectorXd weights = given.size() > 0 ? given : Eigen::VectorXd::Ones(parts.data->rows());
        if (config.isNovelty()) {
            return std::make_unique<SvmProblem>(featuresOf(parts), oneClassTerms(weights), parts.rows, true);
        }
        return std::make_unique<SvmProblem>(
            featuresOf(parts), tubeTerms(parts.targets.array() - parts.targetMean, weights, config.epsilon), parts.rows,
            config.hasFreeBias());
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
                                        config.hasFreeBias());
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

double smallestWeight(const Eigen::VectorXd& weights) {
    double least = std::numeric_limits<double>::infinity();
    for (const double weight : weights) {
        least = weight > 0 ? std::min(least, weight) : least;
    }
    return least;
}

/// C_min with its solution, and the path from there.
Result<void> planPath(const SvmConfig& config, const PreparationInput& input, StopCheck& stopCheck,
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
    if (stopCheck.ask()) {
        return stoppedPreparing();
    }
    if (!std::isfinite(parts.cMin)) {
        return noPath(*parts.problem, config.problem);
    }
    if (isClosed) {
        parts.bottom = bottomPoint(*parts.problem, parts.cMin, stopCheck);
    }
    PathConfig path = config.path;
    if (config.problem.isNovelty()) { // from there on no bound holds any more
        path.maxC = std::min(path.maxC, 1 / smallestWeight(parts.problem->weights()));
    }
    parts.schedule = pathSchedule(path, *parts.problem, parts.bottom, parts.cMin, context, [&input](double share) {
        if (input.progress) {
            input.progress(share, "walking the ε-path");
        }
    });
    if (stopCheck.ask()) {
        return stoppedPreparing();
    }
    return config.problem.isNovelty() ? checkShares(parts.cMin, parts.schedule) : Result<void>();
}

} // namespace

Result<std::shared_ptr<const PreparedProblem>> prepare(const std::shared_ptr<const SvmConfig>& config,
                                                       const PreparationInput& input) {
    pinBlasToOneThread();
    const ProblemConfig& problem = config->problem;
    StopCheck stopCheck([&input] { return input.stop.stop_requested(); });
    PreparedParts parts;
    parts.data = input.data;
    const auto positive = takeAnswers(problem, parts);
    if (!positive) {
        return Failure{positive.error()};
    }
    if (auto settled = settleKernel(problem, stopCheck, parts); !settled) {
        return Failure{settled.error()};
    }
    if (auto taken = takeSampleWeights(problem, *positive, input.stop, parts); !taken) {
        return Failure{taken.error()};
    }
    if (!makeRows(problem, input.progress, stopCheck, parts)) {
        return stoppedPreparing();
    }
    parts.problem = makeProblem(problem, *positive, parts);
    if (auto planned = planPath(*config, input, stopCheck, parts); !planned) {
        return Failure{planned.error()};
    }
    return std::shared_ptr<const PreparedProblem>(
        std::make_shared<PreparedSvm>(config, input.run.seed, std::move(parts)));
}

} // namespace lambdascope::svm

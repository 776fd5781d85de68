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

} // namespace lambdascope::svm

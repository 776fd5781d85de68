// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/path/prepared_pu.h"

#include "core/common/number_text.h"
#include "core/data/data_faults.h"
#include "core/kernel/kernel_obstacle.h"
#include "core/numeric/blas_library.h"
#include "core/pu/inspect/pu_lens.h"
#include "core/pu/path/pu_schema.h"
#include "core/pu/path/pu_task.h"
#include "core/pu/path/two_files.h"

#include <cmath>
#include <limits>

namespace lambdascope::pu {

PreparedPu::PreparedPu(const std::shared_ptr<const PuConfig>& config, std::uint64_t seed, PreparedParts parts)
    : m_parts(std::move(parts)), m_config(config), m_kernel(kernelOf(m_config->problem, m_parts.data->features())),
      m_seed(seed), m_accurate(std::make_shared<AccuratePoints>()) {
    if (path().kind == PathKind::Lambda) {
        m_problem = std::make_shared<PuProblem>(m_parts.space, m_parts.prior);
    }
    const Dataset* rest = m_parts.data->heldOut();
    if (rest != nullptr && m_config->problem.labels == LabelMeaning::Classes) {
        for (const std::int32_t label : rest->labels()) {
            m_truth.push_back(static_cast<std::int8_t>(m_parts.drawn.isPositiveClass[static_cast<std::size_t>(label)]));
        }
    }
}

std::unique_ptr<PathTask> PreparedPu::makeTask(std::size_t lane) const {
    return std::make_unique<PuTask>(*this, this->lane(lane));
}

std::unique_ptr<RunLens> PreparedPu::makeLens(std::size_t lane) const {
    if (!lensObstacle().empty()) {
        return nullptr;
    }
    return std::make_unique<PuLens>(*this, this->lane(lane), m_accurate);
}

std::string PreparedPu::lensObstacle() const {
    return path().kind == PathKind::Unlabeled ? "paths over the number of samples measure time; nothing is kept of them"
                                              : std::string();
}

Json PreparedPu::facts() const {
    Json facts = Json::object();
    facts["data"] = m_parts.data->name();
    facts["data_description"] = m_parts.data->description();
    facts["data_sha256"] = m_parts.data->sourceSha256();
    facts["content_sha256"] = m_parts.data->contentSha256();
    facts["n"] = samples().size();
    facts["d"] = m_parts.data->features();
    facts["n_labelled"] = samples().positives;
    facts["n_unlabeled"] = samples().unlabeled;
    if (config().labels == LabelMeaning::Files) {
        facts["unlabeled_file"] = config().unlabeledFile;
    } else {
        facts["positive"] = config().positive;
    }
    facts["kernel"] = problemFields().word(config(), "kernel");
    if (config().kernel != KernelKind::Linear) {
        facts["gamma"] = m_kernel.gamma;
    }
    facts["prior"] = m_parts.prior;
    facts["prior_from"] = problemFields().word(config(), "prior");
    if (m_parts.estimate) {
        facts["prior_low"] = m_parts.estimate->low;
        facts["prior_high"] = m_parts.estimate->high;
    }
    if (std::isfinite(m_parts.drawn.unlabeledShare)) {
        facts["true_prior_unlabeled"] = m_parts.drawn.unlabeledShare;
        facts["true_prior_training"] = m_parts.drawn.trainingShare;
    }
    facts["held_out"] = m_truth.size();
    facts["kernel_bytes"] = m_parts.space ? m_parts.space->kernelBytes() : 0.0;
    return facts;
}

PreparedPu::PointProblem PreparedPu::problemAt(double value, StopCheck& stopCheck) const {
    switch (path().kind) {
    case PathKind::Lambda: return {value, m_problem};
    case PathKind::Prior: return {path().lambda, std::make_shared<PuProblem>(m_parts.space, value)};
    default: break;
    }
    ThreadTeam alone;
    const auto unlabeled = static_cast<SampleIndex>(value);
    const double budget = 1e6 * static_cast<double>(config().kernelMemory) - copiedBytes(samples(), unlabeled);
    auto space = std::make_shared<PuSpace>(samplesAt(unlabeled), m_kernel, budget, false, stopCheck, alone);
    return {path().lambda, std::make_shared<PuProblem>(std::move(space), m_parts.prior)};
}

double PreparedPu::leastBytes(SampleIndex unlabeled) const {
    return copiedBytes(samples(), unlabeled) + leastRowBytes(config(), samples().positives + unlabeled);
}

std::shared_ptr<const PuSamples> PreparedPu::samplesAt(SampleIndex unlabeled) const {
    if (unlabeled == samples().unlabeled) {
        return m_parts.drawn.samples;
    }
    const std::lock_guard lock(m_mutex);
    std::shared_ptr<const PuSamples> last = m_lastSamples.lock();
    if (!last || last->unlabeled != unlabeled) {
        last = fewerOf(samples(), unlabeled, 1);
        m_lastSamples = last;
    }
    return last;
}

namespace {

/// Kernel rows are made before any lane runs, so that all of the machine is free for them.
constexpr int kFillThreads = std::numeric_limits<int>::max();
/// Shorter paths ask for few rows: each is made when it is asked for.
constexpr std::size_t kFillPoints = 3;

Failure stoppedPreparing() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while preparing kernel rows and prior")};
}

/// The prior, from where the problem says.
Result<void> findPrior(const ProblemConfig& config, std::uint64_t seed, StopCheck& stopCheck, PreparedParts& parts) {
    const PuSamples& samples = *parts.drawn.samples;
    switch (config.prior) {
    case PriorKind::Given: parts.prior = config.priorValue; break;
    case PriorKind::Training: parts.prior = parts.drawn.trainingShare; break;
    case PriorKind::Unlabeled: parts.prior = parts.drawn.unlabeledShare; break;
    default: {
        const Eigen::VectorXd scores = crossScores(samples, seed, stopCheck);
        parts.estimate = config.prior == PriorKind::ElkanNoto
                             ? elkanNotoPrior(samples, scores, config.bootstrap, seed)
                             : energyPrior(samples, scores, config.bootstrap, seed, stopCheck);
        if (stopCheck.ask()) {
            return stoppedPreparing(); // an estimate that was given up is no fault of the data
        }
        parts.prior = parts.estimate->value;
    }
    }
    if (!isUsablePrior(parts.prior)) {
        return dataFault("problem.prior",
                         "comes out as π = " + shortText(parts.prior) +
                             ", but c₁p ≤ c₂n needs a prior below 1, learning needs one above 0, and within " +
                             shortText(kLeastPrior) + " of either rounding alone would decide",
                         "Give a prior between 0 and 1 (\"prior\": \"given\", \"prior_value\"), or check the classes.");
    }
    return {};
}

/// Counts of a path over n have to be there.
Result<void> checkCounts(const PathConfig& path, const PuSamples& samples) {
    if (path.kind != PathKind::Unlabeled || path.values.back() <= samples.unlabeled) {
        return {};
    }
    return dataFault("path.values",
                     "goes up to " + groupedText(static_cast<std::int64_t>(path.values.back())) +
                         " unlabeled samples, but there are only " + groupedText(samples.unlabeled),
                     "Leave the larger values out, or label fewer positives.");
}

} // namespace

Result<std::shared_ptr<const PreparedProblem>> prepare(const std::shared_ptr<const PuConfig>& config,
                                                       const PreparationInput& input) {
    pinBlasToOneThread();
    const ProblemConfig& problem = config->problem;
    const PathConfig& path = config->path;
    const std::uint64_t seed = input.run.seed;
    std::shared_ptr<const Dataset> data = input.data;
    StopCheck stopCheck([&input] { return input.stop.stop_requested(); });
    if (problem.labels == LabelMeaning::Files) {
        auto both = withUnlabeledFile(*data, problem, input.dataConfig, input.progress, input.stop);
        if (!both) {
            return Failure{both.error()};
        }
        data = std::move(*both);
    }
    auto drawn = drawSamples(*data, problem, seed);
    if (!drawn) {
        return Failure{drawn.error()};
    }
    PreparedParts parts;
    parts.data = std::move(data);
    parts.drawn = std::move(*drawn);
    if (auto checked = checkCounts(path, *parts.drawn.samples); !checked) {
        return Failure{checked.error()};
    }
    const FeatureRows features = parts.drawn.samples->features();
    const KernelFunction kernel = kernelOf(problem, features.features());
    const std::string obstacle = kernelObstacle(kernel, features.features(), features.squaredNorms().maxCoeff());
    if (!obstacle.empty()) {
        return dataFault("problem.kernel", obstacle, kKernelRemedy);
    }
    // Of a path over counts points that do not fit are left out, the smallest one has to be there.
    const SampleIndex least = path.kind == PathKind::Unlabeled ? static_cast<SampleIndex>(path.values.front())
                                                               : parts.drawn.samples->unlabeled;
    if (auto checked = checkKernelMemory(problem, *parts.drawn.samples, least); !checked) {
        return Failure{checked.error()};
    }
    if (path.kind == PathKind::Prior &&
        (problem.prior == PriorKind::Training || problem.prior == PriorKind::Unlabeled)) {
        parts.prior = std::isfinite(parts.drawn.unlabeledShare) ? parts.drawn.unlabeledShare : path.values.front();
    } else if (auto found = findPrior(problem, seed, stopCheck, parts); !found) {
        return Failure{found.error()};
    }
    if (path.kind != PathKind::Unlabeled) {
        if (input.progress && problem.kernel != KernelKind::Linear) {
            input.progress(0, "computing kernel rows");
        }
        ThreadTeam team(kFillThreads);
        parts.space =
            std::make_shared<PuSpace>(parts.drawn.samples, kernel, 1e6 * static_cast<double>(problem.kernelMemory),
                                      pathValues(path).size() >= kFillPoints, stopCheck, team);
    }
    if (stopCheck.ask()) {
        return stoppedPreparing();
    }
    return std::shared_ptr<const PreparedProblem>(std::make_shared<PreparedPu>(config, seed, std::move(parts)));
}

} // namespace lambdascope::pu

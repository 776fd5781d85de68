// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/solver/subsample_start.h"

#include "core/pu/engines/kernel_engine.h"
#include "core/pu/problem/pu_preparation.h"

#include <numeric>

namespace lambdascope::pu {

namespace {

/// Of so many unlabeled samples the smaller problem has one.
constexpr SampleIndex kRatio = 8;
/// Problems with fewer unlabeled samples start from a ranking.
constexpr SampleIndex kLeastUnlabeled = 200;
/// Violation, in units of f, that is asked of the smaller problem.
constexpr double kRoughly = 3e-4;
/// Steps that it may take, per sample.
constexpr std::int64_t kStepsPerSample = 20;

} // namespace

Eigen::VectorXd subsampleStart(const PuProblem& problem, double lambda, StopCheck& stopCheck) {
    const PuSpace& space = problem.space();
    const bool hasFeatures = !space.isLinear() && space.kernel().kind != KernelKind::Precomputed;
    if (!hasFeatures || problem.unlabeled() < kLeastUnlabeled || stopCheck.isStopped()) {
        return rankedStart(problem, space.attraction());
    }
    ThreadTeam alone;
    auto fewerSpace =
        std::make_shared<PuSpace>(fewerOf(space.samples(), problem.unlabeled() / kRatio, kRatio), space.kernel(),
                                  space.budget() / (kRatio * kRatio), false, stopCheck, alone);
    if (stopCheck.isStopped()) { // the space may be half made
        return rankedStart(problem, space.attraction());
    }
    const PuProblem fewer(std::move(fewerSpace), problem.prior());
    const SolvedPu start = pointAt(fewer, subsampleStart(fewer, lambda, stopCheck), stopCheck);
    KernelEngine engine(fewer, true);
    engine.load(fewer.epsilon(lambda), start);
    (void)engine.run(kStepsPerSample * fewer.unlabeled(), kRoughly * fewer.epsilon(lambda), stopCheck);
    std::vector<PuSpace::Weighted> parts;
    for (SampleIndex u = fewer.positives(); u < fewer.size(); ++u) {
        if (engine.s()(u) != 0) {
            parts.emplace_back(problem.positives() + kRatio * (u - fewer.positives()), -engine.s()(u));
        }
    }
    Eigen::VectorXd scores = fewer.pull() * space.attraction();
    if (space.makesTiles()) {
        space.addTiles(parts, scores, stopCheck);
    } else {
        space.addRows(parts, scores, stopCheck); // kept ones
    }
    Eigen::VectorXd s = Eigen::VectorXd::Zero(problem.size());
    std::vector<SampleIndex> all(static_cast<std::size_t>(problem.unlabeled()));
    std::iota(all.begin(), all.end(), problem.positives());
    spreadTo(ExactSum::of(problem.mass()), all, scores.data(), fewer.epsilon(lambda), s, [](SampleIndex, double) {});
    return s;
}

} // namespace lambdascope::pu

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/solver/accurate_points.h"

#include "core/kernel/precise_expansion.h"
#include "core/pu/engines/face_newton.h"
#include "core/pu/solver/stopping_rule.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

namespace {

/// What is aimed at, so that the promise is kept where rounding takes its share.
constexpr double kAim = 0.3 * AccuratePoints::kPromisedGap;

/// Newton steps at most, and how many of them may pass without lowering the gap by half.
constexpr int kMostRefinements = 40;
constexpr int kMostIdleRefinements = 3;
constexpr std::size_t kLargestRefinedFace = 1500;

/// ω = (m/p) Σ_P φ − Σ sφ.
PreciseExpansion expansionOf(const PuProblem& problem, const SolvedPu& point, StopCheck& stopCheck) {
    const PuSpace& space = problem.space();
    const double pull = problem.pull();
    const auto positives = static_cast<double>(problem.positives());
    const DoubleDouble share{pull, std::fma(-pull, positives, problem.mass()) / positives};
    std::vector<PreciseExpansion::Term> terms;
    for (SampleIndex i = 0; i < problem.positives(); ++i) {
        terms.push_back({i, share});
    }
    for (SampleIndex u = problem.positives(); u < problem.size(); ++u) {
        if (point.s(u) != 0) {
            terms.push_back({u, {-point.s(u), 0}});
        }
    }
    return {space.kernel(), space.features(), space.norms(), terms, stopCheck};
}

/// A number and what it may be off by.
struct PreciseValue {
    DoubleDouble value;
    double error = 0;
};

/// H(x) − tx of a hinge, H(x) = max(0, x), at its upper bound.
double hingeTerm(const PreciseValue& at, double t) {
    const double x = at.value.value();
    const double error = at.error + 2 * kUnitRoundoff * std::abs(x);
    const double slope = x > 0 ? 1 - t : t;
    return slope * std::abs(x) + (std::abs(x) <= error ? std::max(t, 1 - t) : slope) * error;
}

/// a + b + c, each operation off by its own rounding.
PreciseValue shiftedBy(const PreciseValue& a, double b, double c) {
    const DoubleDouble sum = a.value + b;
    const double size = std::abs(a.value.high) + std::abs(b) + std::abs(c);
    return {sum + c, a.error + 8 * kUnitRoundoff * kUnitRoundoff * size};
}

/// An upper bound of the gap from scores in double-double arithmetic.
double preciseGap(const PuProblem& problem, const SolvedPu& point, const PreciseExpansion& omega,
                  StopCheck& stopCheck) {
    const double epsilon = problem.epsilon(point.lambda);
    double sum = 0;
    for (SampleIndex u = problem.positives(); u < problem.size() && !stopCheck.isStopped(); ++u) {
        const double s = point.s(u);
        const double lower = std::min(s, 1.0); // slopes of the two hinges that s stands for
        const double upper = std::max(s - 1, 0.0);
        const auto termsOf = [&](const PreciseValue& score) {
            return hingeTerm(shiftedBy(score, point.bias, epsilon), lower) +
                   hingeTerm(shiftedBy(score, point.bias, -epsilon), upper);
        };
        const double error = point.error * problem.space().norms()(u) * (1 + 2 * kUnitRoundoff);
        double terms = termsOf({{point.scores(u), 0}, error});
        if (terms > 0) {
            terms = std::min(terms, termsOf({omega.at(u), omega.error(u)}));
            (void)stopCheck.spend(omega.operations());
        }
        sum += terms;
    }
    return sum * (1 + roundingFactor(static_cast<double>(problem.unlabeled()) + 16)) + kUnderflow;
}

Eigen::MatrixXd kernelValuesAmong(const PuSpace& space, const std::vector<SampleIndex>& face) {
    const Eigen::Index count = std::ssize(face);
    Eigen::MatrixXd products(count, count);
    std::vector<double> scratch;
    for (Eigen::Index c = 0; c < count; ++c) {
        const KernelRow row = space.row(face[static_cast<std::size_t>(c)], scratch);
        for (Eigen::Index r = 0; r < count; ++r) {
            products(r, c) = row.values[face[static_cast<std::size_t>(r)]];
        }
    }
    return products;
}

/// A Newton step on the face; everything that follows from s is made anew. False when there is none.
bool refinementStep(const PuProblem& problem, const PreciseExpansion& omega, SolvedPu& point, StopCheck& stopCheck) {
    const std::vector<SampleIndex> all = allUnlabeled(problem);
    const std::vector<SampleIndex> face = fractionalSamples(point.s, all);
    const Eigen::Index count = std::ssize(face);
    if (face.size() < 2 || face.size() > kLargestRefinedFace) {
        return false;
    }
    const double epsilon = problem.epsilon(point.lambda);
    Eigen::VectorXd distances(count);
    for (Eigen::Index c = 0; c < count; ++c) {
        const SampleIndex u = face[static_cast<std::size_t>(c)];
        distances(c) = shiftedBy({omega.at(u), 0}, point.bias, point.s(u) < 1 ? epsilon : -epsilon).value.value();
        (void)stopCheck.spend(omega.operations() + problem.size() + 4 * count * count);
    }
    if (stopCheck.isStopped() || stepOnFace(face, kernelValuesAmong(problem.space(), face), distances, point.s) == 0) {
        return false;
    }
    spreadTo(ExactSum::of(problem.mass()), all, point.scores.data(), epsilon, point.s, [](SampleIndex, double) {});
    makeScores(problem, point, stopCheck);
    if (stopCheck.isStopped()) {
        return false;
    }
    completePoint(problem, point.lambda, point);
    return true;
}

} // namespace

void refineSolution(const PuProblem& problem, double target, SolvedPu& point, StopCheck& stopCheck) {
    SolvedPu best = point;
    SolvedPu next = point;
    int idle = 0;
    for (int k = 0; k < kMostRefinements; ++k) {
        const PreciseExpansion omega = expansionOf(problem, next, stopCheck);
        if (!omega.isReliable()) {
            break;
        }
        next.gap = std::min(next.gap, preciseGap(problem, next, omega, stopCheck));
        if (stopCheck.isStopped()) {
            break;
        }
        idle = k == 0 || next.gap <= 0.5 * best.gap ? 0 : idle + 1;
        if (next.gap <= best.gap) {
            best = next;
        }
        if (best.gap <= target || idle == kMostIdleRefinements || !refinementStep(problem, omega, next, stopCheck)) {
            break;
        }
    }
    if (!stopCheck.isStopped()) {
        point = std::move(best);
    }
}

std::shared_ptr<const PointOutcome> AccuratePoints::at(const PuProblem& problem, double lambda, const SolvedPu& start,
                                                       std::stop_token stop) {
    const std::lock_guard lock(m_mutex);
    const std::pair key(lambda, problem.prior());
    if (const auto known = m_known.find(key); known != m_known.end()) {
        return known->second;
    }
    PointSettings settings;
    settings.tolerance = kAim;
    settings.maxSteps = 20'000'000;
    PointSolver solver(problem, settings);
    NullSink sink;
    RunContext context(RunId{0}, sink, stop);
    PointOutcome outcome = solver.solve(lambda, start, 0, context);
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    if (outcome.termination != Termination::StoppedByUser &&
        !isSolved(problem, outcome.solved, kAim, ToleranceKind::Gap)) {
        const double size = std::max(1.0, std::abs(outcome.solved.primal)) / std::pow(problem.unit(lambda), 2);
        refineSolution(problem, kAim * size, outcome.solved, stopCheck);
    }
    if (outcome.termination == Termination::StoppedByUser || stopCheck.isStopped()) {
        return nullptr;
    }
    auto point = std::make_shared<const PointOutcome>(std::move(outcome));
    m_known.emplace(key, point);
    return point;
}

} // namespace lambdascope::pu

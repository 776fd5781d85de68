// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/path_start.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::svm {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Of the solution that tells C_min, and the share of C_min that it is solved at, at most.
constexpr double kStartTolerance = 1e-9;
constexpr double kStartShare = 0.5;
/// Spread of g, as a share of the most that |g| can be, below which it is rounding: w = 0 then.
constexpr double kNoSpread = 1e-10;
/// Distance of kinks, as a share of the largest, below which they count as one.
constexpr double kSameKink = 1e-9;
constexpr int kMostSteps = 1000;

double kinkOf(const SvmProblem& problem, SampleIndex i) {
    return problem.y()(i) * problem.thresholds()(i);
}

/// The kink at which φ is least: the first at which the ω up to there reach Σ₊ω.
double bestKink(const SvmProblem& problem) {
    std::vector<SampleIndex> order;
    double target = 0;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        if (problem.weights()(i) > 0) {
            order.push_back(i);
            target += problem.y()(i) > 0 ? problem.weights()(i) : 0.0;
        }
    }
    std::sort(order.begin(), order.end(),
              [&](SampleIndex a, SampleIndex b) { return kinkOf(problem, a) < kinkOf(problem, b); });
    double sum = 0;
    for (const SampleIndex i : order) {
        sum += problem.weights()(i);
        if (sum >= target) {
            return kinkOf(problem, i);
        }
    }
    return order.empty() ? 0 : kinkOf(problem, order.back());
}

} // namespace

LossAlone lossAlone(const SvmProblem& problem) {
    if (problem.balance() != 0) { // ω/Σω of it, whatever C
        return {problem.weights(), 0, kInfinity, true, std::vector<bool>(static_cast<std::size_t>(problem.size()))};
    }
    LossAlone loss;
    loss.s = Eigen::VectorXd::Zero(problem.size());
    loss.atKink.assign(static_cast<std::size_t>(problem.size()), false);
    loss.kink = problem.hasFreeBias() ? bestKink(problem) : 0;
    loss.clearance = kInfinity;
    const double same = kSameKink * problem.largestThreshold();
    double held = 0; // yᵀs of those at a bound
    double positive = 0;
    double negative = 0; // ω of the others
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double y = problem.y()(i);
        const double weight = problem.weights()(i);
        const double away = kinkOf(problem, i) - loss.kink;
        if (std::abs(away) <= same) {
            loss.atKink[static_cast<std::size_t>(i)] = true;
            (y > 0 ? positive : negative) += weight;
            continue;
        }
        loss.clearance = weight > 0 ? std::min(loss.clearance, std::abs(away)) : loss.clearance;
        loss.s(i) = y * away > 0 ? weight : 0;
        held += y * loss.s(i);
    }
    // (1 − θ) positive − θ negative = −held.
    double theta = 1;
    if (problem.hasFreeBias() && positive + negative > 0) {
        theta = std::clamp((positive + held) / (positive + negative), 0.0, 1.0);
    }
    loss.isPinned = !problem.hasFreeBias() || (theta > kSameKink && theta < 1 - kSameKink);
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        if (loss.atKink[static_cast<std::size_t>(i)] && problem.hasFreeBias()) {
            loss.s(i) = problem.weights()(i) * (problem.y()(i) > 0 ? 1 - theta : theta);
        }
    }
    for (SampleIndex i = 0; problem.sharesRows() && i < problem.rowCount(); ++i) {
        // Both sides of one tube would pull at nothing.
        const double both = std::min(loss.s(i), loss.s(i + problem.rowCount()));
        loss.s(i) -= both;
        loss.s(i + problem.rowCount()) -= both;
    }
    return loss;
}

SolvedSvm bottomPoint(const SvmProblem& problem, double c, StopCheck& stopCheck) {
    Eigen::VectorXd alpha = c * lossAlone(problem).s;
    if (problem.balance() != 0) {
        alpha *= problem.balance() / alpha.sum();
    }
    return solvedAt(problem, c, std::move(alpha), stopCheck);
}

double smallestC(const SolvedSvm& bottom, const SvmProblem& problem) {
    // Taken from above, so that rounding cannot put it where a sample has left its bound.
    double largest = 0;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        if (problem.weights()(i) > 0) { // others have no bound to leave
            largest = std::max(largest, bottom.margins(i) + bottom.marginError * problem.norms()(i));
        }
    }
    return largest > 0 ? bottom.c / largest * (1 - 4 * kUnitRoundoff) : kInfinity;
}

namespace {

/// A kink yt − Cg as a line in C.
struct KinkLine {
    double kink;
    double g;
};

/// The largest C at which no line of `low` is above one of `high`; see PathStart.
double largestProportionalC(const std::vector<KinkLine>& low, const std::vector<KinkLine>& high, double largestG) {
    if (low.empty() || high.empty()) {
        return kInfinity;
    }
    const auto at = [](double c) {
        return [c](const KinkLine& a, const KinkLine& b) { return a.kink - c * a.g < b.kink - c * b.g; };
    };
    // From C = ∞, where slopes alone count.
    KinkLine above =
        *std::min_element(low.begin(), low.end(), [](const KinkLine& a, const KinkLine& b) { return a.g < b.g; });
    KinkLine below =
        *std::max_element(high.begin(), high.end(), [](const KinkLine& a, const KinkLine& b) { return a.g < b.g; });
    double c = kInfinity;
    for (int step = 0; step < kMostSteps; ++step) {
        const double slope = below.g - above.g;
        if (!(slope > kNoSpread * largestG)) {
            return c;
        }
        const double next = std::max(below.kink - above.kink, 0.0) / slope;
        if (!(next < c)) {
            return c;
        }
        c = next;
        above = *std::max_element(low.begin(), low.end(), at(c));
        below = *std::min_element(high.begin(), high.end(), at(c));
    }
    return c;
}

double proportionalC(const SvmProblem& problem, const LossAlone& loss, const SolvedSvm& solved, double largestG) {
    std::vector<KinkLine> low;
    std::vector<KinkLine> high;
    // Of those that share a kink at every C, so that they say nothing against one another.
    KinkLine sharedLow{loss.kink, kInfinity};
    KinkLine sharedHigh{loss.kink, -kInfinity};
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const double alpha = solved.alpha(i);
        const double upper = solved.c * problem.weights()(i);
        if (!(upper > 0)) {
            continue;
        }
        const double g = problem.y()(i) * solved.margins(i) / solved.c;
        const bool isLow = (alpha > 0 && alpha < upper) || (problem.y()(i) > 0) == (alpha <= 0);
        const bool isHigh = (alpha > 0 && alpha < upper) || (problem.y()(i) > 0) == (alpha > 0);
        if (loss.isPinned && loss.atKink[static_cast<std::size_t>(i)]) {
            sharedLow.g = isLow ? std::min(sharedLow.g, g) : sharedLow.g;
            sharedHigh.g = isHigh ? std::max(sharedHigh.g, g) : sharedHigh.g;
            continue;
        }
        const KinkLine line{kinkOf(problem, i), g};
        if (isLow) {
            low.push_back(line);
        }
        if (isHigh) {
            high.push_back(line);
        }
    }
    if (!problem.hasFreeBias()) {
        sharedLow.g = sharedHigh.g = 0; // b = 0
    }
    double c = largestProportionalC(low, high, largestG);
    if (std::isfinite(sharedLow.g)) {
        c = std::min(c, largestProportionalC({sharedLow}, high, largestG));
    }
    if (std::isfinite(sharedHigh.g)) {
        c = std::min(c, largestProportionalC(low, {sharedHigh}, largestG));
    }
    return c;
}

} // namespace

PathStart pathStart(const SvmProblem& problem, StopCheck& stopCheck, RunContext& context) {
    if (problem.balance() != 0) {
        const double c = problem.balance() / problem.weights().sum();
        return {c, bottomPoint(problem, c, stopCheck)};
    }
    const double longest = problem.norms().maxCoeff();
    const LossAlone loss = lossAlone(problem);
    const double largestG = loss.s.sum() * longest * longest; // |g| ≤ Σs R²
    PathStart start;
    // So that C_min is at least clearance / 2 Σs R².
    const double c = largestG > 0 && std::isfinite(loss.clearance) ? kStartShare * loss.clearance / (2 * largestG) : 1;
    PointSettings settings;
    settings.tolerance = kStartTolerance;
    PointSolver solver(problem, settings);
    const SolvedSvm bottom = bottomPoint(problem, c, stopCheck);
    if (stopCheck.ask()) {
        return start;
    }
    start.solved = solver.solve(c, bottom, 0, context).solved;
    if (stopCheck.ask()) { // what was not solved may have no α
        return start;
    }
    start.cMin = proportionalC(problem, loss, start.solved, largestG);
    if (std::isfinite(start.cMin)) {
        start.solved = solver.solve(start.cMin, start.solved, 1, context).solved;
    }
    start.solved.looks = {}; // a path has not begun
    return start;
}

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/rivals/one_class_start.h"

#include "core/pu/engines/pu_engine.h"
#include "core/pu/rivals/box_descent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lambdascope::pu {

namespace {

constexpr double kOutliers = 0.1; ///< ν
constexpr int kMostPairSteps = 20000;
constexpr double kTolerance = 1e-3;

/// Values Σ αᵢ k(xᵢ, ·) of the one-class SVM min ½αᵀKα, 0 ≤ α ≤ 1/(νp), Σα = 1, on all samples.
Eigen::VectorXd oneClassValues(const PuProblem& problem, StopCheck& stopCheck) {
    const PuSpace& space = problem.space();
    const SampleIndex p = problem.positives();
    const double most = std::max(1.0, 1 / kOutliers) / p;
    const BoxOutcome outcome = solveBox({.space = space,
                                         .low = Eigen::VectorXd::Zero(p),
                                         .high = Eigen::VectorXd::Constant(p, most),
                                         .alpha = Eigen::VectorXd::Constant(p, 1.0 / p),
                                         .slope = -space.attraction() / p,
                                         .lowered = LoweredSample::Steepest},
                                        {.relative = kTolerance}, kMostPairSteps, stopCheck);
    return -outcome.slope;
}

} // namespace

Eigen::VectorXd oneClassStart(const PuProblem& problem, StopCheck& stopCheck) {
    const Eigen::VectorXd values = oneClassValues(problem, stopCheck);
    const auto n = static_cast<std::int64_t>(problem.unlabeled());
    const double pi = problem.prior();
    std::vector<SampleIndex> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), problem.positives());
    std::sort(order.begin(), order.end(),
              [&](SampleIndex a, SampleIndex b) { return values(a) < values(b) || (values(a) == values(b) && a < b); });
    const auto between = std::min<std::int64_t>(
        n / 4, std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(std::log(static_cast<double>(n))))));
    // n₁ = (1−π) a n zeros, n₅ = π a n at 2, what is left at 1: with a = 1 − 2·between/n the sum is off by little.
    const double a = 1 - 2 * static_cast<double>(between) / static_cast<double>(n);
    const auto zeros = static_cast<std::int64_t>(std::floor((1 - pi) * a * static_cast<double>(n)));
    const auto fulls = static_cast<std::int64_t>(std::floor(pi * a * static_cast<double>(n)));
    Eigen::VectorXd s = Eigen::VectorXd::Zero(problem.size());
    for (std::int64_t k = 0; k < n; ++k) {
        double& value = s(order[static_cast<std::size_t>(k)]);
        value = k < zeros ? 0 : k < zeros + between ? 0.5 : k >= n - fulls ? 2 : k >= n - fulls - between ? 1.5 : 1;
    }
    // What is missing in the sum is taken up in the order of the ranking.
    spreadTo(ExactSum::of(problem.mass()), order, values.data(), std::numeric_limits<double>::min(), s,
             [](SampleIndex, double) {});
    return s;
}

} // namespace lambdascope::pu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/problem/pu_problem.h"

#include <cstdint>

namespace lambdascope::pu {

/// An estimate of the share of positives among the unlabeled, with a bootstrap interval of 95 %.
struct PriorEstimate {
    double value = 0;
    double low = 0;
    double high = 0;
};

/// Scores of a logistic regression of labelled positives against unlabeled, by two folds: each sample is scored by the
/// half that has not seen it. Ridge 1/(rows), 300 accelerated gradient steps; deterministic. O(rows · features).
[[nodiscard]] Eigen::VectorXd crossScores(const PuSamples& samples, std::uint64_t seed, StopCheck& stopCheck);

/// [Elkan and Noto 2008]: c = mean held-out score of the labelled estimates P(labelled | positive) when labels are
/// drawn at random among the positives of one sample; of the p/c positives that there are then, p/c − p are among the
/// n unlabeled. The interval resamples the scores.
[[nodiscard]] PriorEstimate elkanNotoPrior(const PuSamples& samples, const Eigen::VectorXd& scores,
                                           std::int64_t resamples, std::uint64_t seed);

/// θ of the mixture θ P + (1−θ) N whose energy distance 2E‖U−M‖ − E‖U−U'‖ − E‖M−M'‖ to the unlabeled is smallest (the
/// distance is quadratic in θ: closed form), N being the third of the unlabeled with the lowest scores. Too high or too
/// low where classes overlap so much that N holds positives. At most kMostRows rows of each, drawn by the seed; the
/// interval resamples rows. Gives up when `stopCheck` says so: the value is not a number when no distance could be
/// found, and the interval is that of the resamples made until then.
[[nodiscard]] PriorEstimate energyPrior(const PuSamples& samples, const Eigen::VectorXd& scores, std::int64_t resamples,
                                        std::uint64_t seed, StopCheck& stopCheck);

} // namespace lambdascope::pu

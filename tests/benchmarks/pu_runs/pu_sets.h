// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/problem/pu_preparation.h"
#include "core/pu/solver/point_solver.h"

#include <memory>
#include <string>
#include <vector>

namespace lambdascope::benchmarks {

/// A set of [P, tables III and IV] with the printed F-measures of USMO, in percent, at λ = 1e-4, 1e-3, 1e-2, 1e-1.
struct PaperSet {
    std::string name;
    std::string file;
    double linear[4];
    double gaussian[4];
};
[[nodiscard]] const std::vector<PaperSet>& paperSets();

/// 20 % of the positives labelled, the prior of all rows, as in the paper; null when the file is not there.
[[nodiscard]] std::shared_ptr<const pu::PuProblem> paperProblem(const PaperSet& set, const KernelFunction& kernel,
                                                                std::uint64_t seed);

/// Two Gaussian classes in `features` dimensions, 40 % positive; 100 labelled positives.
[[nodiscard]] std::shared_ptr<const pu::PuSamples> gaussians(pu::SampleIndex unlabeled, Eigen::Index features,
                                                             std::uint64_t seed);

/// A problem whose kernel rows take at most `budget` bytes, made at once when `fills`.
[[nodiscard]] std::shared_ptr<const pu::PuProblem> problemOn(std::shared_ptr<const pu::PuSamples> samples,
                                                             const KernelFunction& kernel, double prior, double budget,
                                                             bool fills);

/// The nested start, and a solve from `start` (or from there when null).
[[nodiscard]] pu::SolvedPu firstPoint(const pu::PuProblem& problem, double lambda);
[[nodiscard]] pu::PointOutcome solve(const pu::PuProblem& problem, double lambda, const pu::PointSettings& settings,
                                     const pu::SolvedPu* start = nullptr, pu::ScreeningObserver* observer = nullptr);

} // namespace lambdascope::benchmarks

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/solver/point_solver.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lambdascope::pu {

/// Shape of a random problem of two Gaussian classes, on purpose small.
struct SmallShape {
    std::string name;
    int positives = 8;
    int unlabeled = 40;
    int features = 3;
    double share = 0.4; ///< of positives among the unlabeled
    double prior = 0.4;
    double scale = 1;           ///< all values times this
    double offset = 0;          ///< added to all values
    double spread = 2;          ///< distance of the class centres in standard deviations
    bool hasDuplicates = false; ///< every third row repeats the one before
    bool hasConstant = false;   ///< the first feature is constant
    bool isSparse = false;
};

/// The edge cases that every kernel and rule has to survive.
[[nodiscard]] std::vector<SmallShape> smallShapes();
/// Linear, polynomial, and RBF at three widths.
[[nodiscard]] std::vector<KernelFunction> smallKernels();
/// Kernel values so large and alike that steps of two samples take millions: only the linear kernel's method copes.
[[nodiscard]] bool isHopeless(const SmallShape& shape, const KernelFunction& kernel);
[[nodiscard]] std::string kernelName(const KernelFunction& kernel);

[[nodiscard]] std::shared_ptr<const PuSamples> smallSamples(const SmallShape& shape, std::uint64_t seed);
[[nodiscard]] std::shared_ptr<const PuSpace>
spaceOf(std::shared_ptr<const PuSamples> samples, const KernelFunction& kernel, double budget = 1e9, bool fills = true);
[[nodiscard]] std::unique_ptr<PuProblem> smallPu(const SmallShape& shape, const KernelFunction& kernel,
                                                 std::uint64_t seed);

/// The solution at λ from the uniform start, or from `start`.
[[nodiscard]] PointOutcome solveAt(const PuProblem& problem, double lambda, const PointSettings& settings,
                                   const SolvedPu* start = nullptr, ScreeningObserver* observer = nullptr);
[[nodiscard]] SolvedPu startOf(const PuProblem& problem);

/// The whole kernel matrix, straight from the definition.
[[nodiscard]] Eigen::MatrixXd kernelMatrix(const PuProblem& problem);
/// Values of the primal [P, (5)] and the dual [P, (6)] from their definitions, in σ and α: for comparison.
[[nodiscard]] double primalByDefinition(const PuProblem& problem, double lambda, const Eigen::VectorXd& sigma,
                                        double beta);
[[nodiscard]] double dualByDefinition(const PuProblem& problem, double lambda, const Eigen::VectorXd& sigma);

} // namespace lambdascope::pu

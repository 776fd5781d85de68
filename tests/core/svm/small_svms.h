// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/path_start.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope::svm {

/// Shape of a random problem of two Gaussian classes, on purpose small.
struct SmallShape {
    std::string name;
    int rows = 40;
    int features = 3;
    double share = 0.5;         ///< of rows in the positive class
    double scale = 1;           ///< all values times this
    double offset = 0;          ///< added to all values
    double spread = 1;          ///< distance of the class centres in standard deviations
    bool hasDuplicates = false; ///< every third row repeats the one before, with either label
    bool hasZeros = false;      ///< every fifth row is the zero vector
    bool isSparse = false;
    bool isWeighted = false; ///< sample weights between 0.2 and 5
    bool hasFreeBias = false;
    bool isOneClass = false;
    bool isTube = false; ///< regression: targets sin(sum of features) with noise, then scaled and moved
    double epsilon = 0.2;
    double targetScale = 1; ///< also of ε
    double targetOffset = 0;
    bool hasTies = false; ///< targets are whole multiples of a quarter
};

[[nodiscard]] inline SmallShape withFreeBias(SmallShape shape) {
    shape.hasFreeBias = true;
    return shape;
}

/// The edge cases that every kernel, bound and lane has to survive.
[[nodiscard]] std::vector<SmallShape> smallShapes();
/// Those of regression.
[[nodiscard]] std::vector<SmallShape> tubeShapes();
/// Of one class, whatever the label.
[[nodiscard]] std::vector<SmallShape> oneClassShapes();
/// Classes and tubes.
[[nodiscard]] std::vector<SmallShape> allShapes(bool hasFreeBias);
/// One of each kind of kernel, and RBF at three widths.
[[nodiscard]] std::vector<KernelFunction> smallKernels();
[[nodiscard]] std::string kernelName(const KernelFunction& kernel);

/// A problem together with the features it looks at.
struct SmallSvm {
    FeatureRows::Dense dense;
    FeatureRows::Sparse sparse;
    std::unique_ptr<SvmProblem> problem;
};
[[nodiscard]] std::unique_ptr<SmallSvm> smallSvm(const SmallShape& shape, const KernelFunction& kernel,
                                                 std::uint64_t seed, double budget = 1e9);
/// `use(shape, problem)` for each of allShapes() with each kernel; failures tell of which.
template <class Use>
void forAllSvms(bool hasFreeBias, std::uint64_t seed, const Use& use) {
    for (const SmallShape& shape : allShapes(hasFreeBias)) {
        for (const KernelFunction& kernel : smallKernels()) {
            SCOPED_TRACE(shape.name + ", " + kernelName(kernel));
            use(shape, std::as_const(*smallSvm(shape, kernel, seed)->problem));
        }
    }
}
/// A problem on given rows and labels, and weights; without any all are 1.
[[nodiscard]] std::unique_ptr<SmallSvm> svmOf(FeatureRows::Dense x, Eigen::VectorXd y, const KernelFunction& kernel,
                                              Eigen::VectorXd weights = {}, double budget = 1e9);

/// Solution at `c` to a relative gap of `tolerance`, without screening.
[[nodiscard]] PointOutcome solveAt(const SvmProblem& problem, double c, double tolerance,
                                   const SolvedSvm* start = nullptr);
/// α and w of `solved` scaled to another C: a point there, from which GAP can start. Not with a balance, which scaling
/// would change.
[[nodiscard]] SolvedSvm scaledTo(double c, SolvedSvm solved, const SvmProblem& problem);
[[nodiscard]] SolvedSvm bottomOf(const SvmProblem& problem);
/// C_min, or 1 where every C has all samples at their bounds; of regression something of its size.
[[nodiscard]] double cMinOf(const SvmProblem& problem);

/// zᵢᵀzⱼ in extended precision, straight from the definition.
[[nodiscard]] long double exactProduct(const SmallSvm& svm, const KernelFunction& kernel, SampleIndex i, SampleIndex j);
/// Margins Qα in extended precision, straight from the definition.
[[nodiscard]] std::vector<long double> exactMargins(const SmallSvm& svm, const KernelFunction& kernel,
                                                    const Eigen::VectorXd& alpha);

} // namespace lambdascope::svm

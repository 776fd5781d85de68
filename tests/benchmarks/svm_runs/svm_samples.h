// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "core/kernel/kernel_function.h"
#include "core/svm/problem/svm_problem.h"

#include <memory>
#include <string>
#include <vector>

namespace lambdascope::benchmarks {

/// Samples with labels ±1.
struct Samples {
    std::shared_ptr<const Dataset> data;
    Eigen::VectorXd y;

    [[nodiscard]] FeatureRows features() const;
    /// Kernel rows are made here, unless the kernel is linear and the bias not free; one class may weigh more than the
    /// other.
    [[nodiscard]] svm::SvmProblem problem(const KernelFunction& kernel, double positiveWeight = 1, int threads = 1,
                                          bool hasFreeBias = false) const;
};

/// "clusters" (5,000 samples), "20,000 in clusters", "50,000 × 22" and "figure 1" (made here), or real data beside the
/// repository: "wdbc", "heart", "german", "splice", "digit1", "dna 1", "dna 2", "dna 3" and "pendigits 8" (one class
/// against the rest), "w8a", "reuters". Read once.
[[nodiscard]] const Samples& samplesOf(const std::string& name);
inline constexpr const char* kManyClusters = "20,000 in clusters";

/// The same samples made harder to screen: every third row once more with either label, every tenth the zero vector.
[[nodiscard]] Samples distorted(const Samples& samples);

/// A kernel with its name in tables.
struct NamedKernel {
    std::string name;
    KernelFunction kernel;
};
/// Linear, and RBF with γ = 0.1/d, 1/d and 10/d [S, section V].
[[nodiscard]] std::vector<NamedKernel> paperKernels(const Samples& samples);

} // namespace lambdascope::benchmarks

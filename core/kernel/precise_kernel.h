// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/kernel_function.h"
#include "core/numeric/double_double.h"
#include "core/numeric/feature_rows.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope {

/// Kernel values in double-double arithmetic, for proofs where the rounding of KernelRows is too much. The kernel is
/// that of KernelRows: features, γ, c and b are exact as they stand, and so is a precomputed matrix with its diagonal
/// times 1 + ridge in double arithmetic.
class PreciseKernel {
  public:
    /// `features` must outlive the kernel. O(nonzeros).
    PreciseKernel(const KernelFunction& kernel, const FeatureRows& features);

    /// Whether error() holds: no features are so large or small that products overflow or lose digits to underflow.
    [[nodiscard]] bool isReliable() const { return m_isReliable; }

    /// Kernel values of row i with `others`. A product of features each, and an exponential or a power.
    void values(Eigen::Index i, std::span<const std::int32_t> others, std::vector<DoubleDouble>& out) const;
    /// Rounding of a value: at most error() · (Kᵢᵢ Kⱼⱼ)^½, and kUnderflow.
    [[nodiscard]] double error() const { return m_error; }

  private:
    [[nodiscard]] DoubleDouble valueOf(DoubleDouble product, DoubleDouble squares) const;
    [[nodiscard]] DoubleDouble given(Eigen::Index i, Eigen::Index j) const;
    /// xᵢᵀxⱼ, where `spread` is row i of sparse features with its zeros.
    [[nodiscard]] DoubleDouble product(Eigen::Index i, Eigen::Index j, const std::vector<double>& spread) const;
    /// Row i of sparse features with its zeros; nothing of dense ones.
    [[nodiscard]] std::vector<double> spreadRow(Eigen::Index i) const;

    KernelFunction m_kernel;
    FeatureRows m_features;
    std::vector<DoubleDouble> m_squares; ///< ‖xᵢ‖²
    double m_error = 0;
    bool m_isReliable = true;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/kernel/precise_kernel.h"

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace lambdascope {

/// The products v ↦ ⟨v, φ(xᵢ)⟩ of v = Σ cⱼ φ(xⱼ) with rows of the features, in double-double arithmetic: what
/// decision values are when their rounding in doubles is too much for a proof.
class PreciseExpansion {
  public:
    /// A row and its coefficient.
    struct Term {
        std::int32_t row = 0;
        DoubleDouble coefficient;
    };

    /// `norms` are upper bounds of ‖φ(xᵢ)‖. `features` and `norms` must outlive the expansion. O(nonzeros), for the
    /// linear kernel of all rows that have a term.
    PreciseExpansion(const KernelFunction& kernel, const FeatureRows& features, const Eigen::VectorXd& norms,
                     const std::vector<Term>& terms, StopCheck& stopCheck);

    /// False where features are too large or small for error() to hold, or when `stopCheck` asked to stop.
    [[nodiscard]] bool isReliable() const { return m_isReliable; }

    /// O(features) for the linear kernel, else a kernel value for each term.
    [[nodiscard]] DoubleDouble at(Eigen::Index i) const;
    /// Operations of at().
    [[nodiscard]] std::int64_t operations() const;
    /// Bound of the distance of at(i) to the exact product.
    [[nodiscard]] double error(Eigen::Index i) const { return m_error * m_norms(i) + m_lost; }

  private:
    void sumRows(const std::vector<Term>& terms, StopCheck& stopCheck);

    PreciseKernel m_kernel;
    FeatureRows m_features;
    const Eigen::VectorXd& m_norms;
    bool m_isLinear;
    std::vector<std::int32_t> m_rows;
    std::vector<DoubleDouble> m_coefficients;
    std::vector<DoubleDouble> m_weights; ///< v of the linear kernel
    double m_error = 0;                  ///< per ‖φ‖
    double m_lost = 0;                   ///< and apart from ‖φ‖
    bool m_isReliable = false;
};

} // namespace lambdascope

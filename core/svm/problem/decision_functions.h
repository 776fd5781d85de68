// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/kernel/kernel_function.h"
#include "core/numeric/feature_rows.h"

#include <Eigen/Core>

#include <optional>

namespace lambdascope::svm {

/// f(x) = vᵀΦ(x) for rows x that are no samples of a problem, for several vectors v at once.
class DecisionFunctions {
  public:
    /// v = w of a linear kernel: `weights` holds one column per vector, a row per feature; one row more when the rows
    /// asked about lack a last feature, which then is `bias` for all of them.
    explicit DecisionFunctions(Eigen::MatrixXd weights, double bias = 0);
    /// v = Σⱼ cⱼΦ(xⱼ) over the rows of `supports`, which must outlive the functions: one column of c per vector. Not
    /// for precomputed kernels.
    DecisionFunctions(const KernelFunction& kernel, const FeatureRows& supports, Eigen::MatrixXd coefficients);

    [[nodiscard]] Eigen::Index count() const { return m_weights.cols(); }
    /// A row per row, a column per vector; unfinished when `stopCheck` asked to stop. O(rows · supports · features).
    [[nodiscard]] Eigen::MatrixXd values(const FeatureRows& rows, StopCheck& stopCheck) const;

  private:
    [[nodiscard]] Eigen::MatrixXd linearValues(const FeatureRows& rows, StopCheck& stopCheck) const;

    Eigen::MatrixXd m_weights; ///< w, or coefficients
    double m_bias = 0;
    KernelFunction m_kernel;

    std::optional<FeatureRows> m_supports; ///< none for a linear kernel
    Eigen::RowVectorXd m_supportNorms;     ///< ‖xⱼ‖²
};

} // namespace lambdascope::svm

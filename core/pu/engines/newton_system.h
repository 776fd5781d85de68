// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/numeric/feature_rows.h"
#include "core/pu/problem/pu_problem.h"

#include <Eigen/Core>

#include <vector>

namespace lambdascope::pu {

/// One step of Newton's method for the smoothed primal of the linear kernel. Its Hessian is
///   [ I + Σ x xᵀ/μ,  Σ x/μ ]
///   [   Σ xᵀ/μ,      Σ 1/μ ]   over the samples whose hinge is curved (kinks), μ the width of the smoothing.
/// The bias is eliminated, [I + Σ (x−x̄)(x−x̄)ᵀ/μ] dω = −g + x̄ g_b with x̄ the mean over the kinks, and what is left is
/// solved by the features, by the kinks when they are fewer (Woodbury), or by conjugate gradients when there are too
/// many of both.
class NewtonSystem {
  public:
    struct Step {
        Eigen::VectorXd weights;
        double bias = 0;
    };

    /// `kinks` (samples, with repeats where both hinges are curved) and `rows` must outlive the system.
    /// `leastCurvature` stands in for that along b where there are no kinks.
    NewtonSystem(const FeatureRows& rows, const std::vector<SampleIndex>& kinks, double width, double leastCurvature);

    /// The step for the gradient g along ω and g_b along b. O(m d min(m, d)) for m kinks.
    [[nodiscard]] Step solve(const Eigen::VectorXd& gradient, double biasGradient, StopCheck& stopCheck) const;

  private:
    [[nodiscard]] Eigen::VectorXd solveByFeatures(const Eigen::VectorXd& right, StopCheck& stopCheck) const;
    [[nodiscard]] Eigen::VectorXd solveByKinks(const Eigen::VectorXd& right, StopCheck& stopCheck) const;
    [[nodiscard]] Eigen::VectorXd solveIteratively(const Eigen::VectorXd& right, StopCheck& stopCheck) const;
    /// x − x̄ of kinks first … first + count − 1.
    [[nodiscard]] FeatureRows::Dense spreadOf(Eigen::Index first, Eigen::Index count) const;

    const FeatureRows& m_rows;
    const std::vector<SampleIndex>& m_kinks;
    double m_width;
    double m_curvature; ///< along b
    Eigen::VectorXd m_mean;
};

} // namespace lambdascope::pu

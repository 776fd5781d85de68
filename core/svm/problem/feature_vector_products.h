// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/svm/problem/svm_problem.h"

#include <memory>
#include <span>

namespace lambdascope::svm {

/// A vector v = Σ cⱼzⱼ of the feature space, as far as samples see it: the products zᵢᵀv. Coefficients change one at a
/// time; for a linear kernel v itself is kept, for others its products with all samples.
///
/// All errors are bounded by error() ‖zᵢ‖, so that a rule pays for them as for a larger radius.
class FeatureVectorProducts {
  public:
    explicit FeatureVectorProducts(const SvmProblem& problem);

    struct Change {
        SampleIndex sample;
        double by;
    };
    /// cⱼ += `by` for each, one after the other. O(features), or a kernel row and O(samples).
    void add(std::span<const Change> changes);
    void add(SampleIndex j, double change) {
        const Change one{j, change};
        add({&one, 1});
    }
    /// Starts again from coefficients whose products somebody knows, exact up to `error` ‖zᵢ‖: `values` are v itself
    /// for a linear kernel, or its products with all samples. Coefficients may be off by a unit in the last place.
    void start(Eigen::VectorXd coefficients, const Eigen::VectorXd& values, double error);

    /// zᵢᵀv for all samples: O(nonzeros), or a copy.
    [[nodiscard]] Eigen::VectorXd products() const;
    /// Bound of |computed zᵢᵀv − exact| / ‖zᵢ‖ for the coefficients as they stand.
    [[nodiscard]] double error() const;

    /// Starts again from v = 0, which forgets the rounding of all changes too.
    void reset();
    /// Share of the error that changes have piled up, against what making v again would leave.
    [[nodiscard]] bool isWorn() const { return m_changes > 8 * static_cast<std::int64_t>(m_problem.size()); }

    void transfer(auto& archive) {
        auto& [problem, coefficients, values, length, longest, moved, inherited, changes] = *this;
        archive(coefficients, values, length, longest, moved, inherited, changes);
    }

  private:
    const SvmProblem& m_problem;
    Eigen::VectorXd m_coefficients;
    Eigen::VectorXd m_values; ///< v, or Φ(x)ᵀv of all rows
    double m_length = 0;      ///< Σ |cⱼ| ‖zⱼ‖
    double m_longest = 0;     ///< the most that m_length has been since the last reset
    double m_moved = 0;       ///< Σ |changes| ‖zⱼ‖
    double m_inherited = 0;   ///< error of what it has started from
    std::int64_t m_changes = 0;
};

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/data/dataset.h"
#include "core/svm/problem/svm_problem.h"
#include "core/svm/screening/solved_svm.h"

#include <string>

namespace lambdascope::svm {

/// How well solutions classify rows that training has not seen. Immutable, shared by lanes.
class HeldOutTest {
  public:
    /// `training` must outlive the test and be what `problem` was made from. Without held-out rows, and with a
    /// precomputed kernel, there is nothing to test.
    HeldOutTest(const SvmProblem& problem, const Dataset& training, const KernelFunction& kernel,
                const std::string& positive);

    [[nodiscard]] Eigen::Index rows() const { return m_y.size(); }

    struct Measures {
        double error; ///< share of rows with y f(x) ≤ 0
        double auc;   ///< areaUnderCurve() of f; NaN with one class
    };
    /// NaN without rows, or when `stopCheck` asked to stop. O(rows · features), or that times the support vectors.
    [[nodiscard]] Measures measure(const SolvedSvm& solved, StopCheck& stopCheck) const;

  private:
    [[nodiscard]] Eigen::VectorXd values(const SolvedSvm& solved, StopCheck& stopCheck) const;

    const SvmProblem& m_problem;
    const Dataset* m_heldOut;
    KernelFunction m_kernel;
    Eigen::VectorXd m_y;
};

/// Share of the weight of those with y f(x) ≤ 0; without weights all count alike.
[[nodiscard]] double shareOfWrong(const Eigen::VectorXd& scores, const Eigen::VectorXd& y,
                                  const Eigen::VectorXd& weights = {});

} // namespace lambdascope::svm

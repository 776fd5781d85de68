// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/data/dataset.h"
#include "core/svm/path/answer_measures.h"
#include "core/svm/problem/svm_problem.h"
#include "core/svm/screening/solved_svm.h"

#include <vector>

namespace lambdascope::svm {

/// How well solutions do on rows that training has not seen. Immutable, shared by lanes.
class HeldOutTest {
  public:
    /// `training` must outlive the test and be what `problem` was made from; `truth` is that of its held-out rows.
    /// Without any, and with a precomputed kernel, there is nothing to test.
    HeldOutTest(const SvmProblem& problem, const Dataset& training, const KernelFunction& kernel, RowTruth truth);

    [[nodiscard]] Eigen::Index rows() const { return m_heldOut != nullptr ? m_truth.values.size() : 0; }

    /// Those of answerMeasures(); NaN without rows, or when `stopCheck` asked to stop. O(rows · features), or that
    /// times the support vectors.
    [[nodiscard]] std::vector<double> measure(const SolvedSvm& solved, StopCheck& stopCheck) const;

  private:
    [[nodiscard]] Eigen::VectorXd values(const SolvedSvm& solved, StopCheck& stopCheck) const;

    const SvmProblem& m_problem;
    const Dataset* m_heldOut;
    KernelFunction m_kernel;
    RowTruth m_truth;
};

} // namespace lambdascope::svm

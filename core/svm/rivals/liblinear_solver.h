// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/point_solver.h"

#include <memory>

namespace lambdascope::svm {

/// The library LIBLINEAR [Fan et al. 2008], solver 3: dual coordinate descent for the hinge loss, every C from nothing.
/// It hands out w but not α, so that there is no dual value and no gap: both are NaN. A call cannot be interrupted.
class LiblinearSolver {
  public:
    /// Copies the samples into the library's form. The problem must have a linear kernel.
    explicit LiblinearSolver(const SvmProblem& problem);
    ~LiblinearSolver();

    /// `tolerance` is the library's own: spread of the projected slopes.
    PointOutcome solve(double c, double tolerance, RunContext& context);

  private:
    struct Data;

    const SvmProblem& m_problem;
    std::unique_ptr<Data> m_data;
};

} // namespace lambdascope::svm

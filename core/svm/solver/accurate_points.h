// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/point_solver.h"

#include <map>
#include <memory>
#include <mutex>

namespace lambdascope::svm {

/// Solutions of much higher accuracy than a run's, for audits: relative gap 1e-10, found without any screening and
/// refined in double-double arithmetic where rounding holds the gap up. Solved once per C and shared by the lanes of an
/// experiment. Thread-safe; solving is serial.
class AccuratePoints {
  public:
    static constexpr double kPromisedGap = 1e-10; ///< relative

    explicit AccuratePoints(const SvmProblem& problem);

    /// The solution at `c`, found from `start`; null when stopped.
    std::shared_ptr<const PointOutcome> at(double c, const SolvedSvm& start, std::stop_token stop);

  private:
    std::mutex m_mutex;
    const SvmProblem& m_problem;
    PointSolver m_solver;
    FaceFactor m_factor; ///< of refinements
    std::map<double, std::shared_ptr<const PointOutcome>> m_known;
};

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/solver/point_solver.h"

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

namespace lambdascope::pu {

/// Takes rounding, and what steps of two leave, out of a completed point whose gap they hold up. The gap is bounded by
/// scores in double-double arithmetic of the samples that it depends on: those whose s is not the slope of the loss on
/// their side of a kink. With these scores the fractional s are then moved to where their samples are at their kinks,
/// by Newton steps on their face (iterative refinement [Higham 2002, §12.1]).
///
/// Ends when the gap is at most `target`, in the units of PuProblem, or falls no further. The point stays as it is
/// where nothing helps, and when `stopCheck` asks to stop; its scores are those of double arithmetic, with their error.
void refineSolution(const PuProblem& problem, double target, SolvedPu& point, StopCheck& stopCheck);

/// Solutions of much higher accuracy than a run's, for audits: relative gap 1e-10, found without any screening, and
/// refined in double-double arithmetic where rounding holds the gap up. Solved once per λ and prior and shared by the
/// lanes of an experiment. Thread-safe.
class AccuratePoints {
  public:
    static constexpr double kPromisedGap = 1e-10; ///< relative

    /// The solution at `lambda`, found from `start`, a point of that problem; null when stopped.
    std::shared_ptr<const PointOutcome> at(const PuProblem& problem, double lambda, const SolvedPu& start,
                                           std::stop_token stop);

  private:
    std::mutex m_mutex;
    std::map<std::pair<double, double>, std::shared_ptr<const PointOutcome>> m_known;
};

} // namespace lambdascope::pu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/solver/point_solver.h"

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

namespace lambdascope::pu {

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

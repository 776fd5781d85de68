// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/solver/point_solver.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

namespace lambdascope::triplets {

/// Solutions of much higher accuracy than a run's, for audits: relative gap 1e-10 (the hinge: 1e-7), or as near as
/// rounding allows. Solved once per λ and shared by the lanes of an experiment. Thread-safe; solving is serial.
///
/// What they promise is their gap, which is proven on all items with a dual feasible point and needs no trust in
/// screening: a wrong decision on the way would leave the gap large, and such a point is solved again without any.
class AccuratePoints {
  public:
    using EngineMaker = std::function<std::unique_ptr<Engine>()>;

    /// `makeEngine` gives an engine of the whole problem, its linear term with it.
    AccuratePoints(EngineMaker makeEngine, double gamma) : m_makeEngine(std::move(makeEngine)), m_gamma(gamma) {}

    /// The relative gap that solutions should have.
    [[nodiscard]] double promisedGap() const;

    /// The solution at `lambda`, found from `start`; null when stopped. Cost: that of solving one path point tightly.
    std::shared_ptr<const PointOutcome> at(double lambda, const SolvedPoint& start, std::stop_token stop) {
        return at(lambda, start, std::move(stop), promisedGap());
    }
    /// The same with another relative gap to reach. The best solution that has been asked for is kept.
    std::shared_ptr<const PointOutcome> at(double lambda, const SolvedPoint& start, std::stop_token stop,
                                           double tolerance);

  private:
    [[nodiscard]] PointOutcome solve(double lambda, const SolvedPoint& start, bool isScreened, double tolerance,
                                     const std::stop_token& stop) const;

    /// The sums of a kept solution, which solving from there begins with. False when stopped.
    bool sumAgain(SolvedPoint& solved, const std::stop_token& stop) const;

    EngineMaker m_makeEngine;
    double m_gamma;
    std::mutex m_mutex;
    struct Known {
        double tolerance = 0; ///< that was asked for
        std::shared_ptr<const PointOutcome> point;
    };
    std::map<double, Known> m_known;
};

} // namespace lambdascope::triplets

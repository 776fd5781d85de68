// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_plane.h"
#include "core/pu/engines/pu_model.h"
#include "core/pu/path/prepared_pu.h"
#include "core/pu/solver/point_solver.h"

#include <vector>

namespace lambdascope::pu {

/// What was known at a point, and what it was last judged from, kept beyond the solve.
class PlaneEvidence {
  public:
    void take(const ScreeningCheck& check, SampleIndex samples);

    [[nodiscard]] bool isThere() const { return m_s.size() > 0; }
    /// Whether some samples were judged with the finished solution.
    [[nodiscard]] bool isLate() const { return m_isLate; }
    /// The last decision on an unlabeled sample.
    [[nodiscard]] Decision decision(SampleIndex k) const { return decisionIn(m_decisions, k); }
    /// Whether it was only given with the finished solution.
    [[nodiscard]] bool isLate(SampleIndex k) const {
        return decision(k) != Decision::Keep && decisionIn(m_inTime, k) == Decision::Keep;
    }
    [[nodiscard]] const Eigen::VectorXd& s() const { return m_s; }
    [[nodiscard]] double radius() const { return m_radius; }
    [[nodiscard]] const BiasBracket& bracket() const { return m_bracket; }

  private:
    static Decision decisionIn(const std::vector<Decision>& decisions, SampleIndex k) {
        return decisions.empty() ? Decision::Keep : decisions[static_cast<std::size_t>(k)];
    }
    std::vector<Decision> m_inTime;    ///< by checks before the point was solved
    std::vector<Decision> m_decisions; ///< by all
    bool m_isLate = false;
    Eigen::VectorXd m_s; ///< of all samples
    double m_radius = 0;
    BiasBracket m_bracket;
};

/// Draws a plane of two features under a solution f: where f is 0 and ±1, and for every place x what screening says of
/// f*(x), as it would of an unlabeled sample there: with the ball of the gap, f⁰*(x) ∈ f⁰(x) ± √gap ‖φ(x)‖, and the
/// bracket of the bias, all values below −1 (σ = 0), between −1 and 1 (σ = c₂/2), above 1 (σ = c₂). All rounding is
/// paid for. O(cells · samples), fewer cells the more samples there are; linear kernels O(cells · features + samples).
class PlaneMaker {
  public:
    /// The plane of two different features, all others at their means. `prepared` must outlive the maker.
    PlaneMaker(const PreparedPu& prepared, const PlaneAxes& axes) : m_prepared(prepared), m_axes(axes) {}

    /// Unfinished when `stopCheck` asked to stop.
    [[nodiscard]] DecisionPlane make(const PuProblem& problem, const SolvedPu& solved, const PuModel& model,
                                     const PlaneEvidence& evidence, StopCheck& stopCheck) const;

    /// Items in a plane, labelled and unlabeled each; of more, evenly drawn ones.
    static constexpr SampleIndex kMostItems = 4'000;

  private:
    [[nodiscard]] DecisionPlane frame(bool isJudgedLate) const;
    void addItems(DecisionPlane& plane, const SolvedPu& solved, const PuModel& model,
                  const PlaneEvidence& evidence) const;
    void addCells(DecisionPlane& plane, const PuProblem& problem, const DenseRows& places, double lambda,
                  const PlaneEvidence& evidence, StopCheck& stopCheck) const;

    const PreparedPu& m_prepared;
    PlaneAxes m_axes;
};

/// "sample 12, row 40 (positive)" of an unlabeled sample.
[[nodiscard]] std::string sampleTitle(const PuSamples& samples, std::int64_t item);

/// ±1 by true classes where they are known, else by labelled and unlabeled; for rows that are not samples the mean.
[[nodiscard]] Eigen::VectorXd sidesOfRows(const PreparedPu& prepared);

} // namespace lambdascope::pu

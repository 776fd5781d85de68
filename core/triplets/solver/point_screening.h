// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/screening/decision_certificate.h"
#include "core/triplets/solver/point_solver.h"
#include "core/triplets/solver/reduced_objective.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <span>

namespace lambdascope::triplets {

/// What is known of screening where a λ starts from `start`. At the first one: where sums visit single triplets a look
/// takes some two of them, where they go over runs, which a look breaks up, many more.
[[nodiscard]] inline ScreeningRecord screeningRecord(const SolvedPoint& start, const Engine& engine) {
    constexpr double kLookAtRuns = 7;
    ScreeningRecord record = start.screening;
    if (record.visit == 0 && engine.tripletsPerEvaluation() == 0) {
        record.lookShare = kLookAtRuns;
    }
    return record;
}

/// The checks of one solve: what λ ranges of earlier references fix, then the balls of all bounds and the rule on what
/// is left. Decisions go to the objective's screened part and take items out of the engine's active set; the work of
/// judging goes to its ledger.
class PointScreening {
  public:
    /// All must outlive it; `ranges` is null without ranges.
    PointScreening(Engine& engine, std::span<const std::unique_ptr<Bound>> bounds, const PointSettings& settings,
                   RangeStore* ranges, ReducedObjective& objective, StopCheck& stopCheck)
        : m_engine(engine), m_bounds(bounds), m_settings(settings), m_ranges(ranges), m_objective(objective),
          m_stopCheck(stopCheck) {}

    /// One check at `reference`, whose dual point is made here when a bound wants it. First it takes what decisions of
    /// earlier λ still say; then, if goesOn(), it judges the rest. The observer (or null) is shown what was decided,
    /// with a dual point in any case, made aside. False when stopped.
    bool decide(BoundReference reference, std::int32_t check, std::int64_t iteration, ScreeningObserver* observer,
                const std::function<bool()>& goesOn);

    /// Whether there may be decisions of earlier λ to take on arrival, by balls that cost next to nothing.
    [[nodiscard]] bool mayRecall() const { return m_ranges == nullptr && m_engine.mayRecall() && !needsDualPoint(); }
    /// What bounds may use at a point of the method, but for dual variables and the path.
    [[nodiscard]] BoundReference referenceAt(const MetricPoint& point, const LossTotals& totals, double gap) const;

    /// One check at a solution of the same λ that is known from elsewhere, in no ledger; its CPU seconds are added to
    /// `cpu`. False when stopped.
    bool takeOver(const SolvedPoint& known, ScreeningObserver* observer, double& cpu);

    /// CPU seconds that all checks so far have spent on the observer alone.
    [[nodiscard]] double cpuOfWatching() const { return m_cpuWatching; }
    /// Whether all items decided so far, or in the last check, have no loss or a linear one at the point, as at the
    /// optimum; `width` is that of the loss, or of the set counts.
    [[nodiscard]] bool holdsAt(const MetricPoint& point, double width) const {
        return width <= m_settings.gamma && m_certificate.holdsAt(point);
    }
    [[nodiscard]] bool lastHoldsAt(const MetricPoint& point, double width) const {
        return width <= m_settings.gamma && m_certificate.lastHoldsAt(point);
    }
    /// Of the smallest ball of the last check; infinite before it.
    [[nodiscard]] double radius() const { return m_radius; }

  private:
    [[nodiscard]] bool needsDualPoint() const {
        return std::any_of(m_bounds.begin(), m_bounds.end(), [](const auto& bound) { return bound->needsDualPoint(); });
    }
    bool useRanges(const PathReference& path, double lambda);
    /// Counts the work of making the balls.
    void countBalls(const Eigen::MatrixXd& matrix);
    bool dualPointAside(const LossTotals& totals, DualPoint& dual);

    Engine& m_engine;
    std::span<const std::unique_ptr<Bound>> m_bounds;
    const PointSettings& m_settings;
    RangeStore* m_ranges;
    ReducedObjective& m_objective;
    StopCheck& m_stopCheck;
    DecisionCertificate m_certificate;
    double m_cpuWatching = 0;
    double m_radius = std::numeric_limits<double>::infinity();
};

} // namespace lambdascope::triplets

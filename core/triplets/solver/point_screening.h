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
#include <vector>

namespace lambdascope::triplets {

/// The checks of one solve: what λ ranges of earlier references fix, then the balls of all bounds and the rule on what
/// is left. Decisions go to the objective's screened part and take items out of the engine's active set; the work of
/// judging goes to its ledger.
///
/// The semidefinite rule and the analytic one judge an item in many steps of O(d), by what some 60 d evaluations of it
/// take. With the schedule "auto" the ball judges alone where half of the evaluations at the λ before would be fewer.
class PointScreening {
  public:
    /// All must outlive it; `ranges` is null without ranges, `visits` are the evaluations to be expected.
    PointScreening(Engine& engine, std::span<const std::unique_ptr<Bound>> bounds, const PointSettings& settings,
                   RangeStore* ranges, double visits, ReducedObjective& objective, StopCheck& stopCheck)
        : m_engine(engine), m_bounds(bounds), m_settings(settings), m_ranges(ranges), m_visits(visits),
          m_objective(objective), m_stopCheck(stopCheck) {}

    /// One check at `reference`, whose dual point is made here when a bound wants it. First it takes what decisions of
    /// earlier λ still say; then, if goesOn(), it judges the rest. The observer (or null) is shown what was decided,
    /// with a dual point in any case, made aside. False when stopped.
    bool decide(BoundReference reference, std::int32_t check, std::int64_t iteration, ScreeningObserver* observer,
                const std::function<bool()>& goesOn);

    /// Whether it can be told what a check at the point would bring: by engines that have a sample, where a ball is all
    /// that judges.
    [[nodiscard]] bool canForecast(const MetricPoint& point) const {
        return m_engine.canForecast() && ruleToJudgeBy(point.matrix.rows()) == RuleKind::Sphere;
    }
    /// What it would bring. The ball of the gap stands for those that are dear to make.
    [[nodiscard]] LookForecast forecast(const BoundReference& reference);
    /// The same of decisions that last, made as makeLasting() would.
    [[nodiscard]] LookForecast forecastLasting(const MetricPoint& point, const Eigen::MatrixXd& last, double reach);

    /// Whether there may be decisions of earlier λ to take on arrival, by balls that cost next to nothing.
    [[nodiscard]] bool mayRecall() const { return m_engine.mayRecall() && !needsDualPoint(); }
    /// What bounds may use at a point of the method, but for dual variables and the path.
    [[nodiscard]] BoundReference referenceAt(const MetricPoint& point, const LossTotals& totals, double gap) const;

    /// Whether decisions that last may be gone by before they are proven: they hold in a capsule along the path, at
    /// whose points the sums over what they leave are those over all items, wherever the optimum is. They are proven by
    /// a ball that lies in it, and until then the method has to keep to it. Not with an active set, whose sums prove
    /// nothing.
    [[nodiscard]] bool mayTrust() const {
        return m_settings.schedule == ScheduleKind::Auto && !m_bounds.empty() && m_engine.canLast() &&
               !needsDualPoint() && m_objective.smoothing <= m_settings.gamma && m_objective.screened.decided() == 0 &&
               !m_objective.hasActiveSet();
    }
    /// Whether they hold where the solution is to be expected, too: else they end on the way there. True where nothing
    /// is known of that.
    [[nodiscard]] bool lastsTo(const Eigen::MatrixXd& expected) const {
        Region region;
        region.sphere.centre = expected;
        return expected.size() == 0 || m_engine.lastsIn({&region, 1}, m_settings.gamma);
    }
    /// Goes by them from now on, if they hold at the point.
    bool trustAt(const MetricPoint& point);
    /// Makes them where the solutions of the next λ are to be expected: within `reach` of the line from the point on
    /// away from the solution `last`, some steps further. False when stopped.
    bool makeLasting(const MetricPoint& point, const Eigen::MatrixXd& last, double reach);
    [[nodiscard]] bool trusts() const { return m_trusts; }
    /// Sums at the point are not those over all items.
    [[nodiscard]] bool isAstray(const MetricPoint& point) const {
        return m_trusts && !m_engine.lastsAt(point, m_settings.gamma);
    }
    /// All items are active again.
    void distrust();
    /// Whether the lane's bounds prove at the reference what is trusted.
    [[nodiscard]] bool proves(const BoundReference& reference);

    /// One check at a solution of the same λ that is known from elsewhere, in no ledger; its CPU seconds are added to
    /// `cpu`. False when stopped.
    bool takeOver(const SolvedPoint& known, ScreeningObserver* observer, double& cpu);

    /// One check by the smallest balls there are round the reference and the centres of the lane's balls, since `known`
    /// tells how far they are from the optimum; its work is counted nowhere. False when stopped.
    bool judgeByDistance(const BoundReference& reference, const SolvedPoint& known, double& cpu);

    /// CPU seconds that all checks so far have spent on the observer alone.
    [[nodiscard]] double cpuOfWatching() const { return m_cpuWatching; }
    /// Whether all items decided so far, or in the last check, have no loss or a linear one at the point, as at the
    /// optimum; `width` is that of the loss, or of the set counts.
    [[nodiscard]] bool holdsAt(const MetricPoint& point, double width) const {
        return width <= m_settings.gamma && m_certificate.holdsAt(point) && (!goesByLasting() || lastsAt(point));
    }
    [[nodiscard]] bool lastHoldsAt(const MetricPoint& point, double width) const {
        return width <= m_settings.gamma && m_certificate.lastHoldsAt(point) && (!m_lastRecalled || lastsAt(point));
    }
    /// Of the smallest ball of the last check; infinite before it.
    [[nodiscard]] double radius() const { return m_radius; }

  private:
    [[nodiscard]] bool needsDualPoint() const {
        return std::any_of(m_bounds.begin(), m_bounds.end(), [](const auto& bound) { return bound->needsDualPoint(); });
    }
    /// Whether a ball of the lane at the reference may lie in what lasts, as far as that can be told without making it.
    [[nodiscard]] bool mayRecallAt(const BoundReference& reference) const;
    [[nodiscard]] std::vector<Region> regionsOf(const BoundReference& reference);
    [[nodiscard]] RuleKind ruleToJudgeBy(Eigen::Index size) const;
    [[nodiscard]] bool lastsAt(const MetricPoint& point) const { return m_engine.lastsAt(point, m_settings.gamma); }
    /// Whether items were taken out because of what lasts alone, not of a ball in it.
    [[nodiscard]] bool goesByLasting() const { return m_trusts || m_hasRecalled; }
    [[nodiscard]] LookForecast forecast(const Capsule& capsule);
    bool useRanges(const PathReference& path, double lambda);
    /// Counts the work of making the balls.
    void countBalls(const Eigen::MatrixXd& matrix);
    bool dualPointAside(const LossTotals& totals, DualPoint& dual);

    Engine& m_engine;
    std::span<const std::unique_ptr<Bound>> m_bounds;
    const PointSettings& m_settings;
    RangeStore* m_ranges;
    double m_visits;
    ReducedObjective& m_objective;
    StopCheck& m_stopCheck;
    DecisionCertificate m_certificate;
    bool m_isFree = false; ///< what a check takes is on nobody's account
    bool m_trusts = false;
    bool m_hasRecalled = false;  ///< in a check that judged nothing besides
    bool m_lastRecalled = false; ///< in the last check
    double m_cpuWatching = 0;
    double m_radius = std::numeric_limits<double>::infinity();
};

} // namespace lambdascope::triplets

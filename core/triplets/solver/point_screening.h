// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/lasting_decisions.h"
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

/// Screening during the solve at one λ. A check first takes the decisions that the λ ranges of earlier references give,
/// then judges the items that are left by the balls of all bounds and the rule. Decided items are added to the
/// objective's screened part and leave the engine's active set; the work of judging is added to the objective's ledger.
///
/// The semidefinite and the analytic rule take many steps of O(d) per item, together as much work as about 60 d
/// evaluations of the item. With the schedule "auto" they are left out, and the sphere rule judges alone, where that is
/// more than half of the evaluations made at the λ before.
///
/// Lasting decisions are those of a capsule (all balls of one radius whose centres lie on a segment, see
/// lasting_decisions.h) that covers the solutions of several λ: made once, they serve each of these λ. Of what they
/// leave, a smaller capsule that covers the iterates of this λ alone decides more. Both may be used before a ball of
/// this λ proves them ("trusted"): at iterates inside the capsule the sums over the items that are left equal the sums
/// over all items, wherever the optimum is, and so does the gap. They count as screened once a ball inside the capsule
/// proves them. At iterates outside of it the sums are those of the reduced problem alone, whose primal value may be
/// too low: nothing is proven there, and what the capsule decided becomes active again unless the iterates soon come
/// back.
class PointScreening {
  public:
    /// Everything must outlive this object. `ranges` is null without λ ranges; `visits` is the number of evaluations
    /// expected at this λ.
    PointScreening(Engine& engine, std::span<const std::unique_ptr<Bound>> bounds, const PointSettings& settings,
                   RangeStore* ranges, double visits, ReducedObjective& objective, StopCheck& stopCheck)
        : m_engine(engine), m_bounds(bounds), m_settings(settings), m_ranges(ranges), m_visits(visits),
          m_objective(objective), m_stopCheck(stopCheck), m_lasting(engine.lasting()) {}

    /// One check at `reference`; the dual point is computed here when a bound needs it. Decisions of earlier λ that
    /// still hold come first; the other items are judged only if goesOn() is then true. The observer, if not null, is
    /// shown the decisions, always with a dual point, whose work is not counted. False when stopped.
    bool decide(BoundReference reference, std::int32_t check, std::int64_t iteration, ScreeningObserver* observer,
                const std::function<bool()>& goesOn);

    /// Whether forecast() works at the point: the engine keeps a sample of items, and the sphere rule judges alone.
    [[nodiscard]] bool canForecast(const MetricPoint& point) const {
        return m_engine.canForecast() && ruleToJudgeBy(point.matrix.rows()) == RuleKind::Sphere;
    }
    /// Estimate of what a check would take and decide. Balls that are expensive to compute are replaced by the gap
    /// bound's.
    [[nodiscard]] LookForecast forecast(const BoundReference& reference);
    /// The same estimate for makeLasting().
    [[nodiscard]] LookForecast forecast(const Capsule& capsule);

    /// Whether lasting decisions may apply on arrival, and the balls to prove them need no dual point.
    [[nodiscard]] bool mayRecall() const { return hasLasting() && !needsDualPoint(); }
    /// The reference for bounds at an iterate, without dual variables and without the path.
    [[nodiscard]] BoundReference referenceAt(const MetricPoint& point, const LossTotals& totals, double gap) const;

    /// Whether lasting decisions may be trusted at this λ. Never with an active set, whose sums are not those over all
    /// items.
    [[nodiscard]] bool mayTrust() const {
        return m_settings.schedule == ScheduleKind::Auto && !m_bounds.empty() && m_lasting != nullptr &&
               !needsDualPoint() && m_objective.smoothing <= m_settings.gamma && m_objective.screened.decided() == 0 &&
               !m_objective.hasActiveSet();
    }
    /// Whether the capsule also contains the expected solution; else the iterates would leave it on the way. True when
    /// no solution is expected (an empty matrix).
    [[nodiscard]] bool lastsTo(const Eigen::MatrixXd& expected) const {
        Region region;
        region.sphere.centre = expected;
        return expected.size() == 0 || (m_lasting != nullptr && m_lasting->lastsIn({&region, 1}, m_settings.gamma));
    }
    /// Trusts lasting decisions from now on if the point lies in their capsule; tells whether it does.
    bool trustAt(const MetricPoint& point);
    /// Makes lasting decisions for all points of the capsule. False when stopped.
    bool makeLasting(const Capsule& capsule);
    /// Whether a smaller capsule may decide more: lasting decisions were taken, and nothing else.
    [[nodiscard]] bool mayNarrow() const {
        return goesByLasting() && m_certificate.isEmpty() && m_lasting->narrowed() == nullptr;
    }
    /// Trusts from now on what the smaller capsule decides besides. False when stopped.
    bool narrow(const Capsule& capsule);
    /// The capsule of lasting decisions.
    [[nodiscard]] const Capsule& capsule() const { return m_lasting->capsule(); }

    [[nodiscard]] bool trusts() const { return m_trusts || m_trustsNarrow; }
    /// Whether the point has left a trusted capsule, so that its sums are not those over all items.
    [[nodiscard]] bool isAstray(const MetricPoint& point) const {
        return (m_trusts && !lastsAt(point)) || (m_trustsNarrow && !narrowHoldsAt(point));
    }
    /// Gives up what the smaller capsule decides, and lasting decisions too where they do not hold at the point.
    void retreatTo(const MetricPoint& point);
    /// Proves what is trusted, as far as a ball of the lane's bounds at the reference does; the observer is shown what
    /// is proven. False when stopped.
    bool prove(BoundReference reference, std::int32_t check, std::int64_t iteration, ScreeningObserver* observer);
    /// Numbers of the items that are decided and not only trusted to be.
    [[nodiscard]] ScreenedPart proven() const;
    /// Radius of the capsule that decided the last of them, once lasting decisions are proven.
    [[nodiscard]] double provenRadius() const {
        const Capsule* narrowed = m_lasting->narrowed();
        return narrowed != nullptr && !m_trustsNarrow ? narrowed->radius : capsule().radius;
    }

    /// One check at `known`, the solution of the same λ by another lane. Its work is counted nowhere; its CPU seconds
    /// are added to `cpu`. False when stopped.
    bool takeOver(const SolvedPoint& known, ScreeningObserver* observer, double& cpu);

    /// One check by balls round the reference and round the centres of the lane's balls, each with its distance from
    /// `known` as radius: no ball with that centre is smaller. Its work is counted nowhere. False when stopped.
    bool judgeByDistance(const BoundReference& reference, const SolvedPoint& known, double& cpu);

    /// CPU seconds that all checks so far spent on the observer alone.
    [[nodiscard]] double cpuOfWatching() const { return m_cpuWatching; }
    /// Whether all items decided so far (or in the last check) lie on the same side of the loss at the point as they
    /// were decided for at the optimum; `width` is the smoothing of the loss, or of the set counts.
    [[nodiscard]] bool holdsAt(const MetricPoint& point, double width) const {
        return width <= m_settings.gamma && m_certificate.holdsAt(point) &&
               (!goesByLasting() || (lastsAt(point) && narrowHoldsAt(point)));
    }
    [[nodiscard]] bool lastHoldsAt(const MetricPoint& point, double width) const {
        return width <= m_settings.gamma && m_certificate.lastHoldsAt(point) && (!m_lastRecalled || lastsAt(point));
    }
    /// Radius of the smallest ball of the last check; infinite before the first check.
    [[nodiscard]] double radius() const { return m_radius; }

  private:
    [[nodiscard]] bool needsDualPoint() const {
        return std::any_of(m_bounds.begin(), m_bounds.end(), [](const auto& bound) { return bound->needsDualPoint(); });
    }
    /// Whether a ball of the lane at the reference may lie in the capsule of lasting decisions, as far as that can be
    /// told without computing the ball.
    [[nodiscard]] bool mayRecallAt(const BoundReference& reference) const;
    [[nodiscard]] std::vector<Region> regionsOf(const BoundReference& reference);
    [[nodiscard]] RuleKind ruleToJudgeBy(Eigen::Index size) const;
    [[nodiscard]] bool hasLasting() const { return m_lasting != nullptr && m_lasting->capsule().radius >= 0; }
    [[nodiscard]] bool lastsAt(const MetricPoint& point) const {
        return hasLasting() && m_lasting->lastsAt(point, m_settings.gamma);
    }
    [[nodiscard]] bool narrowHoldsAt(const MetricPoint& point) const {
        return m_lasting->narrowed() == nullptr || m_lasting->narrowed()->holds(point);
    }
    /// Whether items were taken out by lasting decisions alone, without a ball that judges them again.
    [[nodiscard]] bool goesByLasting() const { return m_trusts || m_hasRecalled; }
    bool useRanges(const PathReference& path, double lambda);
    /// Counts the work of computing the balls.
    void countBalls(const Eigen::MatrixXd& matrix);
    bool dualPointAside(const LossTotals& totals, DualPoint& dual);

    Engine& m_engine;
    std::span<const std::unique_ptr<Bound>> m_bounds;
    const PointSettings& m_settings;
    RangeStore* m_ranges;
    double m_visits;
    ReducedObjective& m_objective;
    StopCheck& m_stopCheck;
    LastingEngine* m_lasting; ///< the engine; null where its decisions serve one λ
    DecisionCertificate m_certificate;
    bool m_isFree = false;       ///< the check at hand is not counted
    bool m_trusts = false;       ///< lasting decisions that are not proven
    bool m_trustsNarrow = false; ///< the same of the smaller capsule's
    ScreenedPart m_beforeNarrow; ///< numbers alone
    bool m_hasRecalled = false;  ///< lasting decisions were used in a check that judged nothing else
    bool m_lastRecalled = false; ///< the same in the last check
    double m_cpuWatching = 0;
    double m_radius = std::numeric_limits<double>::infinity();
};

} // namespace lambdascope::triplets

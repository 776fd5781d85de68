// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/engine.h"
#include "core/triplets/screening/sphere_bounds.h"
#include "core/triplets/solver/cpu_ledger.h"

#include <optional>

namespace lambdascope::triplets {

/// Value and gradient of the reduced problem at a point, and the sums they come from.
struct ReducedState {
    double value = 0;
    Eigen::MatrixXd gradient;
    LossTotals totals; ///< of the reduced problem
};

/// The smoothed, reduced problem, as the methods that minimize it see it:
/// f(M) = Σ ℓ_s(⟨M, H⟩) over the triplets still in the problem + what screened triplets contribute + (λ/2)‖M‖².
class ReducedObjective {
  public:
    using State = ReducedState;

    /// With `usesActiveSet`, and an engine that can keep one, evaluate() sums over the active set of [T, §7.3] alone.
    ReducedObjective(Engine& engine, StopCheck& stopCheck, CpuLedger& ledger, double objectiveLambda,
                     bool usesActiveSet = false)
        : lambda(objectiveLambda), m_engine(engine), m_activeSet(usesActiveSet ? engine.lossyTriplets() : nullptr),
          m_stopCheck(stopCheck), m_ledger(ledger) {}

    /// One visit to the triplets, or to the active set if there is one. False when stopped.
    bool evaluate(const MetricPoint& point, ReducedState& state);
    /// One visit to the triplets; those with a loss are the active set from now on, or join it when `keeps`. False when
    /// stopped.
    bool refresh(const MetricPoint& point, bool keeps, ReducedState& state);
    /// Sums over all triplets, screened or not, and their set counts; in the ledger as one more visit to so many
    /// `pairs`, 0 for a sum that is no part of solving. False when stopped.
    bool evaluateAll(const MetricPoint& point, double edge, std::int64_t pairs, LossTotals& totals,
                     SetCounts& setCounts);
    /// The same from the active triplets alone, where all decisions hold at the point; no part of solving.
    bool evaluateKnown(const MetricPoint& point, double edge, LossTotals& totals, SetCounts& setCounts);
    [[nodiscard]] bool hasActiveSet() const { return m_activeSet != nullptr; }
    /// Adds the screened triplets and the regularizer to sums over active triplets.
    void complete(const MetricPoint& point, ReducedState& state) const;

    /// M_λ(α) of the α that `totals` are sums of, and its gap in the problem with smoothing `gamma`: by sums over
    /// active items, or over all. False when stopped.
    bool dualPoint(const LossTotals& totals, double gamma, DualPoint& dual, bool isOfAll = false);

    /// [matrix]₊, in the ledger as an eigen-decomposition; nothing when it is not finite, or stopped.
    [[nodiscard]] std::optional<MetricPoint> projected(const Eigen::MatrixXd& matrix);
    /// ‖[pull]₊‖² (cone.h), likewise.
    [[nodiscard]] Bounded squaredNorm(const Eigen::MatrixXd& pull);

    [[nodiscard]] Engine& engine() { return m_engine; }
    [[nodiscard]] StopCheck& stopCheck() { return m_stopCheck; }
    [[nodiscard]] CpuLedger& ledger() { return m_ledger; }
    /// Counted work of the last visit; 0 before the first.
    [[nodiscard]] double visitWork() const { return m_visitWork; }
    /// Share of the pairs of all items that an evaluation still visits; 1 where that is not known.
    [[nodiscard]] double shareLeft() const;
    /// Work of an evaluation of what is left, about: as the last one, or that of all items, tells by the pairs that it
    /// visits. 0 when neither is known.
    [[nodiscard]] double visitLeft() const;

    double lambda;
    double smoothing = 0;
    double goal = 0;       ///< duality gap that a method need not go below
    double slackShare = 0; ///< nor this share of what smoothing costs the hinge
    double gapShare = 0;   ///< the duality gap over the one that ends the solve
    std::int64_t iterationsLeft = 0;
    double wholeVisit = 0;       ///< work of an evaluation of all items, about; 0 when not known
    std::int64_t wholePairs = 0; ///< that it visits; 0 when not known
    ScreenedPart screened;

  private:
    bool sumAll(const MetricPoint& point, ReducedState& state);
    template <class Sum>
    bool visit(const MetricPoint& point, ReducedState& state, std::int64_t pairs, const Sum& sum);

    Engine& m_engine;
    LossyTriplets* m_activeSet; ///< null without
    StopCheck& m_stopCheck;
    CpuLedger& m_ledger;
    double m_visitWork = 0;
    std::int64_t m_visitPairs = 0;
};

/// A hinge is minimized through smoothed ones, each narrower than the one before (PointSolver). The width s that a
/// point starts with, given the last one of the point before: wider than that, within limits.
[[nodiscard]] double firstHingeWidth(double last);
/// The next width; nothing when `width` is the narrowest one already.
[[nodiscard]] std::optional<double> nextHingeWidth(double width);
/// Whether a narrower hinge is due: when `cost`, what the width adds to the gap, is at least twice the rest of it.
[[nodiscard]] bool isHingeTooWide(double cost, double gap);

} // namespace lambdascope::triplets

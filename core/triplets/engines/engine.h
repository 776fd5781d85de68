// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/triplets/problem/counted_work.h"
#include "core/triplets/problem/kinds.h"
#include "core/triplets/problem/loss_totals.h"
#include "core/triplets/screening/range_store.h"
#include "core/triplets/screening/region.h"
#include "core/triplets/screening/triplet_states.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace lambdascope {
class StateArchive;
}

namespace lambdascope::triplets {

class LastingEngine;
class PairTable;
struct Capsule;
class PathBall;
class TripletSet;
struct ProductLists;

/// Screening by λ intervals that earlier references of the path left in a store; what an engine that keeps single
/// triplets can do. Both functions return false when `stopCheck` asked to stop.
class RangeScreening {
  public:
    virtual ~RangeScreening() = default;

    /// Makes all triplets active but the fixed ones, which are added to `screened`. No rule is evaluated.
    virtual bool activateExcept(const TripletStates& fixed, StopCheck& stopCheck, ScreenedPart& screened) = 0;

    /// Judges the active triplets by the range rule (range_rule.h) of the ball of a reference at λ₀ > `lambda`. Those
    /// whose interval holds `lambda` are added to `store` and `screened` and taken out of the active set.
    virtual bool screenRanges(const PathBall& ball, double lambda, double gamma, StopCheck& stopCheck,
                              RangeStore& store, ScreenedPart& screened) = 0;
};

/// Sums over the triplets that have a loss alone, the active set of [T, §7.3]; what an engine that visits single
/// triplets can do. Both functions return false when `stopCheck` asked to stop.
class LossyTriplets {
  public:
    virtual ~LossyTriplets() = default;

    /// Sums over the active triplets, as Engine::evaluate(), and notes those with a positive loss at `point`, to those
    /// noted before when `keepsNotes`, else instead of them.
    virtual bool evaluateNoting(const MetricPoint& point, double smoothing, bool keepsNotes, StopCheck& stopCheck,
                                LossTotals& totals) = 0;

    /// Sums over the noted triplets alone: all others count as without loss, which their α = 0 allows in the dual
    /// problem, while the primal value may come out too low. Screening forgets the notes; without notes, over all
    /// active triplets.
    virtual bool evaluateNoted(const MetricPoint& point, double smoothing, StopCheck& stopCheck,
                               LossTotals& totals) = 0;

    /// Pairs that evaluateNoted() visits.
    [[nodiscard]] virtual std::int64_t notedPairs() const = 0;
};

/// A triplet by its two pairs: t = z_other − z_same with z_p = δ_pᵀ M δ_p.
struct PairedTriplet {
    PairIndex same = 0;
    PairIndex other = 0;
    auto operator<=>(const PairedTriplet&) const = default; // NOLINT(modernize-use-nullptr): takes <=> for one

    void transfer(auto& archive) {
        auto& [near, far] = *this;
        archive(near, far);
    }
};

/// The items near the edges of the loss at a point, and what those below them pull: Σ w H = Σ_p pull[p] δ_p δ_pᵀ.
struct NearTriplets {
    std::vector<PairedTriplet> near;
    std::vector<double> threshold; ///< τ of each that is near; empty when w = τ = 1
    std::vector<double> weight;    ///< and w
    std::vector<double> pull;      ///< per pair and, the last one, for "no pair"
    double pullError = 0;          ///< of Σ w H, from rounding `pull`: 0 where these are whole numbers
    Bounded belowWeight;           ///< Σ w of those below
    Bounded belowShift;            ///< Σ w (τ − 1) of those below
};

/// Sums over triplets and their screening: everything that touches triplets, and all an engine is. One virtual call
/// per evaluation or check; the loops inside are plain code. The active set shrinks by screening and is whole again
/// after activateAll().
///
/// Every function that returns bool returns false when `stopCheck` asked to stop; its output is then unfinished.
class Engine {
  public:
    virtual ~Engine() = default;

    /// Sums over the active triplets.
    virtual bool evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) = 0;

    /// The same, and how many of the triplets in the sums lie above 1 and below 1 − `edge`.
    virtual bool evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                                  LossTotals& totals, SetCounts& setCounts) = 0;

    /// Sums over all triplets, screened or not, and how many lie above 1 and below 1 − `edge`.
    virtual bool evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                             LossTotals& totals, SetCounts& setCounts) = 0;

    /// Judges the active triplets by the rule of each of the regions (a triplet is decided when one of them decides
    /// it), adds what was decided to `screened` and takes it out of the active set.
    virtual bool screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck,
                        ScreenedPart& screened) = 0;

    /// What deciding by the sphere rule for every M of a capsule (of which `far` may be empty: a ball) would bring,
    /// estimated from a sample of the items. Only where canForecast().
    [[nodiscard]] virtual bool canForecast() const { return false; }
    [[nodiscard]] virtual LookForecast forecast(const Capsule& capsule, double gamma) {
        (void)capsule, (void)gamma;
        return {};
    }

    /// Null for an engine whose decisions serve one λ.
    [[nodiscard]] virtual LastingEngine* lasting() { return nullptr; }
    /// Null for an engine that has no range screening.
    [[nodiscard]] virtual RangeScreening* ranges() { return nullptr; }
    /// Null for an engine that never visits single triplets.
    [[nodiscard]] virtual LossyTriplets* lossyTriplets() { return nullptr; }
    /// Lists the active items whose margins at `point`, less τ − 1, lie in [lowest, highest] and sums those below;
    /// gives up, leaving more than `limit` of them, when there are more. Only of engines with a collectable() set.
    virtual bool nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit,
                              StopCheck& stopCheck, NearTriplets& found) {
        (void)point, (void)lowest, (void)highest, (void)limit, (void)stopCheck;
        found = {};
        return true;
    }
    /// The table of the items that can be picked out; null of engines that have none.
    [[nodiscard]] virtual const PairTable* collectable() const { return nullptr; }
    /// S of the linear term; null without one.
    [[nodiscard]] virtual const Eigen::MatrixXd* linearTerm() const { return nullptr; }

    /// Product sets that hold the active triplets, where they are to be had; else null.
    [[nodiscard]] virtual const ProductLists* productLists() const { return nullptr; }
    /// The triplets that those are of.
    [[nodiscard]] virtual const TripletSet* productSets() const { return nullptr; }

    /// Brings all triplets back.
    virtual void activateAll() = 0;

    [[nodiscard]] virtual TripletIndex activeTriplets() const = 0;
    /// Pairs visited per evaluation; for `triplets`, two per active triplet.
    [[nodiscard]] virtual std::int64_t pairsPerEvaluation() const = 0;
    /// Work of all sums since the engine was made, in the units of counted_work.h.
    [[nodiscard]] virtual double countedWork() const = 0;
    /// Bytes held beyond the TripletSet.
    [[nodiscard]] virtual std::size_t bytes() const = 0;

    /// From now on decisions are written down in `states` too (null to end that).
    virtual void record(TripletStates* states) { m_states = states; }

    /// What decisions and counted work of later λ depend on besides what the engine is asked; activateAll() forgets the
    /// rest.
    virtual void transfer(StateArchive& archive) = 0;

  protected:
    TripletStates* m_states = nullptr;
};

/// `threads` limits what the engine uses; results do not depend on it.
[[nodiscard]] std::unique_ptr<Engine> makeEngine(EngineKind kind, const TripletSet& triplets, int threads = 1);

} // namespace lambdascope::triplets

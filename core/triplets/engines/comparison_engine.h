// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/engine.h"
#include "core/triplets/problem/comparison_set.h"
#include "core/triplets/problem/pair_quadratic_forms.h"
#include "core/triplets/screening/sphere_rule.h"

#include <vector>

namespace lambdascope::triplets {

/// Engine over an explicit list of comparisons: one number z_p per pair, as PairsEngine computes it, and
/// t = z_far − z_near per item. Screened items are compacted out of contiguous arrays, and pairs without items out of
/// the list of pairs.
///
/// Rules with constants [T, §6.3]: an item is in R̂ when its margin exceeds τ on the whole ball, in L̂ when it stays
/// below τ − γ there (or on the part of the ball that the linear or the semidefinite rule leaves); weights do not
/// enter. ‖H‖² = ‖a‖⁴ + ‖b‖⁴ − 2 (aᵀb)² for two pairs a and b, ‖a‖⁴ for one (for the diagonal with ‖·‖₄ and Σ a_k² b_k²
/// in place of (aᵀb)²).
///
/// Cost of an evaluation: O(rows d² + pairs d + items). Memory beyond the ComparisonSet: 16 bytes per pair, 16 · stride
/// per row; after the first screening 48 bytes per active item and 4 per active pair; the linear rule holds 8 more per
/// pair.
class ComparisonEngine final : public Engine, public RangeScreening {
  public:
    explicit ComparisonEngine(const ComparisonSet& set);

    bool evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) override;
    bool evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                          LossTotals& totals, SetCounts& setCounts) override;
    bool evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck, LossTotals& totals,
                     SetCounts& setCounts) override;
    bool screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) override;
    bool nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit, StopCheck& stopCheck,
                      NearTriplets& found) override;
    [[nodiscard]] const PairTable* collectable() const override { return &m_set; }
    [[nodiscard]] RangeScreening* ranges() override { return this; }
    bool activateExcept(const TripletStates& fixed, StopCheck& stopCheck, ScreenedPart& screened) override;
    bool screenRanges(const PathBall& ball, double lambda, double gamma, StopCheck& stopCheck, RangeStore& store,
                      ScreenedPart& screened) override;
    void activateAll() override;
    [[nodiscard]] TripletIndex activeTriplets() const override;
    [[nodiscard]] std::int64_t pairsPerEvaluation() const override;
    [[nodiscard]] double countedWork() const override { return m_work + m_space.countedWork(); }
    [[nodiscard]] std::size_t bytes() const override;
    void transfer(StateArchive& /*archive*/) override {}

  private:
    struct Sums;  ///< running sums of an evaluation
    struct Found; ///< running sums of a screening

    [[nodiscard]] ComparisonSet::Items active() const;
    [[nodiscard]] PairQuadraticForms::PairList pairList() const { return m_isComplete ? nullptr : &m_pairs; }
    bool sum(const ComparisonSet::Items& items, StopCheck& stopCheck, Sums& sums);
    bool sumOver(const ComparisonSet::Items& items, PairQuadraticForms::PairList pairs, const MetricPoint& point,
                 double smoothing, double edge, StopCheck& stopCheck, LossTotals& totals, SetCounts* setCounts);
    bool finish(const Sums& sums, const MetricPoint& point, PairQuadraticForms::PairList pairs, StopCheck& stopCheck,
                LossTotals& totals);
    [[nodiscard]] double marginError(double size) const;
    [[nodiscard]] double weightError() const;

    [[nodiscard]] double between(const std::vector<double>& values, std::size_t item) const {
        return values[static_cast<std::size_t>(m_far[item])] - values[static_cast<std::size_t>(m_near[item])];
    }
    [[nodiscard]] double squaredNormOf(std::size_t item) const { return m_set.squaredNormOf(m_number[item]); }
    void beginScreening(Found& found);
    /// judge(place) gives the decision on each active item.
    template <class Judge>
    bool judgeEach(Judge&& judge, StopCheck& stopCheck, Found& found);
    void fix(std::size_t item, Decision decision, Found& found);
    bool screenByRegion(const Region& region, double gamma, StopCheck& stopCheck, Found& found);
    bool screenLinearly(const Region& region, double gamma, StopCheck& stopCheck, Found& found);
    bool screenByCone(const Region& region, double gamma, StopCheck& stopCheck, Found& found);
    bool finishScreening(const Found& found, StopCheck& stopCheck, ScreenedPart& screened);
    void listAll();
    void keepAt(std::size_t from, std::size_t to);
    void resizeItems(std::size_t count);
    void listPairs();

    const ComparisonSet& m_set;
    PairQuadraticForms m_space;
    bool m_isComplete = true;
    std::vector<PairIndex> m_far; ///< of the active items, unless all are active
    std::vector<PairIndex> m_near;
    std::vector<double> m_threshold;
    std::vector<double> m_weight;
    std::vector<double> m_length;
    std::vector<TripletIndex> m_number; ///< in the set
    std::vector<PairIndex> m_pairs;     ///< of active items
    std::vector<bool> m_isUsed;         ///< scratch of listPairs
    std::vector<double> m_values;       ///< per pair, and 0 for noPair: z_p, or q_p while screening
    std::vector<double> m_normalValues; ///< per pair, and 0 for noPair: form of the half-space's normal
    std::vector<double> m_weights;      ///< per pair, and one for noPair that nobody reads: sum of ± α
    double m_work = 0;                  ///< on items
};

} // namespace lambdascope::triplets

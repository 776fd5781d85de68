// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/engines/active_blocks.h"
#include "core/metric/engines/engine.h"
#include "core/metric/problem/pair_quadratic_forms.h"
#include "core/metric/problem/triplet_norm.h"
#include "core/metric/screening/sphere_rule.h"

#include <vector>

namespace lambdascope::metric {

/// Engine that computes one number per pair and gets each triplet by a subtraction: t = z_il − z_ij with
/// z_p = ‖Lᵀδ_p‖². Rows of triplets that lie wholly in the zero or in the linear part cost O(1).
///
/// Cost of an evaluation: O(rows d² + pairs d + triplets), where the last is a few vectorized operations each.
/// Memory beyond the TripletSet: 16 bytes per pair, 16 · stride per row, and the ActiveBlocks.
class PairsEngine final : public Engine, public RangeScreening, public LossyTriplets {
  public:
    explicit PairsEngine(const TripletSet& triplets);

    bool evaluate(const MetricPoint& point, double smoothing, WorkPoll& poll, LossTotals& totals) override;
    bool evaluateAll(const MetricPoint& point, double smoothing, double edge, WorkPoll& poll, LossTotals& totals,
                     Census& census) override;
    bool screen(std::span<const Region> regions, double gamma, WorkPoll& poll, ScreenedPart& screened) override;
    [[nodiscard]] RangeScreening* ranges() override { return this; }
    bool activateExcept(const TripletStates& fixed, WorkPoll& poll, ScreenedPart& screened) override;
    bool screenRanges(const PathReference& reference, double lambda, double gamma, WorkPoll& poll, RangeStore& store,
                      ScreenedPart& screened) override;
    bool nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit, WorkPoll& poll,
                      NearTriplets& found) override;
    [[nodiscard]] const TripletSet* collectable() const override { return &m_triplets; }
    [[nodiscard]] LossyTriplets* lossyTriplets() override { return this; }
    bool evaluateNoting(const MetricPoint& point, double smoothing, bool keepsNotes, WorkPoll& poll,
                        LossTotals& totals) override;
    bool evaluateNoted(const MetricPoint& point, double smoothing, WorkPoll& poll, LossTotals& totals) override;
    [[nodiscard]] std::int64_t notedPairs() const override { return pairsOf(m_hasNotes ? m_noted : m_active); }
    void activateAll() override;
    [[nodiscard]] TripletIndex activeTriplets() const override { return m_active.triplets(); }
    [[nodiscard]] std::int64_t pairsPerEvaluation() const override { return pairsOf(m_active); }
    [[nodiscard]] double countedWork() const override { return m_work + m_space.countedWork(); }
    [[nodiscard]] std::size_t bytes() const override;

  private:
    struct Sums; ///< running sums of an evaluation

    void gatherOthers(RowIndex anchor, const std::vector<double>& values, std::vector<double>& gathered) const;
    void sumAnchor(RowIndex anchor, Sums& sums);
    void sumBlocks(const ActiveBlocks& active, const ActiveBlocks::Anchor& anchor, Sums& sums);
    bool sumOver(const ActiveBlocks& active, const MetricPoint& point, double smoothing, WorkPoll& poll,
                 LossTotals& totals);
    [[nodiscard]] std::int64_t pairsOf(const ActiveBlocks& active) const;
    bool note(bool keepsNotes, WorkPoll& poll);
    void countAnchor(RowIndex anchor, double edge, Census& census) const;
    bool sumAll(Sums& sums, WorkPoll& poll, const double* edge, Census* census);
    bool finish(const Sums& sums, const MetricPoint& point, PairQuadraticForms::PairList pairs, WorkPoll& poll,
                LossTotals& totals);
    [[nodiscard]] double marginError(double size) const;

    void prepareDecisions();
    bool addLinear(TripletIndex linearBefore, WorkPoll& poll, ScreenedPart& screened);
    void addOtherWeights(RowIndex anchor);
    bool screenLinearly(const Region& region, double gamma, WorkPoll& poll, ScreenedPart& screened);
    bool screenByCone(const Region& region, double gamma, WorkPoll& poll, ScreenedPart& screened);
    /// judge(anchor, s, o) gives the verdict on each active triplet.
    template <class Judge>
    bool judgeEach(Judge&& judge, WorkPoll& poll, ScreenedPart& screened);
    template <class Rule>
    bool screenWith(const Rule& rule, WorkPoll& poll, ScreenedPart& screened);
    template <class Rule>
    void screenAnchor(const ActiveBlocks::Anchor& anchor, const Rule& rule, ScreenedPart& screened);
    void fixBlock(const ActiveBlocks::Anchor& anchor, ActiveBlock& block, std::uint64_t bits, Verdict verdict,
                  ScreenedPart& screened);

    const TripletSet& m_triplets;
    PairQuadraticForms m_space;
    ActiveBlocks m_active;
    ActiveBlocks m_noted; ///< of m_active, those with a loss where they were noted
    bool m_hasNotes = false;
    std::vector<double> m_values;       ///< per pair: z_p, or q_p while screening
    std::vector<double> m_weights;      ///< per pair: sum of ± α
    std::vector<double> m_otherValues;  ///< per other-class neighbour of the anchor at work: z
    std::vector<double> m_otherLengths; ///< … ‖a‖²
    std::vector<double> m_otherWeights; ///< … Σ α
    std::vector<double> m_normalValues; ///< per pair: form of the half-space's normal
    TripletNorm m_norm;
    double m_work = 0; ///< on triplets
};

} // namespace lambdascope::metric

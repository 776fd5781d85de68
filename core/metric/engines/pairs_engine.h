// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/engines/active_blocks.h"
#include "core/metric/engines/block_judge.h"
#include "core/metric/engines/engine.h"
#include "core/metric/engines/lasting_decisions.h"
#include "core/metric/engines/packed_triplets.h"
#include "core/metric/problem/pair_quadratic_forms.h"
#include "core/metric/screening/sphere_rule.h"

#include <vector>

namespace lambdascope::metric {

/// Engine that computes one number per pair and gets each triplet by a subtraction: t = z_il − z_ij with
/// z_p = ‖Lᵀδ_p‖². Rows of triplets that lie wholly in the zero or in the linear part cost O(1).
///
/// Once something is screened, sums go through what is left (PackedTriplets), and balls of later λ start from the
/// decisions that last (LastingDecisions).
///
/// Cost of an evaluation: O(rows d² + pairs d + triplets), where the last is a few vectorized operations each, of the
/// pairs and triplets that are left. Memory beyond the TripletSet: 16 bytes per pair, 16 · stride per row; from the
/// first screening on twice the ActiveBlocks, the PackedTriplets, the NormCache and a quarter byte per triplet.
class PairsEngine final : public Engine, public RangeScreening, public LossyTriplets {
  public:
    explicit PairsEngine(const TripletSet& triplets);

    bool evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) override;
    bool evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck, LossTotals& totals,
                     SetCounts& setCounts) override;
    bool screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) override;
    [[nodiscard]] RangeScreening* ranges() override { return this; }
    bool activateExcept(const TripletStates& fixed, StopCheck& stopCheck, ScreenedPart& screened) override;
    bool screenRanges(const PathBall& ball, double lambda, double gamma, StopCheck& stopCheck, RangeStore& store,
                      ScreenedPart& screened) override;
    bool nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit, StopCheck& stopCheck,
                      NearTriplets& found) override;
    [[nodiscard]] const TripletSet* collectable() const override { return &m_triplets; }
    [[nodiscard]] LossyTriplets* lossyTriplets() override { return this; }
    bool evaluateNoting(const MetricPoint& point, double smoothing, bool keepsNotes, StopCheck& stopCheck,
                        LossTotals& totals) override;
    bool evaluateNoted(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) override;
    [[nodiscard]] std::int64_t notedPairs() const override { return pairsOf(m_hasNotes ? m_noted : m_active); }
    void activateAll() override;
    [[nodiscard]] TripletIndex activeTriplets() const override { return m_active.blocks.triplets(); }
    [[nodiscard]] std::int64_t pairsPerEvaluation() const override { return pairsOf(m_active); }
    [[nodiscard]] double countedWork() const override { return m_work + m_space.countedWork(); }
    [[nodiscard]] std::size_t bytes() const override;

  private:
    struct ActiveSet {
        explicit ActiveSet(const TripletSet& triplets) : blocks(triplets) {}

        [[nodiscard]] std::size_t bytes() const { return blocks.bytes() + packed.bytes(); }

        ActiveBlocks blocks;
        PackedTriplets packed; ///< of the blocks, unless complete
        bool isPacked = false;
    };

    /// The balls that decided what is not active any more, and what that is: at a point in all of them the sums over
    /// all triplets are known from those over the active ones.
    struct Certificate {
        bool isComplete = true; ///< nothing was decided otherwise
        double gamma = 0;
        std::vector<Sphere> balls;
        ScreenedPart screened;
    };

    void gatherOthers(RowIndex anchor);
    void sumAnchor(RowIndex anchor, LossSums& sums);
    bool sumOver(ActiveSet& active, const MetricPoint& point, double smoothing, StopCheck& stopCheck,
                 LossTotals& totals);
    [[nodiscard]] std::int64_t pairsOf(const ActiveSet& active) const;
    bool note(bool keepsNotes, StopCheck& stopCheck);
    void countAnchor(RowIndex anchor, double edge, SetCounts& setCounts) const;
    bool sumAll(LossSums& sums, StopCheck& stopCheck, const double* edge, SetCounts* setCounts);
    [[nodiscard]] bool isCertified(const MetricPoint& point, double smoothing, double edge) const;
    bool sumCertified(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck, LossTotals& totals,
                      SetCounts& setCounts);
    bool finish(const LossSums& sums, const MetricPoint& point, PairQuadraticForms::PairList pairs,
                StopCheck& stopCheck, LossTotals& totals);
    [[nodiscard]] double marginError(double size) const;

    [[nodiscard]] TripletIndex numberOf(RowIndex anchor, std::int64_t same, std::int64_t other) const {
        return m_triplets.tripletOffset(anchor) + same * m_triplets.otherCount(anchor) + other;
    }
    void prepareDecisions();
    bool finishDecisions(TripletIndex linearBefore, StopCheck& stopCheck, ScreenedPart& screened);
    bool makeLasting(const Capsule& capsule, double gamma, StopCheck& stopCheck);
    bool useLasting(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened);
    void beginAnchor(RowIndex anchor);
    void endAnchor(RowIndex anchor);
    bool screenBySphere(const SphereRule& rule, StopCheck& stopCheck, ScreenedPart& screened);
    bool screenByCapsule(const Capsule& capsule, double gamma, StopCheck& stopCheck, ScreenedPart& screened);
    /// judge(block) gives decisions, after setAnchor(anchor).
    template <class SetAnchor, class Judge>
    bool screenBlocks(const SetAnchor& setAnchor, const Judge& judge, StopCheck& stopCheck, ScreenedPart& screened);
    void beginCertificate(double gamma, const ScreenedPart& screened);
    bool screenLinearly(const Region& region, double gamma, StopCheck& stopCheck, ScreenedPart& screened);
    bool screenByCone(const Region& region, double gamma, StopCheck& stopCheck, ScreenedPart& screened);
    /// judge(anchor, s, o) gives the decision on each triplet that pick(anchor, block) takes of a block.
    template <class Pick, class Judge>
    bool judgeEach(Pick&& pick, Judge&& judge, StopCheck& stopCheck, ScreenedPart& screened);
    void fixBlock(const ActiveBlocks::Anchor& anchor, ActiveBlock& block, std::uint64_t bits, Decision decision,
                  ScreenedPart& screened);

    const TripletSet& m_triplets;
    PairQuadraticForms m_space;
    ActiveSet m_active;
    ActiveSet m_noted; ///< of m_active, those with a loss where they were noted
    bool m_hasNotes = false;
    std::vector<double> m_values;       ///< per pair: z_p, or q_p while screening
    std::vector<double> m_weights;      ///< per pair: sum of ± α
    std::vector<double> m_otherValues;  ///< per other-class neighbour of the anchor at work: z
    std::vector<double> m_otherWeights; ///< … Σ α, or how many newly linear triplets
    std::vector<double> m_linearRows;   ///< per 64 other-class neighbours: rows that are newly linear as a whole
    std::vector<double> m_normalValues; ///< per pair: form of the half-space's normal
    NormCache m_norms;
    BlockJudge m_judge;
    BlockJudge m_farJudge; ///< of the far end of a capsule
    LastingDecisions m_lasting;
    ActiveBlocks m_lastingOpen; ///< what they leave open
    Certificate m_certificate;
    double m_work = 0; ///< on triplets
};

} // namespace lambdascope::metric

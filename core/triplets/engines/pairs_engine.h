// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/decision_sink.h"
#include "core/triplets/engines/lasting_decisions.h"
#include "core/triplets/engines/packed_triplets.h"
#include "core/triplets/engines/sphere_tester.h"
#include "core/triplets/problem/pair_quadratic_forms.h"

#include <optional>
#include <vector>

namespace lambdascope::triplets {

/// Engine that computes one number per pair and gets each triplet by a subtraction: t = z_il − z_ij with
/// z_p = ‖Lᵀδ_p‖². Rows of triplets that lie wholly in the zero or in the linear part cost O(1).
///
/// Once something is screened, sums and rules go through what is left (PackedTriplets), and balls of later λ start from
/// the decisions that last (LastingDecisions).
///
/// Cost of an evaluation: O(rows d² + pairs d + triplets), where the last is a few vectorized operations each, of the
/// pairs and triplets that are left; a look costs about as much. Memory beyond the TripletSet: 16 bytes per pair, 16 ·
/// stride per row; from the first screening on 24 bytes per neighbour of a row, as many again per one of its class,
/// four times the PackedTriplets that are left, and the NormCache.
class PairsEngine final : public LastingEngine, public RangeScreening, public LossyTriplets {
  public:
    explicit PairsEngine(const TripletSet& triplets);

    bool evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) override;
    bool evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                          LossTotals& totals, SetCounts& setCounts) override;
    bool evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck, LossTotals& totals,
                     SetCounts& setCounts) override;
    bool screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) override;
    [[nodiscard]] bool canForecast() const override { return true; }
    [[nodiscard]] LookForecast forecast(const Capsule& capsule, double gamma) override;
    [[nodiscard]] RangeScreening* ranges() override { return this; }
    bool activateExcept(const TripletStates& fixed, StopCheck& stopCheck, ScreenedPart& screened) override;
    bool screenRanges(const PathBall& ball, double lambda, double gamma, StopCheck& stopCheck, RangeStore& store,
                      ScreenedPart& screened) override;
    bool nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit, StopCheck& stopCheck,
                      NearTriplets& found) override;
    [[nodiscard]] const PairTable* collectable() const override { return &m_triplets; }
    [[nodiscard]] const ProductLists* productLists() const override;
    [[nodiscard]] const TripletSet* productSets() const override { return &m_triplets; }
    [[nodiscard]] LossyTriplets* lossyTriplets() override { return this; }
    bool evaluateNoting(const MetricPoint& point, double smoothing, bool keepsNotes, StopCheck& stopCheck,
                        LossTotals& totals) override;
    bool evaluateNoted(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) override;
    [[nodiscard]] std::int64_t notedPairs() const override { return pairsOf(m_hasNotes ? &m_noted : m_active); }
    [[nodiscard]] TripletIndex activeTriplets() const override {
        return isComplete() ? m_triplets.triplets() : m_active->triplets();
    }
    [[nodiscard]] std::int64_t pairsPerEvaluation() const override { return pairsOf(m_active); }
    [[nodiscard]] double countedWork() const override {
        return m_work + m_space.countedWork() + m_sample.countedWork();
    }
    [[nodiscard]] std::size_t bytes() const override;
    void transfer(StateArchive& archive) override;

  private:
    bool judgeCapsule(const Capsule& capsule, double gamma, Kept to, TripletStates* states, StopCheck& stopCheck,
                      ScreenedPart& part) override;
    void activate(Kept kept) override {
        activate(kept == Kept::All ? nullptr : kept == Kept::Lasting ? &m_lastingOpen : &m_left);
    }
    [[nodiscard]] bool isComplete() const override { return m_active == nullptr; }
    void activate(PackedTriplets* active);
    void gatherOthers(RowIndex anchor);
    void sumAnchor(RowIndex anchor, LossSums& sums);
    bool sumOver(PackedTriplets* active, const MetricPoint& point, double smoothing, StopCheck& stopCheck,
                 LossTotals& totals);
    [[nodiscard]] std::int64_t pairsOf(const PackedTriplets* active) const;
    bool note(bool keepsNotes, StopCheck& stopCheck);
    void countAnchor(RowIndex anchor, double edge, SetCounts& setCounts) const;
    bool sumAll(LossSums& sums, StopCheck& stopCheck, const double* edge, SetCounts* setCounts);
    bool finish(const LossSums& sums, const MetricPoint& point, PairQuadraticForms::PairList pairs,
                StopCheck& stopCheck, LossTotals& totals);
    [[nodiscard]] double marginError(double size) const;
    void clearWeights(PairQuadraticForms::PairList pairs);

    /// All triplets, packed, and the active ones.
    [[nodiscard]] PackedTriplets& whole();
    [[nodiscard]] PackedTriplets& active() { return isComplete() ? whole() : *m_active; }
    /// ⟨δδᵀ, Q⟩ of the entries.
    bool formsOfEntries(const Eigen::MatrixXd& q, const PackedTriplets& of, StopCheck& stopCheck,
                        std::vector<double>& forms);
    /// Leaves in `to` what the sphere rule does not say of `from` for every M of the capsule.
    bool judge(const PackedTriplets& from, PackedTriplets& to, const Capsule& capsule, double gamma,
               StopCheck& stopCheck, ScreenedPart& screened);
    /// Leaves in `to` what `test` does not decide of `from`; the sums over newly linear triplets go to `screened`.
    /// test.beginAnchor(view, rows) with the JudgedRows, test.beginRow(row, number), test.test(group, bits).
    template <class Test>
    bool take(const PackedTriplets& from, PackedTriplets& to, Test& test, StopCheck& stopCheck, ScreenedPart& screened);
    /// The same from the active triplets, where less is left in their place.
    template <class Test>
    bool takeActive(Test& test, StopCheck& stopCheck, ScreenedPart& screened) {
        const bool done = take(active(), m_spare, test, stopCheck, screened);
        activateSpare(done);
        return done;
    }
    /// What m_spare holds becomes the active set, where it was `done` and is less.
    void activateSpare(bool done);
    bool addLinear(const DecisionSink& sink, PairQuadraticForms::PairList pairs, StopCheck& stopCheck,
                   ScreenedPart& screened);
    bool screenBySphere(const Sphere& sphere, double gamma, StopCheck& stopCheck, ScreenedPart& screened);
    bool screenLinearly(const Region& region, double gamma, StopCheck& stopCheck, ScreenedPart& screened);
    bool screenByCone(const Region& region, double gamma, StopCheck& stopCheck, ScreenedPart& screened);

    bool useLasting(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened);

    const TripletSet& m_triplets;
    PackedTriplets::Size m_wholeSize = PackedTriplets::Size::ofWhole(m_triplets);
    PairQuadraticForms m_space;
    PackedTriplets m_whole;             ///< from the first screening on
    PackedTriplets m_lastingOpen;       ///< what lasting decisions leave open
    PackedTriplets m_left;              ///< of these, what a smaller capsule or other decisions leave
    PackedTriplets m_spare;             ///< the next m_left
    PackedTriplets m_noted;             ///< of the active ones, those with a loss where they were noted
    PackedTriplets* m_active = nullptr; ///< one of these; null while all are active
    bool m_hasNotes = false;
    std::vector<double> m_values;       ///< per place of an active pair: z_p, or q_p while screening
    std::vector<double> m_nearForms;    ///< per entry of packed triplets: q_p at an end of a capsule
    std::vector<double> m_farForms;     ///< and at the other one
    std::vector<double> m_weights;      ///< per place: sum of ± α
    std::vector<double> m_otherValues;  ///< per other-class neighbour of the anchor at work: z
    std::vector<double> m_otherWeights; ///< … Σ α
    std::vector<double> m_normalValues; ///< per place: form of the half-space's normal
    NormCache m_norms;
    RestSample m_sample;
    mutable std::optional<ProductLists> m_lists;       ///< of all triplets, made when first asked for
    mutable std::optional<ProductLists> m_activeLists; ///< of the active ones, likewise
    std::int64_t m_inRows = 0; ///< triplets that the last sum over all met in rows not decided at once
    double m_work = 0;         ///< on triplets
};

} // namespace lambdascope::triplets

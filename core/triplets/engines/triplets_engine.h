// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/engine.h"
#include "core/triplets/screening/sphere_rule.h"

#include <vector>

namespace lambdascope::triplets {

/// The published way of computing: every triplet by itself, ⟨M, H⟩ = aᵀMa − bᵀMb and rank-one updates of the gradient,
/// O(d²) each (O(d) for the diagonal structure). The honest baseline of all speed ratios, and an independent check of
/// the pairs engine: the two share no arithmetic. Memory: 16 bytes per active triplet.
class TripletsEngine final : public Engine, public RangeScreening, public LossyTriplets {
  public:
    explicit TripletsEngine(const TripletSet& triplets);

    bool evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) override;
    bool evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                          LossTotals& totals, SetCounts& setCounts) override;
    bool evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck, LossTotals& totals,
                     SetCounts& setCounts) override;
    bool screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) override;
    [[nodiscard]] RangeScreening* ranges() override { return this; }
    bool activateExcept(const TripletStates& fixed, StopCheck& stopCheck, ScreenedPart& screened) override;
    bool screenRanges(const PathBall& ball, double lambda, double gamma, StopCheck& stopCheck, RangeStore& store,
                      ScreenedPart& screened) override;
    bool nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit, StopCheck& stopCheck,
                      NearTriplets& found) override;
    [[nodiscard]] const PairTable* collectable() const override { return &m_triplets; }
    [[nodiscard]] LossyTriplets* lossyTriplets() override { return this; }
    bool evaluateNoting(const MetricPoint& point, double smoothing, bool keepsNotes, StopCheck& stopCheck,
                        LossTotals& totals) override;
    bool evaluateNoted(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) override;
    [[nodiscard]] std::int64_t notedPairs() const override { return 2 * std::ssize(m_hasNotes ? m_noted : m_active); }
    void activateAll() override;
    [[nodiscard]] TripletIndex activeTriplets() const override { return static_cast<TripletIndex>(m_active.size()); }
    [[nodiscard]] std::int64_t pairsPerEvaluation() const override { return 2 * activeTriplets(); }
    [[nodiscard]] double countedWork() const override { return m_work; }
    [[nodiscard]] std::size_t bytes() const override;
    void transfer(StateArchive& /*archive*/) override {}

    /// Bytes that the list of `count` triplets takes.
    [[nodiscard]] static double listBytes(TripletIndex count) {
        return static_cast<double>(count) * static_cast<double>(sizeof(Item));
    }

  private:
    struct Item {
        RowIndex anchor;
        RowIndex same;
        RowIndex other;
        std::uint32_t within; ///< number of the triplet within its anchor
        bool operator==(const Item&) const = default;
    };
    struct Sums;

    void setDifferences(RowIndex anchor, RowIndex same, RowIndex other);
    [[nodiscard]] double form(const Eigen::MatrixXd& q);
    void addH(double weight, Eigen::MatrixXd& sum) const;
    [[nodiscard]] double squaredNorm() const;
    void addTriplet(const Eigen::MatrixXd& m, RowIndex anchor, RowIndex same, RowIndex other, Sums& sums);
    bool sumOver(const std::vector<Item>& items, const MetricPoint& point, double smoothing, StopCheck& stopCheck,
                 LossTotals& totals, std::vector<Item>* lossy);
    void finish(Sums& sums, const MetricPoint& point, LossTotals& totals);
    [[nodiscard]] double marginError(double size) const;
    [[nodiscard]] std::int64_t operationsPerTriplet() const {
        const std::int64_t d = m_triplets.features();
        return m_triplets.structure() == Structure::Diagonal ? 12 * d + 40 : 8 * d * d + 40;
    }
    /// judge(item) gives the decision on each active triplet, with its differences at hand.
    template <class Judge>
    bool judgeEach(Judge&& judge, std::int64_t operations, StopCheck& stopCheck, ScreenedPart& screened);

    const TripletSet& m_triplets;
    std::vector<Item> m_active;
    std::vector<Item> m_noted; ///< of m_active, those with a loss where they were noted
    bool m_hasNotes = false;
    Eigen::VectorXd m_a; ///< x_i − x_l
    Eigen::VectorXd m_b; ///< x_i − x_j
    Eigen::VectorXd m_image;
    double m_work = 0;
};

} // namespace lambdascope::triplets

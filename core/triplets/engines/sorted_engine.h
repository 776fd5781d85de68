// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/anchor_quadratic_forms.h"
#include "core/triplets/engines/lasting_decisions.h"
#include "core/triplets/engines/product_sums.h"
#include "core/triplets/screening/product_set_screening.h"

#include <functional>
#include <vector>

namespace lambdascope::triplets {

/// Engine that sums over whole product sets (ProductSums): where they are large by sorting, so that no triplet is
/// visited, and k = all is a normal choice. Anchors are spread over threads; sums of slices of anchors are added in
/// order, so that results are the same to the bit whatever the number of threads.
///
/// Screening takes out the rows of product sets, of the anchor's class and of others, of which a ball decides every
/// triplet (ProductSetScreening), which takes about as long as an evaluation; what a capsule decides, in twice that,
/// lasts over several λ. Triplets of rows that stay count as undecided. At points in the capsule those are not visited
/// whose loss is known to be zero or linear there (QuadraticRuns).
///
/// Cost of an evaluation: O(rows d²) and, per entry of the neighbour lists, O(d) for its value and weight and what
/// its sums take (ProductSums). Memory beyond the TripletSet: 8 bytes per entry of all lists, 10 of those that
/// decisions leave, 48 · stride per row, and per thread blocks of 32 × rows numbers.
class SortedEngine final : public LastingEngine {
  public:
    explicit SortedEngine(const TripletSet& triplets, int threads = 1);

    bool evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) override;
    bool evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                          LossTotals& totals, SetCounts& setCounts) override;
    bool evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck, LossTotals& totals,
                     SetCounts& setCounts) override;
    bool screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) override;
    [[nodiscard]] bool canForecast() const override { return true; }
    [[nodiscard]] LookForecast forecast(const Capsule& capsule, double gamma) override;
    bool nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit, StopCheck& stopCheck,
                      NearTriplets& found) override;
    [[nodiscard]] const PairTable* collectable() const override { return &m_triplets; }
    [[nodiscard]] const ProductLists* productLists() const override { return &lists(); }
    [[nodiscard]] const TripletSet* productSets() const override { return &m_triplets; }
    [[nodiscard]] TripletIndex activeTriplets() const override { return m_openTriplets; }
    [[nodiscard]] std::int64_t pairsPerEvaluation() const override { return lists().entries(); }
    [[nodiscard]] double countedWork() const override { return m_work; }
    [[nodiscard]] std::size_t bytes() const override;
    void transfer(StateArchive& archive) override;

  private:
    /// Sums over a slice of anchors.
    struct SliceSums {
        CompensatedSum loss;
        CompensatedSum alpha;
        CompensatedSum squares;
        double magnitude = 0;
        double slack = 0;
        double reachedSlack = 0; ///< Σ slack · reach
        SetCounts setCounts;
        SumCounts counts;
        Eigen::VectorXd column;
    };
    /// By what lists are judged, where decisions are written to, if anywhere, and whether runs are to be found.
    struct Look {
        const Capsule& capsule;
        double gamma = 0;
        TripletStates* states = nullptr;
        bool findsRuns = false;
    };
    /// What is left of product sets, and what went out of them.
    struct RestPart {
        ProductLists rest;
        ProductSetScreening::Tally went;
        std::int64_t runWork = 0; ///< comparisons by ProductSetScreening::addRuns
        Eigen::VectorXd column;   ///< sums over linear triplets that went
    };
    /// Memory of one worker.
    struct Worker {
        AnchorQuadraticForms::Scratch scratch;
        AnchorQuadraticForms::Scratch farScratch; ///< for forms at the other end of a capsule
        ProductSums sums;
        SortedKeys sorted; ///< for picking triplets near the edges of the loss
        std::vector<double> weights;
        ProductSetScreening screen;
    };

    [[nodiscard]] const ProductLists& lists() const { return *m_active; }
    bool judgeCapsule(const Capsule& capsule, double gamma, Kept to, TripletStates* states, StopCheck& stopCheck,
                      ScreenedPart& part) override;
    void activate(Kept kept) override {
        activate(kept == Kept::All ? m_all : kept == Kept::Lasting ? m_lastingOpen : m_left);
    }
    [[nodiscard]] bool isComplete() const override { return m_active == &m_all; }
    void activate(const ProductLists& lists);

    void collectNearAnchor(const ProductLists::Anchor& anchor, const double* z, double lowest, double highest,
                           SortedKeys& sorted, NearTriplets& found);
    /// Does the work on each slice of the lists, in parallel; false when stopped. Loops of a few operations per entry
    /// beside values and weights.
    bool forEachSlice(ThreadTeam& team, const ProductLists& lists, StopCheck& stopCheck,
                      const std::function<void(std::size_t number, AnchorQuadraticForms::Slice, Worker&)>& work);
    bool sumOver(const ProductLists& lists, const MetricPoint& point, double smoothing, const double* edge,
                 StopCheck& stopCheck, LossTotals& totals, SetCounts* setCounts);
    void sumSlice(const ProductLists& lists, AnchorQuadraticForms::Slice slice, bool usesRuns, double smoothing,
                  const double* edge, Worker& worker, SliceSums& sums);
    bool combine(const ProductLists& lists, const std::vector<SliceSums>& slices, const MetricPoint& point,
                 StopCheck& stopCheck, LossTotals& totals);
    bool removeRows(const ProductLists& lists, const Look& look, StopCheck& stopCheck, ProductLists& rest,
                    ScreenedPart* part);
    void removeFromSlice(const ProductLists& lists, AnchorQuadraticForms::Slice slice, const Look& look,
                         const SphereRule& rule, Worker& worker, RestPart& found);
    static RestPart joined(std::vector<RestPart> parts, Eigen::Index rows);
    [[nodiscard]] bool runsHoldAt(const ProductLists& lists, const MetricPoint& point, double smoothing) const;
    [[nodiscard]] double workOfLook(const ProductLists& lists, bool isCapsule) const;
    [[nodiscard]] static double workOfSums(const SumCounts& counts);
    [[nodiscard]] double marginError(double size) const;

    const TripletSet& m_triplets;
    ThreadTeam m_team;
    ThreadTeam m_alone;
    AnchorQuadraticForms m_space;
    AnchorQuadraticForms m_farSpace; ///< of the other end of a capsule
    ProductLists m_all;
    ProductLists m_sample;                 ///< lists of a few anchors, for forecasts; empty before the first
    ProductLists m_lastingOpen;            ///< what lasting decisions leave open
    ProductLists m_left;                   ///< what a smaller capsule or other decisions leave
    double m_leftGamma = 0;                ///< smoothing that its runs are for
    const ProductLists* m_active = &m_all; ///< one of these
    TripletIndex m_openTriplets;
    std::vector<Worker> m_workers;
    SumCounts m_lastWhole; ///< of the last sum over all triplets
    double m_work = 0;
};

} // namespace lambdascope::triplets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/anchor_quadratic_forms.h"
#include "core/triplets/problem/sorted_keys.h"

#include <cstdint>
#include <vector>

namespace lambdascope::triplets {

/// Second derivative of the smoothed loss over whole product sets at a point M,
///     H[V] = (1/s) Σ ⟨V, H_t⟩ H_t over the triplets between the edges of the loss, 1 − s < ⟨M, H_t⟩ < 1,
/// without visiting a triplet: those that a row of another class has between the edges are a run of the sorted rows of
/// the anchor's class, and sums over runs come from running sums.
///
/// Cost of set(): O(d) per entry of the lists for its value and O(1) for its run (SortedKeys); of multiply(): O(d) per
/// entry. Memory: 12 bytes per entry and 24 · stride per row. For directions only: no error bounds.
class LossCurvature {
  public:
    LossCurvature(const TripletSet& triplets, ThreadTeam& team);

    /// Takes the triplets of `lists`, which are to stay as they are until the next call. False when stopped.
    bool set(const ProductLists& lists, const MetricPoint& point, double smoothing, StopCheck& stopCheck);

    /// `product` = H[V] for a symmetric V. False when stopped.
    bool multiply(const Eigen::MatrixXd& v, StopCheck& stopCheck, Eigen::MatrixXd& product);

    /// Work of set() and of multiply() on lists of that size, in the units of counted_work.h.
    [[nodiscard]] double workOfSet(const ListSize& lists) const;
    [[nodiscard]] double workOfProduct(const ListSize& lists) const;
    /// Triplets between the edges.
    [[nodiscard]] TripletIndex triplets() const { return m_triplets; }
    /// At most `count` of them, evenly spread over their list.
    [[nodiscard]] std::vector<Triplet> sample(std::int64_t count) const;
    [[nodiscard]] double smoothing() const { return m_smoothing; }

  private:
    struct Worker {
        AnchorQuadraticForms::Scratch scratch;
        SortedKeys sorted;
        std::vector<double> weights;
        std::vector<double> sums;   ///< of the sorted sames' values up to each
        std::vector<double> open;   ///< change of the number of runs at each of them
        std::vector<double> opened; ///< … of the sum of their others' values
    };

    template <class Work>
    bool forEachAnchor(StopCheck& stopCheck, bool isSum, const Work& work);
    TripletIndex setRuns(const ProductLists::Anchor& anchor, const double* values, SortedKeys& sorted);
    void weigh(const ProductLists::Anchor& anchor, const double* values, double* weights, Worker& worker) const;

    const TripletSet& m_set;
    ThreadTeam& m_team;
    AnchorQuadraticForms m_space;
    const ProductLists* m_lists = nullptr;
    double m_smoothing = 1;
    TripletIndex m_triplets = 0;
    std::vector<std::int32_t> m_order; ///< of an anchor's sames, in rising order: their places among them
    std::vector<std::int32_t> m_begin; ///< of each other: its run of the sorted sames
    std::vector<std::int32_t> m_end;
    std::vector<Worker> m_workers;
    std::vector<Eigen::VectorXd> m_columns; ///< per slice
};

} // namespace lambdascope::triplets

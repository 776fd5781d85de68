// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/anchor_quadratic_forms.h"
#include "core/triplets/problem/sorted_keys.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// Second derivative of the smoothed loss over whole product sets at a point M,
///     H[V] = (1/s) Σ ⟨V, H_t⟩ H_t over the triplets between the edges of the loss, 1 − s < ⟨M, H_t⟩ < 1,
/// without visiting a triplet: those that a row of another class has between the edges are a run of the sorted rows of
/// the anchor's class, and sums over runs come from running sums.
///
/// Cost of set(): O(d) per entry of the lists for its value and O(1) for its run (SortedKeys); of multiply(): O(d) per
/// entry that has a triplet between the edges, few of all as a rule, and O(d²) per row. Memory: 12 bytes per such entry
/// and 24 · stride per row. For directions only: no error bounds.
class LossCurvature {
  public:
    LossCurvature(const TripletSet& triplets, ThreadTeam& team);

    /// Takes the triplets of `lists`. False when stopped.
    bool set(const ProductLists& lists, const MetricPoint& point, double smoothing, StopCheck& stopCheck);

    /// `product` = H[V] for a symmetric V. False when stopped.
    bool multiply(const Eigen::MatrixXd& v, StopCheck& stopCheck, Eigen::MatrixXd& product);

    /// Work of set() on lists of that size, in the units of counted_work.h; of multiply() with so many entries that
    /// have a triplet between the edges.
    [[nodiscard]] double workOfSet(const ListSize& lists) const;
    [[nodiscard]] double workOfProduct(const ListSize& between) const;
    /// Entries that have one, and their anchors.
    [[nodiscard]] ListSize between() const { return ListSize::of(m_between); }
    /// Triplets between the edges.
    [[nodiscard]] TripletIndex triplets() const { return m_triplets; }
    /// At most `count` of them, evenly spread over their list.
    [[nodiscard]] std::vector<Triplet> sample(std::int64_t count) const;
    [[nodiscard]] double smoothing() const { return m_smoothing; }

  private:
    /// Places [begin, end) among an anchor's sames.
    struct Run {
        std::int32_t begin = 0;
        std::int32_t end = 0;
    };
    struct Worker {
        AnchorQuadraticForms::Scratch scratch;
        SortedKeys sorted;
        std::vector<double> weights;
        std::vector<double> sums;         ///< of the sames' values up to each
        std::vector<double> open;         ///< change of the number of runs at each of them
        std::vector<double> opened;       ///< … of the sum of their others' values
        std::vector<std::int64_t> others; ///< of the anchor at work, those with a run of the sorted sames
        std::vector<Run> runs;            ///< … these runs
        std::vector<std::int32_t> places; ///< of the sorted sames among those in any run
    };
    /// What a slice of anchors has between the edges.
    struct Part {
        std::vector<ProductLists::Anchor> anchors;
        std::vector<RowIndex> partner;
        std::vector<Run> runs;
        TripletIndex triplets = 0;
    };

    template <class Work>
    bool forEachAnchor(const ProductLists& lists, StopCheck& stopCheck, bool isSum, const Work& work);
    void findRuns(std::span<const double> sames, std::span<const double> others, Worker& worker) const;
    void list(const ProductLists& lists, const ProductLists::Anchor& anchor, Worker& worker, Part& part) const;
    void join(const std::vector<Part>& parts);
    void weigh(const ProductLists::Anchor& anchor, const double* values, double* weights, Worker& worker) const;

    const TripletSet& m_set;
    ThreadTeam& m_team;
    AnchorQuadraticForms m_space;
    double m_smoothing = 1;
    TripletIndex m_triplets = 0;
    ProductLists m_between;  ///< the entries with a triplet between the edges; sames by rising values
    std::vector<Run> m_runs; ///< of each of these that is an other
    std::vector<Worker> m_workers;
    std::vector<Eigen::VectorXd> m_columns; ///< per slice
};

} // namespace lambdascope::triplets

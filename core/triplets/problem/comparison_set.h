// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/triplets/problem/comparison_list.h"
#include "core/triplets/problem/triplet_set.h"

#include <span>
#include <stop_token>
#include <vector>

namespace lambdascope::triplets {

/// The terms Σ w_c ℓ(⟨M, H_c⟩ − τ_c + 1) of a general problem [T, §6.3] over a list of comparisons, as numbers of pairs
/// in contiguous arrays. Immutable.
///
/// Every item has a far and a near pair, H = δ_f δ_fᵀ − δ_n δ_nᵀ; where one is missing (bounds on one pair) it is
/// noPair(), which stands for a pair of equal rows: loops need no branch.
///
/// Equal comparisons (same pairs, same threshold) are merged into one with the sum of their weights: the same problem,
/// and fewer items. Items stand in the order of the list (of the first of their kind).
///
/// Memory: 48 bytes an item besides the PairTable.
class ComparisonSet final : public PairTable {
  public:
    /// All rows of `list` must be rows of x, both rows of a pair and both pairs of a comparison different. Errors:
    /// OutOfMemory beyond 2^31 pairs, with key problem.file; Stopped. Cost O(items · (log items + features)).
    static Result<ComparisonSet> build(const DenseRows& x, const ComparisonList& list, std::stop_token stop = {},
                                       Structure structure = Structure::Full);

    /// The same of objects of which nothing else is known (see PairTable): ids in `list` are in {0, …, objects − 1}.
    static Result<ComparisonSet> ofObjects(RowIndex objects, const ComparisonList& list, std::stop_token stop = {});

    /// The arrays of some items, aligned.
    struct Items {
        std::span<const PairIndex> far;
        std::span<const PairIndex> near;
        std::span<const double> threshold; ///< τ
        std::span<const double> weight;    ///< w
        std::span<const double> length;    ///< squaredLength of far plus that of near, at least ‖H‖
        [[nodiscard]] std::size_t size() const { return far.size(); }
    };

    [[nodiscard]] TripletIndex size() const { return static_cast<TripletIndex>(m_far.size()); }
    [[nodiscard]] Items items() const { return {m_far, m_near, m_threshold, m_weight, m_length}; }
    /// The number that stands for "no pair here": one beyond the last.
    [[nodiscard]] PairIndex noPair() const { return pairs(); }
    /// squaredLength(p), 0 for noPair().
    [[nodiscard]] double lengthOf(PairIndex p) const { return p == noPair() ? 0 : squaredLength(p); }
    /// An upper bound of ‖H‖² of an item, exact up to rounding.
    [[nodiscard]] double squaredNormOf(TripletIndex item) const {
        return m_squaredNorm[static_cast<std::size_t>(item)];
    }
    /// Line of the file where an item stands first; 0 when it came from nowhere.
    [[nodiscard]] std::int64_t line(TripletIndex item) const { return m_line[static_cast<std::size_t>(item)]; }

    /// max |τ|, and the most items that meet in one pair; for error bounds.
    [[nodiscard]] double largestThreshold() const { return m_largestThreshold; }
    [[nodiscard]] std::int64_t largestShare() const { return m_largestShare; }

    /// Comparisons that were merged into an equal one.
    [[nodiscard]] std::int64_t repeated() const { return m_repeated; }
    /// How often the list contradicts itself: two pairs ordered either way, or a pair with an upper bound below a lower
    /// one. That is allowed (the loss weighs the sides), and worth telling.
    [[nodiscard]] std::int64_t contradictions() const { return m_contradictions; }

    /// Weights of the linear term per pair, Σ w over target pairs; empty when there are none.
    [[nodiscard]] const std::vector<double>& targetWeights() const { return m_targetWeights; }

    [[nodiscard]] std::size_t bytes() const;

  private:
    ComparisonSet() = default;
    /// Of rows that are set.
    static Result<ComparisonSet> withItems(ComparisonSet set, const ComparisonList& list, const std::stop_token& stop);
    bool setItems(const ComparisonList& list, const std::stop_token& stop);
    bool mergeEqual(const ComparisonList& list, const std::vector<PairIndex>& far, const std::vector<PairIndex>& near,
                    std::vector<double>& weight, const std::stop_token& stop);
    bool setNorms(const std::stop_token& stop);
    void setTargets(const ComparisonList& list);
    void countContradictions();

    std::vector<PairIndex> m_far;
    std::vector<PairIndex> m_near;
    std::vector<double> m_threshold;
    std::vector<double> m_weight;
    std::vector<double> m_length;
    std::vector<double> m_squaredNorm;
    std::vector<std::int64_t> m_line;
    std::vector<double> m_targetWeights;
    double m_largestThreshold = 0;
    std::int64_t m_largestShare = 0;
    std::int64_t m_repeated = 0;
    std::int64_t m_contradictions = 0;
};

} // namespace lambdascope::triplets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/item_numbers.h"
#include "core/triplets/problem/quadratic_runs.h"
#include "core/triplets/problem/sorted_keys.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// What sums of product sets take.
struct SumCounts {
    std::int64_t entries = 0;      ///< sames and others
    std::int64_t visited = 0;      ///< triplets summed one by one
    std::int64_t sortedKeys = 0;   ///< of sets that are sorted
    std::int64_t sortedProbes = 0; ///< of these, with a loss that is neither zero nor linear with all keys
    std::int64_t walked = 0;       ///< keys of their quadratic runs

    void add(const SumCounts& other) {
        entries += other.entries;
        visited += other.visited;
        sortedKeys += other.sortedKeys;
        sortedProbes += other.sortedProbes;
        walked += other.walked;
    }
    void transfer(auto& archive) {
        auto& [all, single, keys, found, inRuns] = *this;
        archive(all, single, keys, found, inRuns);
    }
};

/// Sums over the triplets of one product set.
struct ProductTotals {
    double loss = 0;
    double alpha = 0;
    double squares = 0;
    double magnitude = 0; ///< Σ of the absolute terms of the loss, for its error
    double slack = 0;     ///< bound on Σ |error| over all weights (and over Σ α², Σ α) beyond relative rounding
    double reach = 0;     ///< by how much, at most, an error of a weight is multiplied in the loss
    SumCounts counts;
};

/// Loss and α sums over all triplets of a product set, margins t = other − same for every same ("key") and every other
/// value x ("probe"). Probes whose loss with all keys is zero, or linear, are counted. Where the others are few, or the
/// keys are, each of their triplets is visited. Else both are sorted. For each probe the keys fall into three runs:
/// zero loss (x − key ≥ 1), quadratic, and linear (1 − (x − key) ≥ s), whose ends rise with x. Linear runs are counted.
/// Quadratic runs are walked when short; long ones come from prefix sums of 1, k, k² and give their α back to the keys
/// through running sums. Sums of squares cancel, so prefix sums restart, about a centre of their own, in every cell of
/// width s: what is subtracted is then no larger than what is left.
///
/// Cost: O(1) per key and probe, that of sorting (SortedKeys), and that of the triplets visited or walked. Source: [T,
/// eq. 2.3]; the sorting is that of ranking with a linear loss [Joachims 2006].
class ProductSums {
  public:
    /// Σ over others of α per same value and Σ over sames of α per other value, all ≥ 0, go to the two weights. Values
    /// that are not finite make all totals NaN. With runs, these triplets alone are visited.
    ProductTotals sum(std::span<const double> sames, std::span<const double> others, double smoothing,
                      double* sameWeights, double* otherWeights, const QuadraticRuns& runs = {});

    /// Triplets of the set summed last, whose others are still there, with t > 1 and with t < 1 − edge; the same
    /// comparisons as triplet by triplet.
    void count(double edge, SetCounts& setCounts);

    [[nodiscard]] std::size_t bytes() const;

  private:
    struct ProbeSums {
        double alpha = 0;
        double squares = 0;
    };

    double setBetween(double lowest, double highest, double* alphas);
    [[nodiscard]] bool isVisited() const;
    ProbeSums visit(double linear, const QuadraticRuns& runs, double* alphas);
    ProbeSums sumSorted(double linear, double* alphas);
    void sort();
    void setCells();
    void walk(double x, std::int32_t begin, std::int32_t end, ProbeSums& sums);
    void sumRun(double x, std::int32_t begin, std::int32_t end, ProbeSums& sums);
    void finishKeys();

    double m_smoothing = 1;
    double m_inverse = 1; ///< 1 / smoothing
    bool m_mayPool = false;
    bool m_hasCells = false;
    double m_slack = 0;
    std::int64_t m_visited = 0;
    std::int64_t m_walked = 0;

    std::span<const double> m_given; ///< the keys, in their order
    bool m_isSorted = false;         ///< else m_sorted is of an earlier set
    SortedKeys m_sorted;
    std::span<const double> m_probes;
    std::vector<std::size_t> m_between; ///< probes whose loss is neither zero nor linear with all keys
    std::vector<double> m_betweenValues;
    SortedKeys m_sortedProbes;    ///< those between
    std::vector<double> m_padded; ///< the keys in groups, the last one filled up by some of no loss
    std::vector<double> m_keyWeights;
    std::vector<double> m_linearFrom; ///< probes whose linear run begins at this key or group; one more entry

    /// Per cell.
    struct Cell {
        std::int32_t begin = 0;
        std::int32_t end = 0;
        double centre = 0;
        double pieces = 0; ///< runs that were taken from it
    };
    std::vector<Cell> m_cells;
    std::vector<std::int32_t> m_cellOf; ///< per key
    std::vector<double> m_offset;       ///< per key: distance to its cell's centre
    std::vector<double> m_sum;          ///< Σ offsets in the cell up to and with the key
    std::vector<double> m_squareSum;    ///< Σ offsets²
    /// Per key: how many runs begin with it or end with it, and Σ of their 1 − (x − centre).
    std::vector<double> m_begins;
    std::vector<double> m_ends;
    std::vector<double> m_beginSum;
    std::vector<double> m_endSum;
};

} // namespace lambdascope::triplets

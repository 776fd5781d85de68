// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/item_numbers.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// What sums of product sets take besides going once through all values.
struct SumCounts {
    std::int64_t keys = 0;   ///< values sorted
    std::int64_t walked = 0; ///< of quadratic runs

    void add(const SumCounts& other) {
        keys += other.keys;
        walked += other.walked;
    }
    void transfer(auto& archive) {
        auto& [sorted, inRuns] = *this;
        archive(sorted, inRuns);
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

/// Loss and α sums over all triplets of a product set, margins t = other − same for every same and every other value,
/// without visiting each. The shorter list is sorted ("keys"); for each value x of the longer one ("probes") the keys
/// fall into three runs: zero loss (x − key ≥ 1), quadratic, and linear (1 − (x − key) ≥ s). Linear runs are counted.
/// Quadratic runs are walked when short; long ones come from prefix sums of 1, k, k² and give their α back to the keys
/// through running sums. Sums of squares cancel, so prefix sums restart, about a centre of their own, in every cell of
/// width s: what is subtracted is then no larger than what is left.
///
/// Cost: O(m log m + p) for m keys and p probes plus the walked triplets. Source: [T, eq. 2.3]; the sorting is that of
/// ranking with a linear loss [Joachims 2006].
class ProductSums {
  public:
    /// Σ over others of α per same value and Σ over sames of α per other value, all ≥ 0, go to the two weights. Values
    /// that are not finite make all totals NaN.
    ProductTotals sum(std::span<const double> sames, std::span<const double> others, double smoothing,
                      double* sameWeights, double* otherWeights);

    /// Triplets of the set summed last with t > 1 and with t < 1 − edge; the same comparisons as triplet by triplet.
    void count(double edge, SetCounts& setCounts) const;

    [[nodiscard]] std::size_t bytes() const;

  private:
    struct Key {
        double value = 0;
        std::int32_t index = 0;
    };
    struct ProbeSums {
        double alpha = 0;
        double squares = 0;
    };

    bool setKeys(std::span<const double> keys, double sign);
    bool setProbes(std::span<const double> probes, double sign);
    void setBuckets();
    void setCells();
    [[nodiscard]] std::int32_t bucketOf(double value) const;
    [[nodiscard]] std::int32_t firstAbove(double probe) const;
    ProbeSums sumProbe(double x);
    std::int32_t sumRun(double x, std::int32_t begin, ProbeSums& sums);
    void finishKeys();

    double m_smoothing = 1;
    double m_inverse = 1; ///< 1 / smoothing
    bool m_mayPool = false;
    bool m_hasCells = false;
    double m_slack = 0;
    std::int64_t m_walked = 0;

    std::vector<Key> m_order;
    std::vector<double> m_keys; ///< rising
    std::vector<double> m_probes;
    std::vector<double> m_keyWeights;
    std::vector<double> m_linearFrom;  ///< probes whose linear run begins at this key; one more entry than keys
    std::vector<std::int32_t> m_first; ///< first key of each bucket
    double m_bucketScale = 0;

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

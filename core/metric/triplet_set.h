// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/dataset.h"
#include "core/data/neighbours.h"
#include "core/metric/structure.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace lambdascope::metric {

/// Row number of the data; number of a pair; number of a triplet.
using RowIndex = std::int32_t;
using PairIndex = std::int32_t;
using TripletIndex = std::int64_t;

/// One triplet (i, j, l): j of the class of anchor i, l of another. H = (x_i − x_l)(x_i − x_l)ᵀ − (x_i − x_j)(x_i −
/// x_j)ᵀ, or the diagonal of that.
struct Triplet {
    RowIndex anchor = 0;
    RowIndex same = 0;
    RowIndex other = 0;
    bool operator==(const Triplet&) const = default;
};

/// The triplets of a data set [T, §2.1, §7]: for each anchor the product of its same-class and other-class neighbours,
/// kept as that product over a list of unique, unordered pairs of rows. Memory is linear in rows and pairs; triplets
/// are only numbered, never stored. Immutable.
///
/// Triplet (anchor i, s-th of its same list, o-th of its other list) has number
/// tripletOffset(i) + s · otherCount(i) + o.
///
/// Rows are shifted so that their mean is 0 (differences, and so the problem, do not change, but sums over rows cancel
/// less) and padded by zeros to a multiple of four columns for vector instructions. The shifted values, as rounded, are
/// the data of the problem.
class TripletSet {
  public:
    /// Builds from neighbour lists. Errors: OutOfMemory with key problem.k when there are more pairs than 32-bit
    /// numbers; Stopped. Cost O(pairs · (log pairs + features)).
    static Result<TripletSet> build(const DenseRows& x, const ClassNeighbours& neighbours, std::stop_token stop = {},
                                    Structure structure = Structure::Full);

    /// The structure of M, and with it the shape of H: d × d or, for the diagonal, d × 1.
    [[nodiscard]] Structure structure() const { return m_structure; }

    [[nodiscard]] RowIndex rows() const { return static_cast<RowIndex>(m_x.rows()); }
    [[nodiscard]] Eigen::Index features() const { return m_features; }
    [[nodiscard]] PairIndex pairs() const { return static_cast<PairIndex>(m_first.size()); }
    [[nodiscard]] TripletIndex triplets() const { return m_tripletOffset.back(); }

    /// rows × stride, columns from features() on are zero.
    [[nodiscard]] const DenseRows& paddedRows() const { return m_x; }
    [[nodiscard]] Eigen::Index stride() const { return m_x.cols(); }
    /// max ‖x_i‖ of the shifted rows.
    [[nodiscard]] double largestNorm() const { return m_largestNorm; }
    /// The mean that was subtracted, 1 × features.
    [[nodiscard]] const Eigen::RowVectorXd& mean() const { return m_mean; }

    /// Rows of pair p, first < second; pairs are sorted by (first, second).
    [[nodiscard]] RowIndex first(PairIndex p) const { return m_first[static_cast<std::size_t>(p)]; }
    [[nodiscard]] RowIndex second(PairIndex p) const { return m_second[static_cast<std::size_t>(p)]; }
    /// ‖δ‖² of δ = x_first − x_second, in the norm that makes it the Frobenius norm of the pair's part of H:
    /// ‖δδᵀ‖ = ‖δ‖₂² of the full structure, ‖δ∘δ‖ = ‖δ‖₄² of the diagonal. So (A − B)² ≤ ‖H‖² ≤ A² + B² for the two
    /// pairs of a triplet in either structure. Relative error at most 1e-13 up to a million features.
    [[nodiscard]] double squaredLength(PairIndex p) const { return m_squaredLength[static_cast<std::size_t>(p)]; }

    [[nodiscard]] std::int64_t sameOffset(RowIndex i) const { return m_sameOffset[static_cast<std::size_t>(i)]; }
    [[nodiscard]] std::int64_t otherOffset(RowIndex i) const { return m_otherOffset[static_cast<std::size_t>(i)]; }
    [[nodiscard]] std::int64_t sameCount(RowIndex i) const { return sameOffset(i + 1) - sameOffset(i); }
    [[nodiscard]] std::int64_t otherCount(RowIndex i) const { return otherOffset(i + 1) - otherOffset(i); }
    [[nodiscard]] TripletIndex tripletOffset(RowIndex i) const { return m_tripletOffset[static_cast<std::size_t>(i)]; }
    /// Pair of the s-th same-class (o-th other-class) neighbour, position counted over all anchors.
    [[nodiscard]] PairIndex samePair(std::int64_t position) const {
        return m_samePair[static_cast<std::size_t>(position)];
    }
    [[nodiscard]] PairIndex otherPair(std::int64_t position) const {
        return m_otherPair[static_cast<std::size_t>(position)];
    }
    /// The end of pair `p` that is not `anchor`.
    [[nodiscard]] RowIndex partner(PairIndex p, RowIndex anchor) const {
        return first(p) == anchor ? second(p) : first(p);
    }
    [[nodiscard]] Triplet triplet(TripletIndex number) const; ///< O(log rows)

    /// Longest list of neighbours of one anchor, and most pairs that meet in one row; for error bounds.
    [[nodiscard]] std::int64_t longestList() const { return m_longestList; }
    [[nodiscard]] std::int64_t largestDegree() const { return m_largestDegree; }

    /// Bytes held: rows · (8 stride + …) + pairs · 16 + 4 per entry of the neighbour lists.
    [[nodiscard]] std::size_t bytes() const;

  private:
    TripletSet() = default;
    void setRows(const DenseRows& x);
    bool setPairs(const ClassNeighbours& neighbours, const std::stop_token& stop);
    void setSizes();
    [[nodiscard]] PairIndex find(RowIndex a, RowIndex b, const std::vector<std::int64_t>& firstOffset) const;

    Structure m_structure = Structure::Full;
    DenseRows m_x;
    Eigen::RowVectorXd m_mean;
    Eigen::Index m_features = 0;
    double m_largestNorm = 0;
    std::vector<RowIndex> m_first;
    std::vector<RowIndex> m_second;
    std::vector<double> m_squaredLength;
    std::vector<std::int64_t> m_sameOffset;
    std::vector<std::int64_t> m_otherOffset;
    std::vector<PairIndex> m_samePair;
    std::vector<PairIndex> m_otherPair;
    std::vector<TripletIndex> m_tripletOffset;
    std::int64_t m_longestList = 0;
    std::int64_t m_largestDegree = 0;
};

} // namespace lambdascope::metric

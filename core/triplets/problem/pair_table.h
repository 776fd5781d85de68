// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "core/numeric/error_bound.h"
#include "core/triplets/problem/item_numbers.h"
#include "core/triplets/problem/structure.h"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace lambdascope::triplets {

/// Rows of a data set and the unique, unordered pairs of them that a problem compares: what every kind of comparison
/// (triplets, quadruplets, thresholds) has in common, and all that sums over pairs need. Memory 16 bytes a pair and
/// 8 (stride + 1) a row. Immutable once built.
///
/// Rows are shifted so that their mean is 0 (differences, and so the problem, do not change, but sums over rows cancel
/// less) and padded by zeros to a multiple of four columns for vector instructions. The shifted values, as rounded, are
/// the data of the problem.
///
/// Objects of which nothing is known but comparisons are the rows of an identity matrix, x_i = e_i: M is their Gram
/// matrix then, δ_pᵀMδ_p = M_ii + M_jj − 2 M_ij, and the optimum is centred, M1 = 0, since every H1 = 0. Their rows are
/// not shifted.
class PairTable {
  public:
    /// The structure of M, and with it the shape of H: d × d or, for the diagonal, d × 1.
    [[nodiscard]] Structure structure() const { return m_structure; }

    [[nodiscard]] RowIndex rows() const { return static_cast<RowIndex>(m_x.rows()); }
    [[nodiscard]] Eigen::Index features() const { return m_features; }
    [[nodiscard]] PairIndex pairs() const { return static_cast<PairIndex>(m_first.size()); }

    /// Whether the rows are x_i = e_i.
    [[nodiscard]] bool isIdentity() const { return m_isIdentity; }
    /// X A, where A has a row per feature.
    [[nodiscard]] DenseRows timesRows(const Eigen::MatrixXd& a) const;

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
    /// ‖δδᵀ‖ = ‖δ‖₂² of the full structure, ‖δ∘δ‖ = ‖δ‖₄² of the diagonal. So (A − B)² ≤ ‖H‖² ≤ A² + B² for two pairs
    /// in either structure. Relative error at most 1e-13 up to a million features.
    [[nodiscard]] double squaredLength(PairIndex p) const { return m_squaredLength[static_cast<std::size_t>(p)]; }
    /// Both rows of pair p; two equal ones for pairs(), the number beyond the last.
    [[nodiscard]] RowPair rowsOf(PairIndex p) const { return p == pairs() ? RowPair{} : RowPair{first(p), second(p)}; }
    /// The end of pair `p` that is not `row`.
    [[nodiscard]] RowIndex partner(PairIndex p, RowIndex row) const { return first(p) == row ? second(p) : first(p); }
    /// Number of the pair {a, b}, which must be in the table, in either order; O(log pairs of a row).
    [[nodiscard]] PairIndex find(RowIndex a, RowIndex b) const;

    /// Most pairs that meet in one row; for error bounds.
    [[nodiscard]] std::int64_t largestDegree() const { return m_largestDegree; }

    /// Bound on the error of a margin less its threshold, τ − (z_p − z_q), from that of a value z; values are at most
    /// 4 ρ² `size` for a matrix of that spectral norm, thresholds at most `largestThreshold`.
    [[nodiscard]] double marginError(double valueError, double size, double largestThreshold = 0) const {
        const double rho = m_largestNorm;
        return 2 * valueError + 4 * kUnitRoundoff * (1 + largestThreshold + 8 * rho * rho * size);
    }

    /// Bytes of rows and pairs.
    [[nodiscard]] std::size_t pairBytes() const;

  protected:
    PairTable() = default;
    ~PairTable() = default;
    PairTable(const PairTable&) = default;
    PairTable(PairTable&&) = default;
    PairTable& operator=(const PairTable&) = default;
    PairTable& operator=(PairTable&&) = default;

    /// Takes the rows, shifted and padded.
    void setRows(const DenseRows& x, Structure structure);
    /// So many rows x_i = e_i, of the full structure.
    void setObjects(RowIndex count);

    /// Takes the pairs. `visit(f)` must call f(a, b) for every pair of rows wanted, a ≠ b, in any order and as often as
    /// it likes, the same calls each time. False when stopped. Cost O(calls · log + pairs · features).
    template <class Visit>
    bool setPairs(Visit&& visit, const std::stop_token& stop) {
        // Buckets by the smaller row.
        std::vector<std::int64_t> bucket(static_cast<std::size_t>(rows()) + 1, 0);
        visit([&](RowIndex a, RowIndex b) { ++bucket[static_cast<std::size_t>(std::min(a, b)) + 1]; });
        for (std::size_t i = 1; i < bucket.size(); ++i) {
            bucket[i] += bucket[i - 1];
        }
        std::vector<RowIndex> larger(static_cast<std::size_t>(bucket.back()));
        std::vector<std::int64_t> next(bucket.begin(), bucket.end() - 1);
        visit([&](RowIndex a, RowIndex b) {
            larger[static_cast<std::size_t>(next[static_cast<std::size_t>(std::min(a, b))]++)] = std::max(a, b);
        });
        return setPairsFromBuckets(bucket, larger, stop);
    }

  private:
    bool setPairsFromBuckets(const std::vector<std::int64_t>& bucket, std::vector<RowIndex>& larger,
                             const std::stop_token& stop);
    void setLargestDegree();

    Structure m_structure = Structure::Full;
    bool m_isIdentity = false;
    DenseRows m_x;
    Eigen::RowVectorXd m_mean;
    Eigen::Index m_features = 0;
    double m_largestNorm = 0;
    std::vector<std::int64_t> m_firstOffset; ///< per row: its first pair as the smaller end
    std::vector<RowIndex> m_first;
    std::vector<RowIndex> m_second;
    std::vector<double> m_squaredLength;
    std::int64_t m_largestDegree = 0;
};

} // namespace lambdascope::triplets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/triplets/problem/metric_point.h"
#include "core/triplets/problem/pair_list.h"
#include "core/triplets/problem/pair_table.h"

#include <algorithm>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// A sum of weighted outer products (d × d), or of their diagonals (d × 1), and a bound on its error in the Frobenius
/// norm.
struct MatrixSum {
    Eigen::MatrixXd value;
    double error = 0;
};

/// Everything about triplets that can be had from pairs alone, δ_p = x_first − x_second:
/// ⟨H, Q⟩ = q_il − q_ij with q_p = δ_pᵀ Q δ_p, and Σ α H = Σ_p w_p δ_p δ_pᵀ with w_p = ± sums of α. Matrices have the
/// shape of the structure (structure.h): for the diagonal q_p = Σ_k q_k δ_pk² and the sum is Σ_p w_p δ_p∘δ_p.
///
/// Each operation visits only the pairs listed (all of them when the list is null), and where the list names its rows
/// only those. Costs: O(rows · d²) for one small product with the data, then O(d) per pair; for the diagonal O(rows ·
/// s) and O(s) per pair, where s is the number of features that q does not ignore; of objects, whose rows are those of
/// an identity matrix, O(1) per pair, and O(n²) once for the sum (simple_forms.cpp). Holds scratch of at most 2 rows ·
/// stride doubles.
class PairQuadraticForms {
  public:
    explicit PairQuadraticForms(const PairTable& triplets);

    using PairList = triplets::PairList;

    /// values[p] = ‖Lᵀδ_p‖² = δ_pᵀ M δ_p. False when stopped.
    bool distances(const MetricPoint& point, PairList pairs, StopCheck& stopCheck, std::vector<double>& values);
    /// values[p] = δ_pᵀ Q δ_p for a symmetric, possibly indefinite Q. Where there are many pairs, by Q = P Pᵀ − N Nᵀ as
    /// ‖Pᵀδ_p‖² − ‖Nᵀδ_p‖², which reads half as many numbers, and fewer still where Q has a low rank. False when
    /// stopped.
    bool forms(const Eigen::MatrixXd& q, PairList pairs, StopCheck& stopCheck, std::vector<double>& values);
    /// Σ_p weights[p] δ_p δ_pᵀ, as Xᵀ (Laplacian of the weighted graph of pairs) X; its diagonal term by term.
    /// `weightError` bounds the relative error of each weight. False when stopped.
    bool weightedSum(const std::vector<double>& weights, double weightError, PairList pairs, StopCheck& stopCheck,
                     MatrixSum& sum);

    /// Bound on the error of a value of `distances`, and of `forms`, for a matrix of that spectralBound().
    [[nodiscard]] double distanceError(double size) const;
    [[nodiscard]] double valueError(double size) const;
    /// Work of forms of so many pairs, about and without products with the rows; in the units of counted_work.h.
    [[nodiscard]] double workOfForms(std::int64_t pairs) const { return std::min(directWork(pairs), splitWork(pairs)); }
    /// Work of all calls, in the units of counted_work.h.
    [[nodiscard]] double countedWork() const { return m_work; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    /// Room for values by number or by place.
    void makeRoom(PairList pairs, std::vector<double>& values) const {
        values.resize(static_cast<std::size_t>(std::max<std::int64_t>(m_triplets.pairs(), countOf(pairs))));
    }
    [[nodiscard]] std::int64_t countOf(PairList pairs) const {
        return pairs != nullptr ? static_cast<std::int64_t>(pairs.size()) : m_triplets.pairs();
    }
    bool diagonalForms(const Eigen::MatrixXd& q, PairList pairs, StopCheck& stopCheck, std::vector<double>& values);
    const double* gatherColumns(const Eigen::MatrixXd& q, Eigen::Index& stride);
    bool diagonalSum(const std::vector<double>& weights, double weightError, PairList pairs, StopCheck& stopCheck,
                     MatrixSum& sum);

    /// Of forms of so many pairs without a decomposition of the matrix, and with one.
    [[nodiscard]] double directWork(std::int64_t pairs) const;
    [[nodiscard]] double splitWork(std::int64_t pairs) const;
    /// m_split ← columns of P, padded to groups of four, then those of N, also padded; m_positiveGroups how many of
    /// them are of P. False where rounding would show in the forms.
    bool split(const Eigen::MatrixXd& q, StopCheck& stopCheck);
    /// values[p] by m_split.
    bool splitForms(PairList pairs, StopCheck& stopCheck, std::vector<double>& values);

    /// q_p = Q_ii + Q_jj − 2 Q_ij, from 0 on where `isFeasible`: Q ⪰ 0, and less is rounding.
    bool objectForms(const Eigen::MatrixXd& q, bool isFeasible, PairList pairs, StopCheck& stopCheck,
                     std::vector<double>& values);
    /// The Laplacian of the weighted graph of pairs itself.
    bool objectSum(const std::vector<double>& weights, double weightError, PairList pairs, StopCheck& stopCheck,
                   MatrixSum& sum);

    /// The rows of a list where they are few; else null.
    [[nodiscard]] const std::vector<RowIndex>* fewRows(PairList pairs) const {
        const std::vector<RowIndex>* rows = pairs.rows();
        return rows != nullptr && 10 * std::ssize(*rows) <= std::int64_t{9} * m_triplets.rows() ? rows : nullptr;
    }
    /// m_image ← X · factor, columns padded, for the rows of the list.
    void setImage(const Eigen::MatrixXd& factor, Eigen::Index stride, PairList pairs);
    /// Xᵀ · m_spread over the rows of the list, which is symmetric.
    [[nodiscard]] Eigen::MatrixXd productWithSpread(PairList pairs);
    [[nodiscard]] std::int64_t rowsOf(PairList pairs) const {
        const std::vector<RowIndex>* few = fewRows(pairs);
        return few != nullptr ? std::ssize(*few) : m_triplets.rows();
    }

    const PairTable& m_triplets;
    DenseRows m_image;  ///< X L or X Q, columns padded like the data; diagonal: the columns of X that q does not ignore
    DenseRows m_spread; ///< Laplacian · X
    DenseRows m_part;   ///< some rows of X
    DenseRows m_partImage;
    Eigen::MatrixXd m_split;             ///< P and N, as columns in groups of four
    Eigen::Index m_positiveGroups = 0;   ///< of P
    std::vector<Eigen::Index> m_columns; ///< diagonal: which columns those are
    Eigen::ArrayXd m_scales;             ///< diagonal: entries of q for the columns of m_image, padded
    Eigen::ArrayXd m_batchSum;           ///< diagonal: sum over the pairs of a batch
    double m_work = 0;
};

} // namespace lambdascope::triplets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/thread_team.h"
#include "core/triplets/problem/metric_point.h"
#include "core/triplets/problem/pair_quadratic_forms.h"
#include "core/triplets/problem/triplet_set.h"

#include <iterator>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// How many anchors and entries lists have: the work of sums over them goes with these.
struct ListSize {
    std::int64_t anchors = 0;
    std::int64_t entries = 0;

    [[nodiscard]] static ListSize of(const ProductLists& lists) { return {std::ssize(lists.anchors), lists.entries()}; }
    /// Of the lists of all triplets.
    [[nodiscard]] static ListSize ofAll(const TripletSet& triplets);
};

/// What PairQuadraticForms does for unique pairs, anchor by anchor for the entries of ProductLists: values z_il = δᵀMδ
/// or δᵀQδ, δ = x_i − x_l, and Σ w_il δδᵀ for weights of either sign. Anchors are independent of each other, nothing is
/// stored per pair, and slices of anchors go to several threads; the slices, and so all bits, do not depend on how
/// many.
///
/// When most rows are in the lists (k = all) both are matrix products over blocks of anchors, with blocks of
/// kAnchorsPerBlock × rows as scratch; else entries are visited one by one. Error bounds hold for both and are
/// absolute: u ρ² times the size of the matrix, and u ρ² Σ |w|. A diagonal Q is a column, and so is its sum Σ w δ∘δ.
class AnchorQuadraticForms {
  public:
    /// Anchors per block of the matrix products, and least anchors per slice.
    static constexpr std::int64_t kAnchorsPerBlock = 32;

    /// A run of anchors of the lists, [begin, end).
    struct Slice {
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    AnchorQuadraticForms(const TripletSet& triplets, ThreadTeam& team);

    /// The slices that loops go over: at most kMostSlices.
    [[nodiscard]] static std::vector<Slice> slices(const ProductLists& lists);

    /// From now on values are those of the point, or of the symmetric matrix Q. False when stopped.
    bool setPoint(const MetricPoint& point, StopCheck& stopCheck);
    bool setForm(const Eigen::MatrixXd& q, StopCheck& stopCheck);

    /// What a worker needs besides the lists.
    struct Scratch {
        DenseRows left;             ///< images of the anchors of a block
        DenseRows block;            ///< products of the block's anchors with all rows, or their weights
        std::vector<double> values; ///< of the block's entries, or their weights
        Eigen::VectorXd column;     ///< Σ over the slice's anchors of their weight with each row

        [[nodiscard]] std::size_t bytes() const {
            return (static_cast<std::size_t>(left.size() + block.size() + column.size()) + values.capacity()) *
                   sizeof(double);
        }
    };

    /// Values of all entries of anchors [begin, end) of the lists to scratch.values, in order.
    void values(const ProductLists& lists, std::size_t begin, std::size_t end, Scratch& scratch) const;

    /// Starts a weighted sum.
    void beginSum();
    /// Adds the entries of anchors [begin, end), their weights in scratch.values, to the sum, and to scratch.column.
    void addWeights(const ProductLists& lists, std::size_t begin, std::size_t end, Scratch& scratch);
    /// Ends a weighted sum: `column` is the sum of all slices' columns, `weightSum` Σ |w|, `weightError` a bound on
    /// the relative error of the weights.
    bool finishSum(const ProductLists& lists, const Eigen::VectorXd& column, double weightSum, double weightError,
                   StopCheck& stopCheck, MatrixSum& sum);

    /// Bound on the error of a value for a matrix of that spectralBound().
    [[nodiscard]] double valueError(double size) const;
    /// Whether blocks of matrix products are the faster way for these lists.
    [[nodiscard]] bool isDense(const ListSize& lists) const;
    [[nodiscard]] bool isDense(const ProductLists& lists) const { return isDense(ListSize::of(lists)); }
    /// Operations per entry, for the stop check.
    [[nodiscard]] std::int64_t operations() const { return 6 * m_left.cols() + 20; }
    /// Work of values, and of a weighted sum, of all entries, in the units of counted_work.h.
    [[nodiscard]] double workOfValues(const ListSize& lists) const;
    [[nodiscard]] double workOfSum(const ListSize& lists) const;
    [[nodiscard]] double workOfValues(const ProductLists& lists) const { return workOfValues(ListSize::of(lists)); }
    [[nodiscard]] double workOfSum(const ProductLists& lists) const { return workOfSum(ListSize::of(lists)); }
    [[nodiscard]] std::size_t bytes() const;

  private:
    [[nodiscard]] double workOnEntries(const ListSize& lists, Eigen::Index width, double perEntry) const;
    void setImage(const Eigen::MatrixXd& factor);
    bool setDiagonal(const Eigen::MatrixXd& q, StopCheck& stopCheck);
    bool productWithRows(Eigen::MatrixXd& total, StopCheck& stopCheck);
    void denseValues(const ProductLists& lists, std::size_t begin, std::size_t end, Scratch& scratch) const;
    void listedValues(const ProductLists& lists, std::size_t begin, std::size_t end, Scratch& scratch) const;
    void addDense(const ProductLists& lists, std::size_t begin, std::size_t end, Scratch& scratch);
    void addListed(const ProductLists& lists, std::size_t begin, std::size_t end, Scratch& scratch);

    const TripletSet& m_triplets;
    ThreadTeam& m_team;
    DenseRows m_left;          ///< X L or X Q (diagonal: X diag(q)), columns padded to a multiple of four
    bool m_isForm = false;     ///< products are of m_left with the data, not with itself
    Eigen::VectorXd m_squares; ///< per row: the product with itself
    DenseRows m_spread;        ///< per anchor row: Σ_l w_il (x_i − x_l)
    Eigen::VectorXd m_rowSums; ///< per anchor row: Σ_l w_il
};

} // namespace lambdascope::triplets

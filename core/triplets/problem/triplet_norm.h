// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/triplet_set.h"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lambdascope {
class StateArchive;
}

namespace lambdascope::triplets {

/// ⟨aaᵀ, bbᵀ⟩ = (aᵀb)², or ⟨a∘a, b∘b⟩ = Σ a_k² b_k² for the diagonal, with a = x − other and b as it stands; rows of
/// `stride` numbers, a multiple of four.
[[nodiscard]] double pairProduct(const double* x, const double* other, const double* b, Eigen::Index stride,
                                 Structure structure);

/// ‖H‖² of the difference of two pairs' parts, from their norms A, B and inner product P ≤ A B, up to the rounding of
/// P, a sum over `features`: A² + B² − 2 P in a form that cancels less, and an upper bound.
[[nodiscard]] double squaredNormBound(double a, double b, double product, Eigen::Index features);

/// ‖H‖² of single triplets and comparisons in O(d), for either structure. Keeps the difference of the near pair, so
/// items that share it should come one after the other. Not thread-safe.
class TripletNorm {
  public:
    explicit TripletNorm(const PairTable& table) : m_table(table) {}

    /// An upper bound of ‖H‖², exact up to rounding, of an item by its pairs: that of the other class and that of the
    /// same one for triplets. table.pairs() stands for no pair.
    [[nodiscard]] double squared(PairIndex far, PairIndex near);

  private:
    const PairTable& m_table;
    PairIndex m_near = -1;
    Eigen::VectorXd m_difference; ///< of the near pair, padded
};

/// ‖H‖ of the triplets of a set. Those of an anchor are computed together when one of them is first asked for and kept,
/// since a path asks for the same ones at every λ; as floats, rounded up, so that whatever they decide, ‖H‖ itself
/// decides too. Memory: 4 bytes per triplet and row from the first anchor on; none in sets of more than kMostKept
/// triplets, of which none are kept.
class NormCache {
  public:
    static constexpr TripletIndex kMostKept = 1 << 25;
    /// Numbers behind a row that may be read besides, for loops that take several at a time.
    static constexpr std::size_t kPadding = 4;

    explicit NormCache(const TripletSet& triplets, TripletIndex mostKept = kMostKept);

    /// Whether norms are kept; else ofAnchor() must not be called.
    [[nodiscard]] bool keepsRows() const { return m_keepsRows; }
    /// ‖H‖/unit() of an anchor's triplets, by their numbers. Each is at least ‖H‖/unit() and at most a relative 3e-7
    /// more.
    [[nodiscard]] const float* ofAnchor(RowIndex anchor);
    /// The largest one of each row of an anchor, by the place of its same-class neighbour; of anchors that ofAnchor()
    /// was called with.
    [[nodiscard]] const float* mostOfAnchor(RowIndex anchor) const {
        return m_most.data() + m_triplets.sameOffset(anchor);
    }
    /// A power of two: quotients by it are near 1 on data of any scale, so that floats can hold them.
    [[nodiscard]] double unit() const { return m_unit; }

    /// ‖H‖² of a single triplet, not kept: an upper bound, exact up to the rounding of doubles.
    [[nodiscard]] double squared(PairIndex other, PairIndex same) {
        ++m_computed;
        return m_norm.squared(other, same);
    }

    /// How often a norm was computed.
    [[nodiscard]] std::int64_t computed() const { return m_computed; }

    /// Which norms are kept; they are computed again when that is read.
    void transfer(StateArchive& archive);

    [[nodiscard]] std::size_t bytes() const { return (m_kept.capacity() + m_most.capacity()) * sizeof(float); }
    /// Bytes held for a set of so many triplets once rows of it were asked for.
    [[nodiscard]] static double bytesFor(double triplets) {
        return triplets <= static_cast<double>(kMostKept) ? sizeof(float) * triplets : 0;
    }

  private:
    void compute(RowIndex anchor, float* norms);

    const TripletSet& m_triplets;
    TripletNorm m_norm;
    DenseRows m_sames;            ///< differences of the anchor at work; squared for the diagonal
    DenseRows m_others;           ///< of four others, a column each
    Eigen::ArrayXd m_sameLengths; ///< B
    bool m_keepsRows = false;
    double m_unit = 1;
    std::vector<float> m_most; ///< of m_kept, per row of triplets
    std::vector<float> m_kept; ///< ‖H‖/unit() by number of the triplet; 0 for not yet known
    std::int64_t m_computed = 0;
};

} // namespace lambdascope::triplets

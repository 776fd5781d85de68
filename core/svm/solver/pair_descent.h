// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace lambdascope::svm {

/// What a step over two coordinates changes. The second may be missing: then its place is −1.
struct PairStep {
    Eigen::Index first = -1;
    Eigen::Index second = -1;
    double firstChange = 0;
    double secondChange = 0;
    double gain = 0; ///< of the dual value, ≥ 0
};

/// Greedy ascent of the SVM's dual without bias, two coordinates at a time: the first is the one whose own exact step
/// gains most, the second the one that gains most together with it [Steinwart, Hush, Scovel 2011, JMLR 12, section 3].
/// Both searches and the update of all images are passes over contiguous numbers, 4 in all of the length of a row.
///
/// Members are places 0 … m − 1; f are the values Σ αⱼyⱼKᵢⱼ, so that the slope along αᵢ is yᵢfᵢ − tᵢ.
class PairDescent {
  public:
    using Array = Eigen::ArrayXd;

    /// `y` ±1, `diagonal` Kᵢᵢ, `thresholds` t, `images` f, all of length m; `images` is changed by the steps. They must
    /// outlive this. `alpha` and `upper` are of length m too; only the members at `visit` move.
    PairDescent(const Array& y, const Array& diagonal, const Array& thresholds,
                const Eigen::Ref<Eigen::VectorXd>& images, Array alpha, Array upper,
                const std::vector<std::int32_t>& visit);

    /// The coordinate whose own step gains most; −1 when none gains.
    [[nodiscard]] Eigen::Index best() const { return m_best; }
    /// The best step with coordinate best(), whose kernel row over the members is `row`. O(m).
    [[nodiscard]] PairStep plan(const double* row) const;
    /// Takes a step, whose changes become those that α has seen to the last bit; the rows are those of its coordinates
    /// (`secondRow` null without a second). O(m).
    void take(PairStep& step, const double* firstRow, const double* secondRow);

    [[nodiscard]] const Array& alpha() const { return m_alpha; }

  private:
    static constexpr Eigen::Index kBlock = 256; ///< members whose numbers stay in the first cache from pass to pass
    using Block = Eigen::Array<double, Eigen::Dynamic, 1, 0, kBlock, 1>;

    /// Moves α by about `change`; returns by how much exactly, up to half a unit in the last place of that.
    double move(Eigen::Index i, double change);
    /// Adds multiples of rows to the images (none when null) and finds the best coordinate.
    void sumAndSearch(double firstFactor, const double* firstRow, double secondFactor, const double* secondRow);

    const Array& m_y;
    const Array& m_diagonal;
    const Array& m_thresholds;
    Eigen::Ref<Eigen::VectorXd> m_images;
    Array m_inverse; ///< 1/Kᵢᵢ, huge for zero vectors
    Array m_alpha;
    Array m_upper;
    Array m_below; ///< −α: the room of each, 0 for those that are held
    Array m_above; ///< U − α, 0 too
    Eigen::Index m_best = -1;
};

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/thread_team.h"
#include "core/numeric/symmetric_products.h"
#include "core/triplets/problem/cone.h"
#include "core/triplets/solver/curvature_products.h"
#include "core/triplets/solver/working_set.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// Curvature of the dual function of a working set in √w a of some of its triplets: −∇²D = s I + B Bᵀ, where row t of B
/// is √w_t √Ω ∘ UᵀH_tU / √λ of the projection at hand (ConeProjection), without the entries where Ω is zero. With r
/// positive eigenvalues these are r(r + 1)/2 + r(d − r) numbers, of a diagonal M its r positive entries.
///
/// Systems are solved by a Cholesky factor of the smaller of s I + B Bᵀ and s I + BᵀB; of objects, where neither fits,
/// by conjugate gradients (CurvatureProducts).
class DualCurvature {
  public:
    enum class Outcome { Done, TooLarge, Stopped };

    /// `team` shares the products and factors; the bits do not depend on it.
    explicit DualCurvature(ThreadTeam& team) : m_team(team), m_products(team) {}

    /// Whether a system of so many triplets and numbers in a row of B is one that set() takes by a factor.
    [[nodiscard]] static bool holds(std::int64_t triplets, std::int64_t freedom);
    /// Whether set() takes one of `table` at all.
    [[nodiscard]] static bool takes(const PairTable& table, std::int64_t triplets, std::int64_t freedom) {
        return holds(triplets, freedom) || table.isIdentity();
    }
    /// Work of a step from so many triplets that are free to move, with a projection of that rank and so many numbers
    /// in a row of B.
    [[nodiscard]] static double workOf(const PairTable& table, std::int64_t free, std::int64_t rank,
                                       std::int64_t freedom);

    /// Takes the triplets `free`, positions in the set's list. TooLarge when B or a factor would take too much
    /// memory or time. Cost O(m n min(m, n)) for B of size m × n.
    Outcome set(const WorkingSet& set, const ConeProjection& cone, std::span<const std::size_t> free,
                StopCheck& stopCheck);

    /// The step that maximizes ascentᵀΔ − ½ Δᵀ(s I + B Bᵀ)Δ in the box low ≤ Δ ≤ high, which holds 0, by block
    /// principal pivoting [Júdice and Pires 1994]; an approximation in the box if that took too many rounds. Cost of
    /// one factor a round. Not finite when rounding made the system unsolvable. False when stopped. To be called once.
    bool solve(const Eigen::VectorXd& ascent, const Eigen::VectorXd& low, const Eigen::VectorXd& high,
               StopCheck& stopCheck, Eigen::VectorXd& step);

    /// Work since this was made, in the units of counted_work.h.
    [[nodiscard]] double countedWork() const { return m_work + m_products.countedWork(); }

  private:
    void setRows(const WorkingSet& set, const ConeProjection& cone, std::span<const std::size_t> free);
    bool addProducts(const RowBlock& rows, double sign, Eigen::MatrixXd& normal, StopCheck& stopCheck);
    bool spend(double work, StopCheck& stopCheck);
    [[nodiscard]] Eigen::VectorXd product(const Eigen::VectorXd& x);
    bool solveFree(const Eigen::VectorXd& ascent, const std::vector<Eigen::Index>& free, StopCheck& stopCheck,
                   Eigen::VectorXd& x);
    bool exchange(const std::vector<Eigen::Index>& wrong, const Eigen::VectorXd& low, const Eigen::VectorXd& high,
                  std::vector<bool>& isHeld, StopCheck& stopCheck, Eigen::VectorXd& step);

    ThreadTeam& m_team;
    CurvatureProducts m_products;
    bool m_isByProducts = false; ///< the system at hand is that of m_products
    double m_smoothing = 0;
    bool m_byColumns = false; ///< BᵀB is the smaller one
    DenseRows m_rows;         ///< B
    Eigen::MatrixXd m_normal; ///< lower triangle of B Bᵀ or BᵀB
    Eigen::MatrixXd m_factor;
    DenseRows m_image;        ///< X U
    Eigen::MatrixXd m_scales; ///< √Ω/√λ, off the diagonal times √2
    Eigen::VectorXd m_a;
    Eigen::VectorXd m_b;
    double m_work = 0;
};

} // namespace lambdascope::triplets

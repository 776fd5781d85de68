// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/thread_team.h"
#include "core/triplets/problem/cone.h"
#include "core/triplets/solver/working_set.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lambdascope::triplets {

/// The system (s I + B Bᵀ) x = y of DualCurvature without B, by conjugate gradients, for objects (PairTable) that are
/// too many for a matrix of it: with D = Σ_t √w_t x_t H_t over the triplets at hand,
///     (B Bᵀ x)_t = √w_t ⟨H_t, U (Ω ∘ UᵀDU) Uᵀ⟩/λ = √w_t ⟨H_t, Z U₊ᵀ + U₊ Zᵀ⟩/λ,    Z = U (Ω' ∘ UᵀD U₊),
/// where U₊ are the r eigenvectors of positive eigenvalues and Ω' the columns of Ω that belong to them, with half of
/// those among themselves.
///
/// A product takes 4 n² r multiplications, 2 n² r where few pairs of objects are concerned, and O(triplets) besides:
/// about an eigen-decomposition. So they are preconditioned by the same system with the mean of Ω in its place,
///     s I + (mean Ω/λ) K,    K_tu = √(w_t w_u) ⟨H_t, H_u⟩,
/// whose products take O(triplets) alone and which is solved by conjugate gradients of its own: triplets are few beside
/// the entries of a matrix and lie in no particular way to its axes, so that what Ω does to their sums is about what
/// its mean does.
class CurvatureProducts {
  public:
    /// `team` shares the products of matrices; the bits do not depend on it.
    explicit CurvatureProducts(ThreadTeam& team) : m_team(team) {}

    /// Takes the triplets `free`, positions in the set's list.
    void set(const WorkingSet& set, const ConeProjection& cone, std::span<const std::size_t> free);

    /// About the step that maximizes ascentᵀΔ − ½ Δᵀ(s I + B Bᵀ)Δ in the box low ≤ Δ ≤ high, which holds 0: conjugate
    /// gradients, again and again without what they drove out of the box, which is held at its edge. False when
    /// stopped.
    bool solve(const Eigen::VectorXd& ascent, const Eigen::VectorXd& low, const Eigen::VectorXd& high,
               StopCheck& stopCheck, Eigen::VectorXd& step);

    /// (s I + B Bᵀ) x. False when stopped.
    bool multiply(const Eigen::VectorXd& x, StopCheck& stopCheck, Eigen::VectorXd& image);

    /// The same with the mean of Ω in place of Ω; O(triplets).
    void multiplyByMean(const Eigen::VectorXd& x, Eigen::VectorXd& image);
    /// Products with Ω since this was made.
    [[nodiscard]] std::int64_t products() const { return m_products; }

    /// Work of a solution at a guess, and of all since this was made, in the units of counted_work.h.
    [[nodiscard]] static double workOfSolution(std::int64_t objects, std::int64_t rank);
    [[nodiscard]] double countedWork() const { return m_work; }

  private:
    [[nodiscard]] bool isSparse() const;
    void setPairValues(const Eigen::VectorXd& x);
    void setSums();
    template <class Make>
    bool inPanels(Eigen::Index columns, double work, StopCheck& stopCheck, const Make& make);
    bool project(StopCheck& stopCheck);
    void takeForms();
    bool solveFree(const Eigen::ArrayXd& isFree, StopCheck& stopCheck, Eigen::VectorXd& x, Eigen::VectorXd& rest);
    bool precondition(const Eigen::ArrayXd& isFree, const Eigen::VectorXd& residual, StopCheck& stopCheck,
                      Eigen::VectorXd& solution);

    ThreadTeam& m_team;
    double m_smoothing = 0;
    double m_mean = 0;              ///< of Ω/λ
    std::vector<RowPair> m_rows;    ///< of the pairs concerned
    std::vector<std::size_t> m_far; ///< of the triplets, places among these
    std::vector<std::size_t> m_near;
    Eigen::VectorXd m_roots;      ///< √w
    std::vector<double> m_values; ///< of the pairs: Σ ± √w x, then forms
    std::vector<double> m_sums;   ///< of objects: Σ ± √w x over the pairs that have them
    Eigen::MatrixXd m_vectors;    ///< U
    Eigen::MatrixXd m_scales;     ///< Ω'/λ, n × r
    Eigen::MatrixXd m_sum;        ///< D, then Z U₊ᵀ
    Eigen::MatrixXd m_image;      ///< D U₊, then Z
    Eigen::MatrixXd m_middle;     ///< Ω' ∘ UᵀD U₊
    double m_work = 0;
    std::int64_t m_products = 0;
};

} // namespace lambdascope::triplets

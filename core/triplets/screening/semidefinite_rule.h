// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/triplets/problem/pair_table.h"
#include "core/triplets/screening/region.h"
#include "core/triplets/screening/sphere_rule.h"

#include <cstdint>
#include <utility>

namespace lambdascope::triplets {

/// The rule over all M ⪰ 0 of a ball [T, §4.2, SDLS dual ascent]: R̂ when every such M has ⟨M, H⟩ > 1, L̂ when every one
/// has ⟨M, H⟩ < 1 − γ; with an item's threshold τ in place of 1 [T, §6.3].
///
/// For z ≥ 0, D(z) = 2z(⟨H,Q⟩ − C) − z²‖H‖² + ‖[Q − zH]₋‖² is a lower bound of ‖X − Q‖² over X ⪰ 0 with ⟨X,H⟩ ≤ C
/// (weak duality), so a z with D(z) > r² proves R̂ for C = τ; −H and C = γ − τ prove L̂. Without the last term its
/// maximum is the sphere rule.
///
/// In the eigenbasis of Q, Q − zH is a diagonal plus a matrix of rank two. When Q ⪰ 0 it has at most one negative
/// eigenvalue −m, and the z that belongs to an m has a closed form, so one evaluation of D and D' costs O(d). A ball
/// with an indefinite centre is first replaced by the smaller one round [Q]₊, which holds the same M ⪰ 0; only items
/// that this leaves open and no member of the region refutes need eigen-decompositions of d × d matrices.
///
/// Safe in floating point: D is bounded from below at the z found, with the Rayleigh quotient of the vector found in
/// place of −m; the radius pays for the residual of the eigenbasis, the edge τ or τ − γ for that of the rotated rows.
///
/// Cost O(d³ + rows d²) to set up; holds the rotated rows. When `stopCheck` says stop while an eigenbasis is made, no
/// item is decided any more. Not thread-safe.
class SemidefiniteRule {
  public:
    /// `stopCheck` has to outlive the rule.
    SemidefiniteRule(const PairTable& table, const Region& region, double gamma, StopCheck& stopCheck);

    /// Decision on H = aaᵀ − bbᵀ with the differences a and b of two pairs of rows: (anchor, other) and (anchor, same)
    /// of a triplet, two equal rows where a comparison has no such pair. What the sphere rule decides is taken for
    /// decided: where the cone adds nothing to the ball this rule does not repeat it.
    [[nodiscard]] Decision judge(const RowPair& far, const RowPair& near, double threshold = 1);

    /// Floating-point operations since the last call, roughly.
    [[nodiscard]] std::int64_t takeOperations() { return std::exchange(m_operations, 0); }

  private:
    /// One side of an item: is ⟨aaᵀ − bbᵀ, M⟩ > edge everywhere?
    struct Question {
        const Eigen::ArrayXd* a;
        const Eigen::ArrayXd* b;
        double aa = 0;
        double bb = 0;
        double ab = 0;
        double edge = 0;
        double squaredNorm = 0; ///< ‖H‖²
        double excess = 0;      ///< ⟨H, [Q]₊⟩ − edge
    };
    /// D and half its slope at one z.
    struct Trial {
        double z = 0;
        double value = 0;
        double slope = 0;
        double m = 0;        ///< −m is the smallest eigenvalue of [Q]₊ − zH
        double ratio = 0;    ///< the eigenvector is (a − ratio b)/(eigenvalues + m), not normalized
        double quotient = 0; ///< ⟨H, vvᵀ⟩ of the normalized one
    };

    void rotate(const Eigen::MatrixXd& vectors);
    [[nodiscard]] bool proves(const Question& question);
    [[nodiscard]] bool provesWithoutPositivePart(const Question& question);
    [[nodiscard]] Trial trialAt(const Question& question, double m);
    [[nodiscard]] bool certifies(const Question& question, const Trial& trial);
    [[nodiscard]] bool refutes(const Question& question, const Trial& trial);
    [[nodiscard]] bool provesByDecomposition(const Question& question, double z);

    const PairTable& m_table;
    double m_gamma;
    StopCheck* m_stopCheck;
    bool m_isUsable = false;
    Eigen::ArrayXd m_values;      ///< eigenvalues of Q
    Eigen::ArrayXd m_positive;    ///< their positive parts
    double m_negativeSquares = 0; ///< ‖[Q]₋‖², a lower bound
    double m_squaredRadius = 0;   ///< of the ball round Q, padded
    double m_positiveSquares = 0; ///< squared radius of the ball round [Q]₊, padded
    double m_size = 0;            ///< bound on ‖M‖ over the ball
    double m_rowError = 0;        ///< bound on the error of a rotated row
    DenseRows m_rows;             ///< rows in the eigenbasis
    Eigen::ArrayXd m_a;
    Eigen::ArrayXd m_b;
    Eigen::ArrayXd m_weights; ///< 1/(eigenvalue + m)
    Eigen::ArrayXd m_vector;
    std::int64_t m_operations = 0;
};

} // namespace lambdascope::triplets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/engines/loss_curvature.h"
#include "core/triplets/problem/cone.h"
#include "core/triplets/solver/inner_method.h"
#include "core/triplets/solver/reduced_objective.h"

#include <optional>

namespace lambdascope::triplets {

/// Semismooth Newton in the space of matrices, for whole product sets: where many triplets lie between the edges of the
/// loss, perhaps more than a system over triplets (NewtonMethod) can hold. M = [Z]₊ is the optimum when F(Z) = Z − Σ α
/// H/λ = 0 at that M. With Ω the derivative of the projection (ConeProjection), R = √Ω, and H the second derivative of
/// the loss, a step is
///     (λ I + R H R) y = −λ R F,   R ΔZ = y,   M ← [Z + tΔZ]₊,
/// as in [Zhao, Sun, Toh 2010]; the system is solved by conjugate gradients. They are preconditioned by the same
/// operator over a sample of the triplets [Erdogdu, Montanari 2015], factored once per λ, and anew where it serves
/// badly; in many dimensions by its diagonal. The sample is as large as the work of some products with H allows.
///
/// Screened triplets are still in H. As long as none of them lies between the edges that makes no difference; else the
/// step is somewhat short.
///
/// For full M of two features or more. Cost of a step: O(d) per entry of the lists, then O(d²) flops per row and O(d)
/// per entry with a triplet between the edges for each of some ten products with H, and one factor of size d(d + 1)/2
/// per λ.
class ConeNewton {
  public:
    /// `between` is how many entries of product sets have a triplet between the edges of the loss, as far as an earlier
    /// λ tells, 0 when unknown; steps note it there.
    ConeNewton(ReducedObjective& objective, const TripletSet& triplets, double lambda, std::int64_t& between,
               ThreadTeam& team);

    /// From a point and its state to a better one. Stalled when the step led to none.
    StepOutcome step(const MetricPoint& point, const ReducedState& state, MetricPoint& found, ReducedState& foundState);

    /// To be called when the iterate changed by other means than step().
    void forget() { m_isKnown = false; }

    /// Estimated work of the next step, and of each step after it; `perVisit` is the work of a sum over all triplets.
    [[nodiscard]] double workOfStep(double perVisit) const;
    [[nodiscard]] double workOfLaterStep(double perVisit) const;

  private:
    bool setOrigin(const MetricPoint& point, const ReducedState& state);
    [[nodiscard]] std::int64_t sampleSize() const;
    [[nodiscard]] double workOfPreconditioner() const;
    bool setPreconditioner();
    [[nodiscard]] Eigen::MatrixXd precondition(const Eigen::MatrixXd& residual);
    bool solve(const Eigen::MatrixXd& right, Eigen::MatrixXd& solution, Eigen::MatrixXd& image);
    bool multiply(const Eigen::MatrixXd& direction, Eigen::MatrixXd& image);
    StepOutcome search(const Eigen::MatrixXd& change, const ReducedState& state, MetricPoint& found,
                       ReducedState& foundState);
    [[nodiscard]] Eigen::Index packedSize() const;
    /// Estimated size of the lists of the items left, without making them.
    [[nodiscard]] ListSize listSize() const;
    /// Of those entries that have a triplet between the edges.
    [[nodiscard]] ListSize sizeBetween() const;
    void spend(double work);
    void count(double work) { m_objective.ledger().work += work; }
    void countVisit(double work, std::int64_t entries);

    ReducedObjective& m_objective;
    const TripletSet& m_triplets;
    double m_lambda;
    std::int64_t& m_between;
    ListSize m_allLists; ///< of all triplets
    ThreadTeam& m_team;
    LossCurvature m_curvature;
    bool m_isKnown = false;
    Eigen::MatrixXd m_z;
    ConeProjection m_cone;           ///< of Z
    Eigen::MatrixXd m_basis;         ///< U of the preconditioner; empty without one
    Eigen::MatrixXd m_factor;        ///< its Cholesky factor, or its diagonal as a column
    bool m_isFresh = false;          ///< the preconditioner is of the step at hand
    std::int64_t m_lastProducts = 0; ///< with H, in the last solve()
};

} // namespace lambdascope::triplets

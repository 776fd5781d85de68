// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/ordinal/problem/comparison_set.h"
#include "core/ordinal/problem/ordinal_config.h"
#include "core/ordinal/problem/points.h"
#include "core/run/known_lane.h"
#include "core/triplets/path/path_problem.h"
#include "core/triplets/problem/comparison_set.h"
#include "core/triplets/solver/accurate_points.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace lambdascope::ordinal {

class PreparedOrdinal;

/// The convex problem of ordinal embedding, GNMDS with a ridge [Agarwal et al. 2007], over centred Gram matrices:
///
///     min Σ_c w_c ℓ(d²(l_c, k_c) − d²(i_c, j_c)) + (λ/2) ‖G‖_F²,    G ⪰ 0, G1 = 0,    d²(i, j) = G_ii + G_jj − 2 G_ij,
///
/// where ℓ(t) is 0 from the margin on, and the hinge below it, smoothed over a width γ (LossTotals). It is the problem
/// of [T] over the rows of an identity matrix (triplets::PairTable), so that bounds, rules and methods are those of
/// core/triplets; the constraint G1 = 0 takes care of itself, since every H1 = 0. Comparisons of one kind are one item
/// with the sum of their weights.
///
/// Memory O(n²) per lane.
class GramProblem final : public triplets::PathProblem {
  public:
    /// The largest number of objects: of more, lanes hold a factor of their Gram matrix (FactorProblem).
    static constexpr ObjectIndex kMostObjects = 2000;

    /// From the training comparisons of an experiment. Errors: InvalidData where G = 0 is the solution for every λ;
    /// Stopped.
    static Result<std::unique_ptr<const GramProblem>> make(const OrdinalConfig& config, const ComparisonSet& train,
                                                           const std::stop_token& stop);

    [[nodiscard]] triplets::ProblemItems items() const override { return m_set; }
    [[nodiscard]] double gamma() const override { return m_gamma; }
    [[nodiscard]] const triplets::PathConfig& path() const override { return m_path; }
    [[nodiscard]] const triplets::LambdaMaxSolution& top() const override { return m_top; }
    [[nodiscard]] std::unique_ptr<triplets::Engine> makeEngine(triplets::EngineKind kind, int threads) const override;

    [[nodiscard]] const triplets::ComparisonSet& set() const { return m_set; }
    [[nodiscard]] const triplets::Lane& lane(std::size_t number) const { return m_lanes[number]; }
    [[nodiscard]] const std::shared_ptr<triplets::AccuratePoints>& accurate() const { return m_accurate; }
    /// What the oracle lane `lane` of `prepared` knows; null for other lanes.
    [[nodiscard]] std::unique_ptr<KnownLane> makeKnownLane(const PreparedOrdinal& prepared,
                                                           const triplets::Lane& lane) const;
    /// Where `lane` leaves its solutions for oracle lanes; null when none asks for them.
    [[nodiscard]] FinishedPoints* finishedPoints(const triplets::Lane& lane) const;

  private:
    GramProblem(const OrdinalConfig& config, triplets::ComparisonSet set, triplets::LambdaMaxSolution top);

    triplets::ComparisonSet m_set;
    triplets::LambdaMaxSolution m_top;
    triplets::PathConfig m_path;
    double m_gamma;
    std::vector<triplets::Lane> m_lanes;
    std::shared_ptr<triplets::AccuratePoints> m_accurate; ///< of all lenses: lanes have the same optima
    std::shared_ptr<FinishedPoints> m_finished;           ///< of lanes whose sets an oracle lane knows
};

/// That G = 0 is the solution for every λ.
[[nodiscard]] Failure contradictionFault();

/// X of the p longest axes of the solution of the convex problem at λ = share · λ_max, to a relative gap of 1e-3,
/// walked to from λ_max by halves. Nothing when stopped. Costs some ten eigen-decompositions of an n × n matrix per
/// halving.
[[nodiscard]] std::optional<Points> convexStart(const GramProblem& problem, double share, Eigen::Index p, int threads,
                                                const std::stop_token& stop);

} // namespace lambdascope::ordinal

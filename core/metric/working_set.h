// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/pair_space.h"
#include "core/metric/reduced_objective.h"

#include <vector>

namespace lambdascope::metric {

/// The reduced problem near a point M₀, seen through the triplets near the edges of the loss alone: the others keep
/// their α of M₀, 0 or 1, so they contribute a function that is linear in M. While no margin outside the set crosses
/// an edge, values and gradients are those of the whole problem, at the cost of the few triplets near the edges.
///
/// Nothing here carries an error bound: what a method finds with a working set is proved by visits to all triplets.
class WorkingSet {
  public:
    /// Value and gradient at a point, and the duality gap of the working set's problem.
    struct State {
        double value = 0;
        double gap = 0;
        double slack = 0; ///< s Σ α(1 − α): what smoothing costs a hinge
        Eigen::MatrixXd gradient;
    };

    WorkingSet(const TripletSet& triplets, double lambda) : m_triplets(triplets), m_space(triplets), m_lambda(lambda) {}

    enum class Outcome { Collected, TooMany, Stopped };
    /// Collects the active triplets with margins in [1 − s − reach, 1 + reach] at M₀, whose sums are `origin`.
    Outcome collect(ReducedObjective& objective, const MetricPoint& point, const ReducedState& origin, double reach,
                    std::size_t limit);

    /// False when stopped.
    bool evaluate(const MetricPoint& point, ReducedObjective& objective, State& state);
    /// Chooses the triplets with 0 < α < 1 of the last evaluation: the Hessian of the loss is (1/s) Σ ⟨·, H⟩ H over
    /// them.
    void setCurvature();
    /// image = (1/s) Σ ⟨direction, H⟩ H. False when stopped.
    bool curvature(const Eigen::MatrixXd& direction, ReducedObjective& objective, Eigen::MatrixXd& image);

    [[nodiscard]] std::size_t size() const { return m_near.size(); }

  private:
    void listPairs(const std::vector<PairedTriplet>& triplets, std::vector<PairIndex>& pairs);
    void spread(const std::vector<PairIndex>& pairs, const std::vector<PairedTriplet>& triplets,
                const std::vector<double>& weights);
    void setRows();

    const TripletSet& m_triplets;
    PairSpace m_space;
    double m_lambda;
    double m_smoothing = 0;
    std::vector<PairedTriplet> m_near;
    std::vector<PairIndex> m_pairs; ///< of m_near
    std::vector<double> m_alphas;   ///< of m_near, at the last evaluation
    Eigen::MatrixXd m_fixedPull;    ///< Σ α H over the others
    double m_fixedAlphas = 0;       ///< Σ α over the others
    std::vector<PairedTriplet> m_curved;
    std::vector<PairIndex> m_curvedPairs;
    std::vector<double> m_curvedWeights;
    DenseRows m_rows; ///< H of the curved triplets as rows, when that is cheaper than going by pairs
    Eigen::VectorXd m_products;
    std::vector<double> m_values;  ///< per pair
    std::vector<double> m_weights; ///< per pair
    std::vector<bool> m_isUsed;    ///< scratch of listPairs
};

} // namespace lambdascope::metric

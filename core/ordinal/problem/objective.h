// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/ordinal/problem/comparison_set.h"
#include "core/ordinal/problem/loss_model.h"
#include "core/ordinal/problem/points.h"

#include <vector>

namespace lambdascope::ordinal {

/// Value of the objective at a point, and how many comparisons it violates.
struct ObjectiveValue {
    double loss = 0;  ///< weighted mean of the losses
    double error = 0; ///< weighted share of comparisons with d(i,j) ≥ d(l,k)

    void transfer(auto& archive) {
        auto& [mean, share] = *this;
        archive(mean, share);
    }
};

/// The mean loss F(X) = Σ w_q ℓ(d²(i,j), d²(l,k)) / Σ w_q over a set of comparisons [O, (9)].
class Objective {
  public:
    /// `set` must outlive the objective and hold at least one comparison.
    Objective(const ComparisonSet& set, const ModelSpec& model) : m_set(&set), m_model(model) {}

    [[nodiscard]] const ComparisonSet& set() const { return *m_set; }
    [[nodiscard]] const ModelSpec& model() const { return m_model; }

    /// F(X) and the error; `gradient` (may be null) gets ∇F(X), n × p, `slopes` (may be null) the slopes of every
    /// comparison at X. Finite for every X whose entries are below 1e150. O(|Q| p). What comes back after `stopCheck`
    /// asked to stop is worth nothing.
    ObjectiveValue evaluate(const Points& x, Points* gradient, std::vector<Slopes>* slopes, StopCheck& stopCheck) const;

  private:
    const ComparisonSet* m_set;
    ModelSpec m_model;
};

/// Weighted share of comparisons with d(i,j) ≥ d(l,k); NaN for an empty set, 1 where X is not finite.
[[nodiscard]] double violatedShare(const ComparisonSet& set, const Points& x, StopCheck& stopCheck);

/// Calls `work` with a compile-time number of dimensions where that pays, else with 0.
template <class Work>
decltype(auto) withDimension(Eigen::Index p, Work&& work) {
    switch (p) {
    case 2: return work(std::integral_constant<int, 2>{});
    case 10: return work(std::integral_constant<int, 10>{});
    default: break;
    }
    return work(std::integral_constant<int, 0>{});
}

} // namespace lambdascope::ordinal

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/svm/problem/svm_problem.h"

#include <Eigen/Core>

#include <vector>

namespace lambdascope::svm {

/// The equations Q_SS x = b for subsets S of a set of free samples.
class FreeSetSystem {
  public:
    FreeSetSystem() = default;
    virtual ~FreeSetSystem() = default;
    FreeSetSystem(const FreeSetSystem&) = delete;
    FreeSetSystem& operator=(const FreeSetSystem&) = delete;

    /// Work of prepare() and one solve() for these samples (ascending), in operations of a sweep.
    [[nodiscard]] virtual double cost(const std::vector<SampleIndex>& samples, double members) const = 0;
    /// The set of free samples. False when `stopCheck` asked to stop.
    virtual bool prepare(const std::vector<SampleIndex>& samples, StopCheck& stopCheck) = 0;
    /// Replaces b, of the samples at the places `open` (ascending), by an x that comes near to solving the equations
    /// and points uphill; `image` becomes Q x for all free samples. False when there is none, or when `stopCheck` asked
    /// to stop.
    virtual bool solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
                       StopCheck& stopCheck) = 0;
    /// image = Q change, both of all free samples.
    virtual void multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) = 0;
};

} // namespace lambdascope::svm

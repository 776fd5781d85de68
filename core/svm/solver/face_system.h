// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/work_poll.h"
#include "core/svm/problem/svm_problem.h"

#include <Eigen/Core>

#include <vector>

namespace lambdascope::svm {

/// The equations Q_SS x = b for subsets S of a set of free samples.
class FaceSystem {
  public:
    FaceSystem() = default;
    virtual ~FaceSystem() = default;
    FaceSystem(const FaceSystem&) = delete;
    FaceSystem& operator=(const FaceSystem&) = delete;

    /// Work of prepare() and one solve() for these samples (ascending), in operations of a sweep.
    [[nodiscard]] virtual double cost(const std::vector<SampleIndex>& samples, double members) const = 0;
    /// The set of free samples. False when `poll` asked to stop.
    virtual bool prepare(const std::vector<SampleIndex>& samples, WorkPoll& poll) = 0;
    /// Replaces b, of the samples at the places `open` (ascending), by an x that comes near to solving the equations
    /// and points uphill; `image` becomes Q x for all free samples. False when there is none, or when `poll` asked to
    /// stop.
    virtual bool solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
                       WorkPoll& poll) = 0;
    /// image = Q change, both of all free samples.
    virtual void multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) = 0;
};

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/svm/problem/svm_problem.h"

#include <Eigen/Core>

#include <cmath>
#include <vector>

namespace lambdascope::svm {

/// How exact a solution need be.
struct FaceBox {
    Eigen::VectorXd below; ///< least x of all free samples: a solution that leaves it in many places will be cut off
    Eigen::VectorXd above; ///< and most
    double enough = 0;     ///< of Σ |b − Qx| (above − below)
};

/// The equations Q_SS x = b for subsets S of a set of free samples.
class FreeSetSystem {
  public:
    FreeSetSystem() = default;
    virtual ~FreeSetSystem() = default;
    FreeSetSystem(const FreeSetSystem&) = delete;
    FreeSetSystem& operator=(const FreeSetSystem&) = delete;

    /// Work of prepare() and one solve() for these samples (ascending), in operations of a sweep.
    [[nodiscard]] virtual double cost(const std::vector<SampleIndex>& samples, double members) const = 0;
    /// Numbers that each round of a step over so many samples reads, besides solving: the values of Q.
    [[nodiscard]] virtual double readPerRound(double size) const { return size * size; }
    /// The set of free samples. False when `stopCheck` asked to stop.
    virtual bool prepare(const std::vector<SampleIndex>& samples, StopCheck& stopCheck) = 0;
    /// Replaces b, of the samples at the places `open` (ascending), by an x that comes near to solving the equations
    /// and points uphill; `image` becomes Q x for all free samples. False when there is none, or when `stopCheck` asked
    /// to stop.
    virtual bool solve(const std::vector<Eigen::Index>& open, Eigen::VectorXd& b, Eigen::VectorXd& image,
                       StopCheck& stopCheck) = 0;
    /// The same with Σ yx = −excess over them, whatever that takes: the step of a free bias. `y` are those of all free
    /// samples.
    virtual bool solveBalanced(const std::vector<Eigen::Index>& open, const Eigen::VectorXd& y, double excess,
                               Eigen::VectorXd& b, Eigen::VectorXd& image, StopCheck& stopCheck) {
        const Eigen::VectorXd own = y(open);
        Eigen::VectorXd toY = own;
        Eigen::VectorXd imageOfY;
        if (!solve(open, b, image, stopCheck) || !solve(open, toY, imageOfY, stopCheck)) {
            return false;
        }
        const double share = (own.dot(b) + excess) / own.dot(toY);
        b -= share * toY;
        image -= share * imageOfY;
        return std::isfinite(share);
    }
    /// Comes near a solution step by step, each of which takes long.
    [[nodiscard]] virtual bool isIterative() const { return false; }
    /// For those.
    virtual void stayWithin(FaceBox) {}
    /// The last solution was left half-way because it leaves the box.
    [[nodiscard]] virtual bool isHalfWay() const { return false; }
    /// image = Q change, both of all free samples.
    virtual void multiply(const Eigen::VectorXd& change, Eigen::VectorXd& image) = 0;
};

} // namespace lambdascope::svm

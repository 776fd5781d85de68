// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::triplets {

/// Where the solution of a λ is to be expected, from those of the two λ before it: on the line through both in log λ,
///     M₀ + log(λ₀/λ)/log(λ₋₁/λ₀) · (M₀ − M₋₁).
/// M*(λ) bends where items enter or leave the smooth part of the loss; between, the line is off by O(log²), where M₀ is
/// off by O(log). It is a start like any other: what holds of the solution is proven there by its gap.
struct PathExtrapolation {
    Eigen::MatrixXd matrix; ///< M₋₁; empty where there is none
    double lambda = 0;      ///< λ₋₁
    int pause = 0;          ///< λ to pass before the line is followed again
    int delay = 1;          ///< the next pause, where it leads to no better point
    double miss = 0;        ///< how far M₀ was from the point on the line, projected if it was followed; 0 for none

    /// The point to follow the line to; empty while it is not followed.
    [[nodiscard]] Eigen::MatrixXd at(const Eigen::MatrixXd& last, double lastLambda, double target) const {
        return pause > 0 ? Eigen::MatrixXd() : expected(last, lastLambda, target);
    }
    /// The point on the line, M₀ being the solution of `lastLambda`; no feasible M, and empty where λ does not fall.
    [[nodiscard]] Eigen::MatrixXd expected(const Eigen::MatrixXd& last, double lastLambda, double target) const {
        if (matrix.size() == 0 || matrix.size() != last.size() ||
            !(lambda > lastLambda && lastLambda > target && target > 0)) {
            return {};
        }
        return last + std::log(lastLambda / target) / std::log(lambda / lastLambda) * (last - matrix);
    }

    enum class Outcome {
        NotTried,
        Better, ///< the function was lower there
        Worse,
    };
    /// For the next λ, after one that began at the solution `last` of `lastLambda`.
    [[nodiscard]] PathExtrapolation next(const Eigen::MatrixXd& last, double lastLambda, Outcome outcome,
                                         double distance = 0) const {
        PathExtrapolation path{last, lastLambda, std::max(pause - 1, 0), delay, distance};
        if (outcome == Outcome::Worse) {
            path.pause = std::exchange(path.delay, std::min(2 * delay, kLongestPause));
        } else if (outcome == Outcome::Better) {
            path.delay = 1;
        }
        return path;
    }

    void transfer(auto& archive) {
        auto& [m, of, wait, nextWait, off] = *this;
        archive(m, of, wait, nextWait, off);
    }

  private:
    static constexpr int kLongestPause = 32;
};

} // namespace lambdascope::triplets

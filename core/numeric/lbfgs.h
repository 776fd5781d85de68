// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <deque>
#include <functional>

namespace lambdascope {

/// Minimizes a smooth function by the limited-memory quasi-Newton method of [Liu and Nocedal 1989], with a line search
/// for the weak Wolfe conditions, which also serves functions with kinks [Lewis and Overton 2013].
///
///     Lbfgs search(function, start);
///     while (search.gradient().norm() > tolerance && search.iterate()) { … }
///
/// O(memory · n) per iteration besides the evaluations.
class Lbfgs {
  public:
    /// The value at x; `gradient` gets the gradient. A value that is not finite counts as too high.
    using Function = std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd& gradient)>;

    Lbfgs(Function function, Eigen::VectorXd start, std::size_t memory = 10);

    /// One step. The value never rises. False when there is no step that lowers it (rounding, or a kink): the point
    /// then stays what it is.
    bool iterate();

    [[nodiscard]] const Eigen::VectorXd& point() const { return m_x; }
    [[nodiscard]] const Eigen::VectorXd& gradient() const { return m_gradient; }
    [[nodiscard]] double value() const { return m_value; }
    [[nodiscard]] std::int64_t evaluations() const { return m_evaluations; }
    [[nodiscard]] double lastStep() const { return m_lastStep; } ///< length factor of the last step

    void transfer(auto& archive) {
        auto& [function, memory, x, gradient, value, lastStep, evaluations, pairs] = *this;
        archive(x, gradient, value, lastStep, evaluations, pairs);
    }

  private:
    struct Pair {
        Eigen::VectorXd move;   ///< s = Δx
        Eigen::VectorXd change; ///< y = Δ∇f
        double curvature = 0;   ///< sᵀy > 0

        void transfer(auto& archive) {
            auto& [s, y, product] = *this;
            archive(s, y, product);
        }
    };

    [[nodiscard]] Eigen::VectorXd direction() const;
    double evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& gradient);

    Function m_function;
    std::size_t m_memory;
    Eigen::VectorXd m_x;
    Eigen::VectorXd m_gradient;
    double m_value = 0;
    double m_lastStep = 0;
    std::int64_t m_evaluations = 0;
    std::deque<Pair> m_pairs;
};

} // namespace lambdascope

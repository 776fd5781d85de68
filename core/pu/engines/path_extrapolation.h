// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include <optional>

namespace lambdascope::pu {

/// Where scores go along a path of λ: optimal ones are piecewise linear in ε, so that the last two solutions tell where
/// those of the next λ are likely to lie. A guess, from which nothing may follow but where to begin.
class PathExtrapolation {
  public:
    /// Scores and the bias that belongs to them, at one ε.
    struct Place {
        double epsilon = 0;
        double bias = 0;
        Eigen::VectorXd scores;

        void transfer(auto& archive) {
            auto& [e, b, a] = *this;
            archive(e, b, a);
        }
    };

    PathExtrapolation() = default;
    /// From one solution to the next. O(n).
    PathExtrapolation(double epsilonBefore, double biasBefore, const Eigen::VectorXd& scoresBefore, double epsilon,
                      double bias, const Eigen::VectorXd& scores)
        : m_steps{epsilon - epsilonBefore, bias - biasBefore, scores - scoresBefore} {}

    /// What to expect at `epsilon`, coming from the later of the two solutions; nothing unless it lies further that way
    /// and not too far. O(n).
    [[nodiscard]] std::optional<Place> expectedAt(double epsilon, double lastEpsilon, double lastBias,
                                                  const Eigen::VectorXd& lastScores) const {
        const double ahead = (epsilon - lastEpsilon) / m_steps.epsilon;
        if (m_steps.scores.size() != lastScores.size() || !(ahead > 0 && ahead <= kFarthest)) {
            return std::nullopt;
        }
        return Place{epsilon, lastBias + ahead * m_steps.bias, lastScores + ahead * m_steps.scores};
    }
    [[nodiscard]] double bytes() const {
        return static_cast<double>(sizeof(double)) * static_cast<double>(m_steps.scores.size());
    }

    void transfer(auto& archive) {
        auto& [steps] = *this;
        archive(steps);
    }

  private:
    /// Steps of ε, in units of the last one, that a line is trusted for.
    static constexpr double kFarthest = 2;

    Place m_steps; ///< differences
};

} // namespace lambdascope::pu

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/engines/path_extrapolation.h"

namespace lambdascope::pu {

namespace {

/// Steps of ε, in units of the last one, that a line is trusted for.
constexpr double kFarthest = 2;

} // namespace

std::optional<PathExtrapolation::Place> PathExtrapolation::expectedAt(double epsilon, double lastEpsilon,
                                                                      double lastBias,
                                                                      const Eigen::VectorXd& lastScores) const {
    const double ahead = (epsilon - lastEpsilon) / m_steps.epsilon;
    if (m_steps.scores.size() != lastScores.size() || !(ahead > 0 && ahead <= kFarthest)) {
        return std::nullopt;
    }
    return Place{epsilon, lastBias + ahead * m_steps.bias, lastScores + ahead * m_steps.scores};
}

} // namespace lambdascope::pu

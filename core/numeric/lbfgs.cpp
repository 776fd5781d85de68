// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lambdascope {

namespace {

constexpr double kDecrease = 1e-4; ///< share of the promised decrease that a step has to keep
constexpr double kCurvature = 0.9; ///< share of the slope that may be left
constexpr int kMostTrials = 40;

} // namespace

Lbfgs::Lbfgs(Function function, Eigen::VectorXd start, std::size_t memory)
    : m_function(std::move(function)), m_memory(memory), m_x(std::move(start)) {
    m_value = evaluate(m_x, m_gradient);
}

double Lbfgs::evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    ++m_evaluations;
    const double value = m_function(x, gradient);
    return std::isfinite(value) && gradient.allFinite() ? value : std::numeric_limits<double>::infinity();
}

/// The two loops of [Nocedal 1980]: −H∇f.
Eigen::VectorXd Lbfgs::direction() const {
    Eigen::VectorXd q = -m_gradient;
    std::vector<double> shares(m_pairs.size());
    for (std::size_t i = m_pairs.size(); i-- > 0;) {
        shares[i] = m_pairs[i].move.dot(q) / m_pairs[i].curvature;
        q -= shares[i] * m_pairs[i].change;
    }
    if (!m_pairs.empty()) {
        q *= m_pairs.back().curvature / m_pairs.back().change.squaredNorm();
    }
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        q += (shares[i] - m_pairs[i].change.dot(q) / m_pairs[i].curvature) * m_pairs[i].move;
    }
    return q;
}

bool Lbfgs::iterate() {
    if (!std::isfinite(m_value)) {
        return false;
    }
    Eigen::VectorXd move = direction();
    double slope = move.dot(m_gradient);
    if (!(slope < 0) || !move.allFinite()) {
        m_pairs.clear();
        move = -m_gradient;
        slope = -m_gradient.squaredNorm();
    }
    if (!(slope < 0)) {
        return false;
    }
    double low = 0;
    double high = std::numeric_limits<double>::infinity();
    double step = m_pairs.empty() ? std::min(1.0, 1 / m_gradient.norm()) : 1.0;
    Eigen::VectorXd x;
    Eigen::VectorXd gradient;
    Eigen::VectorXd bestX;
    Eigen::VectorXd bestGradient;
    double best = m_value;
    for (int trial = 0; trial < kMostTrials; ++trial) {
        x = m_x + step * move;
        const double value = evaluate(x, gradient);
        const bool isLower = value <= m_value + kDecrease * step * slope;
        if (isLower && value < best) {
            best = value;
            bestX = x;
            bestGradient = gradient;
            m_lastStep = step;
        }
        if (!isLower) {
            high = step;
        } else if (gradient.dot(move) < kCurvature * slope) {
            low = step;
        } else {
            break;
        }
        step = std::isinf(high) ? 2 * low : (low + high) / 2;
    }
    if (bestX.size() == 0) {
        // Old curvature may mislead; the next call then starts from the gradient.
        const bool mayRetry = !m_pairs.empty();
        m_pairs.clear();
        return mayRetry && iterate();
    }
    Pair pair{bestX - m_x, bestGradient - m_gradient, 0};
    pair.curvature = pair.move.dot(pair.change);
    if (pair.curvature > 1e-14 * pair.move.norm() * pair.change.norm()) {
        m_pairs.push_back(std::move(pair));
        if (m_pairs.size() > m_memory) {
            m_pairs.pop_front();
        }
    }
    m_x = std::move(bestX);
    m_gradient = std::move(bestGradient);
    m_value = best;
    return true;
}

} // namespace lambdascope

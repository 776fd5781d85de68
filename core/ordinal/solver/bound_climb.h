// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/solver/factored_gram.h"
#include "core/ordinal/solver/points_search.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace lambdascope::ordinal {

/// Climbs the lower bound D(α, Y) of FactoredGram at one λ, by turns: Y by L-BFGS on the distance to the cone, α by
/// accelerated projected gradients in the metric of 1/w [Beck and Teboulle 2009], begun anew where they fall.
class BoundClimb {
  public:
    BoundClimb(const FactoredGram& problem, double lambda, std::vector<double> alphas, Points polar, double curvature,
               StopCheck& stopCheck)
        : m_problem(problem), m_lambda(lambda), m_alphas(std::move(alphas)), m_y(std::move(polar)),
          m_curvature(curvature), m_stopCheck(stopCheck) {
        (void)m_problem.setPolar(m_y, m_polar, m_stopCheck);
        m_value = m_problem.dual(m_alphas, m_polar, m_lambda, nullptr);
    }

    [[nodiscard]] Bounded bound() const { return m_problem.boundedDual(m_alphas, m_polar, m_lambda); }

    /// Takes these α where they are better.
    void offer(const std::vector<double>& alphas) {
        const double value = m_problem.dual(alphas, m_polar, m_lambda, nullptr);
        if (value > m_value) {
            m_alphas = alphas;
            m_value = value;
        }
    }

    /// False when stopped.
    bool turn() { return improvePolar() && improveAlphas(); }

    [[nodiscard]] const std::vector<double>& alphas() const { return m_alphas; }
    [[nodiscard]] const Points& polar() const { return m_y; }
    [[nodiscard]] double curvature() const { return m_curvature; }

  private:
    /// Steps of each kind in a turn.
    static constexpr int kPolarSteps = 5;
    static constexpr int kAlphaSteps = 20;
    static constexpr double kMostCurvature = 1e300;

    bool improvePolar() {
        std::vector<double> weights;
        m_problem.pairWeights(m_alphas, weights);
        Lbfgs search = searchFrom(m_y, [&](Eigen::Ref<const Points> y, Eigen::Ref<Points> gradient) {
            return m_problem.distanceToCone(y, weights, 1, gradient, m_stopCheck);
        });
        for (int step = 0; step < kPolarSteps && !m_stopCheck.isStopped() && search.iterate(); ++step) {
        }
        if (m_stopCheck.isStopped()) {
            return false;
        }
        m_y = pointOf(search, m_y.cols());
        if (!m_problem.setPolar(m_y, m_polar, m_stopCheck)) {
            return false;
        }
        m_value = m_problem.dual(m_alphas, m_polar, m_lambda, nullptr);
        return true;
    }

    bool improveAlphas() {
        const auto& items = m_problem.set().items();
        const auto work = static_cast<std::int64_t>(20 * items.size() + 20 * m_problem.set().pairs().size());
        std::vector<double> from = m_alphas; // extrapolated
        std::vector<double> gradient;
        std::vector<double> next(from.size());
        double inertia = 1;
        m_curvature /= 2;
        for (int step = 0; step < kAlphaSteps && m_curvature < kMostCurvature; ++step) {
            const double value = m_problem.dual(from, m_polar, m_lambda, &gradient);
            double reached = 0;
            for (; m_curvature < kMostCurvature; m_curvature *= 2) {
                double gain = 0;
                for (std::size_t c = 0; c < next.size(); ++c) {
                    const double weight = items[c].weight;
                    next[c] = std::clamp(from[c] + weight * gradient[c] / m_curvature, 0.0, weight);
                    const double move = next[c] - from[c];
                    gain += move * (gradient[c] - 0.5 * m_curvature * move / weight);
                }
                reached = m_problem.dual(next, m_polar, m_lambda, nullptr);
                if (m_stopCheck.spend(work)) {
                    return false;
                }
                if (reached >= value + gain - 1e-13 * std::abs(value)) {
                    break;
                }
            }
            if (!(reached > m_value)) {
                if (inertia == 1) {
                    break;
                }
                inertia = 1; // went too far
                from = m_alphas;
                continue;
            }
            const double grown = (1 + std::sqrt(1 + 4 * inertia * inertia)) / 2;
            const double share = (inertia - 1) / grown;
            for (std::size_t c = 0; c < next.size(); ++c) {
                from[c] = std::clamp(next[c] + share * (next[c] - m_alphas[c]), 0.0, items[c].weight);
            }
            inertia = grown;
            std::swap(m_alphas, next);
            m_value = reached;
        }
        return true;
    }

    const FactoredGram& m_problem;
    double m_lambda;
    std::vector<double> m_alphas;
    Points m_y;
    double m_curvature;
    StopCheck& m_stopCheck;
    FactoredGram::Polar m_polar;
    double m_value = 0;
};

} // namespace lambdascope::ordinal

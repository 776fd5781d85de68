// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/problem/pu_problem.h"

#include "core/numeric/error_bound.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope::pu {

PuProblem::PuProblem(std::shared_ptr<const PuSpace> space, double prior) : m_space(std::move(space)), m_prior(prior) {
    const auto n = static_cast<double>(unlabeled());
    double mass = 2 * prior * n;
    // A share of whole samples is one to the last bit, so that solutions without fractional s exist.
    if (std::abs(mass - std::round(mass)) <= 1e-12 * mass) {
        mass = std::round(mass);
    }
    m_mass = std::clamp(quantized(mass), kQuantum, 2 * n);
    const double largest = m_space->norms().tail(unlabeled()).size() > 0 ? m_space->norms().maxCoeff() : 0.0;
    const double length = m_mass * largest; // of Σ sφ, and of the positives' part, at most
    m_largestNorm = 2 * length * (1 + 8 * kUnitRoundoff);
    m_valueError = pull() * m_space->attractionError() + 4 * kUnitRoundoff * length +
                   (m_space->isLinear() ? 0.0 : m_space->valueError() * length);
}

} // namespace lambdascope::pu

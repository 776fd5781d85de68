// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/sample_space.h"

#include "core/svm/kernel_space.h"
#include "core/svm/linear_space.h"

#include <numeric>

namespace lambdascope::svm {

void SampleSpace::load(const SolvedSvm& start, double c) {
    const double scale = c / start.c;
    m_c = c;
    m_alpha = scale * start.alpha;
    for (SampleIndex i = 0; i < m_problem.size(); ++i) {
        // A bound stays one to the last bit.
        m_alpha(i) = start.alpha(i) >= start.c * m_problem.weights()(i) ? upper(i) : std::min(m_alpha(i), upper(i));
    }
    m_members.assign(1, std::vector<SampleIndex>(static_cast<std::size_t>(m_problem.size())));
    std::iota(m_members.front().begin(), m_members.front().end(), SampleIndex{0});
    m_norm = scale * std::sqrt(start.squaredNorm.upper());
    const double length = m_alpha.dot(m_problem.norms());
    m_drift = scale * start.drift + 8 * kUnitRoundoff * length;
    loaded(start, scale);
}

void SampleSpace::narrow(const std::vector<std::int32_t>& positions) {
    const std::vector<SampleIndex>& from = m_members.back();
    std::vector<SampleIndex> fewer(positions.size());
    std::transform(positions.begin(), positions.end(), fewer.begin(),
                   [&](std::int32_t p) { return from[static_cast<std::size_t>(p)]; });
    m_members.push_back(std::move(fewer));
    narrowed(positions);
}

double SampleSpace::marginError() const {
    if (m_problem.isLinear()) {
        return m_drift + roundingFactor(static_cast<double>(m_problem.features().features())) * m_norm;
    }
    return m_drift + 1.01 * m_problem.productError() * m_alpha.dot(m_problem.norms());
}

void SampleSpace::book(std::int64_t count, double moved) {
    // Each move rounds a product and a sum: u |Δ|‖z‖ and u times what comes out, which is at most ‖w‖‖zᵢ‖.
    m_norm += moved;
    m_drift += 1.1 * kUnitRoundoff * (static_cast<double>(count) * m_norm + 2 * moved);
}

std::unique_ptr<SampleSpace> makeSpace(const SvmProblem& problem) {
    if (problem.isLinear()) {
        return std::make_unique<LinearSpace>(problem);
    }
    return std::make_unique<KernelSpace>(problem);
}

} // namespace lambdascope::svm

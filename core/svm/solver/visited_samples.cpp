// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/solver/visited_samples.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lambdascope::svm {

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Share of members still of interest below which their data are moved together.
constexpr double kWorthNarrowing = 0.8;

} // namespace

void VisitedSamples::shrinkBeyond(const SweepOutcome& sweep) {
    m_limits = {sweep.highest > 0 ? sweep.highest : kNoLimit, sweep.lowest < 0 ? sweep.lowest : -kNoLimit};
}

void VisitedSamples::visitAll() {
    m_positions.clear();
    std::int32_t k = 0;
    for (const SampleIndex i : m_space.members()) {
        if (m_screening.isOpen(i)) {
            m_positions.push_back(k);
        }
        ++k;
    }
    m_limits = {kNoLimit, -kNoLimit};
}

void VisitedSamples::widenToWhole(StopCheck& stopCheck) {
    while (m_space.depth() > m_wholeDepth) {
        m_space.widen(stopCheck);
    }
}

void VisitedSamples::widenToAll(StopCheck& stopCheck) {
    m_wholeDepth = 1;
    widenToWhole(stopCheck);
}

bool VisitedSamples::isWorthNarrowing(std::int64_t updates) const {
    const auto visited = static_cast<double>(count());
    const auto width = static_cast<double>(m_space.members().size());
    if (m_problem.isLinear()) {
        return visited <= kWorthNarrowing * width;
    }
    if (!isWhole() || visited <= kWorthNarrowingRows * width) {
        return visited <= kWorthNarrowingRows * width;
    }
    // On the way back the others catch up on the moves of the free samples, a row for each.
    const auto free = static_cast<double>(std::count_if(m_positions.begin(), m_positions.end(), [this](std::int32_t k) {
        const SampleIndex i = m_space.members()[static_cast<std::size_t>(k)];
        return m_space.alpha()(i) > 0 && m_space.alpha()(i) < m_space.upper(i);
    }));
    return static_cast<double>(updates) * (width - visited) >= free * static_cast<double>(m_problem.size());
}

bool VisitedSamples::moveTogether(std::int64_t updates) {
    if (m_positions.empty() || !isWorthNarrowing(updates)) {
        return false;
    }
    const bool holdsAll = isWhole();
    std::sort(m_positions.begin(), m_positions.end());
    m_space.narrow(m_positions);
    std::iota(m_positions.begin(), m_positions.end(), 0);
    if (holdsAll) {
        m_wholeDepth = m_space.depth();
    }
    return true;
}

} // namespace lambdascope::svm

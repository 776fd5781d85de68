// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/solver/gap_cache.h"

namespace lambdascope::pu {

void GapCache::expect(const BiasRange& biases, double reach) {
    m_biases = biases;
    m_reach = reach;
}

BiasRange GapCache::biasesOf(const PuView& view, double nextReach) {
    const BiasRange about = near();
    const BiasRange found = optimalBias(view, &about);
    expect(found, nextReach);
    return found;
}

void GapCache::look(const PuView& view, std::int64_t steps, double nextReach) {
    m_found.biases = biasesOf(view, nextReach);
    m_found.gap = gapUpperBound(view, m_found.biases.middle());
    m_steps = steps;
    m_members = view.members.size();
}

const KnownGap* GapCache::ofAll(std::int64_t steps, SampleIndex count) const {
    return isAt(steps) && m_members == static_cast<std::size_t>(count) ? &m_found : nullptr;
}

} // namespace lambdascope::pu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_engine.h"

namespace lambdascope::pu {

/// The optimal biases and the gap of the members as they were last looked at, and where the next biases are likely to
/// be: around the last ones.
class GapCache {
  public:
    /// Biases known from elsewhere, and how far from them the next ones may be.
    void expect(const BiasRange& biases, double reach) {
        m_biases = biases;
        m_reach = reach;
    }
    /// The optimal biases of a view alone, looked for around the last ones.
    BiasRange biasesOf(const PuView& view, double nextReach) {
        const BiasRange about = near();
        const BiasRange found = optimalBias(view, &about);
        expect(found, nextReach);
        return found;
    }
    /// Biases and gap of a view, after `steps` steps.
    void look(const PuView& view, std::int64_t steps, double nextReach) {
        m_found.biases = biasesOf(view, nextReach);
        m_found.gap = gapUpperBound(view, m_found.biases.middle());
        m_steps = steps;
        m_members = view.members.size();
    }
    /// Members or scores change without a step.
    void forget() { m_steps = -1; }

    [[nodiscard]] bool isAt(std::int64_t steps) const { return m_steps == steps; }
    [[nodiscard]] const KnownGap& found() const { return m_found; }
    /// What was found, if it was with `count` members after `steps` steps; else null.
    [[nodiscard]] const KnownGap* ofAll(std::int64_t steps, SampleIndex count) const {
        return isAt(steps) && m_members == static_cast<std::size_t>(count) ? &m_found : nullptr;
    }
    [[nodiscard]] BiasRange near() const { return {m_biases.low - m_reach, m_biases.high + m_reach}; }

  private:
    KnownGap m_found;
    std::int64_t m_steps = -1; ///< −1: nothing is known
    std::size_t m_members = 0;
    BiasRange m_biases; ///< the last ones known
    double m_reach = 0;
};

} // namespace lambdascope::pu

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/resting_samples.h"

#include <algorithm>

namespace lambdascope::pu {

std::int64_t RestingSamples::wake(std::span<const double> scores, double bias, double epsilon) {
    const BiasRange at{bias, bias};
    std::int64_t woken = 0;
    for (std::size_t u = 0; u < m_verdicts.size(); ++u) {
        if (m_verdicts[u] != Verdict::Keep && m_verdicts[u] != judge(scores[u], 0, epsilon, at)) {
            m_verdicts[u] = Verdict::Keep;
            ++woken;
        }
    }
    return woken;
}

std::int64_t RestingSamples::count() const {
    return std::ssize(m_verdicts) - std::count(m_verdicts.begin(), m_verdicts.end(), Verdict::Keep);
}

} // namespace lambdascope::pu

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/resting_samples.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::pu {

std::int64_t RestingSamples::wake(std::span<const double> scores, double bias, double epsilon) {
    std::int64_t woken = 0;
    for (std::size_t u = 0; u < m_verdicts.size(); ++u) {
        const double z = scores[u] + bias;
        const Verdict now = z < -epsilon ? Verdict::Zero : z > epsilon ? Verdict::Full : Verdict::Half;
        if (m_verdicts[u] != Verdict::Keep && m_verdicts[u] != now) {
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/solver/provisional_fixing.h"

#include <algorithm>

namespace lambdascope::pu {

std::int64_t ProvisionalFixing::wake(std::span<const double> scores, double bias, double epsilon) {
    constexpr std::size_t kBlock = 256;
    double states[kBlock]; // by the scores; no decision between them
    std::int64_t woken = 0;
    for (std::size_t from = 0; from < m_decisions.size(); from += kBlock) {
        const std::size_t count = std::min(kBlock, m_decisions.size() - from);
        const double* const score = scores.data() + from;
        for (std::size_t k = 0; k < count; ++k) { // without branches
            const double z = score[k] + bias;
            const double inside = ((z > -epsilon) & (z < epsilon)) ? 1 : 9;
            const double below = z < -epsilon ? 0 : inside;
            states[k] = z > epsilon ? 2 : below;
        }
        Decision* const decision = m_decisions.data() + from;
        for (std::size_t k = 0; k < count; ++k) {
            const bool isWrong = (decision[k] != Decision::Keep) & (static_cast<double>(decision[k]) != states[k]);
            decision[k] = isWrong ? Decision::Keep : decision[k];
            woken += isWrong ? 1 : 0;
        }
    }
    return woken;
}

std::int64_t ProvisionalFixing::count() const {
    return std::ssize(m_decisions) - std::count(m_decisions.begin(), m_decisions.end(), Decision::Keep);
}

} // namespace lambdascope::pu

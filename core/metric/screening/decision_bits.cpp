// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/screening/decision_bits.h"

#include <algorithm>

namespace lambdascope::metric {

DecisionBits::DecisionBits(const TripletSet& triplets)
    : m_triplets(triplets), m_offset(static_cast<std::size_t>(triplets.rows()) + 1, 0) {
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        const auto row = static_cast<std::size_t>(i);
        m_offset[row + 1] = m_offset[row] + static_cast<std::size_t>(triplets.sameCount(i)) * width(i);
    }
    m_open.resize(m_offset.back());
    m_linear.resize(m_offset.back());
    openAll();
}

void DecisionBits::openAll() {
    std::fill(m_linear.begin(), m_linear.end(), Word{0});
    for (RowIndex i = 0; i < m_triplets.rows(); ++i) {
        const std::size_t words = width(i);
        const auto rest = static_cast<unsigned>(m_triplets.otherCount(i) % 64);
        for (std::int64_t s = 0; s < m_triplets.sameCount(i); ++s) {
            Word* bits = open(i, s);
            std::fill_n(bits, words, ~Word{0});
            if (rest != 0) {
                bits[words - 1] = (Word{1} << rest) - 1;
            }
        }
    }
}

} // namespace lambdascope::metric

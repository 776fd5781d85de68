// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/problem/problem_items.h"

#include <algorithm>

namespace lambdascope::metric {

ProblemItem ProblemItems::at(TripletIndex number) const {
    if (m_comparisons != nullptr) {
        return comparison(static_cast<std::size_t>(number));
    }
    const RowIndex anchor = m_triplets->triplet(number).anchor;
    const TripletIndex within = number - m_triplets->tripletOffset(anchor);
    const std::int64_t others = m_triplets->otherCount(anchor);
    return {m_triplets->otherPair(m_triplets->otherOffset(anchor) + within % others),
            m_triplets->samePair(m_triplets->sameOffset(anchor) + within / others)};
}

} // namespace lambdascope::metric

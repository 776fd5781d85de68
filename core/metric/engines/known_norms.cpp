// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/engines/known_norms.h"

#include "core/metric/engines/bit_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::metric {

KnownNorms::KnownNorms(const TripletSet& triplets, TripletIndex mostKept) : m_triplets(triplets), m_norm(triplets) {
    const double square = triplets.largestNorm() * triplets.largestNorm();
    if (std::isnormal(square)) {
        m_unit = std::exp2(std::ilogb(square));
        m_keepsRows = triplets.triplets() <= mostKept;
    }
}

const float* KnownNorms::row(RowIndex anchor, std::int64_t same, std::int64_t base, std::int64_t count) {
    if (m_kept.empty()) {
        m_kept.assign(static_cast<std::size_t>(m_triplets.triplets()) + kGroupSize, 0);
    }
    float* norms = m_kept.data() + m_triplets.tripletOffset(anchor) + same * m_triplets.otherCount(anchor) + base;
    if (norms[0] == 0) {
        const PairIndex samePair = m_triplets.samePair(m_triplets.sameOffset(anchor) + same);
        const std::int64_t first = m_triplets.otherOffset(anchor) + base;
        for (std::int64_t o = 0; o < count; ++o) {
            const double norm = std::sqrt(squared(m_triplets.otherPair(first + o), samePair)) / m_unit;
            norms[o] = std::max(static_cast<float>(norm * (1 + 1.5e-7)), std::numeric_limits<float>::min());
        }
    }
    return norms;
}

} // namespace lambdascope::metric

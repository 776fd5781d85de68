// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/problem/triplet_norm.h"

#include "core/numeric/error_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::metric {

namespace {

using Four = Eigen::Array4d;
using FourMap = Eigen::Map<const Four>;

} // namespace

double pairProduct(const double* x, const double* other, const double* b, Eigen::Index stride, Structure structure) {
    Four sum = Four::Zero();
    if (structure == Structure::Diagonal) {
        for (Eigen::Index c = 0; c < stride; c += 4) {
            const Four product = (FourMap(x + c) - FourMap(other + c)) * FourMap(b + c);
            sum += product * product;
        }
        return sum.sum();
    }
    for (Eigen::Index c = 0; c < stride; c += 4) {
        sum += (FourMap(x + c) - FourMap(other + c)) * FourMap(b + c);
    }
    return sum.sum() * sum.sum();
}

double squaredNormBound(double a, double b, double product, Eigen::Index features) {
    const double error = roundingFactor(8 * static_cast<double>(features) + 40);
    return (a - b) * (a - b) + 2 * std::max(a * b - product, 0.0) + error * (a + b) * (a + b);
}

double TripletNorm::squared(PairIndex far, PairIndex near) {
    const PairIndex none = m_table.pairs();
    const double a = far == none ? 0 : m_table.squaredLength(far);
    const double b = near == none ? 0 : m_table.squaredLength(near);
    if (far == none || near == none) {
        return squaredNormBound(a, b, 0, m_table.features()); // a or b is 0
    }
    const Eigen::Index stride = m_table.stride();
    const double* rows = m_table.paddedRows().data();
    if (m_near != near) {
        m_near = near;
        using Row = Eigen::Map<const Eigen::VectorXd>;
        m_difference =
            Row(rows + m_table.first(near) * stride, stride) - Row(rows + m_table.second(near) * stride, stride);
    }
    // The sign of either difference does not matter to the square.
    const double product = pairProduct(rows + m_table.first(far) * stride, rows + m_table.second(far) * stride,
                                       m_difference.data(), stride, m_table.structure());
    return squaredNormBound(a, b, product, m_table.features());
}

NormCache::NormCache(const TripletSet& triplets, TripletIndex mostKept) : m_triplets(triplets), m_norm(triplets) {
    const double square = triplets.largestNorm() * triplets.largestNorm();
    if (std::isnormal(square)) {
        m_unit = std::exp2(std::ilogb(square));
        m_keepsRows = triplets.triplets() <= mostKept;
    }
}

const float* NormCache::row(RowIndex anchor, std::int64_t same, std::int64_t base, std::int64_t count) {
    if (m_kept.empty()) {
        m_kept.assign(static_cast<std::size_t>(m_triplets.triplets()) + kPadding, 0);
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

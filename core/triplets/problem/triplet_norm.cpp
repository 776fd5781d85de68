// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/triplet_norm.h"

#include "core/common/state_archive.h"
#include "core/numeric/error_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::triplets {

namespace {

using Four = Eigen::Array4d;
using FourMap = Eigen::Map<const Four>;
constexpr Eigen::Index kFour = 4;

/// Bound on the rounding of a squared norm, over (A + B)².
double normError(Eigen::Index features) {
    return roundingFactor(8 * static_cast<double>(features) + 40);
}

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
    const double error = normError(features);
    return (a - b) * (a - b) + 2 * std::max(a * b - product, 0.0) + error * (a + b) * (a + b);
}

double TripletNorm::squared(PairIndex far, PairIndex near) {
    const PairIndex none = m_table.pairs();
    const double a = far == none ? 0 : m_table.squaredLength(far);
    const double b = near == none ? 0 : m_table.squaredLength(near);
    if (far == none || near == none) {
        return squaredNormBound(a, b, 0, m_table.features()); // a or b is 0
    }
    if (m_table.isIdentity()) {
        // aᵀb is 1 or −1 of two pairs with an object in common, else 0.
        const RowPair f = m_table.rowsOf(far);
        const RowPair n = m_table.rowsOf(near);
        return f.a == n.a || f.a == n.b || f.b == n.a || f.b == n.b ? 6 : 8;
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

const float* NormCache::ofAnchor(RowIndex anchor) {
    if (m_kept.empty()) {
        m_kept.assign(static_cast<std::size_t>(m_triplets.triplets()) + kPadding, 0);
        m_most.assign(static_cast<std::size_t>(m_triplets.sameOffset(m_triplets.rows())), 0);
    }
    float* norms = m_kept.data() + m_triplets.tripletOffset(anchor);
    if (*mostOfAnchor(anchor) == 0) { // which is at hand where the norms themselves may not be
        compute(anchor, norms);
    }
    return norms;
}

/// Four others at a time, so that what is known of these stays at hand for all sames.
void NormCache::compute(RowIndex anchor, float* norms) {
    const std::int64_t sames = m_triplets.sameCount(anchor);
    const std::int64_t others = m_triplets.otherCount(anchor);
    const Eigen::Index d = m_triplets.features();
    const bool isDiagonal = m_triplets.structure() == Structure::Diagonal;
    const auto differenceOf = [&](PairIndex pair) {
        const RowPair rows = m_triplets.rowsOf(pair);
        const auto difference = m_triplets.paddedRows().row(rows.a) - m_triplets.paddedRows().row(rows.b);
        return isDiagonal ? difference.cwiseAbs2().eval() : difference.eval();
    };
    m_sames.resize(sames, m_triplets.stride());
    m_sameLengths.resize(sames);
    for (std::int64_t s = 0; s < sames; ++s) {
        const PairIndex pair = m_triplets.samePair(m_triplets.sameOffset(anchor) + s);
        m_sames.row(s) = differenceOf(pair);
        m_sameLengths[s] = m_triplets.squaredLength(pair);
    }
    float* most = m_most.data() + m_triplets.sameOffset(anchor);
    std::fill_n(most, sames, 0.0F);
    m_others.resize(m_triplets.stride(), kFour);
    const double error = normError(d);
    for (std::int64_t begin = 0; begin < others; begin += kFour) {
        const std::int64_t count = std::min<std::int64_t>(kFour, others - begin);
        Four a;
        for (Eigen::Index o = 0; o < kFour; ++o) {
            const std::int64_t other = begin + std::min<std::int64_t>(o, count - 1);
            const PairIndex pair = m_triplets.otherPair(m_triplets.otherOffset(anchor) + other);
            m_others.col(o) = differenceOf(pair).transpose();
            a[o] = m_triplets.squaredLength(pair);
        }
        for (std::int64_t s = 0; s < sames; ++s) {
            const double* same = m_sames.data() + s * m_sames.cols();
            Four product = Four::Zero();
            for (Eigen::Index k = 0; k < d; ++k) {
                product += same[k] * FourMap(m_others.data() + kFour * k);
            }
            // squaredNormBound() of each.
            const double b = m_sameLengths[s];
            const Four twice = 2 * (b * a - (isDiagonal ? product : Four(product.square()))).max(0.0);
            const Four squares = (a - b).square() + twice + error * (a + b).square();
            const Four kept = squares.sqrt() * ((1 + 1.5e-7) / m_unit);
            for (std::int64_t o = 0; o < count; ++o) {
                const float norm = std::max(static_cast<float>(kept[o]), std::numeric_limits<float>::min());
                norms[s * others + begin + o] = norm;
                most[s] = std::max(most[s], norm);
            }
        }
    }
    m_computed += sames * others;
}

void NormCache::transfer(StateArchive& archive) {
    std::vector<std::uint8_t> isKept; // by anchor; empty while nothing is
    const auto hasTriplets = [this](RowIndex anchor) {
        return m_triplets.sameCount(anchor) > 0 && m_triplets.otherCount(anchor) > 0;
    };
    for (RowIndex anchor = 0; !m_kept.empty() && anchor < m_triplets.rows(); ++anchor) {
        const auto first = static_cast<std::size_t>(m_triplets.tripletOffset(anchor));
        isKept.push_back(hasTriplets(anchor) && m_kept[first] != 0 ? 1 : 0);
    }
    archive(isKept);
    if (!archive.isReading() || isKept.empty()) {
        return;
    }
    if (!m_keepsRows || std::ssize(isKept) != m_triplets.rows()) {
        archive.refuse();
        return;
    }
    for (RowIndex anchor = 0; anchor < m_triplets.rows(); ++anchor) {
        if (isKept[static_cast<std::size_t>(anchor)] != 0 && hasTriplets(anchor)) {
            (void)ofAnchor(anchor);
        }
    }
}

} // namespace lambdascope::triplets

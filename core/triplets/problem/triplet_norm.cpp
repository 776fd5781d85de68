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
    if (norms[0] == 0) {
        compute(anchor, norms);
    }
    return norms;
}

void NormCache::compute(RowIndex anchor, float* norms) {
    const std::int64_t sames = m_triplets.sameCount(anchor);
    const std::int64_t others = m_triplets.otherCount(anchor);
    const DenseRows& x = m_triplets.paddedRows();
    const bool isDiagonal = m_triplets.structure() == Structure::Diagonal;
    const auto setDifferences = [&](DenseRows& differences, Eigen::ArrayXd& lengths, std::int64_t count,
                                    const auto& pairOf) {
        differences.resize(count, x.cols());
        lengths.resize(count);
        for (std::int64_t at = 0; at < count; ++at) {
            const RowPair rows = m_triplets.rowsOf(pairOf(at));
            differences.row(at) = x.row(rows.a) - x.row(rows.b);
            lengths[at] = m_triplets.squaredLength(pairOf(at));
        }
        if (isDiagonal) {
            differences = differences.cwiseAbs2();
        }
    };
    setDifferences(m_sames, m_sameLengths, sames,
                   [&](std::int64_t s) { return m_triplets.samePair(m_triplets.sameOffset(anchor) + s); });
    setDifferences(m_others, m_otherLengths, others,
                   [&](std::int64_t o) { return m_triplets.otherPair(m_triplets.otherOffset(anchor) + o); });
    m_products.noalias() = m_sames * m_others.transpose();
    m_computed += sames * others;
    const double error = normError(m_triplets.features());
    for (std::int64_t s = 0; s < sames; ++s, norms += others) {
        // squaredNormBound() of each.
        const double b = m_sameLengths[s];
        const auto a = m_otherLengths.transpose();
        const auto products = m_products.row(s).array();
        // All of a row in doubles: casts among them would keep these loops from taking several at a time.
        if (isDiagonal) {
            m_norms = b * a - products;
        } else {
            m_norms = b * a - products.square();
        }
        m_norms = (a - b).square() + 2 * m_norms.max(0.0) + error * (a + b).square();
        m_norms = m_norms.sqrt() * ((1 + 1.5e-7) / m_unit);
        for (std::int64_t o = 0; o < others; ++o) {
            norms[o] = std::max(static_cast<float>(m_norms[o]), std::numeric_limits<float>::min());
        }
        const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> row(norms, others);
        m_most[static_cast<std::size_t>(m_triplets.sameOffset(anchor) + s)] = row.maxCoeff();
    }
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/engines/block_judge.h"

#include "core/common/byte_count.h"
#include "core/metric/engines/bit_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::metric {

namespace {

constexpr double kSlack = SeparableNormBound::kSlack;
static_assert(NormCache::kPadding >= kGroupSize);

} // namespace

void BlockJudge::setAnchor(RowIndex anchor, const std::vector<double>& q, double scale, const SphereRule& rule) {
    m_rule = &rule;
    m_q = &q;
    m_scale = scale;
    m_anchor = anchor;
    const auto others = static_cast<std::size_t>(m_triplets.otherCount(anchor));
    const std::size_t padded = (others + kGroupSize - 1) / kGroupSize * kGroupSize;
    m_value.resize(padded);
    m_length.resize(padded);
    while (m_places.size() < padded) {
        m_places.push_back(std::uint64_t{1} << (m_places.size() % 64));
    }
    const std::int64_t offset = m_triplets.otherOffset(anchor);
    double total = 0;
    for (std::size_t o = 0; o < others; ++o) {
        const PairIndex pair = m_triplets.otherPair(offset + static_cast<std::int64_t>(o));
        m_value[o] = scale * q[static_cast<std::size_t>(pair)];
        m_length[o] = m_triplets.squaredLength(pair);
        total += m_length[o];
    }
    m_bound = SeparableNormBound(others > 0 ? total / static_cast<double>(others) : 0, rule.radius());
    m_largest = 1;
    m_longest = 0;
    m_leastZero = std::numeric_limits<double>::infinity();
    m_mostLinear = -m_leastZero;
    for (std::size_t o = 0; o < others; ++o) {
        const double length = m_length[o];
        const double reach = m_bound.ofOther(length);
        m_longest = std::max(m_longest, length);
        m_largest = std::max(m_largest, std::abs(m_value[o]) + reach);
        m_leastZero = std::min(m_leastZero, m_value[o] - reach);
        m_mostLinear = std::max(m_mostLinear, m_value[o] + reach);
    }
    for (std::size_t o = others; o < padded; ++o) {
        m_value[o] = m_length[o] = 0;
    }
}

BlockJudge::Decisions BlockJudge::judge(const ActiveBlock& block) {
    const PairIndex same = m_triplets.samePair(m_triplets.sameOffset(m_anchor) + block.same);
    const double q = m_scale * (*m_q)[static_cast<std::size_t>(same)];
    const double b = m_triplets.squaredLength(same);
    const double reach = m_bound.ofSame(b);
    // Each side of the comparisons is a few operations on numbers of that size.
    const double pad = m_rule->marginError() + 16 * kUnitRoundoff * (m_largest + std::abs(q) + reach);
    if (m_leastZero > 1 + q + reach + pad) {
        return {block.mask, 0};
    }
    if (m_mostLinear < m_rule->lowerEdge() + q - reach - pad) {
        return {0, block.mask};
    }
    return m_norms.keepsRows() ? judgeByNorms(block, q) : judgeByBounds(block, same, q);
}

BlockJudge::Decisions BlockJudge::judgeByNorms(const ActiveBlock& block, double q) {
    const auto base = static_cast<std::size_t>(block.base);
    const std::size_t width = std::min<std::size_t>(64, m_value.size() - base);
    const float* norms = m_norms.row(m_anchor, block.same, block.base,
                                     std::min<std::int64_t>(64, m_triplets.otherCount(m_anchor) - block.base));
    const double* values = m_value.data() + base;
    const std::uint64_t* places = m_places.data() + base;
    const double radius = m_rule->radius() * m_norms.unit() * (1 + kSlack);
    const double b = m_triplets.squaredLength(m_triplets.samePair(m_triplets.sameOffset(m_anchor) + block.same));
    const double rounding = 8 * kUnitRoundoff * (m_largest + std::abs(q) + m_rule->radius() * (m_longest + b));
    const double zeroLimit = 1 + m_rule->marginError() + rounding;
    const double linearLimit = m_rule->lowerEdge() - m_rule->marginError() - rounding;
    std::uint64_t zero = 0;
    std::uint64_t linear = 0;
    for (std::size_t o = 0; o < width; ++o) {
        const double margin = values[o] - q;
        const double reach = radius * static_cast<double>(norms[o]);
        zero |= margin - reach > zeroLimit ? places[o] : 0;
        linear |= margin + reach < linearLimit ? places[o] : 0;
    }
    return {zero & block.mask, linear & block.mask};
}

BlockJudge::Decisions BlockJudge::judgeByBounds(const ActiveBlock& block, PairIndex same, double q) {
    const double b = m_triplets.squaredLength(same);
    const double radius = m_rule->radius();
    const auto base = static_cast<std::size_t>(block.base);
    const std::size_t width = std::min<std::size_t>(64, m_value.size() - base);
    const double* values = m_value.data() + base;
    const double* lengths = m_length.data() + base;
    const std::uint64_t* places = m_places.data() + base;
    std::uint64_t open = 0;
    for (std::size_t o = 0; o < width; ++o) {
        // Undecided even with the least norm there could be; rounding may only lose decisions here.
        const double margin = values[o] - q;
        const double reach = radius * std::abs(lengths[o] - b) * (1 - kSlack);
        open |= ((margin - reach > 1) | (margin + reach < m_rule->lowerEdge())) ? places[o] : 0;
    }
    return judgeEach(block, same, q, open & block.mask);
}

BlockJudge::Decisions BlockJudge::judgeEach(const ActiveBlock& block, PairIndex same, double q, std::uint64_t open) {
    const double b = m_triplets.squaredLength(same);
    Decisions found;
    m_judgedSingly += std::popcount(open);
    for (; open != 0; open &= open - 1) {
        const int bit = std::countr_zero(open);
        const auto o = static_cast<std::size_t>(block.base + bit);
        const double margin = m_value[o] - q;
        Decision decision = m_rule->look(margin, m_length[o], b);
        if (decision == Decision::Unsure) {
            const PairIndex other =
                m_triplets.otherPair(m_triplets.otherOffset(m_anchor) + static_cast<std::int64_t>(o));
            decision = m_rule->judge(margin, m_norms.squared(other, same));
        }
        found.zero |= std::uint64_t{decision == Decision::Zero} << bit;
        found.linear |= std::uint64_t{decision == Decision::Linear} << bit;
    }
    return found;
}

std::size_t BlockJudge::bytes() const {
    return bytesOf(m_value) + bytesOf(m_length) + bytesOf(m_places);
}

} // namespace lambdascope::metric

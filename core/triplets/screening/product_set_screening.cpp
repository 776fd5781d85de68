// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/screening/product_set_screening.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

std::size_t wordOf(std::int32_t position) {
    return static_cast<std::size_t>(position) / 64;
}
std::uint64_t bitOf(std::int32_t position) {
    return std::uint64_t{1} << (position % 64);
}

} // namespace

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

void ProductSetScreening::setLengths(const ProductLists& lists, const ProductLists::Anchor& anchor, double radius) {
    const std::int64_t sameOffset = m_triplets.sameOffset(anchor.row);
    const std::int64_t otherOffset = m_triplets.otherOffset(anchor.row);
    m_length.resize(static_cast<std::size_t>(anchor.end - anchor.begin));
    m_reach.resize(m_length.size());
    double total = 0;
    for (std::int64_t entry = anchor.begin; entry < anchor.end; ++entry) {
        const std::int32_t position = lists.position[static_cast<std::size_t>(entry)];
        const bool isSame = entry < anchor.middle;
        const double length = m_triplets.squaredLength(isSame ? m_triplets.samePair(sameOffset + position)
                                                              : m_triplets.otherPair(otherOffset + position));
        m_length[static_cast<std::size_t>(entry - anchor.begin)] = length;
        total += isSame ? 0 : length;
    }
    const SeparableNormBound bound(total / static_cast<double>(anchor.others()), radius);
    const auto sames = static_cast<std::size_t>(anchor.sames());
    for (std::size_t at = 0; at < m_length.size(); ++at) {
        m_reach[at] = at < sames ? bound.ofSame(m_length[at]) : bound.ofOther(m_length[at]);
    }
}

void ProductSetScreening::fix(const ProductLists::Anchor& anchor, std::int32_t same, std::size_t word, Word bits,
                              Decision decision, TripletStates* states, Tally& tally) {
    m_bits.open(anchor.row, same)[word] &= ~bits;
    if (decision == Decision::Linear) {
        m_bits.linear(anchor.row, same)[word] |= bits;
        tally.linear += std::popcount(bits);
    } else {
        tally.zero += std::popcount(bits);
    }
    if (states != nullptr) {
        const TripletIndex first = m_triplets.tripletOffset(anchor.row) + same * m_triplets.otherCount(anchor.row) +
                                   static_cast<TripletIndex>(64 * word);
        for (Word rest = bits; rest != 0; rest &= rest - 1) {
            states->set(first + std::countr_zero(rest), decision);
        }
    }
}

/// With sign 1 and edge 1, R̂: l is decided with all sames whose q + r g lies below q_il − r f − 1. With sign −1 and
/// edge 1 − γ, L̂: with all whose −q + r g lies below −q_il − r f + (1 − γ).
void ProductSetScreening::sweep(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                                double sign, double edge, double pad, TripletStates* states, Tally& tally) {
    const auto sames = static_cast<std::size_t>(anchor.sames());
    const Decision decision = sign > 0 ? Decision::Zero : Decision::Linear;
    m_sames.resize(sames);
    for (std::size_t s = 0; s < sames; ++s) {
        m_sames[s] = {sign * q[s] + m_reach[s], static_cast<std::int32_t>(s)};
    }
    std::sort(m_sames.begin(), m_sames.end(), [](const Ranked& a, const Ranked& b) { return a.value < b.value; });
    m_others.clear();
    for (std::size_t at = sames; at < m_length.size(); ++at) {
        const double threshold = sign * q[at] - m_reach[at] - sign * edge - pad;
        if (!(threshold > m_sames.front().value)) {
            continue;
        }
        const auto end = std::partition_point(m_sames.begin(), m_sames.end(),
                                              [threshold](const Ranked& same) { return same.value < threshold; });
        m_others.push_back(
            {static_cast<double>(end - m_sames.begin()), lists.position[static_cast<std::size_t>(anchor.begin) + at]});
    }
    std::sort(m_others.begin(), m_others.end(), [](const Ranked& a, const Ranked& b) { return a.value > b.value; });
    const std::size_t width = m_bits.width(anchor.row);
    m_run.assign(width, 0);
    std::size_t next = 0;
    for (std::size_t rank = sames; rank-- > 0;) {
        for (; next < m_others.size() && m_others[next].value > static_cast<double>(rank); ++next) {
            m_run[wordOf(m_others[next].index)] |= bitOf(m_others[next].index);
        }
        if (next == 0) {
            continue;
        }
        const auto entry = static_cast<std::size_t>(anchor.begin + m_sames[rank].index);
        const std::int32_t same = lists.position[entry];
        const Word* open = m_bits.open(anchor.row, same);
        for (std::size_t word = 0; word < width; ++word) {
            if (const Word bits = open[word] & m_run[word]; bits != 0) {
                fix(anchor, same, word, bits, decision, states, tally);
            }
        }
    }
}

void ProductSetScreening::decideRuns(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                                     const SphereRule& rule, TripletStates* states, Tally& tally) {
    setLengths(lists, anchor, rule.radius());
    double largest = 1;
    for (std::size_t at = 0; at < m_length.size(); ++at) {
        largest = std::max(largest, std::abs(q[at]) + m_reach[at]);
    }
    if (std::isfinite(largest)) {
        // Each side of the comparison is a few operations on numbers up to `largest`.
        const double pad = rule.marginError() + 16 * kUnitRoundoff * largest;
        sweep(lists, anchor, q, 1, 1, pad, states, tally);
        sweep(lists, anchor, q, -1, rule.lowerEdge(), pad, states, tally);
    }
    for (std::int64_t entry = anchor.begin; entry < anchor.middle; ++entry) {
        const Word* open = m_bits.open(anchor.row, lists.position[static_cast<std::size_t>(entry)]);
        for (std::size_t word = 0; word < m_bits.width(anchor.row); ++word) {
            tally.open += std::popcount(open[word]);
        }
    }
}

void ProductSetScreening::decideEach(const ProductLists& lists, const ProductLists::Anchor& anchor, const double* q,
                                     const SphereRule& rule, TripletStates* states, Tally& tally) {
    setLengths(lists, anchor, rule.radius());
    setColumns(lists, anchor);
    const auto sames = static_cast<std::size_t>(anchor.sames());
    const std::int64_t otherOffset = m_triplets.otherOffset(anchor.row);
    for (std::size_t s = 0; s < sames; ++s) {
        const std::int32_t same = lists.position[static_cast<std::size_t>(anchor.begin) + s];
        const double b = m_length[s];
        const PairIndex samePair = m_triplets.samePair(m_triplets.sameOffset(anchor.row) + same);
        for (std::size_t word = 0; word < m_bits.width(anchor.row); ++word) {
            Word zero = 0;
            Word linear = 0;
            for (Word rest = m_bits.open(anchor.row, same)[word]; rest != 0; rest &= rest - 1) {
                const int bit = std::countr_zero(rest);
                const auto at = static_cast<std::size_t>(m_entryOf[64 * word + static_cast<std::size_t>(bit)]);
                const double margin = q[at] - q[s];
                const double a = m_length[at];
                Decision decision = rule.look(margin, a, b);
                if (decision == Decision::Unsure) {
                    const PairIndex otherPair =
                        m_triplets.otherPair(otherOffset + static_cast<std::int64_t>(64 * word) + bit);
                    decision = rule.judge(margin, m_norm.squared(otherPair, samePair));
                }
                zero |= decision == Decision::Zero ? Word{1} << bit : 0;
                linear |= decision == Decision::Linear ? Word{1} << bit : 0;
            }
            if (zero != 0) {
                fix(anchor, same, word, zero, Decision::Zero, states, tally);
            }
            if (linear != 0) {
                fix(anchor, same, word, linear, Decision::Linear, states, tally);
            }
        }
    }
}

/// Which other-class rows the lists hold, and at which entry.
void ProductSetScreening::setColumns(const ProductLists& lists, const ProductLists::Anchor& anchor) {
    m_columns.assign(m_bits.width(anchor.row), 0);
    m_entryOf.resize(64 * m_columns.size());
    for (std::int64_t entry = anchor.middle; entry < anchor.end; ++entry) {
        const std::int32_t position = lists.position[static_cast<std::size_t>(entry)];
        m_columns[wordOf(position)] |= bitOf(position);
        m_entryOf[static_cast<std::size_t>(position)] = static_cast<std::int32_t>(entry - anchor.begin);
    }
}

ProductSetScreening::Rest ProductSetScreening::remove(const ProductLists& lists, const ProductLists::Anchor& anchor,
                                                      ProductLists& rest, double* weights) {
    setColumns(lists, anchor);
    const std::size_t width = m_columns.size();
    m_liveColumns.assign(width, 0);
    m_counters.assign(width, {});
    ProductLists::Anchor kept;
    kept.row = anchor.row;
    kept.begin = rest.entries();
    const auto keep = [&](std::int64_t entry) {
        rest.partner.push_back(lists.partner[static_cast<std::size_t>(entry)]);
        rest.position.push_back(lists.position[static_cast<std::size_t>(entry)]);
    };
    for (std::int64_t entry = anchor.begin; entry < anchor.middle; ++entry) {
        const Word* open = m_bits.open(anchor.row, lists.position[static_cast<std::size_t>(entry)]);
        for (std::size_t word = 0; word < width; ++word) {
            m_liveColumns[word] |= open[word];
        }
    }
    Rest result;
    for (std::int64_t entry = anchor.begin; entry < anchor.middle; ++entry) {
        const std::int32_t same = lists.position[static_cast<std::size_t>(entry)];
        const Word* open = m_bits.open(anchor.row, same);
        const Word* linear = m_bits.linear(anchor.row, same);
        const bool isLive = std::any_of(open, open + width, [](Word word) { return word != 0; });
        std::int64_t gone = 0;
        for (std::size_t word = 0; word < width; ++word) {
            const Word live = isLive ? m_liveColumns[word] : 0;
            const Word leaving = linear[word] & m_columns[word] & ~live;
            m_counters[word].add(leaving);
            gone += std::popcount(leaving);
            result.heldLinear += std::popcount(linear[word] & live);
            result.heldZero += std::popcount(~(open[word] | linear[word]) & live);
        }
        result.removedLinear += gone;
        weights[entry - anchor.begin] = -static_cast<double>(gone);
        if (isLive) {
            keep(entry);
        }
    }
    kept.middle = rest.entries();
    for (std::int64_t entry = anchor.middle; entry < anchor.end; ++entry) {
        const std::int32_t position = lists.position[static_cast<std::size_t>(entry)];
        weights[entry - anchor.begin] = static_cast<double>(m_counters[wordOf(position)].count(position % 64));
        if ((m_liveColumns[wordOf(position)] & bitOf(position)) != 0) {
            keep(entry);
        }
    }
    kept.end = rest.entries();
    if (kept.end > kept.begin) {
        rest.anchors.push_back(kept);
        rest.longest = std::max(rest.longest, kept.end - kept.begin);
    }
    return result;
}

} // namespace lambdascope::triplets

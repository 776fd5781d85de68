// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/packed_triplets.h"

#include "core/common/byte_count.h"

#include <Eigen/Core>

#include <algorithm>
#include <limits>
#include <utility>

namespace lambdascope::triplets {

namespace {

/// Rows between two additions to the compensated sums.
constexpr std::ptrdiff_t kRowsPerBatch = 16;
/// Pairs per row of the data up to which it pays to know which rows they use.
constexpr std::int64_t kPairsPerRow = 6;

using Group = Eigen::Array4d;
using GroupMap = Eigen::Map<const Group, Eigen::Aligned16>;

} // namespace

/// Sums over up to kRowsPerBatch rows, of one anchor or more.
struct PackedTriplets::BatchSums {
    Group squares = Group::Zero();    ///< Σ α²
    Group alphaOther = Group::Zero(); ///< Σ α z_il
    double alpha = 0;
    double alphaEdge = 0; ///< Σ α (1 + z_ij)
    std::ptrdiff_t rows = 0;

    void joinTo(LossSums& sums) {
        sums.add(alpha, squares.sum(), alphaEdge, alphaOther.sum());
        *this = {};
    }
};

void PackedTriplets::clear() {
    m_isWhole = false;
    m_count = 0;
    m_groupCount = 0;
    m_anchors.clear();
    m_rows.clear();
    m_groups.clear();
    m_columns.clear();
    m_origins.clear();
    m_pairs.clear();
    m_ends.resize(0);
    m_entryEnds.resize(0);
    m_pairRows.clear();
    m_knowsRows = false;
}

PackedTriplets::Size PackedTriplets::Size::ofWhole(const TripletSet& triplets) {
    constexpr auto kWidth = static_cast<std::int64_t>(kGroupSize);
    Size size;
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        const std::int64_t sames = triplets.sameCount(i);
        const std::int64_t groups = sames > 0 ? (triplets.otherCount(i) + kWidth - 1) / kWidth : 0;
        size.rows += groups > 0 ? sames : 0;
        size.groups += sames * groups;
        size.columns += kWidth * groups;
    }
    return size;
}

void PackedTriplets::setWhole(const TripletSet& triplets) {
    clear();
    m_isWhole = true;
    m_count = triplets.triplets();
    const Size size = Size::ofWhole(triplets);
    m_rows.reserve(static_cast<std::size_t>(size.rows));
    m_columns.reserve(static_cast<std::size_t>(size.columns));
    m_entryEnds.first.reserve(static_cast<std::size_t>(size.rows + size.columns));
    m_entryEnds.second.reserve(static_cast<std::size_t>(size.rows + size.columns));
    const auto addEntry = [&](RowIndex anchor, PairIndex pair) {
        m_entryEnds.first.push_back(anchor);
        m_entryEnds.second.push_back(triplets.partner(pair, anchor));
    };
    for (RowIndex i = 0; i < triplets.rows(); ++i) {
        const std::int64_t others = triplets.otherCount(i);
        const std::int64_t sames = triplets.sameCount(i);
        if (others == 0 || sames == 0) {
            continue;
        }
        const auto begin = static_cast<std::int64_t>(m_groups.size());
        for (std::int64_t base = 0; base < others; base += kGroupSize) {
            const auto number = static_cast<std::uint32_t>(base / kGroupSize);
            const std::int64_t width = std::min<std::int64_t>(kGroupSize, others - base);
            m_groups.push_back(number << kGroupSize | ((1U << width) - 1));
            m_origins.push_back(number);
            for (std::int64_t b = 0; b < static_cast<std::int64_t>(kGroupSize); ++b) {
                m_columns.push_back(triplets.otherPair(triplets.otherOffset(i) + base + std::min(b, width - 1)));
                addEntry(i, m_columns.back());
            }
        }
        const auto count = static_cast<std::int32_t>(static_cast<std::int64_t>(m_groups.size()) - begin);
        for (std::int64_t s = 0; s < sames; ++s) {
            m_rows.push_back(
                {begin, count, static_cast<std::int32_t>(s), triplets.samePair(triplets.sameOffset(i) + s)});
            addEntry(i, m_rows.back().same);
        }
        m_groupCount += sames * count;
        m_anchors.push_back({i, m_rows.size(), m_columns.size()});
    }
}

void PackedTriplets::finishAnchor(const AnchorView& view, std::span<const Row> rows,
                                  std::span<const std::uint32_t> groups) {
    if (rows.empty()) {
        return;
    }
    m_number.resize(view.origins.size());
    std::uint32_t count = 0;
    for (std::size_t group = 0; group < view.origins.size(); ++group) {
        const std::uint32_t used = m_used[group];
        if (used == 0) {
            continue;
        }
        m_number[group] = count++;
        m_origins.push_back(view.origins[group]);
        for (std::size_t b = 0; b < kGroupSize; ++b) {
            // Places that no triplet uses repeat one that is: its value is known, its bit is never set.
            const std::size_t place = (used >> b & 1U) != 0 ? b : static_cast<std::size_t>(std::countr_zero(used));
            m_columns.push_back(view.columns[kGroupSize * group + place]);
        }
    }
    const std::size_t firstGroup = m_groups.size();
    m_groups.resize(firstGroup + groups.size());
    std::uint32_t* out = m_groups.data() + firstGroup;
    for (const std::uint32_t group : groups) {
        const std::uint32_t bits = group & kGroupBits;
        m_count += kGroupCounts[bits];
        *out++ = m_number[group >> kGroupSize] << kGroupSize | bits;
    }
    // Rows by falling counts, else in their order: by counting how many have each.
    const std::size_t most = view.origins.size();
    m_place.assign(most + 1, 0);
    for (const Row& row : rows) {
        ++m_place[static_cast<std::size_t>(row.count)];
    }
    std::size_t place = m_rows.size();
    for (std::size_t length = most + 1; length-- > 0;) {
        place += std::exchange(m_place[length], place);
    }
    m_rows.resize(place);
    for (const Row& row : rows) {
        Row& to = m_rows[m_place[static_cast<std::size_t>(row.count)]++];
        to = row;
        to.begin += static_cast<std::int64_t>(firstGroup);
    }
    m_anchors.push_back({view.row, m_rows.size(), m_columns.size()});
}

/// From places in `from` to places here.
void PackedTriplets::listPairs(const PackedTriplets& from, const TripletSet& triplets) {
    const std::size_t before = from.m_isWhole ? static_cast<std::size_t>(triplets.pairs()) : from.m_pairs.size();
    m_newPlace.assign(before, 0);
    for (const Row& row : m_rows) {
        m_newPlace[static_cast<std::size_t>(row.same)] = 1;
    }
    for (const PairIndex place : m_columns) {
        m_newPlace[static_cast<std::size_t>(place)] = 1;
    }
    // No branch: which pairs are left cannot be foreseen.
    std::size_t count = 0;
    m_pairs.resize(std::min(before, m_rows.size() + m_columns.size()) + 1);
    for (std::size_t old = 0; old < before; ++old) {
        const auto used = static_cast<std::size_t>(m_newPlace[old]);
        m_pairs[count] = from.m_isWhole ? static_cast<PairIndex>(old) : from.m_pairs[old];
        m_newPlace[old] = static_cast<PairIndex>(count);
        count += used;
    }
    m_pairs.resize(count);
    m_ends.resize(count);
    for (std::size_t place = 0; place < count; ++place) {
        m_ends.first[place] = triplets.first(m_pairs[place]);
        m_ends.second[place] = triplets.second(m_pairs[place]);
        m_ends.squaredLength[place] = triplets.squaredLength(m_pairs[place]);
    }
    for (Row& row : m_rows) {
        row.same = m_newPlace[static_cast<std::size_t>(row.same)];
    }
    for (PairIndex& place : m_columns) {
        place = m_newPlace[static_cast<std::size_t>(place)];
    }
    m_knowsRows = std::ssize(m_pairs) <= kPairsPerRow * triplets.rows();
    if (!m_knowsRows) {
        return; // hardly any row would be missing
    }
    m_isUsed.assign(static_cast<std::size_t>(triplets.rows()) / 64 + 1, 0);
    for (std::size_t place = 0; place < m_pairs.size(); ++place) {
        for (const RowIndex row : {m_ends.first[place], m_ends.second[place]}) {
            m_isUsed[static_cast<std::size_t>(row / 64)] |= std::uint64_t{1} << (row % 64);
        }
    }
    for (std::size_t word = 0; word < m_isUsed.size(); ++word) {
        for (std::uint64_t bits = m_isUsed[word]; bits != 0; bits &= bits - 1) {
            m_pairRows.push_back(static_cast<RowIndex>(64 * word) + std::countr_zero(bits));
        }
    }
}

void PackedTriplets::toEntries(const std::vector<double>& values, std::vector<double>& ofEntries) const {
    ofEntries.resize(std::max(ofEntries.size(), entryCount()));
    double* to = ofEntries.data();
    std::size_t row = 0;
    std::size_t column = 0;
    for (const Anchor& anchor : m_anchors) {
        for (; column < anchor.columnEnd; ++column) {
            *to++ = values[static_cast<std::size_t>(m_columns[column])];
        }
        for (; row < anchor.rowEnd; ++row) {
            *to++ = values[static_cast<std::size_t>(m_rows[row].same)];
        }
    }
}

double PackedTriplets::gather(std::span<const PairIndex> pairs, const std::vector<double>& values) {
    if (m_otherValues.size() < pairs.size()) {
        m_otherValues.resize(pairs.size());
        m_otherWeights.resize(pairs.size());
    }
    Group lowest = Group::Constant(std::numeric_limits<double>::infinity());
    for (std::size_t c = 0; c < pairs.size(); c += kGroupSize) {
        const auto value = [&](std::size_t b) { return values[static_cast<std::size_t>(pairs[c + b])]; };
        const Group z(value(0), value(1), value(2), value(3));
        Group::Map(m_otherValues.data() + c) = z;
        Group::Map(m_otherWeights.data() + c).setZero();
        lowest = lowest.min(z);
    }
    return lowest.minCoeff();
}

/// Of rows of one anchor; gives the groups that were visited.
std::int64_t PackedTriplets::sumRows(const Row* begin, const Row* end, const std::vector<double>& values, double lowest,
                                     double inverse, std::vector<double>& weights, BatchSums& batch) {
    const double* others = m_otherValues.data();
    double* otherWeights = m_otherWeights.data();
    Group squares = Group::Zero();
    double alphaSum = 0;
    double alphaEdge = 0;
    std::int64_t groups = 0;
    for (const Row* row = begin; row != end; ++row) {
        const double edge = 1 + values[static_cast<std::size_t>(row->same)];
        if (edge <= lowest) {
            continue; // all of the row in the zero part
        }
        Group alphas = Group::Zero();
        Group squaresHere = squares; // else the compiler keeps them in memory, and each group waits for the one before
        const std::uint32_t* group = m_groups.data() + row->begin;
        for (const std::uint32_t* groupEnd = group + row->count; group != groupEnd; ++group) {
            const std::size_t place = kGroupSize * static_cast<std::size_t>(*group >> kGroupSize);
            const GroupMap z(others + place);
            const Group alpha =
                ((edge - z) * inverse).max(0.0).min(1.0) * GroupMap(kGroupMasks[*group & kGroupBits].ones.data());
            Eigen::Map<Group, Eigen::Aligned16>(otherWeights + place) += alpha;
            alphas += alpha;
            squaresHere += alpha * alpha;
        }
        squares = squaresHere;
        const double alpha = alphas.sum();
        weights[static_cast<std::size_t>(row->same)] -= alpha;
        alphaSum += alpha;
        alphaEdge += alpha * edge;
        groups += row->count;
    }
    batch.squares += squares;
    batch.alpha += alphaSum;
    batch.alphaEdge += alphaEdge;
    batch.rows += end - begin;
    return groups;
}

bool PackedTriplets::sum(const std::vector<double>& values, std::vector<double>& weights, StopCheck& stopCheck,
                         LossSums& sums) {
    std::size_t row = 0;
    std::size_t column = 0;
    std::size_t mostRows = 0;
    std::size_t mostColumns = 0;
    BatchSums batch;
    for (const Anchor& anchor : m_anchors) {
        const std::size_t columns = anchor.columnEnd - column;
        const std::span pairs(m_columns.data() + column, columns);
        const double lowest = gather(pairs, values);
        std::int64_t visited = 0;
        for (const Row *at = m_rows.data() + row, *end = m_rows.data() + anchor.rowEnd; at != end;) {
            const Row* batchEnd = at + std::min(kRowsPerBatch - batch.rows, end - at);
            visited += static_cast<std::int64_t>(kGroupSize) *
                       sumRows(at, batchEnd, values, lowest, sums.inverse, weights, batch);
            at = batchEnd;
            if (batch.rows == kRowsPerBatch) {
                batch.joinTo(sums);
            }
        }
        for (std::size_t c = 0; c < columns; c += kGroupSize) {
            const GroupMap added(m_otherWeights.data() + c);
            for (std::size_t b = 0; b < kGroupSize; ++b) {
                weights[static_cast<std::size_t>(pairs[c + b])] += added[static_cast<Eigen::Index>(b)];
            }
            batch.alphaOther += added * GroupMap(m_otherValues.data() + c);
        }
        sums.packed += visited;
        mostRows = std::max(mostRows, anchor.rowEnd - row);
        mostColumns = std::max(mostColumns, columns);
        row = anchor.rowEnd;
        column = anchor.columnEnd;
        if (stopCheck.spend(2 * visited + static_cast<std::int64_t>(4 * columns))) {
            return false;
        }
    }
    batch.joinTo(sums);
    sums.rows += static_cast<std::int64_t>(m_rows.size() + m_columns.size());
    // A quarter of a row goes to each of four running sums, and so for a batch of rows; Σ α z_il are sums over the rows
    // of an anchor first, then over the neighbours of no more anchors than a batch and the one it begins in have rows.
    const auto groups = static_cast<std::size_t>(kRowsPerBatch + 1) * mostColumns / kGroupSize;
    sums.longestChain = std::max(sums.longestChain, static_cast<double>(mostRows + groups));
    return true;
}

void PackedTriplets::count(const std::vector<double>& values, double edge, SetCounts& setCounts) {
    const Row* row = m_rows.data();
    const PairIndex* pairs = m_columns.data();
    for (const Anchor& anchor : m_anchors) {
        const PairIndex* end = m_columns.data() + anchor.columnEnd;
        (void)gather({pairs, end}, values);
        pairs = end;
        for (; row != m_rows.data() + anchor.rowEnd; ++row) {
            const double same = values[static_cast<std::size_t>(row->same)];
            for (std::int64_t at = row->begin; at < row->begin + row->count; ++at) {
                const std::uint32_t group = m_groups[static_cast<std::size_t>(at)];
                const Group margin =
                    GroupMap(m_otherValues.data() + kGroupSize * static_cast<std::size_t>(group >> kGroupSize)) - same;
                setCounts.above += kGroupCounts[group & bitsAbove(margin.data(), 1)];
                setCounts.below += kGroupCounts[group & bitsBelow(margin.data(), 1 - edge)];
            }
        }
    }
}

ProductLists PackedTriplets::hulls(const TripletSet& triplets) const {
    ProductLists lists;
    const auto add = [&](PairIndex pair, RowIndex anchor, std::int64_t position) {
        lists.partner.push_back(triplets.partner(pair, anchor));
        lists.position.push_back(static_cast<std::int32_t>(position));
    };
    std::vector<std::uint32_t> used;
    std::size_t row = 0;
    std::size_t column = 0;
    for (const Anchor& anchor : m_anchors) {
        const AnchorView at = view(anchor, row, column);
        column = anchor.columnEnd;
        used.assign(at.origins.size(), 0);
        const std::int64_t begin = lists.entries();
        for (; row < anchor.rowEnd; ++row) {
            const Row& here = m_rows[row];
            add(at.number(here.same), at.row, here.place);
            for (std::int64_t g = here.begin; g < here.begin + here.count; ++g) {
                const std::uint32_t group = m_groups[static_cast<std::size_t>(g)];
                used[group >> kGroupSize] |= group & kGroupBits;
            }
        }
        const std::int64_t middle = lists.entries();
        for (std::size_t group = 0; group < used.size(); ++group) {
            for (std::uint32_t rest = used[group]; rest != 0; rest &= rest - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
                add(at.other(kGroupSize * group + bit), at.row,
                    static_cast<std::int64_t>(kGroupSize * at.origins[group] + bit));
            }
        }
        lists.anchors.push_back({at.row, begin, middle, lists.entries()});
        lists.longest = std::max(lists.longest, lists.entries() - begin);
    }
    return lists;
}

std::size_t PackedTriplets::bytes() const {
    return bytesOf(m_anchors) + bytesOf(m_rows) + bytesOf(m_groups) + bytesOf(m_columns) + bytesOf(m_origins) +
           bytesOf(m_ends.first) + bytesOf(m_ends.second) + bytesOf(m_ends.squaredLength) + bytesOf(m_entryEnds.first) +
           bytesOf(m_entryEnds.second) + bytesOf(m_taken) + bytesOf(m_newPlace) + bytesOf(m_pairs) +
           bytesOf(m_pairRows) + bytesOf(m_used) + bytesOf(m_number) + bytesOf(m_place) + bytesOf(m_takenRows) +
           bytesOf(m_isUsed) + bytesOf(m_otherValues) + bytesOf(m_otherWeights);
}

} // namespace lambdascope::triplets

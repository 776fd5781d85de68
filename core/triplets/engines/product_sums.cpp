// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/product_sums.h"

#include "core/numeric/error_bound.h"
#include "core/triplets/engines/bit_groups.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace lambdascope::triplets {

namespace {

/// Triplets that are visited in the time that it takes to sort a key, and to sort a probe and find its runs.
constexpr std::size_t kVisitsPerKey = 30;
constexpr std::size_t kVisitsPerProbe = 90;
/// Quadratic runs up to this length are walked: cheaper than prefix sums, and exact.
constexpr std::size_t kWalked = 24;
/// Narrower smoothing is always walked: the α of a pooled run are off by a few roundoffs over s.
constexpr double kLeastPooledSmoothing = 1e-5;

using Four = Eigen::Array4d;

/// Sums are made in so many lanes, so that none has to wait for the one before.
constexpr std::size_t kLanes = 4;

/// Values from the place on, the last ones of all filled up by `filler`.
Four fourAt(std::span<const double> values, std::size_t at, double filler) {
    if (at + kLanes <= values.size()) {
        return Eigen::Map<const Four>(values.data() + at);
    }
    const auto value = [&](std::size_t lane) { return at + lane < values.size() ? values[at + lane] : filler; };
    return {value(0), value(1), value(2), value(3)};
}

bool areFinite(std::span<const double> values) {
    Four zeros = Four::Zero();
    for (std::size_t at = 0; at < values.size(); at += kLanes) {
        zeros += 0.0 * fourAt(values, at, 0);
    }
    return zeros.sum() == 0;
}

struct Extremes {
    double lowest = 0;
    double highest = 0;
};

Extremes extremesOf(std::span<const double> values) {
    Four lowest = Four::Constant(values.front());
    Four highest = lowest;
    for (std::size_t at = 0; at < values.size(); at += kLanes) {
        const Four four = fourAt(values, at, values.front());
        lowest = lowest.min(four);
        highest = highest.max(four);
    }
    return {lowest.minCoeff(), highest.maxCoeff()};
}

/// Σ w·e, Σ w·|e| and the largest |e|, where e = offset + sign · value.
struct Moments {
    double sum = 0;
    double magnitude = 0;
    double reach = 0;
};

Moments momentsOf(std::span<const double> values, const double* weights, double offset, double sign) {
    Four sums = Four::Zero();
    Four magnitudes = Four::Zero();
    Four reaches = Four::Zero();
    for (std::size_t at = 0; at < values.size(); at += kLanes) {
        const Four e = offset + sign * fourAt(values, at, values.front());
        const Four weight = fourAt({weights, values.size()}, at, 0);
        sums += weight * e;
        magnitudes += weight * e.abs();
        reaches = reaches.max(e.abs());
    }
    return {sums.sum(), magnitudes.sum(), reaches.maxCoeff()};
}

} // namespace

void ProductSums::sort() {
    m_isSorted = m_sorted.set(m_given);
}

void ProductSums::setCells() {
    const std::span<const double> keys = m_sorted.keys();
    const std::size_t count = keys.size();
    m_hasCells = true;
    m_cells.clear();
    m_cellOf.resize(count);
    m_offset.resize(count);
    m_sum.resize(count);
    m_squareSum.resize(count);
    for (auto* values : {&m_begins, &m_ends, &m_beginSum, &m_endSum}) {
        values->assign(count, 0.0);
    }
    for (std::size_t j = 0; j < count;) {
        Cell cell;
        cell.begin = static_cast<std::int32_t>(j);
        cell.centre = keys[j] + 0.5 * m_smoothing;
        double sum = 0;
        double squares = 0;
        for (const double start = keys[j]; j < count && keys[j] - start <= m_smoothing; ++j) {
            m_cellOf[j] = static_cast<std::int32_t>(m_cells.size());
            m_offset[j] = keys[j] - cell.centre;
            sum += m_offset[j];
            squares += m_offset[j] * m_offset[j];
            m_sum[j] = sum;
            m_squareSum[j] = squares;
        }
        cell.end = static_cast<std::int32_t>(j);
        m_cells.push_back(cell);
    }
}

/// The quadratic run [begin, end), pooled cell by cell.
void ProductSums::sumRun(double x, std::int32_t begin, std::int32_t end, ProbeSums& sums) {
    if (!m_hasCells) {
        setCells();
    }
    m_walked += static_cast<std::int64_t>(kWalked); // it takes about as long as the longest run that is walked
    const double edgeError = 12 * kUnitRoundoff * (1 + m_smoothing) * m_inverse;
    for (std::int32_t from = begin; from < end;) {
        Cell& cell = m_cells[static_cast<std::size_t>(m_cellOf[static_cast<std::size_t>(from)])];
        const std::int32_t to = std::min(end, cell.end);
        const auto first = static_cast<std::size_t>(from);
        const auto last = static_cast<std::size_t>(to - 1);
        const double n = to - from;
        const double e = 1 - (x - cell.centre); // at most 1.5 s in size, as the offsets are at most 0.5 s
        const double sum = m_sum[last] - (from > cell.begin ? m_sum[first - 1] : 0.0);
        const double squares = m_squareSum[last] - (from > cell.begin ? m_squareSum[first - 1] : 0.0);
        sums.alpha += (n * e + sum) * m_inverse;
        sums.squares += (n * e * e + 2 * e * sum + squares) * m_inverse * m_inverse;
        m_begins[first] += 1;
        m_beginSum[first] += e;
        m_ends[last] += 1;
        m_endSum[last] += e;
        cell.pieces += 1;
        const double held = cell.end - cell.begin;
        m_slack += 8 * held * roundingFactor(held + 16) + 2 * n * edgeError;
        from = to;
    }
}

/// The quadratic run [begin, end), key by key.
void ProductSums::walk(double x, std::int32_t begin, std::int32_t end, ProbeSums& sums) {
    const double* keys = m_sorted.keys().data() + begin;
    double* weights = m_keyWeights.data() + begin;
    const auto count = static_cast<std::size_t>(end - begin);
    const double inverse = m_inverse;
    Four alphas = Four::Zero();
    Four squares = Four::Zero();
    std::size_t at = 0;
    for (; at + kLanes <= count; at += kLanes) {
        const Four alpha = (1 - (x - Eigen::Map<const Four>(keys + at))) * inverse;
        Eigen::Map<Four>(weights + at) += alpha;
        alphas += alpha;
        squares += alpha * alpha;
    }
    sums.alpha += alphas.sum();
    sums.squares += squares.sum();
    for (; at < count; ++at) {
        const double alpha = (1 - (x - keys[at])) * inverse;
        weights[at] += alpha;
        sums.alpha += alpha;
        sums.squares += alpha * alpha;
    }
    m_walked += end - begin;
}

/// Lists the probes between and sets the α of all others. Returns how many are linear with all keys.
double ProductSums::setBetween(double lowest, double highest, double* alphas) {
    static_assert(kLanes == kGroupSize);
    const auto count = static_cast<double>(m_given.size());
    const double inverse = m_inverse;
    m_between.resize(m_probes.size() + kLanes);
    std::size_t* out = m_between.data();
    std::size_t linear = 0;
    for (std::size_t at = 0; at < m_probes.size(); at += kLanes) {
        const Four x = fourAt(m_probes, at, std::numeric_limits<double>::infinity());
        const Four ofHighest = x - highest;
        const Four ofLowest = (1 - (x - lowest)) * inverse;
        const std::uint32_t isNotLinear = bitsBelow(ofLowest.data(), 1);
        const std::uint32_t isLinear = ~isNotLinear & kGroupBits;
        const Four alpha = count * Four::Map(kGroupMasks[isLinear].ones.data());
        std::copy_n(alpha.data(), std::min(kLanes, m_probes.size() - at), alphas + at);
        linear += kGroupCounts[isLinear];
        const std::uint32_t isBetween = isNotLinear & bitsBelow(ofHighest.data(), 1);
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            out[lane] = at + kGroupPlaces[isBetween][lane];
        }
        out += kGroupCounts[isBetween];
    }
    m_between.resize(static_cast<std::size_t>(out - m_between.data()));
    return static_cast<double>(linear);
}

bool ProductSums::isVisited() const {
    const std::size_t keys = m_given.size();
    const std::size_t probes = m_between.size();
    return keys * probes <= kVisitsPerKey * keys + kVisitsPerProbe * probes;
}

/// Sets the α of the keys, in the order of the runs, and of the probes between, triplet by triplet.
ProductSums::ProbeSums ProductSums::visit(double linear, const QuadraticRuns& runs, double* alphas) {
    static_assert(kLanes == QuadraticRuns::kGroupSize);
    const std::size_t groups = QuadraticRuns::groupsOf(m_given.size());
    m_padded.assign(kLanes * groups, -std::numeric_limits<double>::infinity());
    for (std::size_t j = 0; j < m_given.size(); ++j) {
        m_padded[j] = m_given[runs.empty() ? j : runs.order[j]];
    }
    m_keyWeights.assign(kLanes * groups, 0.0);
    m_linearFrom.assign(groups + 1, 0.0);
    m_linearFrom[0] = linear;
    ProbeSums sums;
    Four allSquares = Four::Zero();
    double linearSquares = 0;
    const double* keys = m_padded.data();
    double* weights = m_keyWeights.data();
    const double inverse = m_inverse;
    std::int64_t visited = 0;
    for (const std::size_t l : m_between) {
        const double x = m_probes[l];
        const std::size_t begin = runs.empty() ? 0 : runs.begin[l];
        const std::size_t end = runs.empty() ? groups : runs.end[l];
        Four ofProbe = Four::Zero();
        Four squares = allSquares; // else the compiler keeps them in memory, and each probe waits for the one before
        for (std::size_t j = kLanes * begin; j < kLanes * end; j += kLanes) {
            const Four alpha = ((1 - (x - Eigen::Map<const Four>(keys + j))) * inverse).max(0.0).min(1.0);
            Eigen::Map<Four>(weights + j) += alpha;
            ofProbe += alpha;
            squares += alpha * alpha;
        }
        allSquares = squares;
        const double behind = end < groups ? static_cast<double>(m_given.size() - kLanes * end) : 0;
        m_linearFrom[end] += 1;
        visited += static_cast<std::int64_t>(kLanes * (end - begin));
        alphas[l] = ofProbe.sum() + behind;
        sums.alpha += alphas[l];
        linearSquares += behind;
    }
    m_visited += visited;
    sums.squares = allSquares.sum() + linearSquares;
    double open = 0;
    for (std::size_t j = 0; j < m_given.size(); ++j) {
        open += j % kLanes == 0 ? m_linearFrom[j / kLanes] : 0;
        m_keyWeights[j] += open;
    }
    return sums;
}

/// Sets the α of the keys, in rising order, and of the probes between, which are sorted too: as they rise, so do both
/// ends of their quadratic runs.
ProductSums::ProbeSums ProductSums::sumSorted(double linear, double* alphas) {
    const std::span<const double> keys = m_sorted.keys();
    m_keyWeights.assign(keys.size(), 0.0);
    m_linearFrom.assign(keys.size() + 1, 0.0);
    m_linearFrom[0] = linear;
    m_betweenValues.resize(m_between.size());
    std::transform(m_between.begin(), m_between.end(), m_betweenValues.begin(),
                   [&](std::size_t l) { return m_probes[l]; });
    (void)m_sortedProbes.set(m_betweenValues); // they are finite
    ProbeSums all;
    std::size_t begin = 0;
    std::size_t end = 0;
    for (std::size_t place = 0; place < m_between.size(); ++place) {
        const double x = m_sortedProbes.keys()[place];
        while (begin < keys.size() && x - keys[begin] >= 1) {
            ++begin;
        }
        end = std::max(begin, end);
        while (end < keys.size() && (1 - (x - keys[end])) * m_inverse < 1) {
            ++end;
        }
        ProbeSums sums;
        if (m_mayPool && end - begin > kWalked) {
            sumRun(x, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end), sums);
        } else {
            walk(x, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end), sums);
        }
        const auto behind = static_cast<double>(keys.size() - end);
        m_linearFrom[end] += 1;
        sums.alpha += behind;
        alphas[m_between[static_cast<std::size_t>(m_sortedProbes.index(place))]] = sums.alpha;
        all.alpha += sums.alpha;
        all.squares += sums.squares + behind;
    }
    finishKeys();
    return all;
}

/// Gives the α of linear and pooled runs to the keys.
void ProductSums::finishKeys() {
    double linear = 0;
    for (std::size_t j = 0; j + 1 < m_linearFrom.size(); ++j) {
        linear += m_linearFrom[j];
        m_keyWeights[j] += linear;
    }
    if (!m_hasCells) {
        return;
    }
    for (const Cell& cell : m_cells) {
        if (cell.pieces == 0) {
            continue;
        }
        double open = 0;
        double openSum = 0;
        for (auto j = static_cast<std::size_t>(cell.begin); j < static_cast<std::size_t>(cell.end); ++j) {
            open += m_begins[j];
            openSum += m_beginSum[j];
            m_keyWeights[j] += std::max(openSum + open * m_offset[j], 0.0) * m_inverse;
            open -= m_ends[j];
            openSum -= m_endSum[j];
        }
        // openSum is a running sum of 2 · pieces terms of at most 1.5 s.
        m_slack += 4 * cell.pieces * (cell.end - cell.begin) * roundingFactor(2 * cell.pieces + 8);
    }
}

ProductTotals ProductSums::sum(std::span<const double> sames, std::span<const double> others, double smoothing,
                               double* sameWeights, double* otherWeights, const QuadraticRuns& runs) {
    m_smoothing = smoothing;
    m_inverse = 1 / smoothing;
    m_mayPool = smoothing >= kLeastPooledSmoothing;
    m_hasCells = false;
    m_isSorted = false;
    m_slack = 0;
    m_visited = 0;
    m_walked = 0;
    m_given = sames;
    m_probes = others;
    if (!areFinite(sames) || !areFinite(others)) {
        std::fill_n(sameWeights, sames.size(), 0.0);
        std::fill_n(otherWeights, others.size(), 0.0);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        return {nan, nan, nan, nan, nan, nan, {}};
    }
    const auto [lowest, highest] = extremesOf(sames);
    const double linear = setBetween(lowest, highest, otherWeights);
    const bool isSorted = runs.empty() && !isVisited();
    if (isSorted) {
        sort();
    }
    const ProbeSums between = isSorted ? sumSorted(linear, otherWeights) : visit(linear, runs, otherWeights);
    for (std::size_t j = 0; j < sames.size(); ++j) {
        const std::size_t place = runs.empty() ? j : runs.order[j];
        sameWeights[isSorted ? static_cast<std::size_t>(m_sorted.index(j)) : place] = m_keyWeights[j];
    }
    ProductTotals totals;
    const double linearTriplets = linear * static_cast<double>(sames.size());
    totals.alpha = between.alpha + linearTriplets;
    totals.squares = between.squares + linearTriplets;
    // Σ ℓ = Σ α (1 − t) − s/2 Σ α², and Σ α (1 − t) splits into a sum over probes and one over keys.
    const double centre = 0.5 * lowest + 0.5 * highest;
    const Moments ofProbes = momentsOf(others, otherWeights, 1 + centre, -1);
    const Moments ofKeys = momentsOf(sames, sameWeights, -centre, 1);
    const double ofSquares = 0.5 * smoothing * totals.squares;
    totals.loss = ofProbes.sum + ofKeys.sum - ofSquares;
    totals.magnitude = ofProbes.magnitude + ofKeys.magnitude + ofSquares;
    totals.reach = std::max(ofProbes.reach, ofKeys.reach) + smoothing;
    totals.slack = m_slack;
    const std::int64_t keys = std::ssize(sames);
    totals.counts.entries = keys + std::ssize(others);
    totals.counts.visited = m_visited;
    totals.counts.sortedKeys = isSorted ? keys : 0;
    totals.counts.sortedProbes = isSorted ? std::ssize(m_between) : 0;
    totals.counts.walked = m_walked;
    return totals;
}

void ProductSums::count(double edge, SetCounts& setCounts) {
    if (!m_isSorted) {
        sort();
    }
    for (const double x : m_probes) {
        setCounts.above += m_sorted.firstNot(x - 1, [x](double key) { return x - key > 1; });
        setCounts.below +=
            m_sorted.size() - m_sorted.firstNot(x - (1 - edge), [&](double key) { return !(x - key < 1 - edge); });
    }
}

std::size_t ProductSums::bytes() const {
    std::size_t doubles = 0;
    for (const auto* values : {&m_padded, &m_betweenValues, &m_keyWeights, &m_linearFrom, &m_offset, &m_sum,
                               &m_squareSum, &m_begins, &m_ends, &m_beginSum, &m_endSum}) {
        doubles += values->capacity();
    }
    return m_sorted.bytes() + m_sortedProbes.bytes() + doubles * sizeof(double) + m_cells.capacity() * sizeof(Cell) +
           m_cellOf.capacity() * sizeof(std::int32_t);
}

} // namespace lambdascope::triplets

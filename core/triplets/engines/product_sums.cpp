// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/engines/product_sums.h"

#include "core/numeric/error_bound.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace lambdascope::triplets {

namespace {

/// Quadratic runs up to this length are walked: cheaper than prefix sums, and exact.
constexpr std::int32_t kWalked = 12;
/// Narrower smoothing is always walked: the α of a pooled run are off by a few roundoffs over s.
constexpr double kLeastPooledSmoothing = 1e-5;

} // namespace

bool ProductSums::setKeys(std::span<const double> keys, double sign) {
    const std::size_t count = keys.size();
    m_order.resize(count);
    double check = 0;
    for (std::size_t j = 0; j < count; ++j) {
        m_order[j] = {sign * keys[j], static_cast<std::int32_t>(j)};
        check += 0.0 * keys[j];
    }
    if (check != 0) {
        return false;
    }
    std::sort(m_order.begin(), m_order.end(), [](const Key& a, const Key& b) { return a.value < b.value; });
    m_keys.resize(count);
    for (std::size_t j = 0; j < count; ++j) {
        m_keys[j] = m_order[j].value;
    }
    m_keyWeights.assign(count, 0.0);
    m_linearFrom.assign(count + 1, 0.0);
    setBuckets();
    return true;
}

bool ProductSums::setProbes(std::span<const double> probes, double sign) {
    m_probes.resize(probes.size());
    double check = 0;
    for (std::size_t l = 0; l < probes.size(); ++l) {
        m_probes[l] = sign * probes[l];
        check += 0.0 * probes[l];
    }
    return check == 0;
}

void ProductSums::setBuckets() {
    const auto count = static_cast<std::int32_t>(m_keys.size());
    const std::int32_t buckets = 2 * count;
    m_bucketScale = buckets / (m_keys.back() - m_keys.front());
    if (!std::isfinite(m_bucketScale)) {
        m_bucketScale = 0; // all keys (nearly) equal
    }
    m_first.resize(static_cast<std::size_t>(buckets) + 1);
    std::int32_t bucket = 0;
    for (std::int32_t j = 0; j < count; ++j) {
        for (const std::int32_t last = bucketOf(m_keys[static_cast<std::size_t>(j)]); bucket <= last; ++bucket) {
            m_first[static_cast<std::size_t>(bucket)] = j;
        }
    }
    for (; bucket <= buckets; ++bucket) {
        m_first[static_cast<std::size_t>(bucket)] = count;
    }
}

/// Rises with `value`, so that keys of lower buckets are smaller than any value of this one.
std::int32_t ProductSums::bucketOf(double value) const {
    const double last = static_cast<double>(2 * m_keys.size() - 1);
    return static_cast<std::int32_t>(std::clamp((value - m_keys.front()) * m_bucketScale, 0.0, last));
}

/// First key with x − key < 1.
std::int32_t ProductSums::firstAbove(double x) const {
    const auto bucket = static_cast<std::size_t>(bucketOf(x - 1));
    const double* keys = m_keys.data();
    const auto count = static_cast<std::int32_t>(m_keys.size());
    std::int32_t j = m_first[bucket];
    if (m_first[bucket + 1] - j > kWalked) {
        j = static_cast<std::int32_t>(
            std::partition_point(keys + j, keys + m_first[bucket + 1], [x](double key) { return x - key >= 1; }) -
            keys);
    }
    while (j < count && x - keys[j] >= 1) {
        ++j;
    }
    return j;
}

void ProductSums::setCells() {
    const std::size_t count = m_keys.size();
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
        cell.centre = m_keys[j] + 0.5 * m_smoothing;
        double sum = 0;
        double squares = 0;
        for (const double start = m_keys[j]; j < count && m_keys[j] - start <= m_smoothing; ++j) {
            m_cellOf[j] = static_cast<std::int32_t>(m_cells.size());
            m_offset[j] = m_keys[j] - cell.centre;
            sum += m_offset[j];
            squares += m_offset[j] * m_offset[j];
            m_sum[j] = sum;
            m_squareSum[j] = squares;
        }
        cell.end = static_cast<std::int32_t>(j);
        m_cells.push_back(cell);
    }
}

/// The quadratic run from `begin` on, pooled cell by cell; returns its end.
std::int32_t ProductSums::sumRun(double x, std::int32_t begin, ProbeSums& sums) {
    if (!m_hasCells) {
        setCells();
    }
    const double* keys = m_keys.data();
    const auto end = static_cast<std::int32_t>(
        std::partition_point(keys + begin, keys + m_keys.size(),
                             [this, x](double key) { return (1 - (x - key)) * m_inverse < 1; }) -
        keys);
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
    return end;
}

ProductSums::ProbeSums ProductSums::sumProbe(double x) {
    ProbeSums sums;
    const auto count = static_cast<std::int32_t>(m_keys.size());
    const double* keys = m_keys.data();
    if (x - keys[count - 1] >= 1) {
        return sums;
    }
    std::int32_t j = 0;
    if ((1 - (x - keys[0])) * m_inverse < 1) {
        j = firstAbove(x);
        const std::int32_t begin = j;
        const std::int32_t walkEnd = m_mayPool ? std::min(count, j + kWalked) : count;
        double alpha = 0;
        for (; j < walkEnd; ++j) {
            alpha = (1 - (x - keys[j])) * m_inverse;
            if (alpha >= 1) {
                break;
            }
            sums.alpha += alpha;
            sums.squares += alpha * alpha;
            m_keyWeights[static_cast<std::size_t>(j)] += alpha;
        }
        m_walked += j - begin;
        if (j == walkEnd && j < count) {
            j = sumRun(x, j, sums);
        }
    }
    const double linear = count - j;
    m_linearFrom[static_cast<std::size_t>(j)] += 1;
    sums.alpha += linear;
    sums.squares += linear;
    return sums;
}

/// Gives the α of linear and pooled runs to the keys.
void ProductSums::finishKeys() {
    double linear = 0;
    for (std::size_t j = 0; j < m_keys.size(); ++j) {
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
                               double* sameWeights, double* otherWeights) {
    // t = other − same = (−same) − (−other): either list can be the keys.
    const bool othersAreKeys = others.size() < sames.size();
    const double sign = othersAreKeys ? -1 : 1;
    double* keyWeights = othersAreKeys ? otherWeights : sameWeights;
    double* probeWeights = othersAreKeys ? sameWeights : otherWeights;
    m_smoothing = smoothing;
    m_inverse = 1 / smoothing;
    m_mayPool = smoothing >= kLeastPooledSmoothing;
    m_hasCells = false;
    m_slack = 0;
    m_walked = 0;
    ProductTotals totals;
    if (!setKeys(othersAreKeys ? others : sames, sign) || !setProbes(othersAreKeys ? sames : others, sign)) {
        std::fill_n(sameWeights, sames.size(), 0.0);
        std::fill_n(otherWeights, others.size(), 0.0);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        return {nan, nan, nan, nan, nan, nan, {}};
    }
    // Σ ℓ = Σ α (1 − t) − s/2 Σ α², and Σ α (1 − t) splits into a sum over probes and one over keys.
    const double centre = m_keys[m_keys.size() / 2];
    double probePart = 0;
    for (std::size_t l = 0; l < m_probes.size(); ++l) {
        const ProbeSums probe = sumProbe(m_probes[l]);
        probeWeights[l] = probe.alpha;
        totals.alpha += probe.alpha;
        totals.squares += probe.squares;
        const double edge = 1 - (m_probes[l] - centre);
        probePart += probe.alpha * edge;
        totals.magnitude += probe.alpha * std::abs(edge);
        totals.reach = std::max(totals.reach, std::abs(edge));
    }
    finishKeys();
    double keyPart = 0;
    for (std::size_t j = 0; j < m_keys.size(); ++j) {
        const double weight = m_keyWeights[j];
        const double distance = m_keys[j] - centre;
        keyWeights[m_order[j].index] = weight;
        keyPart += weight * distance;
        totals.magnitude += weight * std::abs(distance);
        totals.reach = std::max(totals.reach, std::abs(distance));
    }
    totals.loss = probePart + keyPart - 0.5 * smoothing * totals.squares;
    totals.magnitude += 0.5 * smoothing * totals.squares;
    totals.slack = m_slack;
    totals.counts = {std::ssize(m_keys), m_walked};
    totals.reach += smoothing;
    return totals;
}

void ProductSums::count(double edge, SetCounts& setCounts) const {
    const double* begin = m_keys.data();
    const double* end = begin + m_keys.size();
    for (const double x : m_probes) {
        setCounts.above += std::partition_point(begin, end, [x](double key) { return x - key > 1; }) - begin;
        setCounts.below += end - std::partition_point(begin, end, [&](double key) { return !(x - key < 1 - edge); });
    }
}

std::size_t ProductSums::bytes() const {
    std::size_t doubles = 0;
    for (const auto* values : {&m_keys, &m_probes, &m_keyWeights, &m_linearFrom, &m_offset, &m_sum, &m_squareSum,
                               &m_begins, &m_ends, &m_beginSum, &m_endSum}) {
        doubles += values->capacity();
    }
    return doubles * sizeof(double) + m_order.capacity() * sizeof(Key) + m_cells.capacity() * sizeof(Cell) +
           (m_first.capacity() + m_cellOf.capacity()) * sizeof(std::int32_t);
}

} // namespace lambdascope::triplets

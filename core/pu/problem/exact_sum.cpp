// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/problem/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lambdascope::pu {

namespace {

constexpr std::int64_t kUnit = std::int64_t{1} << 50; ///< quanta

/// The quanta of a value from 0 to 2: doubles from 4 to 8 are one quantum apart, so that their bits count them.
std::int64_t quantaOf(double value) {
    constexpr double kOffset = 4;
    return std::bit_cast<std::int64_t>(kOffset + value) - std::bit_cast<std::int64_t>(kOffset);
}

} // namespace

double quantized(double value) {
    return std::nearbyint(value / kQuantum) * kQuantum;
}

void ExactSum::add(double value) {
    const double whole = std::floor(value);
    m_high += static_cast<std::int64_t>(whole);
    m_low += static_cast<std::int64_t>((value - whole) / kQuantum);
    carry();
}

void ExactSum::addAt(const double* values, std::span<const std::int32_t> places) {
    constexpr std::size_t kBlock = 1024; // at most 2⁵¹ quanta each, so that no sum of a block overflows
    for (std::size_t from = 0; from < places.size(); from += kBlock) {
        const auto some = places.subspan(from, std::min(kBlock, places.size() - from));
        const auto count = static_cast<std::int32_t>(some.size());
        std::int64_t quanta = 0;
        if (some.back() - some.front() + 1 == count) { // ascending without a gap: several at once
            const double* const value = values + some.front();
            for (std::int32_t k = 0; k < count; ++k) {
                quanta += quantaOf(value[k]);
            }
        } else {
            for (const std::int32_t place : some) {
                quanta += quantaOf(values[place]);
            }
        }
        m_high += quanta / kUnit;
        m_low += quanta % kUnit;
        carry();
    }
}

void ExactSum::carry() {
    if (m_low >= kUnit) {
        m_low -= kUnit;
        ++m_high;
    }
}

double ExactSum::minus(const ExactSum& other) const {
    return static_cast<double>(m_high - other.m_high) + static_cast<double>(m_low - other.m_low) * kQuantum;
}

ExactSum ExactSum::without(const ExactSum& other) const {
    ExactSum rest;
    rest.m_high = m_high - other.m_high;
    rest.m_low = m_low - other.m_low;
    if (rest.m_low < 0) {
        rest.m_low += kUnit;
        --rest.m_high;
    }
    return rest;
}

double ExactSum::value() const {
    return minus(ExactSum());
}

ExactSum ExactSum::of(double value) {
    ExactSum sum;
    sum.add(value);
    return sum;
}

} // namespace lambdascope::pu

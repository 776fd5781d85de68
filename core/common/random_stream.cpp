// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

namespace lambdascope {

namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return hash;
}

} // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view name) {
    std::uint64_t state = seed ^ (name.empty() ? 0 : fnv1a(name));
    for (std::uint64_t& word : m_state) {
        word = splitmix64(state);
    }
}

std::uint64_t RandomStream::next() {
    const std::uint64_t result = std::rotl(m_state[1] * 5, 7) * 9;
    const std::uint64_t shifted = m_state[1] << 17;
    m_state[2] ^= m_state[0];
    m_state[3] ^= m_state[1];
    m_state[1] ^= m_state[2];
    m_state[0] ^= m_state[3];
    m_state[2] ^= shifted;
    m_state[3] = std::rotl(m_state[3], 45);
    return result;
}

double RandomStream::uniform() {
    return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double RandomStream::uniform(double low, double high) {
    return low + (high - low) * uniform();
}

double RandomStream::normal() {
    if (m_hasSpareNormal) {
        m_hasSpareNormal = false;
        return m_spareNormal;
    }
    const double radius = std::sqrt(-2 * std::log1p(-uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    m_spareNormal = radius * std::sin(angle);
    m_hasSpareNormal = true;
    return radius * std::cos(angle);
}

std::size_t RandomStream::below(std::size_t bound) {
    assert(bound > 0);
    // Values under the threshold would make small results more likely; draw again instead.
    const std::uint64_t threshold = (0 - static_cast<std::uint64_t>(bound)) % bound;
    for (;;) {
        const std::uint64_t value = next();
        if (value >= threshold) {
            return static_cast<std::size_t>(value % bound);
        }
    }
}

void RandomStream::fillBelow(std::size_t bound, std::span<std::uint32_t> out) {
    assert(bound > 0 && bound < (std::uint64_t{1} << 32));
    const std::uint64_t threshold = (0 - static_cast<std::uint64_t>(bound)) % bound;
    // Divisions by multiplying: ⌊v ⌊2⁶⁴/bound⌋ / 2⁶⁴⌋ is ⌊v/bound⌋ or one less.
    const std::uint64_t inverse = ~std::uint64_t{0} / bound;
    for (std::uint32_t& index : out) {
        std::uint64_t value = next();
        while (value < threshold) {
            value = next();
        }
        __extension__ using Wide = unsigned __int128;
        const auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(value) * inverse) >> 64);
        const std::uint64_t rest = value - quotient * bound;
        index = static_cast<std::uint32_t>(rest >= bound ? rest - bound : rest);
    }
}

std::vector<std::size_t> RandomStream::permutation(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    shuffle(order);
    return order;
}

} // namespace lambdascope

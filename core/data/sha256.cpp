// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lambdascope {

namespace {

/// First 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t bigEndianWord(const std::byte* at) {
    return (std::to_integer<std::uint32_t>(at[0]) << 24) | (std::to_integer<std::uint32_t>(at[1]) << 16) |
           (std::to_integer<std::uint32_t>(at[2]) << 8) | std::to_integer<std::uint32_t>(at[3]);
}

} // namespace

Sha256::Sha256()
    : m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {}

void Sha256::addBlock(const std::byte* block) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t t = 0; t < 16; ++t) {
        w[t] = bigEndianWord(block + 4 * t);
    }
    for (std::size_t t = 16; t < 64; ++t) {
        const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
        const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
    auto [a, b, c, d, e, f, g, h] = m_state;
    for (std::size_t t = 0; t < 64; ++t) {
        const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRoundConstants[t] + w[t];
        const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    const std::array<std::uint32_t, 8> sum = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i) {
        m_state[i] += sum[i];
    }
}

void Sha256::add(std::span<const std::byte> bytes) {
    const std::size_t pending = m_byteCount % 64;
    m_byteCount += bytes.size();
    if (pending != 0) {
        const std::size_t taken = std::min(bytes.size(), 64 - pending);
        std::copy_n(bytes.begin(), taken, m_pending.begin() + static_cast<std::ptrdiff_t>(pending));
        if (pending + taken < 64) {
            return;
        }
        addBlock(m_pending.data());
        bytes = bytes.subspan(taken);
    }
    for (; bytes.size() >= 64; bytes = bytes.subspan(64)) {
        addBlock(bytes.data());
    }
    std::copy(bytes.begin(), bytes.end(), m_pending.begin());
}

void Sha256::addNumber(std::uint64_t number) {
    std::array<std::byte, 8> bytes;
    for (std::size_t i = 0; i < 8; ++i) {
        bytes[i] = static_cast<std::byte>(number >> (8 * i));
    }
    add(bytes);
}

std::string Sha256::hexDigest() {
    const std::uint64_t bitCount = m_byteCount * 8;
    constexpr std::array<std::byte, 64> kPadding = {std::byte{0x80}};
    const std::size_t used = m_byteCount % 64;
    add({kPadding.data(), used < 56 ? 56 - used : 120 - used});
    std::array<std::byte, 8> length;
    for (std::size_t i = 0; i < 8; ++i) {
        length[i] = static_cast<std::byte>(bitCount >> (56 - 8 * i));
    }
    add(length);
    std::string text;
    for (const std::uint32_t word : m_state) {
        for (int shift = 28; shift >= 0; shift -= 4) {
            text += "0123456789abcdef"[(word >> shift) & 15];
        }
    }
    return text;
}

std::string sha256OfText(std::string_view text) {
    Sha256 hash;
    hash.add(text.data(), text.size());
    return hash.hexDigest();
}

} // namespace lambdascope

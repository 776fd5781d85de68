// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/item_numbers.h"
#include "core/triplets/screening/sphere_rule.h"

#include <cstdint>
#include <vector>

namespace lambdascope::triplets {

/// What screening decided about every triplet, two bits each. Only kept when somebody wants to look (audit, inspector);
/// solving needs no such record.
class TripletStates {
  public:
    explicit TripletStates(TripletIndex count = 0)
        : m_count(count), m_zero(static_cast<std::size_t>((count + 63) / 64)), m_linear(m_zero.size()) {}

    void reset() {
        m_zero.assign(m_zero.size(), 0);
        m_linear.assign(m_linear.size(), 0);
    }
    void set(TripletIndex number, Decision decision) {
        auto& words = decision == Decision::Zero ? m_zero : m_linear;
        words[static_cast<std::size_t>(number / 64)] |= std::uint64_t{1} << (number % 64);
    }
    /// The same for triplet number + b of every bit b that is set.
    void set(TripletIndex number, std::uint64_t bits, Decision decision) {
        auto& words = decision == Decision::Zero ? m_zero : m_linear;
        const auto word = static_cast<std::size_t>(number / 64);
        const int shift = static_cast<int>(number % 64);
        words[word] |= bits << shift;
        if (const std::uint64_t beyond = shift > 0 ? bits >> (64 - shift) : 0; beyond != 0) {
            words[word + 1] |= beyond;
        }
    }
    /// What is set in either.
    void add(const TripletStates& other) {
        for (std::size_t word = 0; word < m_zero.size(); ++word) {
            m_zero[word] |= other.m_zero[word];
            m_linear[word] |= other.m_linear[word];
        }
    }
    void clear(TripletIndex number) {
        const auto word = static_cast<std::size_t>(number / 64);
        const std::uint64_t bit = std::uint64_t{1} << (number % 64);
        m_zero[word] &= ~bit;
        m_linear[word] &= ~bit;
    }
    /// Bit b is set when triplet number + b has the decision (Zero or Linear), for up to 64 of them.
    [[nodiscard]] std::uint64_t bits(Decision decision, TripletIndex number) const {
        const auto& words = decision == Decision::Zero ? m_zero : m_linear;
        const auto word = static_cast<std::size_t>(number / 64);
        const int shift = static_cast<int>(number % 64);
        std::uint64_t result = words[word] >> shift;
        if (shift > 0 && word + 1 < words.size()) {
            result |= words[word + 1] << (64 - shift);
        }
        return result;
    }
    [[nodiscard]] Decision at(TripletIndex number) const {
        const auto word = static_cast<std::size_t>(number / 64);
        const std::uint64_t bit = std::uint64_t{1} << (number % 64);
        if ((m_zero[word] & bit) != 0) {
            return Decision::Zero;
        }
        return (m_linear[word] & bit) != 0 ? Decision::Linear : Decision::Keep;
    }
    [[nodiscard]] TripletIndex size() const { return m_count; }

    void transfer(auto& archive) {
        auto& [count, zero, linear] = *this;
        archive(count, zero, linear);
    }

  private:
    TripletIndex m_count;
    std::vector<std::uint64_t> m_zero;
    std::vector<std::uint64_t> m_linear;
};

} // namespace lambdascope::triplets

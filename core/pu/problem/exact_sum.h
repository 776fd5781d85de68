// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace lambdascope::pu {

/// What s of PU learning are multiples of.
inline constexpr double kQuantum = 0x1p-50;

/// Rounds to a multiple of the quantum.
[[nodiscard]] double quantized(double value);

/// Exact sum of multiples of the quantum in [0, 2].
class ExactSum {
  public:
    void add(double value);
    /// Adds values[place] for each of the places, which ascend.
    void addAt(const double* values, std::span<const std::int32_t> places);
    /// this − other, rounded once.
    [[nodiscard]] double minus(const ExactSum& other) const;
    [[nodiscard]] ExactSum without(const ExactSum& other) const;
    [[nodiscard]] double value() const;
    /// The largest whole number up to the sum, which value() may round up to the next one.
    [[nodiscard]] double floor() const { return static_cast<double>(m_high); }
    [[nodiscard]] bool isWhole() const { return m_low == 0; }
    /// The sum that is a given multiple of the quantum, such as PuProblem::mass().
    [[nodiscard]] static ExactSum of(double value);

    void transfer(auto& archive) {
        auto& [high, low] = *this;
        archive(high, low);
    }

  private:
    void carry();

    std::int64_t m_high = 0; ///< whole units
    std::int64_t m_low = 0;  ///< quanta
};

} // namespace lambdascope::pu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

/// Unit roundoff of double: a rounded operation is exact up to this relative error.
inline constexpr double kUnitRoundoff = std::numeric_limits<double>::epsilon() / 2;

/// Room for results that are too small for a double and became 0 or lost digits: far above what one operation loses
/// there (2⁻¹⁰⁷⁵), far below anything else.
inline constexpr double kUnderflow = std::numeric_limits<double>::min();

/// Forward error factor of a sum or an inner product of n terms, γ_n = n u / (1 − n u) [Higham 2002, §3.1].
[[nodiscard]] inline double roundingFactor(double terms) {
    const double share = terms * kUnitRoundoff;
    return share / (1 - std::min(share, 0.5));
}

/// A computed number and a bound on its distance to the exact one: exact ∈ [value − error, value + error].
///
/// The operators carry the bound along (first order terms exactly, plus the rounding of the operation itself), so that
/// a gap or a radius that comes out of a chain of formulas knows what it is worth.
struct Bounded {
    double value = 0;
    double error = 0;

    [[nodiscard]] double upper() const { return value + error; }
    [[nodiscard]] double lower() const { return value - error; }

    void transfer(auto& archive) {
        auto& [v, e] = *this;
        archive(v, e);
    }
};

namespace detail {
[[nodiscard]] inline Bounded rounded(double value, double error) {
    // The factor pays for the rounding of the error terms themselves.
    return {value, (error + kUnitRoundoff * std::abs(value)) * (1 + 8 * kUnitRoundoff) + kUnderflow};
}
} // namespace detail

/// A number that is exact as it stands (input data, small integers).
[[nodiscard]] inline Bounded exactly(double value) {
    return {value, 0};
}

[[nodiscard]] inline Bounded operator+(Bounded a, Bounded b) {
    return detail::rounded(a.value + b.value, a.error + b.error);
}
[[nodiscard]] inline Bounded operator-(Bounded a, Bounded b) {
    return detail::rounded(a.value - b.value, a.error + b.error);
}
[[nodiscard]] inline Bounded operator*(Bounded a, Bounded b) {
    return detail::rounded(a.value * b.value,
                           std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error);
}
/// Division by an exact number.
[[nodiscard]] inline Bounded operator/(Bounded a, double b) {
    return detail::rounded(a.value / b, a.error / std::abs(b));
}
/// √max(a, 0). |√(a+e) − √a| ≤ min(√e, e/√a).
[[nodiscard]] inline Bounded squareRoot(Bounded a) {
    const double root = std::sqrt(std::max(a.value, 0.0));
    const double below = std::max(-a.value, 0.0); // a computed value may be negative by rounding alone
    const double error = a.error + below;
    const double spread = root > 0 ? std::min(std::sqrt(error), error / root) : std::sqrt(error);
    return detail::rounded(root, spread);
}

/// Sum that carries its own rounding error along (Neumaier): the result is exact up to 2u |sum| + n² u² Σ|terms|, so
/// the number of terms does not matter in practice.
class CompensatedSum {
  public:
    void add(double term) {
        const double sum = m_sum + term;
        m_carry += std::abs(m_sum) >= std::abs(term) ? (m_sum - sum) + term : (term - sum) + m_sum;
        m_sum = sum;
    }
    [[nodiscard]] double value() const { return m_sum + m_carry; }

  private:
    double m_sum = 0;
    double m_carry = 0;
};

} // namespace lambdascope

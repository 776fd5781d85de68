// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace lambdascope {

/// Samples by position, from which pairs are chosen that one equality constraint ties together: raising one gains
/// score + up per unit, lowering it costs score + down. Nothing is owned.
struct PairSamples {
    double* scores = nullptr;
    const double* up = nullptr;       ///< −∞ where a sample cannot be raised
    const double* down = nullptr;     ///< ∞ where it cannot be lowered
    const double* diagonal = nullptr; ///< Kᵢᵢ
    std::size_t size = 0;
};

/// The pair that violates optimality most: the sample that gains most when raised and the one that costs least when
/// lowered, −1 for none.
struct PairPick {
    std::int32_t raise = -1;
    std::int32_t lower = -1;
    double highest = -std::numeric_limits<double>::infinity(); ///< max score + up
    double lowest = std::numeric_limits<double>::infinity();   ///< min score + down
    [[nodiscard]] double violation() const { return raise < 0 || lower < 0 ? 0.0 : highest - lowest; }
};
/// O(size).
[[nodiscard]] PairPick pickPair(const PairSamples& samples);

/// Curvature that stands for equal images, as a share of Kᵢᵢ of the sample that is raised.
inline constexpr double kLeastPairCurvature = 1e-12;

/// The sample whose lowering gains most together with raising sample `raise`, to second order: half of (difference of
/// slopes)² / ‖φᵢ − φⱼ‖² [Fan, Chen, Lin 2005]. `row` holds the kernel values of `raise` with all positions. −1 when
/// none gains. O(size).
[[nodiscard]] std::int32_t pairPartner(const PairSamples& samples, std::int32_t raise, const double* row);

/// Takes raised · `raiseRow` − lowered · `lowerRow` off all scores; the next pick. One pass, O(size).
PairPick movePair(const PairSamples& samples, double raised, double lowered, const double* raiseRow,
                  const double* lowerRow);

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {

/// Sums the duality gap over samples: α(f − t) + U max(0, t − f), U = Cω, is (U − α)(t − f) or α(f − t), whichever side
/// of its threshold the margin f is on. Its sensitivity to f is U − α or α: nothing where the sample is at the right
/// bound.
class GapSum {
  public:
    /// `shortfall` is t − f, which may be known better than f; rounding of a difference counts as that of the term.
    /// `error` bounds what else it is off by.
    void addShortfall(double alpha, double upper, double shortfall, double error) {
        const double slope = shortfall > 0 ? upper - alpha : alpha;
        const double distance = std::abs(shortfall);
        m_sum += slope * distance;
        m_error += (distance <= error ? std::max(alpha, upper - alpha) : slope) * error;
        // Of the bound Cω, which has no part in a term where f is above t beyond doubt.
        m_error += 2 * kUnitRoundoff * (shortfall >= -error ? upper + alpha : alpha) * distance;
    }
    /// Adds to what the gap may be more than its terms.
    void owe(double more) { m_error += more; }
    [[nodiscard]] double value() const { return m_sum; }
    [[nodiscard]] double error() const { return m_error; }
    /// Upper bound of the gap after `count` terms.
    [[nodiscard]] double upper(double count) const { return (m_sum + m_error) * (1 + roundingFactor(count + 8)); }

  private:
    double m_sum = 0;
    double m_error = 0;
};

} // namespace lambdascope::svm

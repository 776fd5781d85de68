// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::svm {

/// Sums the duality gap over samples: α(f − 1) + U max(0, 1 − f), U = Cω, is (U − α)(1 − f) or α(f − 1), whichever side
/// of 1 the margin f is on. Its sensitivity to f is U − α or α: nothing where the sample is at the right bound.
class GapSum {
  public:
    /// `error` bounds that of the margin.
    void add(double alpha, double upper, double margin, double error) {
        const double slope = margin < 1 ? upper - alpha : alpha;
        m_sum += slope * std::abs(1 - margin);
        m_error += (std::abs(1 - margin) <= error ? std::max(alpha, upper - alpha) : slope) * error;
        m_error += 2 * kUnitRoundoff * (upper + alpha) * std::abs(1 - margin); // of the bound Cω
    }
    [[nodiscard]] double value() const { return m_sum; }
    [[nodiscard]] double error() const { return m_error; }
    /// Upper bound of the gap after `count` terms.
    [[nodiscard]] double upper(double count) const { return (m_sum + m_error) * (1 + roundingFactor(count + 8)); }

  private:
    double m_sum = 0;
    double m_error = 0;
};

} // namespace lambdascope::svm

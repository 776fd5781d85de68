// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numeric/error_bound.h"

#include <Eigen/Core>

namespace lambdascope {

/// CompensatedSum of many terms in a row: several sums side by side (Knuth's two-sum, which has no branches), put
/// together at the end.
class CompensatedSums {
  public:
    static constexpr int kLanes = 8;
    using Terms = Eigen::Array<double, kLanes, 1>;

    /// Adds one term to each.
    void add(const Terms& terms) {
        const Terms sums = m_sums + terms;
        const Terms added = sums - m_sums;
        m_carries += (m_sums - (sums - added)) + (terms - added);
        m_sums = sums;
    }
    /// All of them together.
    [[nodiscard]] double value() const {
        CompensatedSum all;
        for (int l = 0; l < kLanes; ++l) {
            all.add(m_sums(l));
            all.add(m_carries(l));
        }
        return all.value();
    }

  private:
    Terms m_sums = Terms::Zero();
    Terms m_carries = Terms::Zero();
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_values.h"

#include <span>
#include <vector>

namespace lambdascope::pu {

/// What screening has decided of all unlabeled samples of one point. A decision stays.
class SampleDecisions {
  public:
    explicit SampleDecisions(const PuProblem& problem)
        : m_first(problem.positives()), m_decisions(static_cast<std::size_t>(problem.unlabeled()), Decision::Keep) {}

    [[nodiscard]] const std::vector<Decision>& all() const { return m_decisions; }
    [[nodiscard]] const SampleCounts& counts() const { return m_counts; }

    /// Takes decisions on these samples in. Each of `found` becomes what is known of its sample, even if it was decided
    /// before and is not found again; how many of them are decided.
    std::int64_t take(std::span<const SampleIndex> samples, std::span<Decision> found) {
        std::int64_t decided = 0;
        for (std::size_t k = 0; k < found.size(); ++k) {
            Decision& known = m_decisions[static_cast<std::size_t>(samples[k] - m_first)];
            if (known == Decision::Keep) {
                known = found[k];
                m_counts.count(known);
            }
            found[k] = known;
            decided += known != Decision::Keep ? 1 : 0;
        }
        return decided;
    }

  private:
    SampleIndex m_first; ///< unlabeled sample
    std::vector<Decision> m_decisions;
    SampleCounts m_counts;
};

} // namespace lambdascope::pu

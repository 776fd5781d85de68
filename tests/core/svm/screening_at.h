// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/screening/bounds.h"

#include <vector>

namespace lambdascope::svm {

/// What a reference gives at one C after another, with everything that regions look at.
class ScreeningAt {
  public:
    /// The reference must outlive this.
    ScreeningAt(const SvmProblem& problem, const SolvedSvm& reference);
    ScreeningAt(const ScreeningAt&) = delete;
    ScreeningAt& operator=(const ScreeningAt&) = delete;

    /// Goes to `c`. `beyond`, for DT, is a solution at a larger C, which must live as long as regions made here; may be
    /// null.
    void moveTo(double c, const SolvedSvm* beyond);

    [[nodiscard]] const ScreeningReference& reference() const { return m_from; }
    /// Decisions of a bound on all samples; empty when the bound lacks something.
    [[nodiscard]] std::vector<Decision> decisions(BoundKind kind) const;

  private:
    const SvmProblem& m_problem;
    const SolvedSvm& m_path;
    Nc3Cut m_cut;
    SolvedSvm m_current; ///< the scaled reference, a point at C: what GAP starts from
    ScreeningReference m_from;
    std::vector<SampleIndex> m_all;
};

} // namespace lambdascope::svm

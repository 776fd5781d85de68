// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/screening/bounds.h"
#include "core/svm/solver/point_solver.h"

#include <numeric>
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

inline ScreeningAt::ScreeningAt(const SvmProblem& problem, const SolvedSvm& reference)
    : m_problem(problem), m_path(reference), m_cut(problem), m_all(static_cast<std::size_t>(problem.size())) {
    std::iota(m_all.begin(), m_all.end(), SampleIndex{0});
}

inline void ScreeningAt::moveTo(double c, const SolvedSvm* beyond) {
    StopCheck never;
    m_cut.update(m_path, c, never);
    const double scale = c / m_path.c;
    m_current = m_path;
    m_current.c = c;
    m_current.alpha = (scale * m_path.alpha).cwiseMin(c * m_problem.weights());
    m_current.margins *= scale;
    m_current.marginError = m_path.marginError * scale + 1e-15 * m_current.alpha.dot(m_problem.norms());
    completeSolved(m_problem, m_current);
    m_from.c = c;
    m_from.path = &m_path;
    m_from.cut = &m_cut;
    m_from.beyond = beyond;
    m_from.current = {{m_current.margins.data(), static_cast<std::size_t>(m_current.margins.size())},
                      m_current.marginError};
    m_from.gap = m_current.gap;
}

inline std::vector<Decision> ScreeningAt::decisions(BoundKind kind) const {
    std::vector<Decision> result;
    if (const auto region = makeRegion(kind, m_problem, m_from)) {
        result.resize(m_all.size());
        region->judge(m_all, result);
    }
    return result;
}

} // namespace lambdascope::svm

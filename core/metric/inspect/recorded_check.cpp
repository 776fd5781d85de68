// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/inspect/recorded_check.h"

namespace lambdascope::metric {

RecordedCheck::RecordedCheck(const ScreeningCheck& check)
    : m_check(check.check), m_iteration(check.iteration), m_point(*check.reference.point),
      m_totals(*check.reference.totals), m_reference(check.reference),
      m_regions(check.regions.begin(), check.regions.end()) {
    m_reference.point = &m_point;
    m_reference.totals = &m_totals;
    if (check.reference.gapDual != nullptr) {
        m_gapDual = *check.reference.gapDual;
        m_reference.gapDual = &m_gapDual;
    }
    if (check.reference.path.point != nullptr) {
        m_pathPoint = *check.reference.path.point;
        m_reference.path.point = &m_pathPoint;
        if (check.reference.path.totals != nullptr) {
            m_pathTotals = *check.reference.path.totals;
            m_reference.path.totals = &m_pathTotals;
        }
        if (check.reference.path.dual != nullptr) {
            m_pathDual = *check.reference.path.dual;
            m_reference.path.dual = &m_pathDual;
        }
    }
    if (check.reference.dual != nullptr) {
        m_dual = *check.reference.dual;
        m_reference.dual = &m_dual;
    }
    m_reference.poll = nullptr; // the solver's, which may be gone
}

} // namespace lambdascope::metric

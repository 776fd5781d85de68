// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/problem/cone_projection.h"

#include "core/numeric/psd_projection.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

bool ConeProjection::compute(const Eigen::MatrixXd& matrix, double scale, WorkPoll& poll) {
    PsdSplit split;
    if (isDiagonal(matrix)) {
        split = splitByCone(matrix);
    } else {
        m_system = symmetricEigenSystem(matrix, poll);
        split = splitPsd(m_system, poll);
    }
    if (!split.isFinite) {
        return false;
    }
    m_norm = split.positiveNorm;
    m_point = MetricPoint::fromSplit(std::move(split), scale);
    setRoots(matrix);
    return true;
}

void ConeProjection::setRoots(const Eigen::MatrixXd& matrix) {
    if (isDiagonal(matrix)) {
        m_roots = (matrix.array() > 0).cast<double>();
        m_rank = static_cast<Eigen::Index>(m_roots.sum());
        return;
    }
    const Eigen::VectorXd& values = m_system.values;
    const Eigen::Index d = values.size();
    m_rank = (values.array() > 0).count();
    m_roots.setZero(d, d);
    for (Eigen::Index j = d - m_rank; j < d; ++j) {
        for (Eigen::Index i = 0; i < d; ++i) {
            m_roots(i, j) = i >= d - m_rank ? 1 : std::sqrt(values[j] / (values[j] - values[i]));
            m_roots(j, i) = m_roots(i, j);
        }
    }
}

Eigen::Index ConeProjection::freedom() const {
    return isOfColumn() ? m_rank : m_rank * (m_rank + 1) / 2 + m_rank * (m_roots.rows() - m_rank);
}

} // namespace lambdascope::metric

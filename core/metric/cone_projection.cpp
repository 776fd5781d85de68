// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/cone_projection.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

bool ConeProjection::compute(const Eigen::MatrixXd& matrix) {
    m_source = matrix;
    PsdSplit split;
    if (isDiagonal(matrix)) {
        split = splitByCone(matrix);
    } else {
        m_system = symmetricEigenSystem(matrix, true);
        split = splitPsd(m_system);
    }
    if (!split.isFinite) {
        return false;
    }
    m_point = MetricPoint::fromSplit(std::move(split));
    setWeights();
    return true;
}

void ConeProjection::scaleNegativePart(double factor) {
    m_source = m_point.matrix + factor * (m_source - m_point.matrix);
    if (!isDiagonal(m_source)) {
        m_system.values = (m_system.values.array() < 0).select(factor * m_system.values, m_system.values);
        setWeights();
    }
}

void ConeProjection::setWeights() {
    if (isDiagonal(m_source)) {
        m_weights = (m_source.array() > 0).cast<double>();
        m_roots = m_weights;
        return;
    }
    const Eigen::Index d = m_system.values.size();
    m_weights.resize(d, d);
    for (Eigen::Index j = 0; j < d; ++j) {
        const double b = m_system.values[j];
        for (Eigen::Index i = 0; i < d; ++i) {
            const double a = m_system.values[i];
            if (a > 0 && b > 0) {
                m_weights(i, j) = 1;
            } else if (a <= 0 && b <= 0) {
                m_weights(i, j) = 0;
            } else {
                m_weights(i, j) = std::max(a, b) / (std::abs(a) + std::abs(b));
            }
        }
    }
    m_roots = m_weights.sqrt();
}

Eigen::MatrixXd ConeProjection::toBasis(const Eigen::MatrixXd& d) const {
    if (isDiagonal(m_source)) {
        return (m_roots * d.array()).matrix();
    }
    return (m_roots * (m_system.vectors.transpose() * d * m_system.vectors).array()).matrix();
}

Eigen::MatrixXd ConeProjection::fromBasis(const Eigen::MatrixXd& w) const {
    if (isDiagonal(m_source)) {
        return (m_roots * w.array()).matrix();
    }
    return m_system.vectors * (m_roots * w.array()).matrix() * m_system.vectors.transpose();
}

} // namespace lambdascope::metric

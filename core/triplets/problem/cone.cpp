// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/cone.h"

#include <cmath>
#include <limits>

namespace lambdascope::triplets {

namespace {

Bounded norm(const Eigen::MatrixXd& column) {
    const double value = column.norm();
    return {value, roundingFactor(static_cast<double>(column.rows()) + 2) * value};
}

} // namespace

PsdSplit splitByCone(const Eigen::MatrixXd& a, StopCheck* stopCheck) {
    if (!isDiagonal(a)) {
        return stopCheck != nullptr ? splitPsd(a, *stopCheck) : splitPsd(a);
    }
    PsdSplit split;
    if (!a.allFinite()) {
        split.isFinite = false;
        return split;
    }
    split.positive = a.cwiseMax(0.0);
    split.factor = split.positive.cwiseSqrt();
    split.trace = split.positive.sum();
    split.positiveNorm = norm(split.positive);
    split.negativeNorm = norm(a.cwiseMin(0.0));
    return split;
}

Bounded squaredNormInCone(const Eigen::MatrixXd& a, StopCheck* stopCheck) {
    if (!isDiagonal(a)) {
        return stopCheck != nullptr ? positivePartSquaredNorm(symmetricEigenSystem(a, *stopCheck, false))
                                    : positivePartSquaredNorm(a);
    }
    if (!a.allFinite()) {
        return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
    }
    const double value = a.cwiseMax(0.0).squaredNorm();
    return {value, roundingFactor(static_cast<double>(a.rows()) + 2) * value};
}

bool ConeProjection::compute(const Eigen::MatrixXd& matrix, double scale, StopCheck& stopCheck) {
    PsdSplit split;
    if (isDiagonal(matrix)) {
        split = splitByCone(matrix);
    } else {
        m_system = symmetricEigenSystem(matrix, stopCheck);
        split = splitPsd(m_system, stopCheck);
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

} // namespace lambdascope::triplets

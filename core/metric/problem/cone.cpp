// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/problem/cone.h"

#include "core/metric/problem/structure.h"
#include "core/numeric/psd_projection.h"

#include <limits>

namespace lambdascope::metric {

namespace {

Bounded norm(const Eigen::MatrixXd& column) {
    const double value = column.norm();
    return {value, roundingFactor(static_cast<double>(column.rows()) + 2) * value};
}

} // namespace

PsdSplit splitByCone(const Eigen::MatrixXd& a, WorkPoll* poll) {
    if (!isDiagonal(a)) {
        return poll != nullptr ? splitPsd(a, *poll) : splitPsd(a);
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

Bounded squaredNormInCone(const Eigen::MatrixXd& a, WorkPoll* poll) {
    if (!isDiagonal(a)) {
        return poll != nullptr ? positivePartSquaredNorm(symmetricEigenSystem(a, *poll, false))
                               : positivePartSquaredNorm(a);
    }
    if (!a.allFinite()) {
        return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
    }
    const double value = a.cwiseMax(0.0).squaredNorm();
    return {value, roundingFactor(static_cast<double>(a.rows()) + 2) * value};
}

} // namespace lambdascope::metric

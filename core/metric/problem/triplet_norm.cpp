// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/problem/triplet_norm.h"

#include "core/numeric/error_bound.h"

#include <algorithm>

namespace lambdascope::metric {

namespace {

using Four = Eigen::Array4d;
using FourMap = Eigen::Map<const Four>;

} // namespace

double pairProduct(const double* x, const double* other, const double* b, Eigen::Index stride, Structure structure) {
    Four sum = Four::Zero();
    if (structure == Structure::Diagonal) {
        for (Eigen::Index c = 0; c < stride; c += 4) {
            const Four product = (FourMap(x + c) - FourMap(other + c)) * FourMap(b + c);
            sum += product * product;
        }
        return sum.sum();
    }
    for (Eigen::Index c = 0; c < stride; c += 4) {
        sum += (FourMap(x + c) - FourMap(other + c)) * FourMap(b + c);
    }
    return sum.sum() * sum.sum();
}

double squaredNormBound(double a, double b, double product, Eigen::Index features) {
    const double error = roundingFactor(8 * static_cast<double>(features) + 40);
    return (a - b) * (a - b) + 2 * std::max(a * b - product, 0.0) + error * (a + b) * (a + b);
}

double TripletNorm::squared(PairIndex far, PairIndex near) {
    const PairIndex none = m_table.pairs();
    const double a = far == none ? 0 : m_table.squaredLength(far);
    const double b = near == none ? 0 : m_table.squaredLength(near);
    if (far == none || near == none) {
        return squaredNormBound(a, b, 0, m_table.features()); // a or b is 0
    }
    const Eigen::Index stride = m_table.stride();
    const double* rows = m_table.paddedRows().data();
    if (m_near != near) {
        m_near = near;
        using Row = Eigen::Map<const Eigen::VectorXd>;
        m_difference =
            Row(rows + m_table.first(near) * stride, stride) - Row(rows + m_table.second(near) * stride, stride);
    }
    // The sign of either difference does not matter to the square.
    const double product = pairProduct(rows + m_table.first(far) * stride, rows + m_table.second(far) * stride,
                                       m_difference.data(), stride, m_table.structure());
    return squaredNormBound(a, b, product, m_table.features());
}

} // namespace lambdascope::metric

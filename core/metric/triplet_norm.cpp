// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/triplet_norm.h"

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

double TripletNorm::squared(RowIndex anchor, PairIndex samePair, PairIndex otherPair) {
    const Eigen::Index stride = m_triplets.stride();
    const double* rows = m_triplets.paddedRows().data();
    const double* x = rows + anchor * stride;
    if (m_anchor != anchor || m_pair != samePair) {
        m_anchor = anchor;
        m_pair = samePair;
        const double* same = rows + m_triplets.partner(samePair, anchor) * stride;
        m_difference = Eigen::Map<const Eigen::VectorXd>(x, stride) - Eigen::Map<const Eigen::VectorXd>(same, stride);
    }
    const double product = pairProduct(x, rows + m_triplets.partner(otherPair, anchor) * stride, m_difference.data(),
                                       stride, m_triplets.structure());
    return squaredNormBound(m_triplets.squaredLength(otherPair), m_triplets.squaredLength(samePair), product,
                            m_triplets.features());
}

} // namespace lambdascope::metric

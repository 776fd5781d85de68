// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/pair_space.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::metric {

namespace {

using Four = Eigen::Array4d;
using FourMap = Eigen::Map<const Four>;

/// Pairs between two polls.
constexpr std::size_t kPairsPerPoll = 65536;
/// Rows whose outer products are summed before they join the total: keeps the rounding of long sums small.
constexpr Eigen::Index kRowsPerSum = 64;

/// Calls visit(p) for the listed pairs in order, polling; false when stopped.
template <class Visit>
bool forEachPair(const TripletSet& triplets, PairSpace::PairList list, std::int64_t operations, WorkPoll& poll,
                 Visit&& visit) {
    const std::size_t count = list != nullptr ? list->size() : static_cast<std::size_t>(triplets.pairs());
    for (std::size_t begin = 0; begin < count; begin += kPairsPerPoll) {
        const std::size_t end = std::min(count, begin + kPairsPerPoll);
        if (list != nullptr) {
            for (std::size_t at = begin; at < end; ++at) {
                visit((*list)[at]);
            }
        } else {
            for (std::size_t at = begin; at < end; ++at) {
                visit(static_cast<PairIndex>(at));
            }
        }
        if (poll.spend(static_cast<std::int64_t>(end - begin) * operations)) {
            return false;
        }
    }
    return true;
}

double squaredDistance(const double* a, const double* b, Eigen::Index stride) {
    Four sum = Four::Zero();
    for (Eigen::Index c = 0; c < stride; c += 4) {
        const Four difference = FourMap(a + c) - FourMap(b + c);
        sum += difference * difference;
    }
    return sum.sum();
}

} // namespace

PairSpace::PairSpace(const TripletSet& triplets) : m_triplets(triplets) {}

double PairSpace::valueError(double size) const {
    // Rows of the image are off by γ_d ‖x‖ size^½ (or ‖x‖ size), differences and squares add γ_{d+3}; ‖δ‖ ≤ 2ρ.
    const double rho = m_triplets.largestNorm();
    return roundingFactor(12 * static_cast<double>(m_triplets.features()) + 24) * size * rho * rho;
}

bool PairSpace::distances(const MetricPoint& point, PairList pairs, WorkPoll& poll, std::vector<double>& values) {
    const Eigen::Index d = m_triplets.features();
    const Eigen::Index rank = point.factor.cols();
    const Eigen::Index stride = (rank + 3) / 4 * 4;
    m_image.setZero(m_triplets.rows(), stride);
    m_image.leftCols(rank).noalias() = m_triplets.paddedRows().leftCols(d) * point.factor;
    values.resize(static_cast<std::size_t>(m_triplets.pairs()));
    if (poll.spend(2 * m_triplets.rows() * d * rank)) {
        return false;
    }
    const double* image = m_image.data();
    return forEachPair(m_triplets, pairs, 3 * stride + 10, poll, [&](PairIndex p) {
        values[static_cast<std::size_t>(p)] =
            squaredDistance(image + m_triplets.first(p) * stride, image + m_triplets.second(p) * stride, stride);
    });
}

bool PairSpace::forms(const Eigen::MatrixXd& q, PairList pairs, WorkPoll& poll, std::vector<double>& values) {
    const Eigen::Index d = m_triplets.features();
    const Eigen::Index stride = m_triplets.stride();
    const DenseRows& x = m_triplets.paddedRows();
    m_image.setZero(m_triplets.rows(), stride);
    m_image.leftCols(d).noalias() = x.leftCols(d) * q;
    values.resize(static_cast<std::size_t>(m_triplets.pairs()));
    if (poll.spend(2 * m_triplets.rows() * d * d)) {
        return false;
    }
    const double* image = m_image.data();
    return forEachPair(m_triplets, pairs, 5 * stride + 10, poll, [&](PairIndex p) {
        const Eigen::Index i = m_triplets.first(p) * stride;
        const Eigen::Index j = m_triplets.second(p) * stride;
        Four sum = Four::Zero();
        for (Eigen::Index c = 0; c < stride; c += 4) {
            sum += (FourMap(x.data() + i + c) - FourMap(x.data() + j + c)) *
                   (FourMap(image + i + c) - FourMap(image + j + c));
        }
        values[static_cast<std::size_t>(p)] = sum.sum();
    });
}

bool PairSpace::weightedSum(const std::vector<double>& weights, double weightError, PairList pairs, WorkPoll& poll,
                            MatrixSum& sum) {
    const Eigen::Index d = m_triplets.features();
    const Eigen::Index stride = m_triplets.stride();
    const DenseRows& x = m_triplets.paddedRows();
    m_spread.setZero(m_triplets.rows(), stride);
    double* spread = m_spread.data();
    double weightSum = 0;
    double weightedLengths = 0;
    const bool done = forEachPair(m_triplets, pairs, 6 * stride + 10, poll, [&](PairIndex p) {
        const double weight = weights[static_cast<std::size_t>(p)];
        if (weight == 0) {
            return;
        }
        const Eigen::Index i = m_triplets.first(p) * stride;
        const Eigen::Index j = m_triplets.second(p) * stride;
        for (Eigen::Index c = 0; c < stride; c += 4) {
            const Four term = weight * (FourMap(x.data() + i + c) - FourMap(x.data() + j + c));
            Eigen::Map<Four>(spread + i + c) += term;
            Eigen::Map<Four>(spread + j + c) -= term;
        }
        weightSum += std::abs(weight);
        weightedLengths += std::abs(weight) * m_triplets.squaredLength(p);
    });
    if (!done || poll.spend(2 * m_triplets.rows() * d * d)) {
        return false;
    }
    sum.value.setZero(d, d);
    const Eigen::Index n = m_triplets.rows();
    for (Eigen::Index begin = 0; begin < n; begin += kRowsPerSum) {
        const Eigen::Index count = std::min(kRowsPerSum, n - begin);
        sum.value.noalias() +=
            x.middleRows(begin, count).leftCols(d).transpose() * m_spread.middleRows(begin, count).leftCols(d);
    }
    sum.value = (0.5 * (sum.value + sum.value.transpose())).eval();
    // ‖error‖ ≤ Σ_i ‖x_i‖ · (relative error of row i) · Σ_j |w_ij| ‖δ_ij‖, and Σ|w|‖δ‖ ≤ (Σ|w| · Σ|w|‖δ‖²)^½.
    const double terms = static_cast<double>(m_triplets.largestDegree() + kRowsPerSum + n / kRowsPerSum) + 8;
    const double lengths = std::sqrt(weightSum * weightedLengths) * (1 + 1e-9);
    sum.error = (roundingFactor(terms) + weightError) * 2 * m_triplets.largestNorm() * lengths;
    return true;
}

std::size_t PairSpace::bytes() const {
    return static_cast<std::size_t>(m_image.size() + m_spread.size()) * sizeof(double);
}

} // namespace lambdascope::metric

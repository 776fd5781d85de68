// SPDX-License-Identifier: GPL-3.0-or-later
// Quadratic forms of pairs of objects, whose rows are those of an identity matrix: entries of the matrix itself.
#include "core/triplets/problem/counted_work.h"
#include "core/triplets/problem/pair_batches.h"
#include "core/triplets/problem/pair_quadratic_forms.h"

#include <algorithm>
#include <cmath>

namespace lambdascope::triplets {

namespace {

constexpr std::int64_t kOperationsPerPair = 20; ///< of which most is waiting for memory
/// Numbers that a pair reads, in the units of counted_work.h.
constexpr std::int64_t kNumbersPerPair = 4;

} // namespace

bool PairQuadraticForms::objectForms(const Eigen::MatrixXd& q, bool isFeasible, PairList pairs, StopCheck& stopCheck,
                                     std::vector<double>& values) {
    values.resize(static_cast<std::size_t>(m_triplets.pairs()));
    m_work += work::ofValues(countOf(pairs), kNumbersPerPair);
    const double least = isFeasible ? 0 : -std::numeric_limits<double>::infinity();
    const auto setValues = [&](const pair_loops::Ends& ends, double* to) {
        for (std::size_t p = 0; p < ends.count; ++p) {
            const Eigen::Index i = ends.first[p];
            const Eigen::Index j = ends.second[p];
            to[p] = std::max(least, q(i, i) + q(j, j) - 2 * q(i, j));
        }
    };
    return pair_loops::forEachValue(m_triplets, pairs, kOperationsPerPair, stopCheck, values, setValues);
}

bool PairQuadraticForms::objectSum(const std::vector<double>& weights, double weightError, PairList pairs,
                                   StopCheck& stopCheck, MatrixSum& sum) {
    const Eigen::Index n = m_triplets.features();
    sum.value.setZero(n, n);
    Eigen::ArrayXd absolute = Eigen::ArrayXd::Zero(n); // Σ_j |w_ij|
    double squares = 0;
    pair_loops::WeightSums sums;
    pair_loops::WeightedBatch weighted;
    const bool done =
        pair_loops::forEachBatch(m_triplets, pairs, kOperationsPerPair, stopCheck, [&](const pair_loops::Batch& batch) {
            pair_loops::takeWeighted(m_triplets, batch, weights.data(), weighted, sums);
            for (std::size_t p = 0; p < weighted.count; ++p) {
                const Eigen::Index i = weighted.first[p];
                const Eigen::Index j = weighted.second[p];
                const double weight = weighted.weight[p];
                sum.value(i, i) += weight;
                sum.value(j, j) += weight;
                sum.value(i, j) = -weight; // each pair is there once
                sum.value(j, i) = -weight;
                absolute[i] += std::abs(weight);
                absolute[j] += std::abs(weight);
                squares += weight * weight;
            }
        });
    m_work += work::ofValues(sums.terms, 2 * kNumbersPerPair) + work::ofNumbers(n * n);
    if (!done || stopCheck.spend(n * n)) {
        return false;
    }
    // Only entries on the diagonal are sums; all feel the errors of the weights.
    const double ofDiagonal = absolute.matrix().norm();
    const double additions = static_cast<double>(m_triplets.largestDegree()) + 4;
    sum.error =
        (roundingFactor(additions) * ofDiagonal + weightError * std::hypot(ofDiagonal, std::sqrt(2 * squares))) *
        (1 + 1e-9);
    return true;
}

} // namespace lambdascope::triplets

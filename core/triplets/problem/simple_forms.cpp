// SPDX-License-Identifier: GPL-3.0-or-later
// Quadratic forms of pairs where they are simpler: for a diagonal M, and of objects, whose rows are those of an
// identity matrix, so that forms are entries of the matrix itself.
#include "core/triplets/problem/counted_work.h"
#include "core/triplets/problem/pair_batches.h"
#include "core/triplets/problem/pair_quadratic_forms.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lambdascope::triplets {

namespace {

using RowMap = Eigen::Map<const Eigen::ArrayXd>;

/// Pairs that are summed before they join the total: keeps the rounding of long sums small.
constexpr std::int64_t kPairsPerSum = 256;

/// Σ_c scales_c (a_c − b_c)², in at least four running sums.
double weightedSquaredDistance(const double* a, const double* b, const double* scales, Eigen::Index stride) {
    return (RowMap(scales, stride) * (RowMap(a, stride) - RowMap(b, stride)).square()).sum();
}

/// A pair to be added to a diagonal sum.
struct WeightedRows {
    const double* first = nullptr;
    const double* second = nullptr;
    double weight = 0;
};
/// So many pairs are added at a time: the sum is read and written once for all of them.
constexpr std::size_t kPairsAtOnce = 4;

/// sum_c += Σ weight (first_c − second_c)².
void addSquares(const std::array<WeightedRows, kPairsAtOnce>& rows, double* sum, Eigen::Index stride) {
    const auto term = [&](std::size_t at) {
        return rows[at].weight * (RowMap(rows[at].first, stride) - RowMap(rows[at].second, stride)).square();
    };
    Eigen::Map<Eigen::ArrayXd>(sum, stride) += (term(0) + term(1)) + (term(2) + term(3));
}

constexpr std::int64_t kOperationsPerPair = 20; ///< of objects, of which most is waiting for memory
/// Numbers that a pair of objects reads, in the units of counted_work.h.
constexpr std::int64_t kNumbersPerPair = 4;

} // namespace

const double* PairQuadraticForms::gatherColumns(const Eigen::MatrixXd& q, Eigen::Index& stride) {
    const DenseRows& x = m_triplets.paddedRows();
    const Eigen::Index used = (q.array() != 0).count();
    stride = (used + 3) / 4 * 4;
    const bool takesAll = 4 * used >= 3 * q.rows(); // copying would cost more than it saves
    if (takesAll) {
        stride = m_triplets.stride();
        m_scales.setZero(stride);
        m_scales.head(q.rows()) = q.col(0).array();
        return x.data();
    }
    m_scales.setZero(stride);
    m_columns.clear();
    for (Eigen::Index k = 0; k < q.rows(); ++k) {
        if (q(k, 0) != 0) {
            m_scales[static_cast<Eigen::Index>(m_columns.size())] = q(k, 0);
            m_columns.push_back(k);
        }
    }
    m_image.resize(x.rows(), stride);
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
        const double* from = x.data() + i * x.cols();
        double* to = m_image.data() + i * stride;
        for (const Eigen::Index k : m_columns) {
            *to++ = from[k];
        }
        std::fill(to, m_image.data() + (i + 1) * stride, 0.0);
    }
    return m_image.data();
}

bool PairQuadraticForms::diagonalForms(const Eigen::MatrixXd& q, PairList pairs, StopCheck& stopCheck,
                                       std::vector<double>& values) {
    Eigen::Index stride = 0;
    const double* rows = gatherColumns(q, stride);
    makeRoom(pairs, values);
    if (stopCheck.spend(std::int64_t{2} * m_triplets.rows() * stride)) {
        return false;
    }
    m_work += work::ofValues(countOf(pairs), stride);
    const double* scales = m_scales.data();
    const auto setValues = [&](const pair_loops::Ends& ends, double* to) {
        for (std::size_t p = 0; p < ends.count; ++p) {
            to[p] =
                weightedSquaredDistance(rows + ends.first[p] * stride, rows + ends.second[p] * stride, scales, stride);
        }
    };
    return pair_loops::forEachValue(m_triplets, pairs, 4 * stride + 10, stopCheck, values, setValues);
}

bool PairQuadraticForms::diagonalSum(const std::vector<double>& weights, double weightError, PairList pairs,
                                     StopCheck& stopCheck, MatrixSum& sum) {
    const Eigen::Index stride = m_triplets.stride();
    const double* x = m_triplets.paddedRows().data();
    Eigen::ArrayXd total = Eigen::ArrayXd::Zero(stride);
    m_batchSum.setZero(stride);
    std::int64_t terms = 0;
    pair_loops::WeightSums sums;
    pair_loops::WeightedBatch weighted;
    const WeightedRows nothing{x, x, 0};
    std::array<WeightedRows, kPairsAtOnce> waiting;
    waiting.fill(nothing);
    const auto add = [&] {
        addSquares(waiting, m_batchSum.data(), stride);
        waiting.fill(nothing);
        if (terms % kPairsPerSum == 0) {
            total += m_batchSum;
            m_batchSum.setZero();
        }
    };
    const bool done =
        pair_loops::forEachBatch(m_triplets, pairs, 5 * stride + 10, stopCheck, [&](const pair_loops::Batch& batch) {
            pair_loops::takeWeighted(m_triplets, batch, weights.data(), weighted, sums);
            for (std::size_t p = 0; p < weighted.count; ++p) {
                const auto place = static_cast<std::size_t>(terms++ % static_cast<std::int64_t>(kPairsAtOnce));
                waiting[place] = {x + weighted.first[p] * stride, x + weighted.second[p] * stride, weighted.weight[p]};
                if (place + 1 == kPairsAtOnce) {
                    add();
                }
            }
        });
    if (!done) {
        return false;
    }
    m_work += work::ofSum(terms, stride);
    add();
    total += m_batchSum;
    sum.value = total.head(m_triplets.features()).matrix();
    // Entry k is off by γ Σ_p |w_p| δ_pk², and ‖Σ_p |w_p| δ_p∘δ_p‖ ≤ Σ_p |w_p| ‖δ_p∘δ_p‖.
    const auto blocks = terms / kPairsPerSum;
    const auto additions = static_cast<double>(kPairsPerSum + blocks) + 8;
    sum.error = (roundingFactor(additions) + weightError) * sums.lengths * (1 + 1e-9);
    return true;
}

bool PairQuadraticForms::objectForms(const Eigen::MatrixXd& q, bool isFeasible, PairList pairs, StopCheck& stopCheck,
                                     std::vector<double>& values) {
    makeRoom(pairs, values);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/pair_quadratic_forms.h"

#include "core/triplets/problem/counted_work.h"
#include "core/triplets/problem/pair_batches.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lambdascope::triplets {

namespace {

using Four = Eigen::Array4d;
using FourMap = Eigen::Map<const Four>;
using pair_loops::Batch;
using pair_loops::forEachBatch;
using pair_loops::forEachValue;
using pair_loops::takeWeighted;
using pair_loops::WeightedBatch;
using pair_loops::WeightSums;
using RowMap = Eigen::Map<const Eigen::ArrayXd>;

/// Rows whose outer products are summed before they join the total: keeps the rounding of long sums small.
constexpr Eigen::Index kRowsPerSum = 256;
/// The same for pairs.
constexpr std::int64_t kPairsPerSum = 256;

/// The loops of pair_loops.h for rows of any width.
void addTerms(const WeightedBatch& pairs, const double* x, Eigen::Index stride, double* spread) {
    for (std::size_t p = 0; p < pairs.count; ++p) {
        const Eigen::Index i = pairs.first[p] * stride;
        const Eigen::Index j = pairs.second[p] * stride;
        for (Eigen::Index c = 0; c < stride; c += 4) {
            const Four term = pairs.weight[p] * (FourMap(x + i + c) - FourMap(x + j + c));
            Eigen::Map<Four>(spread + i + c) += term;
            Eigen::Map<Four>(spread + j + c) -= term;
        }
    }
}
void setProducts(const pair_loops::Ends& pairs, const double* x, const double* y, Eigen::Index stride, double* values) {
    for (std::size_t p = 0; p < pairs.count; ++p) {
        const Eigen::Index i = pairs.first[p] * stride;
        const Eigen::Index j = pairs.second[p] * stride;
        Four sum = Four::Zero();
        for (Eigen::Index c = 0; c < stride; c += 4) {
            sum += (FourMap(x + i + c) - FourMap(x + j + c)) * (FourMap(y + i + c) - FourMap(y + j + c));
        }
        values[p] = sum.sum();
    }
}

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

} // namespace

PairQuadraticForms::PairQuadraticForms(const PairTable& triplets) : m_triplets(triplets) {}

double PairQuadraticForms::valueError(double size) const {
    const double features = static_cast<double>(m_triplets.features());
    const double largest = m_triplets.largestNorm();
    if (m_triplets.structure() == Structure::Diagonal) {
        // Four running sums of |q_k| δ_k² with a few roundings a term; Σ |q_k| δ_k² ≤ max|q| ‖δ‖², ‖δ‖ ≤ 2ρ.
        return roundingFactor(features / 4 + 12) * 4 * size * largest * largest;
    }
    // Rows of the image are off by γ_d ‖x‖ size^½ (or ‖x‖ size), differences and squares add γ_{d+3}; ‖δ‖ ≤ 2ρ. Of
    // objects M itself is off by γ_{d+4} size (MetricPoint), and ‖δ‖² = 2.
    return roundingFactor(12 * features + 24) * size * largest * largest;
}

bool PairQuadraticForms::distances(const MetricPoint& point, PairList pairs, StopCheck& stopCheck,
                                   std::vector<double>& values) {
    if (isDiagonal(point.matrix)) {
        return diagonalForms(point.matrix, pairs, stopCheck, values);
    }
    if (m_triplets.isIdentity()) {
        return objectForms(point.matrix, true, pairs, stopCheck, values);
    }
    const Eigen::Index d = m_triplets.features();
    const Eigen::Index rank = point.factor.cols();
    const Eigen::Index stride = (rank + 3) / 4 * 4;
    setImage(point.factor, stride, pairs);
    values.resize(static_cast<std::size_t>(m_triplets.pairs()));
    if (stopCheck.spend(std::int64_t{2} * rowsOf(pairs) * d * rank)) {
        return false;
    }
    m_work += work::ofProduct(rowsOf(pairs), d, rank) + work::ofValues(countOf(pairs), stride);
    const double* image = m_image.data();
    const auto setValues = [&](const pair_loops::Ends& ends, double* to) {
        if (!pair_loops::forWidth(stride, [&](auto groups) { pair_loops::distances<groups>(ends, image, to); })) {
            setProducts(ends, image, image, stride, to);
        }
    };
    return forEachValue(m_triplets, pairs, 3 * stride + 10, stopCheck, values, setValues);
}

bool PairQuadraticForms::forms(const Eigen::MatrixXd& q, PairList pairs, StopCheck& stopCheck,
                               std::vector<double>& values) {
    if (isDiagonal(q)) {
        return diagonalForms(q, pairs, stopCheck, values);
    }
    if (m_triplets.isIdentity()) {
        return objectForms(q, false, pairs, stopCheck, values);
    }
    const Eigen::Index d = m_triplets.features();
    const Eigen::Index stride = m_triplets.stride();
    const DenseRows& x = m_triplets.paddedRows();
    setImage(q, stride, pairs);
    values.resize(static_cast<std::size_t>(m_triplets.pairs()));
    if (stopCheck.spend(std::int64_t{2} * rowsOf(pairs) * d * d)) {
        return false;
    }
    m_work += work::ofProduct(rowsOf(pairs), d, d) + work::ofValues(countOf(pairs), 2 * stride);
    const double* image = m_image.data();
    const auto setValues = [&](const pair_loops::Ends& ends, double* to) {
        if (!pair_loops::forWidth(stride,
                                  [&](auto groups) { pair_loops::products<groups>(ends, x.data(), image, to); })) {
            setProducts(ends, x.data(), image, stride, to);
        }
    };
    return forEachValue(m_triplets, pairs, 5 * stride + 10, stopCheck, values, setValues);
}

bool PairQuadraticForms::weightedSum(const std::vector<double>& weights, double weightError, PairList pairs,
                                     StopCheck& stopCheck, MatrixSum& sum) {
    if (m_triplets.structure() == Structure::Diagonal) {
        return diagonalSum(weights, weightError, pairs, stopCheck, sum);
    }
    if (m_triplets.isIdentity()) {
        return objectSum(weights, weightError, pairs, stopCheck, sum);
    }
    const Eigen::Index d = m_triplets.features();
    const Eigen::Index stride = m_triplets.stride();
    const DenseRows& x = m_triplets.paddedRows();
    m_spread.resize(m_triplets.rows(), stride);
    double* spread = m_spread.data();
    if (const std::vector<RowIndex>* few = fewRows(pairs)) {
        for (const RowIndex row : *few) {
            std::fill_n(spread + row * stride, stride, 0.0);
        }
    } else {
        m_spread.setZero();
    }
    WeightSums sums;
    WeightedBatch weighted;
    const bool done = forEachBatch(m_triplets, pairs, 6 * stride + 10, stopCheck, [&](const Batch& batch) {
        takeWeighted(m_triplets, batch, weights.data(), weighted, sums);
        if (!pair_loops::forWidth(stride, [&](auto groups) {
                pair_loops::spread<groups>(weighted.ends(), weighted.weight.data(), x.data(), spread);
            })) {
            addTerms(weighted, x.data(), stride, spread);
        }
    });
    const Eigen::Index columns = stride / 2 + 2; // of a row of the upper triangle in groups of four, on average
    m_work += work::ofProduct(rowsOf(pairs), d, columns) + work::ofSum(sums.terms, stride);
    if (!done || stopCheck.spend(std::int64_t{2} * rowsOf(pairs) * d * columns)) {
        return false;
    }
    sum.value = productWithSpread(pairs);
    const Eigen::Index n = m_triplets.rows();
    // Of the whole product ‖error‖ ≤ Σ_i ‖x_i‖ · (relative error of row i) · Σ_j |w_ij| ‖δ_ij‖, and Σ|w|‖δ‖ ≤ (Σ|w| ·
    // Σ|w|‖δ‖²)^½. The upper triangle stands for both, so that its errors count twice: √2 in the norm.
    const Eigen::Index blocks = n / kRowsPerSum;
    const double additions = static_cast<double>(m_triplets.largestDegree() + kRowsPerSum + blocks) + 8;
    const double lengths = std::sqrt(2 * sums.weights * sums.lengths) * (1 + 1e-9);
    sum.error = (roundingFactor(additions) + weightError) * 2 * m_triplets.largestNorm() * lengths;
    return true;
}

void PairQuadraticForms::setImage(const Eigen::MatrixXd& factor, Eigen::Index stride, PairList pairs) {
    const Eigen::Index d = m_triplets.features();
    const Eigen::Index width = factor.cols();
    const DenseRows& x = m_triplets.paddedRows();
    m_image.resize(m_triplets.rows(), stride);
    const std::vector<RowIndex>* few = fewRows(pairs);
    const auto rowOf = [few](Eigen::Index at) {
        return few != nullptr ? Eigen::Index{(*few)[static_cast<std::size_t>(at)]} : at;
    };
    if (pair_loops::forWidth(stride, [&](auto groups) {
            m_part.setZero(d, stride);
            m_part.leftCols(width) = factor;
            pair_loops::multiply<groups>(x.data(), x.cols(), d, m_part.data(), rowsOf(pairs), rowOf, m_image.data());
        })) {
        return;
    }
    if (few == nullptr) {
        m_image.rightCols(stride - width).setZero();
        m_image.leftCols(width).noalias() = x.leftCols(d) * factor;
        return;
    }
    m_part.resize(std::ssize(*few), d);
    for (Eigen::Index at = 0; at < m_part.rows(); ++at) {
        m_part.row(at) = x.row((*few)[static_cast<std::size_t>(at)]).head(d);
    }
    m_partImage.resize(m_part.rows(), stride);
    m_partImage.rightCols(stride - width).setZero();
    m_partImage.leftCols(width).noalias() = m_part * factor;
    for (Eigen::Index at = 0; at < m_part.rows(); ++at) {
        m_image.row((*few)[static_cast<std::size_t>(at)]) = m_partImage.row(at);
    }
}

Eigen::MatrixXd PairQuadraticForms::productWithSpread(PairList pairs) {
    const Eigen::Index d = m_triplets.features();
    const DenseRows& x = m_triplets.paddedRows();
    const std::vector<RowIndex>* few = fewRows(pairs);
    const Eigen::Index n = rowsOf(pairs);
    if (pair_loops::forWidth(x.cols(), [&](auto groups) {
            m_part.setZero(x.cols(), x.cols());
            for (Eigen::Index begin = 0; begin < n; begin += kRowsPerSum) {
                pair_loops::addUpperProducts<groups>(
                    x.data(), m_spread.data(), std::min(kRowsPerSum, n - begin),
                    [&](Eigen::Index at) {
                        return few != nullptr ? Eigen::Index{(*few)[static_cast<std::size_t>(begin + at)]} : begin + at;
                    },
                    m_part.data());
            }
        })) {
        return m_part.topLeftCorner(d, d).selfadjointView<Eigen::Upper>();
    }
    Eigen::MatrixXd product = Eigen::MatrixXd::Zero(d, d);
    auto upper = product.triangularView<Eigen::Upper>();
    for (Eigen::Index begin = 0; begin < n; begin += kRowsPerSum) {
        const Eigen::Index count = std::min(kRowsPerSum, n - begin);
        if (few == nullptr) {
            upper += x.middleRows(begin, count).leftCols(d).transpose() * m_spread.middleRows(begin, count).leftCols(d);
            continue;
        }
        m_part.resize(count, d);
        m_partImage.resize(count, d);
        for (Eigen::Index at = 0; at < count; ++at) {
            const RowIndex row = (*few)[static_cast<std::size_t>(begin + at)];
            m_part.row(at) = x.row(row).head(d);
            m_partImage.row(at) = m_spread.row(row).head(d);
        }
        upper += m_part.transpose() * m_partImage;
    }
    return product.selfadjointView<Eigen::Upper>();
}

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
    values.resize(static_cast<std::size_t>(m_triplets.pairs()));
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
    return forEachValue(m_triplets, pairs, 4 * stride + 10, stopCheck, values, setValues);
}

bool PairQuadraticForms::diagonalSum(const std::vector<double>& weights, double weightError, PairList pairs,
                                     StopCheck& stopCheck, MatrixSum& sum) {
    const Eigen::Index stride = m_triplets.stride();
    const double* x = m_triplets.paddedRows().data();
    Eigen::ArrayXd total = Eigen::ArrayXd::Zero(stride);
    m_batchSum.setZero(stride);
    std::int64_t terms = 0;
    WeightSums sums;
    WeightedBatch weighted;
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
    const bool done = forEachBatch(m_triplets, pairs, 5 * stride + 10, stopCheck, [&](const Batch& batch) {
        takeWeighted(m_triplets, batch, weights.data(), weighted, sums);
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

std::size_t PairQuadraticForms::bytes() const {
    return static_cast<std::size_t>(m_image.size() + m_spread.size() + m_part.size() + m_partImage.size() +
                                    m_scales.size() + m_batchSum.size()) *
               sizeof(double) +
           m_columns.capacity() * sizeof(Eigen::Index);
}

} // namespace lambdascope::triplets

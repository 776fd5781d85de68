// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/pair_quadratic_forms.h"

#include "core/numeric/psd_projection.h"
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

/// Rows whose outer products are summed before they join the total: keeps the rounding of long sums small.
constexpr Eigen::Index kRowsPerSum = 256;

/// Bound on ‖Q − P Pᵀ + N Nᵀ‖_F over (d + 4) u ‖Q‖_F. Where a decomposition is not shown to keep it, P and N are not
/// used.
constexpr double kSplitError = 20;

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

void setSignedDistances(const pair_loops::Ends& pairs, const double* y, Eigen::Index stride, Eigen::Index positive,
                        double* values) {
    for (std::size_t p = 0; p < pairs.count; ++p) {
        const double* a = y + pairs.first[p] * stride;
        const double* b = y + pairs.second[p] * stride;
        Four sum = Four::Zero();
        for (Eigen::Index c = 0; c < stride; c += 4) {
            const Four square = (FourMap(a + c) - FourMap(b + c)).square();
            sum += c < 4 * positive ? square : -square;
        }
        values[p] = sum.sum();
    }
}

} // namespace

PairQuadraticForms::PairQuadraticForms(const PairTable& triplets) : m_triplets(triplets) {}

double PairQuadraticForms::distanceError(double size) const {
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

double PairQuadraticForms::valueError(double size) const {
    if (m_triplets.structure() == Structure::Diagonal || m_triplets.isIdentity()) {
        return distanceError(size);
    }
    // By P and N: with V = (P, N) rows of the image are off by γ_d ‖x‖ ‖V‖, where ‖V‖² = ‖Q‖_* ≤ d^½ size, which moves
    // squares by 8 γ_{d+1} ρ² size d^¼; their sum adds γ_{d/4+8} ‖δ‖² size, what Q − P Pᵀ + N Nᵀ may be (see split())
    // kSplitError (d + 4) u ‖δ‖² size. That is more than the error without them.
    const double features = static_cast<double>(m_triplets.features());
    const double largest = m_triplets.largestNorm();
    const double roundings =
        8 * (features + 1) * std::sqrt(std::sqrt(features)) + features + 4 * kSplitError * (features + 4);
    return roundingFactor(roundings + 40) * size * largest * largest;
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
    makeRoom(pairs, values);
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
    makeRoom(pairs, values);
    if (splitWork(countOf(pairs)) < directWork(countOf(pairs)) && split(q, stopCheck)) {
        return splitForms(pairs, stopCheck, values);
    }
    const Eigen::Index stride = m_triplets.stride();
    const DenseRows& x = m_triplets.paddedRows();
    setImage(q, stride, pairs);
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

double PairQuadraticForms::directWork(std::int64_t pairs) const {
    return work::ofValues(pairs, 2 * m_triplets.stride());
}

double PairQuadraticForms::splitWork(std::int64_t pairs) const {
    const Eigen::Index d = m_triplets.features();
    return work::ofEigen(d) + work::ofProduct(d, d, d) + work::ofValues(pairs, m_triplets.stride());
}

bool PairQuadraticForms::split(const Eigen::MatrixXd& q, StopCheck& stopCheck) {
    const Eigen::Index d = q.rows();
    const EigenSystem system = symmetricEigenSystem(q, stopCheck);
    m_work += work::ofEigen(d) + work::ofProduct(d, d, d);
    if (!system.succeeded) {
        return false;
    }
    const double least = eigenvalueError(system);
    const Eigen::Index negative = (system.values.array() < -least).count();
    const Eigen::Index positive = (system.values.array() > least).count();
    m_positiveGroups = (positive + 3) / 4;
    m_split.setZero(d, 4 * (m_positiveGroups + (negative + 3) / 4));
    auto ofPositive = m_split.leftCols(positive);
    auto ofNegative = m_split.middleCols(4 * m_positiveGroups, negative);
    const Eigen::VectorXd roots = system.values.cwiseAbs().cwiseSqrt(); // in rising order of the eigenvalues
    ofPositive = system.vectors.rightCols(positive) * roots.tail(positive).asDiagonal();
    ofNegative = system.vectors.leftCols(negative) * roots.head(negative).asDiagonal();
    const double residual = (q - ofPositive * ofPositive.transpose() + ofNegative * ofNegative.transpose()).norm();
    const double features = static_cast<double>(d);
    const double hidden = roundingFactor(features + 6) * (m_split.squaredNorm() + 2 * q.norm()); // by its own rounding
    return residual + hidden <= kSplitError * (features + 4) * kUnitRoundoff * q.norm();
}

bool PairQuadraticForms::splitForms(PairList pairs, StopCheck& stopCheck, std::vector<double>& values) {
    const Eigen::Index d = m_triplets.features();
    const Eigen::Index stride = m_split.cols();
    setImage(m_split, stride, pairs);
    if (stopCheck.spend(std::int64_t{2} * rowsOf(pairs) * d * stride)) {
        return false;
    }
    m_work += work::ofProduct(rowsOf(pairs), d, stride) + work::ofValues(countOf(pairs), stride);
    const double* image = m_image.data();
    const Eigen::Index positive = m_positiveGroups;
    const auto setValues = [&](const pair_loops::Ends& ends, double* to) {
        if (!pair_loops::forWidth(
                stride, [&](auto groups) { pair_loops::signedDistances<groups>(ends, image, positive, to); })) {
            setSignedDistances(ends, image, stride, positive, to);
        }
    };
    return forEachValue(m_triplets, pairs, 4 * stride + 10, stopCheck, values, setValues);
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
            for (Eigen::Index c = 0; c < stride; c += 4) {
                Eigen::Map<Four>(spread + row * stride + c).setZero();
            }
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

std::size_t PairQuadraticForms::bytes() const {
    return static_cast<std::size_t>(m_image.size() + m_spread.size() + m_part.size() + m_partImage.size() +
                                    m_split.size() + m_scales.size() + m_batchSum.size()) *
               sizeof(double) +
           m_columns.capacity() * sizeof(Eigen::Index);
}

} // namespace lambdascope::triplets

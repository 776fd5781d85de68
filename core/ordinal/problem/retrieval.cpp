// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/problem/retrieval.h"

#include "core/kernel/kernel_function.h"
#include "core/kernel/kernel_rows.h"
#include "core/numeric/blocked_cholesky.h"
#include "core/numeric/feature_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lambdascope::ordinal {

namespace {

double defaultGamma(const DenseRows& rows) {
    const DenseRows centred = rows.rowwise() - rows.colwise().mean();
    const double sum = centred.squaredNorm() / static_cast<double>(rows.rows()); // features · mean variance
    return sum > 0 ? 1 / sum : 1;
}

DenseRows kernelOf(const DenseRows& a, const DenseRows& b, double gamma) {
    KernelFunction kernel;
    kernel.kind = KernelKind::Rbf;
    kernel.gamma = gamma;
    DenseRows products = a * b.transpose();
    const Eigen::VectorXd rowNorms = a.rowwise().squaredNorm();
    const Eigen::RowVectorXd columnNorms = b.rowwise().squaredNorm().transpose();
    applyKernel(kernel, rowNorms, columnNorms, products);
    return products;
}

struct Ranked {
    double averagePrecision = 0;
    double hitsAtTop = 0;
    double relevant = 0;
};

Ranked rankOne(const std::vector<std::int32_t>& order, const std::vector<std::int32_t>& classes, std::int32_t wanted,
               std::int64_t top) {
    Ranked result;
    for (std::size_t place = 0; place < order.size(); ++place) {
        if (classes[static_cast<std::size_t>(order[place])] != wanted) {
            continue;
        }
        ++result.relevant;
        result.averagePrecision += result.relevant / static_cast<double>(place + 1);
        result.hitsAtTop += static_cast<std::int64_t>(place) < top ? 1 : 0;
    }
    if (result.relevant > 0) {
        result.averagePrecision /= result.relevant;
    }
    return result;
}

} // namespace

RetrievalMeasures rankByDistance(const Points& queries, const std::vector<std::int32_t>& queryClasses,
                                 const Points& objects, const std::vector<std::int32_t>& classes, std::int64_t top,
                                 StopCheck& stopCheck) {
    RetrievalMeasures sums{0, 0, 0};
    const Eigen::Index n = objects.rows();
    std::vector<std::int32_t> order(static_cast<std::size_t>(n));
    double counted = 0;
    for (Eigen::Index query = 0; query < queries.rows(); ++query) {
        if (stopCheck.spend(n * (3 * objects.cols() + 60))) {
            return {};
        }
        const Eigen::VectorXd distances = (objects.rowwise() - queries.row(query)).rowwise().squaredNorm();
        if (!distances.allFinite()) {
            return {};
        }
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            return distances(a) < distances(b) || (distances(a) == distances(b) && a < b);
        });
        const Ranked ranked = rankOne(order, classes, queryClasses[static_cast<std::size_t>(query)], top);
        if (ranked.relevant == 0) {
            continue; // nothing of its class is among the objects
        }
        ++counted;
        sums.meanAveragePrecision += ranked.averagePrecision;
        sums.precision += ranked.hitsAtTop / static_cast<double>(std::min<std::int64_t>(top, n));
        sums.recall += ranked.hitsAtTop / ranked.relevant;
    }
    if (counted == 0) {
        return {};
    }
    return {sums.meanAveragePrecision / counted, sums.precision / counted, sums.recall / counted};
}

OutOfSampleMap::OutOfSampleMap(const DenseRows& rows, const DenseRows& queries, std::optional<double> gamma,
                               double ridge, StopCheck& stopCheck) {
    const double width = gamma.value_or(defaultGamma(rows));
    m_factor = kernelOf(rows, rows, width);
    m_factor.diagonal().array() += ridge;
    m_isUsable = choleskyInPlace(m_factor, stopCheck) == CholeskyOutcome::Done;
    m_cross = kernelOf(queries, rows, width);
}

Points OutOfSampleMap::map(const Points& x) const {
    const Eigen::RowVectorXd mean = x.colwise().mean();
    Eigen::MatrixXd coefficients = x.rowwise() - mean;
    for (Eigen::Index axis = 0; axis < coefficients.cols(); ++axis) {
        Eigen::VectorXd column = coefficients.col(axis);
        solveByCholesky(m_factor, column);
        coefficients.col(axis) = column;
    }
    Points mapped = m_cross * coefficients;
    mapped.rowwise() += mean;
    return mapped;
}

} // namespace lambdascope::ordinal

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/pair_table.h"

#include "core/common/byte_count.h"

#include <cmath>

namespace lambdascope::triplets {

namespace {

constexpr Eigen::Index kLane = 4; ///< doubles that fit one AVX register
constexpr std::size_t kRowsPerStopCheck = 256;

/// Features whose terms are summed before they join the total: keeps the rounding of long sums small.
constexpr Eigen::Index kFeaturesPerSum = 256;

/// ‖δ‖₂², or ‖δ‖₄² for the diagonal, of δ = x_i − x_j.
double pairLength(const DenseRows& x, Eigen::Index i, Eigen::Index j, Structure structure) {
    double total = 0;
    for (Eigen::Index begin = 0; begin < x.cols(); begin += kFeaturesPerSum) {
        const Eigen::Index count = std::min(kFeaturesPerSum, x.cols() - begin);
        const auto squares = (x.row(i).segment(begin, count) - x.row(j).segment(begin, count)).array().square();
        total += structure == Structure::Diagonal ? squares.square().sum() : squares.sum();
    }
    return structure == Structure::Diagonal ? std::sqrt(total) : total;
}

} // namespace

void PairTable::setRows(const DenseRows& x, Structure structure) {
    m_structure = structure;
    m_features = x.cols();
    const Eigen::Index stride = (m_features + kLane - 1) / kLane * kLane;
    if (x.rows() == 0) {
        m_mean = Eigen::RowVectorXd::Zero(m_features);
        m_x = DenseRows(0, stride);
        return;
    }
    m_mean = x.colwise().mean();
    m_x = DenseRows::Zero(x.rows(), stride);
    m_x.leftCols(m_features) = x.rowwise() - m_mean;
    m_largestNorm = m_x.rowwise().norm().maxCoeff();
}

void PairTable::setObjects(RowIndex count) {
    m_structure = Structure::Full;
    m_isIdentity = true;
    m_features = count;
    m_mean = Eigen::RowVectorXd::Zero(m_features);
    m_x = DenseRows::Identity(count, (m_features + kLane - 1) / kLane * kLane);
    m_largestNorm = 1;
}

DenseRows PairTable::timesRows(const Eigen::MatrixXd& a) const {
    return m_isIdentity ? DenseRows(a) : DenseRows(m_x.leftCols(m_features) * a);
}

bool PairTable::setPairsFromBuckets(const std::vector<std::int64_t>& bucket, std::vector<RowIndex>& larger,
                                    const std::stop_token& stop) {
    const auto n = static_cast<std::size_t>(rows());
    m_firstOffset.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        if (i % kRowsPerStopCheck == 0 && stop.stop_requested()) {
            return false;
        }
        const auto begin = larger.begin() + bucket[i];
        const auto end = larger.begin() + bucket[i + 1];
        std::sort(begin, end);
        const auto uniqueEnd = std::unique(begin, end);
        for (auto j = begin; j != uniqueEnd; ++j) {
            m_first.push_back(static_cast<RowIndex>(i));
            m_second.push_back(*j);
            m_squaredLength.push_back(m_isIdentity ? 2
                                                   : pairLength(m_x, static_cast<Eigen::Index>(i), *j, m_structure));
        }
        m_firstOffset[i + 1] = static_cast<std::int64_t>(m_first.size());
    }
    m_first.shrink_to_fit();
    m_second.shrink_to_fit();
    m_squaredLength.shrink_to_fit();
    setLargestDegree();
    return true;
}

void PairTable::setLargestDegree() {
    std::vector<std::int64_t> degree(static_cast<std::size_t>(rows()), 0);
    for (PairIndex p = 0; p < pairs(); ++p) {
        ++degree[static_cast<std::size_t>(first(p))];
        ++degree[static_cast<std::size_t>(second(p))];
    }
    m_largestDegree = degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end());
}

PairIndex PairTable::find(RowIndex a, RowIndex b) const {
    const RowIndex low = std::min(a, b);
    const RowIndex high = std::max(a, b);
    const auto begin = m_second.begin() + m_firstOffset[static_cast<std::size_t>(low)];
    const auto end = m_second.begin() + m_firstOffset[static_cast<std::size_t>(low) + 1];
    return static_cast<PairIndex>(std::lower_bound(begin, end, high) - m_second.begin());
}

std::size_t PairTable::pairBytes() const {
    return static_cast<std::size_t>(m_x.size()) * sizeof(double) + bytesOf(m_firstOffset) + bytesOf(m_first) +
           bytesOf(m_second) + bytesOf(m_squaredLength);
}

} // namespace lambdascope::triplets

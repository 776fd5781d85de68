// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/triplet_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lambdascope::metric {

namespace {

constexpr Eigen::Index kLane = 4; ///< doubles that fit one AVX register
constexpr RowIndex kRowsPerPoll = 256;

template <class T>
std::size_t bytesOf(const std::vector<T>& values) {
    return values.size() * sizeof(T);
}

/// Calls f(partner) for every neighbour of `row`, of both kinds.
template <class F>
void forEachNeighbour(const ClassNeighbours& neighbours, std::size_t row, F&& f) {
    for (std::int64_t p = neighbours.sameOffset[row]; p < neighbours.sameOffset[row + 1]; ++p) {
        f(neighbours.same[static_cast<std::size_t>(p)]);
    }
    for (std::int64_t p = neighbours.otherOffset[row]; p < neighbours.otherOffset[row + 1]; ++p) {
        f(neighbours.other[static_cast<std::size_t>(p)]);
    }
}

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

Result<TripletSet> TripletSet::build(const DenseRows& x, const ClassNeighbours& neighbours, std::stop_token stop,
                                     Structure structure) {
    const std::size_t directed = neighbours.same.size() + neighbours.other.size();
    if (directed > static_cast<std::size_t>(std::numeric_limits<PairIndex>::max())) {
        return Failure{singleFault(
            ErrorCode::OutOfMemory,
            {"problem.k", "the neighbour lists have more than 2^31 entries", "Choose a smaller k or fewer rows.", {}})};
    }
    TripletSet set;
    set.m_structure = structure;
    set.setRows(x);
    if (!set.setPairs(neighbours, stop)) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while pairing rows")};
    }
    set.setSizes();
    return set;
}

void TripletSet::setRows(const DenseRows& x) {
    m_features = x.cols();
    const Eigen::Index stride = (m_features + kLane - 1) / kLane * kLane;
    m_mean = x.colwise().mean();
    m_x = DenseRows::Zero(x.rows(), stride);
    m_x.leftCols(m_features) = x.rowwise() - m_mean;
    m_largestNorm = m_x.rows() == 0 ? 0 : m_x.rowwise().norm().maxCoeff();
}

bool TripletSet::setPairs(const ClassNeighbours& neighbours, const std::stop_token& stop) {
    // Buckets by the smaller row, sorted and made unique within each bucket.
    const auto n = static_cast<std::size_t>(m_x.rows());
    std::vector<std::int64_t> bucket(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        forEachNeighbour(neighbours, i, [&](RowIndex j) { ++bucket[std::min(i, static_cast<std::size_t>(j)) + 1]; });
    }
    for (std::size_t i = 0; i < n; ++i) {
        bucket[i + 1] += bucket[i];
    }
    std::vector<RowIndex> larger(static_cast<std::size_t>(bucket[n]));
    std::vector<std::int64_t> next(bucket.begin(), bucket.end() - 1);
    for (std::size_t i = 0; i < n; ++i) {
        forEachNeighbour(neighbours, i, [&](RowIndex j) {
            const std::size_t low = std::min(i, static_cast<std::size_t>(j));
            larger[static_cast<std::size_t>(next[low]++)] = std::max(static_cast<RowIndex>(i), j);
        });
    }
    std::vector<std::int64_t> firstOffset(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        if (i % kRowsPerPoll == 0 && stop.stop_requested()) {
            return false;
        }
        const auto begin = larger.begin() + bucket[i];
        const auto end = larger.begin() + bucket[i + 1];
        std::sort(begin, end);
        const auto uniqueEnd = std::unique(begin, end);
        for (auto j = begin; j != uniqueEnd; ++j) {
            m_first.push_back(static_cast<RowIndex>(i));
            m_second.push_back(*j);
            m_squaredLength.push_back(pairLength(m_x, static_cast<Eigen::Index>(i), *j, m_structure));
        }
        firstOffset[i + 1] = static_cast<std::int64_t>(m_first.size());
    }
    m_sameOffset = neighbours.sameOffset;
    m_otherOffset = neighbours.otherOffset;
    m_samePair.reserve(neighbours.same.size());
    m_otherPair.reserve(neighbours.other.size());
    for (std::size_t i = 0; i < n; ++i) {
        if (i % kRowsPerPoll == 0 && stop.stop_requested()) {
            return false;
        }
        for (std::int64_t p = m_sameOffset[i]; p < m_sameOffset[i + 1]; ++p) {
            m_samePair.push_back(
                find(static_cast<RowIndex>(i), neighbours.same[static_cast<std::size_t>(p)], firstOffset));
        }
        for (std::int64_t p = m_otherOffset[i]; p < m_otherOffset[i + 1]; ++p) {
            m_otherPair.push_back(
                find(static_cast<RowIndex>(i), neighbours.other[static_cast<std::size_t>(p)], firstOffset));
        }
    }
    return true;
}

PairIndex TripletSet::find(RowIndex a, RowIndex b, const std::vector<std::int64_t>& firstOffset) const {
    const RowIndex low = std::min(a, b);
    const RowIndex high = std::max(a, b);
    const auto begin = m_second.begin() + firstOffset[static_cast<std::size_t>(low)];
    const auto end = m_second.begin() + firstOffset[static_cast<std::size_t>(low) + 1];
    return static_cast<PairIndex>(std::lower_bound(begin, end, high) - m_second.begin());
}

void TripletSet::setSizes() {
    m_first.shrink_to_fit();
    m_second.shrink_to_fit();
    m_squaredLength.shrink_to_fit();
    m_tripletOffset.assign(static_cast<std::size_t>(rows()) + 1, 0);
    for (RowIndex i = 0; i < rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        m_tripletOffset[at + 1] = m_tripletOffset[at] + sameCount(i) * otherCount(i);
        m_longestList = std::max({m_longestList, sameCount(i), otherCount(i)});
    }
    std::vector<std::int64_t> degree(static_cast<std::size_t>(rows()), 0);
    for (PairIndex p = 0; p < pairs(); ++p) {
        ++degree[static_cast<std::size_t>(first(p))];
        ++degree[static_cast<std::size_t>(second(p))];
    }
    m_largestDegree = degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end());
}

Triplet TripletSet::triplet(TripletIndex number) const {
    const auto after = std::upper_bound(m_tripletOffset.begin(), m_tripletOffset.end(), number);
    const auto anchor = static_cast<RowIndex>(after - m_tripletOffset.begin() - 1);
    const std::int64_t within = number - tripletOffset(anchor);
    const std::int64_t s = within / otherCount(anchor);
    const std::int64_t o = within % otherCount(anchor);
    return {anchor, partner(samePair(sameOffset(anchor) + s), anchor),
            partner(otherPair(otherOffset(anchor) + o), anchor)};
}

std::size_t TripletSet::bytes() const {
    return static_cast<std::size_t>(m_x.size()) * sizeof(double) + bytesOf(m_first) + bytesOf(m_second) +
           bytesOf(m_squaredLength) + bytesOf(m_sameOffset) + bytesOf(m_otherOffset) + bytesOf(m_samePair) +
           bytesOf(m_otherPair) + bytesOf(m_tripletOffset);
}

} // namespace lambdascope::metric

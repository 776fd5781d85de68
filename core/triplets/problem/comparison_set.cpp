// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/comparison_set.h"

#include "core/common/byte_count.h"
#include "core/triplets/problem/triplet_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace lambdascope::triplets {

namespace {

constexpr std::size_t kItemsPerStopCheck = 65536;

} // namespace

Result<ComparisonSet> ComparisonSet::build(const DenseRows& x, const ComparisonList& list, std::stop_token stop,
                                           Structure structure) {
    ComparisonSet set;
    set.setRows(x, structure);
    return withItems(std::move(set), list, stop);
}

Result<ComparisonSet> ComparisonSet::ofObjects(RowIndex objects, const ComparisonList& list, std::stop_token stop) {
    ComparisonSet set;
    set.setObjects(objects);
    return withItems(std::move(set), list, stop);
}

Result<ComparisonSet> ComparisonSet::withItems(ComparisonSet set, const ComparisonList& list,
                                               const std::stop_token& stop) {
    const std::size_t ends = 2 * list.comparisons.size() + list.targets.size();
    if (ends >= static_cast<std::size_t>(std::numeric_limits<PairIndex>::max())) {
        return Failure{singleFault(
            ErrorCode::OutOfMemory,
            {"problem.file", "the comparisons name more than 2^31 pairs", "Take a part of the comparisons.", {}})};
    }
    const auto visitPairs = [&](auto&& take) {
        for (const Comparison& comparison : list.comparisons) {
            if (comparison.far) {
                take(comparison.far->a, comparison.far->b);
            }
            if (comparison.near) {
                take(comparison.near->a, comparison.near->b);
            }
        }
        for (const TargetPair& target : list.targets) {
            take(target.rows.a, target.rows.b);
        }
    };
    if (!set.setPairs(visitPairs, stop) || !set.setItems(list, stop)) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while pairing rows")};
    }
    set.setTargets(list);
    return set;
}

bool ComparisonSet::setItems(const ComparisonList& list, const std::stop_token& stop) {
    const std::size_t count = list.comparisons.size();
    std::vector<PairIndex> far(count);
    std::vector<PairIndex> near(count);
    for (std::size_t at = 0; at < count; ++at) {
        if (at % kItemsPerStopCheck == 0 && stop.stop_requested()) {
            return false;
        }
        const Comparison& c = list.comparisons[at];
        far[at] = c.far ? find(c.far->a, c.far->b) : noPair();
        near[at] = c.near ? find(c.near->a, c.near->b) : noPair();
    }
    std::vector<double> weight; // by place in the list; 0 for those merged into another
    if (!mergeEqual(list, far, near, weight, stop)) {
        return false;
    }
    std::vector<std::int64_t> share(static_cast<std::size_t>(pairs()) + 1, 0);
    for (std::size_t at = 0; at < count; ++at) {
        if (weight[at] == 0) {
            continue;
        }
        const double threshold = list.comparisons[at].threshold;
        m_far.push_back(far[at]);
        m_near.push_back(near[at]);
        m_threshold.push_back(threshold);
        m_weight.push_back(weight[at]);
        m_length.push_back(lengthOf(far[at]) + lengthOf(near[at]));
        m_line.push_back(list.comparisons[at].line);
        m_largestThreshold = std::max(m_largestThreshold, std::abs(threshold));
        ++share[static_cast<std::size_t>(far[at])];
        ++share[static_cast<std::size_t>(near[at])];
    }
    share.back() = 0;
    m_largestShare = *std::max_element(share.begin(), share.end());
    countContradictions();
    return setNorms(stop);
}

bool ComparisonSet::setNorms(const std::stop_token& stop) {
    TripletNorm norm(*this);
    m_squaredNorm.reserve(m_far.size());
    for (std::size_t c = 0; c < m_far.size(); ++c) {
        if (c % kItemsPerStopCheck == 0 && stop.stop_requested()) {
            return false;
        }
        m_squaredNorm.push_back(norm.squared(m_far[c], m_near[c]));
    }
    return !stop.stop_requested();
}

bool ComparisonSet::mergeEqual(const ComparisonList& list, const std::vector<PairIndex>& far,
                               const std::vector<PairIndex>& near, std::vector<double>& weight,
                               const std::stop_token& stop) {
    // Buckets by the far pair (the near one where there is no far one), sorted within.
    const auto bucketOf = [&](std::size_t at) {
        return static_cast<std::size_t>(far[at] == noPair() ? near[at] : far[at]);
    };
    std::vector<std::size_t> begin(static_cast<std::size_t>(pairs()) + 1, 0);
    for (std::size_t at = 0; at < far.size(); ++at) {
        ++begin[bucketOf(at) + 1];
    }
    for (std::size_t p = 1; p < begin.size(); ++p) {
        begin[p] += begin[p - 1];
    }
    std::vector<std::size_t> order(far.size());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t at = 0; at < far.size(); ++at) {
        order[next[bucketOf(at)]++] = at;
    }
    const auto key = [&](std::size_t at) { return std::tuple(far[at], near[at], list.comparisons[at].threshold); };
    weight.assign(far.size(), 0.0);
    for (std::size_t p = 0; p + 1 < begin.size(); ++p) {
        if (p % kItemsPerStopCheck == 0 && stop.stop_requested()) {
            return false;
        }
        const auto from = order.begin() + static_cast<std::ptrdiff_t>(begin[p]);
        const auto to = order.begin() + static_cast<std::ptrdiff_t>(begin[p + 1]);
        std::sort(from, to,
                  [&](std::size_t a, std::size_t b) { return std::tuple(key(a), a) < std::tuple(key(b), b); });
        auto first = from; // of equal ones: carries the weight of all
        for (auto at = from; at != to; ++at) {
            if (key(*at) != key(*first)) {
                first = at;
            }
            m_repeated += at == first ? 0 : 1;
            weight[*first] += list.comparisons[*at].weight;
        }
    }
    return true;
}

void ComparisonSet::countContradictions() {
    std::vector<std::pair<PairIndex, PairIndex>> orders; // (far, near)
    std::vector<double> lowest(static_cast<std::size_t>(pairs()) + 1, std::numeric_limits<double>::infinity());
    std::vector<double> highest(lowest.size(), 0.0);
    for (std::size_t c = 0; c < m_far.size(); ++c) {
        const auto far = static_cast<std::size_t>(m_far[c]);
        const auto near = static_cast<std::size_t>(m_near[c]);
        if (m_far[c] == noPair()) {
            lowest[near] = std::min(lowest[near], -m_threshold[c]); // an upper bound
        } else if (m_near[c] == noPair()) {
            highest[far] = std::max(highest[far], m_threshold[c]);
        } else {
            orders.emplace_back(m_far[c], m_near[c]);
        }
    }
    std::sort(orders.begin(), orders.end());
    for (const auto& [far, near] : orders) {
        m_contradictions +=
            far < near && std::binary_search(orders.begin(), orders.end(), std::pair(near, far)) ? 1 : 0;
    }
    for (std::size_t p = 0; p < lowest.size(); ++p) {
        m_contradictions += lowest[p] < highest[p] ? 1 : 0;
    }
}

void ComparisonSet::setTargets(const ComparisonList& list) {
    if (list.targets.empty()) {
        return;
    }
    m_targetWeights.assign(static_cast<std::size_t>(pairs()), 0.0);
    for (const TargetPair& target : list.targets) {
        m_targetWeights[static_cast<std::size_t>(find(target.rows.a, target.rows.b))] += target.weight;
    }
}

std::size_t ComparisonSet::bytes() const {
    return pairBytes() + bytesOf(m_far) + bytesOf(m_near) + bytesOf(m_threshold) + bytesOf(m_weight) +
           bytesOf(m_length) + bytesOf(m_squaredNorm) + bytesOf(m_line) + bytesOf(m_targetWeights);
}

} // namespace lambdascope::triplets

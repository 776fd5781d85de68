// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace lambdascope::ordinal {

using ObjectIndex = std::int32_t;

/// An answer "i and j are closer than l and k": d(i,j) < d(l,k). A triplet has l = i.
struct Comparison {
    ObjectIndex i = 0;
    ObjectIndex j = 0;
    ObjectIndex l = 0;
    ObjectIndex k = 0;
    auto operator<=>(const Comparison&) const = default;

    [[nodiscard]] bool isTriplet() const { return i == l; }
};

/// The answer that contradicts it.
[[nodiscard]] inline Comparison reversed(const Comparison& c) {
    return {c.l, c.k, c.i, c.j};
}

/// Answers with a weight each; no weights means that all are 1.
struct WeightedComparisons {
    std::vector<Comparison> items;
    std::vector<double> weights;

    [[nodiscard]] double weight(std::size_t q) const { return weights.empty() ? 1.0 : weights[q]; }
    [[nodiscard]] std::size_t size() const { return items.size(); }
    void add(const Comparison& item, double weight) {
        if (weight != 1.0 || !weights.empty()) {
            weights.resize(items.size(), 1.0);
            weights.push_back(weight);
        }
        items.push_back(item);
    }
};

} // namespace lambdascope::ordinal

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"
#include "core/triplets/problem/pair_list.h"
#include "core/triplets/problem/pair_loops.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

/// How loops meet the pairs of a list: some hundred at a time, one beside the other.
namespace lambdascope::triplets::pair_loops {

/// Pairs that go through a loop together.
inline constexpr std::size_t kPairsPerBatch = 1024;

/// Pairs one beside the other: how loops meet them.
struct Batch {
    Ends ends;
    const double* squaredLength = nullptr; ///< null unless the list has it
    const PairIndex* numbers = nullptr;    ///< null for pairs in order from `begin` on
    std::size_t begin = 0;                 ///< place in the list, or number where there is no list

    /// Where the values and weights of pair `p` of the batch are.
    [[nodiscard]] std::size_t place(std::size_t p) const {
        return numbers != nullptr ? static_cast<std::size_t>(numbers[p]) : begin + p;
    }
};

/// Calls visit(batch) for the listed pairs in order, asking whether to stop; false when stopped.
template <class Visit>
bool forEachBatch(const PairTable& triplets, PairList list, std::int64_t operations, StopCheck& stopCheck,
                  Visit&& visit) {
    const std::size_t count = list != nullptr ? list.size() : static_cast<std::size_t>(triplets.pairs());
    const auto step = std::clamp(static_cast<std::size_t>(StopCheck::kOperationsPerQuestion / operations),
                                 std::size_t{16}, kPairsPerBatch);
    std::array<RowIndex, kPairsPerBatch> first;
    std::array<RowIndex, kPairsPerBatch> second;
    for (std::size_t begin = 0; begin < count; begin += step) {
        Batch batch;
        batch.begin = begin;
        batch.ends.count = std::min(step, count - begin);
        if (const PairEnds* ends = list.ends()) {
            batch.ends.first = ends->first.data() + begin;
            batch.ends.second = ends->second.data() + begin;
            batch.squaredLength = ends->squaredLength.empty() ? nullptr : ends->squaredLength.data() + begin;
        } else {
            batch.numbers = list != nullptr ? list->data() + begin : nullptr;
            for (std::size_t p = 0; p < batch.ends.count; ++p) {
                first[p] = triplets.first(static_cast<PairIndex>(batch.place(p)));
                second[p] = triplets.second(static_cast<PairIndex>(batch.place(p)));
            }
            batch.ends.first = first.data();
            batch.ends.second = second.data();
        }
        visit(std::as_const(batch));
        if (stopCheck.spend(static_cast<std::int64_t>(batch.ends.count) * operations)) {
            return false;
        }
    }
    return true;
}

/// Calls setValues(ends, values) for the listed pairs.
template <class SetValues>
bool forEachValue(const PairTable& triplets, PairList list, std::int64_t operations, StopCheck& stopCheck,
                  std::vector<double>& values, SetValues&& setValues) {
    std::array<double, kPairsPerBatch> found;
    return forEachBatch(triplets, list, operations, stopCheck, [&](const Batch& batch) {
        if (batch.numbers == nullptr) {
            setValues(batch.ends, values.data() + batch.begin);
            return;
        }
        setValues(batch.ends, found.data());
        for (std::size_t p = 0; p < batch.ends.count; ++p) {
            values[batch.place(p)] = found[p];
        }
    });
}

/// Pairs with a weight, one beside the other.
struct WeightedBatch {
    std::array<RowIndex, kPairsPerBatch> first;
    std::array<RowIndex, kPairsPerBatch> second;
    std::array<double, kPairsPerBatch> weight;
    std::array<double, kPairsPerBatch> length; ///< ‖δ‖²
    std::size_t count = 0;

    [[nodiscard]] Ends ends() const { return {first.data(), second.data(), count}; }
};

/// Σ |w| and Σ |w| ‖δ‖² over pairs with a weight, and how many there are.
struct WeightSums {
    double weights = 0;
    double lengths = 0;
    std::int64_t terms = 0;
};

/// Those of a batch. No branch: which weights are 0 cannot be foreseen.
inline void takeWeighted(const PairTable& triplets, const Batch& batch, const double* weights, WeightedBatch& taken,
                         WeightSums& sums) {
    std::size_t count = 0;
    for (std::size_t p = 0; p < batch.ends.count; ++p) {
        const std::size_t place = batch.place(p);
        const double weight = weights[place];
        taken.first[count] = batch.ends.first[p];
        taken.second[count] = batch.ends.second[p];
        taken.weight[count] = weight;
        taken.length[count] = batch.squaredLength != nullptr ? batch.squaredLength[p]
                                                             : triplets.squaredLength(static_cast<PairIndex>(place));
        count += weight != 0 ? 1 : 0;
    }
    taken.count = count;
    using Numbers = Eigen::Map<const Eigen::ArrayXd>;
    const auto size = static_cast<Eigen::Index>(count);
    const Numbers length(taken.length.data(), size);
    const auto weight = Numbers(taken.weight.data(), size).abs();
    sums.weights += weight.sum();
    sums.lengths += (weight * length).sum();
    sums.terms += size;
}

} // namespace lambdascope::triplets::pair_loops

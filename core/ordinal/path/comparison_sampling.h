// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/random_stream.h"
#include "core/common/stop_check.h"
#include "core/ordinal/problem/comparison.h"
#include "core/ordinal/problem/ordinal_config.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope::ordinal {

/// Squared distance of two objects, or anything that grows with it.
using DistanceFunction = std::function<double(ObjectIndex, ObjectIndex)>;

// Work on millions of comparisons takes seconds, so all of it can be given up: what comes back after `stopCheck` asked
// to stop is worth nothing.

/// Merges answers to the same question (the same two pairs, whatever their order): equal ones become one with the sum
/// of their weights; under Majority what contradicts takes its weight off, and ties vanish. The order is that of the
/// first answers. O(n log n).
[[nodiscard]] WeightedComparisons mergeRepeats(const WeightedComparisons& comparisons, RepeatPolicy policy,
                                               StopCheck stopCheck = {});

/// Splits answers at random by question, so that all answers to a question are on one side: questions go to `train`
/// until it has `trainCount` answers, then to `test` until it has `testCount`.
struct Split {
    WeightedComparisons train;
    WeightedComparisons test;
};
[[nodiscard]] Split splitByQuestion(const WeightedComparisons& comparisons, std::int64_t trainCount,
                                    std::int64_t testCount, RandomStream& random, StopCheck stopCheck = {});

/// Splits answers at random by question into at most `folds` parts of about the same size, none of them empty.
[[nodiscard]] std::vector<WeightedComparisons> splitIntoFolds(WeightedComparisons comparisons, std::int64_t folds,
                                                              RandomStream& random, StopCheck& stopCheck);

/// The number of questions there are about n objects: n (n−1)(n−2)/2 triplets, or pairs of pairs.
[[nodiscard]] double questionCount(ObjectIndex objects, ComparisonLayout form);

/// `count` different questions drawn at random, answered by distances; ties are no answer. Fewer when there are no
/// more. Memory O(count), or O(questions) when most of them are wanted.
[[nodiscard]] WeightedComparisons sampleFromDistances(ObjectIndex objects, const DistanceFunction& distance,
                                                      ComparisonLayout form, std::int64_t count, RandomStream& random,
                                                      StopCheck& stopCheck);

/// `count` triplets: i and j of one class, k of another, all drawn at random [O, section 5.4]. Repeats may occur. None
/// when no class has two rows or all are of one.
[[nodiscard]] WeightedComparisons sampleFromClasses(const std::vector<std::int32_t>& classes, std::int64_t count,
                                                    RandomStream& random, StopCheck& stopCheck);

/// Turns round a share of the answers, drawn at random: exactly round(share · size).
void addNoise(WeightedComparisons& comparisons, double share, RandomStream& random, StopCheck stopCheck = {});

} // namespace lambdascope::ordinal

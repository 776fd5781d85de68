// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/comparison_sampling.h"

#include "core/ordinal/problem/stoppable_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace lambdascope::ordinal {

namespace {

/// A question: its two pairs, each and both in rising order.
using Question = std::array<ObjectIndex, 4>;

struct QuestionHash {
    std::size_t operator()(const Question& q) const {
        std::uint64_t hash = 1469598103934665603ULL;
        for (const ObjectIndex id : q) {
            hash = (hash ^ static_cast<std::uint64_t>(static_cast<std::uint32_t>(id))) * 1099511628211ULL;
        }
        return static_cast<std::size_t>(hash ^ (hash >> 29));
    }
};

Question questionOf(const Comparison& c) {
    const std::array<ObjectIndex, 2> near = {std::min(c.i, c.j), std::max(c.i, c.j)};
    const std::array<ObjectIndex, 2> far = {std::min(c.l, c.k), std::max(c.l, c.k)};
    const auto& first = std::min(near, far);
    const auto& second = std::max(near, far);
    return {first[0], first[1], second[0], second[1]};
}

/// Whether the answer says that the question's first pair is the closer one.
bool saysFirst(const Comparison& c, const Question& q) {
    return std::min(c.i, c.j) == q[0] && std::max(c.i, c.j) == q[1];
}

/// Triplet (i; j, k) answered by distances; nothing for a tie.
std::optional<Comparison> answered(const Comparison& asked, const DistanceFunction& distance) {
    const double near = distance(asked.i, asked.j);
    const double far = distance(asked.l, asked.k);
    if (near < far) {
        return asked;
    }
    if (far < near) {
        return reversed(asked);
    }
    return std::nullopt;
}

/// All questions about n objects, in a fixed order.
std::vector<Comparison> allQuestions(ObjectIndex n, ComparisonLayout form, StopCheck& stopCheck) {
    std::vector<Comparison> all;
    if (form != ComparisonLayout::Quadruplets) {
        for (ObjectIndex i = 0; i < n && !stopCheck.isStopped(); ++i) {
            for (ObjectIndex j = 0; j < n && !stopCheck.spend(10 * std::int64_t{n}); ++j) {
                for (ObjectIndex k = j + 1; k < n; ++k) {
                    if (i != j && i != k) {
                        all.push_back({i, j, i, k});
                    }
                }
            }
        }
        return all;
    }
    std::vector<std::array<ObjectIndex, 2>> pairs;
    for (ObjectIndex i = 0; i < n; ++i) {
        for (ObjectIndex j = i + 1; j < n; ++j) {
            pairs.push_back({i, j});
        }
    }
    for (std::size_t a = 0; a < pairs.size() && !stopCheck.spend(10 * static_cast<std::int64_t>(pairs.size())); ++a) {
        for (std::size_t b = a + 1; b < pairs.size(); ++b) {
            all.push_back({pairs[a][0], pairs[a][1], pairs[b][0], pairs[b][1]});
        }
    }
    return all;
}

Comparison randomQuestion(ObjectIndex n, ComparisonLayout form, RandomStream& random) {
    const auto size = static_cast<std::size_t>(n);
    const auto pick = [&] { return static_cast<ObjectIndex>(random.below(size)); };
    while (true) {
        Comparison c;
        c.i = pick();
        c.j = pick();
        c.l = form == ComparisonLayout::Quadruplets ? pick() : c.i;
        c.k = pick();
        const bool isSame = (c.i == c.l && c.j == c.k) || (c.i == c.k && c.j == c.l);
        if (c.i != c.j && c.l != c.k && !isSame) {
            return c;
        }
    }
}

} // namespace

WeightedComparisons mergeRepeats(const WeightedComparisons& comparisons, RepeatPolicy policy, StopCheck stopCheck) {
    if (policy == RepeatPolicy::Keep) {
        return comparisons;
    }
    struct Sums {
        double first = 0;
        double second = 0;
        Comparison firstAnswer;
        Comparison secondAnswer;
    };
    std::unordered_map<Question, std::size_t, QuestionHash> places;
    std::vector<Sums> sums;
    for (std::size_t q = 0; q < comparisons.size() && !stopCheck.spend(200); ++q) {
        const Comparison& c = comparisons.items[q];
        const Question question = questionOf(c);
        const auto [found, isNew] = places.try_emplace(question, sums.size());
        if (isNew) {
            sums.emplace_back();
        }
        Sums& sum = sums[found->second];
        const bool isFirst = saysFirst(c, question);
        double& weight = isFirst ? sum.first : sum.second;
        if (weight == 0) {
            (isFirst ? sum.firstAnswer : sum.secondAnswer) = c;
        }
        weight += comparisons.weight(q);
    }
    WeightedComparisons merged;
    for (const Sums& sum : sums) {
        const double cancelled = policy == RepeatPolicy::Majority ? std::min(sum.first, sum.second) : 0;
        if (sum.first > cancelled) {
            merged.add(sum.firstAnswer, sum.first - cancelled);
        }
        if (sum.second > cancelled) {
            merged.add(sum.secondAnswer, sum.second - cancelled);
        }
    }
    return merged;
}

Split splitByQuestion(const WeightedComparisons& comparisons, std::int64_t trainCount, std::int64_t testCount,
                      RandomStream& random, StopCheck stopCheck) {
    // Answers in the order of their questions, and where each question's answers begin.
    std::vector<std::uint32_t> order(comparisons.size());
    std::vector<Question> questions;
    questions.reserve(comparisons.size());
    for (std::uint32_t q = 0; q < order.size(); ++q) {
        order[q] = q;
        questions.push_back(questionOf(comparisons.items[q]));
    }
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(questions[a], a) < std::tie(questions[b], b);
    };
    if (!polledSort(order, before, stopCheck)) {
        return {};
    }
    std::vector<std::size_t> starts;
    for (std::size_t at = 0; at < order.size(); ++at) {
        if (at == 0 || questions[order[at]] != questions[order[at - 1]]) {
            starts.push_back(at);
        }
    }
    Split split;
    for (const std::size_t group : polledPermutation(starts.size(), random, stopCheck)) {
        if (stopCheck.spend(50)) {
            return {};
        }
        WeightedComparisons* side = nullptr;
        if (static_cast<std::int64_t>(split.train.size()) < trainCount) {
            side = &split.train;
        } else if (static_cast<std::int64_t>(split.test.size()) < testCount) {
            side = &split.test;
        } else {
            break;
        }
        const std::size_t end = group + 1 < starts.size() ? starts[group + 1] : order.size();
        for (std::size_t at = starts[group]; at < end; ++at) {
            side->add(comparisons.items[order[at]], comparisons.weight(order[at]));
        }
    }
    return split;
}

std::vector<WeightedComparisons> splitIntoFolds(WeightedComparisons comparisons, std::int64_t folds,
                                                RandomStream& random, StopCheck& stopCheck) {
    const auto total = static_cast<std::int64_t>(comparisons.size());
    std::vector<WeightedComparisons> parts;
    for (; folds > 0 && comparisons.size() > 0 && !stopCheck.ask(); --folds) {
        const auto size = static_cast<std::int64_t>(comparisons.size());
        Split split = splitByQuestion(comparisons, size / folds, total, random, stopCheck);
        if (split.train.size() > 0) {
            parts.push_back(std::move(split.train));
        }
        comparisons = std::move(split.test);
    }
    return parts;
}

double questionCount(ObjectIndex objects, ComparisonLayout form) {
    const double n = objects;
    const double pairs = n * (n - 1) / 2;
    return form == ComparisonLayout::Quadruplets ? pairs * (pairs - 1) / 2 : n * (n - 1) * (n - 2) / 2;
}

WeightedComparisons sampleFromDistances(ObjectIndex objects, const DistanceFunction& distance, ComparisonLayout form,
                                        std::int64_t count, RandomStream& random, StopCheck& stopCheck) {
    WeightedComparisons drawn;
    const double questions = questionCount(objects, form);
    if (questions < 4 * static_cast<double>(count)) {
        std::vector<Comparison> all = allQuestions(objects, form, stopCheck);
        polledShuffle(all, random, stopCheck);
        for (const Comparison& asked : all) {
            if (static_cast<std::int64_t>(drawn.size()) >= count || stopCheck.spend(50)) {
                break;
            }
            if (const auto answer = answered(asked, distance)) {
                drawn.items.push_back(*answer);
            }
        }
        return drawn;
    }
    std::unordered_set<Question, QuestionHash> seen;
    seen.reserve(static_cast<std::size_t>(count));
    // Points that mostly coincide answer few questions; then there is an end to trying.
    const std::int64_t mostDraws = 20 * count + 1000;
    for (std::int64_t draw = 0; draw < mostDraws && static_cast<std::int64_t>(drawn.size()) < count; ++draw) {
        if (stopCheck.spend(200)) {
            break;
        }
        const Comparison asked = randomQuestion(objects, form, random);
        const auto answer = answered(asked, distance);
        if (answer && seen.insert(questionOf(asked)).second) {
            drawn.items.push_back(*answer);
        }
    }
    return drawn;
}

WeightedComparisons sampleFromClasses(const std::vector<std::int32_t>& classes, std::int64_t count,
                                      RandomStream& random, StopCheck& stopCheck) {
    // Rows in the order of their classes, so that a class is a range and what is left out of it is one too.
    std::vector<ObjectIndex> order(classes.size());
    std::iota(order.begin(), order.end(), ObjectIndex{0});
    const auto classOf = [&classes](ObjectIndex row) { return classes[static_cast<std::size_t>(row)]; };
    std::stable_sort(order.begin(), order.end(), [&](ObjectIndex a, ObjectIndex b) { return classOf(a) < classOf(b); });
    struct Range {
        std::size_t first = 0;
        std::size_t size = 0;
    };
    std::map<std::int32_t, Range> ranges;
    for (std::size_t at = 0; at < order.size(); ++at) {
        ++ranges.try_emplace(classOf(order[at]), Range{at, 0}).first->second.size;
    }
    std::vector<std::size_t> anchors; // places of rows that have a fellow
    for (const auto& [name, range] : ranges) {
        for (std::size_t at = range.first; range.size > 1 && at < range.first + range.size; ++at) {
            anchors.push_back(at);
        }
    }
    WeightedComparisons drawn;
    if (anchors.empty() || ranges.size() < 2) {
        return drawn;
    }
    while (static_cast<std::int64_t>(drawn.size()) < count && !stopCheck.spend(100)) {
        const std::size_t anchor = anchors[random.below(anchors.size())];
        const Range range = ranges.at(classOf(order[anchor]));
        const std::size_t fellow = range.first + random.below(range.size - 1);
        const std::size_t other = random.below(order.size() - range.size);
        const ObjectIndex i = order[anchor];
        const ObjectIndex j = order[fellow < anchor ? fellow : fellow + 1];
        const ObjectIndex k = order[other < range.first ? other : other + range.size];
        drawn.items.push_back({i, j, i, k});
    }
    return drawn;
}

void addNoise(WeightedComparisons& comparisons, double share, RandomStream& random, StopCheck stopCheck) {
    const auto turned = static_cast<std::size_t>(std::llround(share * static_cast<double>(comparisons.size())));
    if (turned == 0) {
        return;
    }
    const std::vector<std::size_t> order = polledPermutation(comparisons.size(), random, stopCheck);
    for (std::size_t at = 0; at < turned && !stopCheck.spend(20); ++at) {
        Comparison& c = comparisons.items[order[at]];
        c = reversed(c);
    }
}

} // namespace lambdascope::ordinal

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/comparison_sampling.h"
#include "core/ordinal/problem/comparison_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace lambdascope::ordinal {
namespace {

WeightedComparisons listOf(std::initializer_list<std::pair<Comparison, double>> answers) {
    WeightedComparisons list;
    for (const auto& [item, weight] : answers) {
        list.add(item, weight);
    }
    return list;
}

TEST(ComparisonSampling, MergesEqualAnswersAndCancelsContradictingOnes) {
    const Comparison yes{0, 1, 0, 2};
    const Comparison same{2, 1, 0, 3};   // another question
    const Comparison turned{1, 0, 2, 0}; // `yes` with its pairs the other way round
    const WeightedComparisons answers =
        listOf({{yes, 2}, {same, 1}, {turned, 1.5}, {reversed(yes), 1}, {{4, 5, 4, 6}, 1}, {{4, 6, 4, 5}, 1}});
    EXPECT_EQ(mergeRepeats(answers, RepeatPolicy::Keep).size(), 6u);
    const WeightedComparisons merged = mergeRepeats(answers, RepeatPolicy::Merge);
    EXPECT_EQ(merged.size(), 5u);
    EXPECT_EQ(merged.items[0], yes);
    EXPECT_DOUBLE_EQ(merged.weight(0), 3.5);
    const WeightedComparisons majority = mergeRepeats(answers, RepeatPolicy::Majority);
    ASSERT_EQ(majority.size(), 2u);
    EXPECT_EQ(majority.items[0], yes);
    EXPECT_DOUBLE_EQ(majority.weight(0), 2.5);
    EXPECT_EQ(majority.items[1], same);
}

TEST(ComparisonSampling, SplitsKeepAQuestionOnOneSide) {
    RandomStream random(1);
    WeightedComparisons answers;
    for (ObjectIndex q = 0; q < 50; ++q) {
        answers.add({q, 60, q, 61}, 1);
        answers.add({q, 61, q, 60}, 2);
    }
    const Split split = splitByQuestion(answers, 40, 1000, random);
    EXPECT_EQ(split.train.size(), 40u);
    EXPECT_EQ(split.test.size(), 60u);
    std::set<ObjectIndex> trained;
    for (const Comparison& c : split.train.items) {
        trained.insert(c.i);
    }
    for (const Comparison& c : split.test.items) {
        EXPECT_EQ(trained.count(c.i), 0u);
    }
    RandomStream again(1);
    EXPECT_EQ(splitByQuestion(answers, 40, 10, again).test.size(), 10u);
}

TEST(ComparisonSampling, FoldsHoldEachAnswerOnceAndAQuestionInOne) {
    WeightedComparisons answers;
    for (ObjectIndex q = 0; q < 30; ++q) {
        answers.add({q, 60, q, 61}, 1);
        answers.add({q, 61, q, 60}, 2);
    }
    for (const std::int64_t folds : {1, 2, 7, 30, 100}) {
        SCOPED_TRACE(folds);
        RandomStream random(2);
        StopCheck stopCheck;
        const std::vector<WeightedComparisons> parts = splitIntoFolds(answers, folds, random, stopCheck);
        EXPECT_LE(parts.size(), static_cast<std::size_t>(std::min<std::int64_t>(folds, 30)));
        EXPECT_GE(parts.size(), static_cast<std::size_t>(std::min<std::int64_t>(folds, 15)));
        std::map<ObjectIndex, std::set<std::size_t>> foldsOfQuestion;
        std::size_t all = 0;
        for (std::size_t fold = 0; fold < parts.size(); ++fold) {
            EXPECT_GT(parts[fold].size(), 0u);
            all += parts[fold].size();
            for (const Comparison& c : parts[fold].items) {
                foldsOfQuestion[c.i].insert(fold);
            }
        }
        EXPECT_EQ(all, answers.size());
        EXPECT_EQ(foldsOfQuestion.size(), 30u);
        for (const auto& [question, where] : foldsOfQuestion) {
            EXPECT_EQ(where.size(), 1u) << "question " << question;
        }
    }
}

TEST(ComparisonSampling, WorkOnManyComparisonsCanBeGivenUp) {
    RandomStream random(1);
    WeightedComparisons answers;
    for (ObjectIndex q = 0; q < 200000; ++q) {
        const auto i = static_cast<ObjectIndex>(random.below(500));
        answers.add({i, 500 + q % 300, i, 900 + q % 70}, 1 + q % 2);
    }
    int questions = 0;
    const StopCheck stopCheck([&questions] { return ++questions > 0; });
    const auto size = static_cast<std::int64_t>(answers.size());
    const Split split = splitByQuestion(answers, size, size, random, stopCheck);
    EXPECT_LT(split.train.size() + split.test.size(), answers.size());
    EXPECT_EQ(questions, 1);
    EXPECT_LT(mergeRepeats(answers, RepeatPolicy::Merge, stopCheck).size(), 200000u);
    EXPECT_EQ(questions, 2);
    EXPECT_EQ(ComparisonSet(answers, 2000, stopCheck).size(), 0);
    EXPECT_EQ(questions, 3);
    // Asking changes nothing.
    RandomStream first(2);
    RandomStream second(2);
    const Split alone = splitByQuestion(answers, 1000, 1000, first);
    const Split asked = splitByQuestion(answers, 1000, 1000, second, StopCheck([] { return false; }));
    EXPECT_EQ(alone.train.items, asked.train.items);
    EXPECT_EQ(alone.test.items, asked.test.items);
}

TEST(ComparisonSampling, DrawsDifferentQuestionsAnsweredByDistances) {
    RandomStream places(3);
    std::vector<double> x(12);
    std::generate(x.begin(), x.end(), [&places] { return places.normal(); });
    const auto distance = [&x](ObjectIndex a, ObjectIndex b) {
        return std::abs(x[static_cast<std::size_t>(a)] - x[static_cast<std::size_t>(b)]);
    };
    for (const ComparisonLayout form : {ComparisonLayout::Triplets, ComparisonLayout::Quadruplets}) {
        for (const std::int64_t count : {20, 100000}) { // a few, and all
            RandomStream random(5);
            StopCheck stopCheck;
            const WeightedComparisons drawn = sampleFromDistances(12, distance, form, count, random, stopCheck);
            EXPECT_EQ(static_cast<double>(drawn.size()), std::min<double>(count, questionCount(12, form)));
            std::set<std::set<std::set<ObjectIndex>>> questions;
            for (const Comparison& c : drawn.items) {
                EXPECT_LT(distance(c.i, c.j), distance(c.l, c.k));
                EXPECT_EQ(c.isTriplet(), form == ComparisonLayout::Triplets || c.i == c.l);
                const std::set<ObjectIndex> near = {c.i, c.j};
                const std::set<ObjectIndex> far = {c.l, c.k};
                questions.insert(std::set<std::set<ObjectIndex>>{near, far});
            }
            EXPECT_EQ(questions.size(), drawn.size());
        }
    }
}

TEST(ComparisonSampling, LeavesTiesOut) {
    RandomStream random(5);
    StopCheck stopCheck;
    const auto same = [](ObjectIndex, ObjectIndex) { return 1.0; };
    EXPECT_EQ(sampleFromDistances(100, same, ComparisonLayout::Triplets, 50, random, stopCheck).size(), 0u);
}

TEST(ComparisonSampling, ClassesSayWhatIsCloser) {
    const std::vector<std::int32_t> classes = {0, 1, 0, 1, 2, 1};
    RandomStream random(2);
    StopCheck stopCheck;
    const WeightedComparisons drawn = sampleFromClasses(classes, 500, random, stopCheck);
    ASSERT_EQ(drawn.size(), 500u);
    for (const Comparison& c : drawn.items) {
        EXPECT_TRUE(c.isTriplet());
        EXPECT_NE(c.i, c.j);
        EXPECT_EQ(classes[static_cast<std::size_t>(c.i)], classes[static_cast<std::size_t>(c.j)]);
        EXPECT_NE(classes[static_cast<std::size_t>(c.i)], classes[static_cast<std::size_t>(c.k)]);
    }
    EXPECT_EQ(sampleFromClasses({1, 1, 1}, 5, random, stopCheck).size(), 0u);
    EXPECT_EQ(sampleFromClasses({1, 2, 3}, 5, random, stopCheck).size(), 0u);
    int questions = 0;
    StopCheck stopping([&] { return ++questions >= 2; });
    EXPECT_LT(sampleFromClasses(classes, 1'000'000'000, random, stopping).size(), 1'000'000u);
}

TEST(ComparisonSampling, ClassesAreDrawnEvenly) {
    // Ten thousand rows of one class and three others: rejecting would draw thousands for each that counts.
    std::vector<std::int32_t> classes(10000, 1);
    classes[10] = 2;
    classes[5000] = 2;
    classes[9999] = 3;
    RandomStream random(2);
    StopCheck stopCheck;
    std::map<ObjectIndex, int> others;
    for (const Comparison& c : sampleFromClasses(classes, 30000, random, stopCheck).items) {
        if (classes[static_cast<std::size_t>(c.i)] == 1) {
            ++others[c.k];
        } else {
            EXPECT_EQ(c.i + c.j, 5010); // the two of class 2
        }
    }
    ASSERT_EQ(others.size(), 3u);
    for (const auto& [row, count] : others) {
        EXPECT_NEAR(count, 10000, 500) << row;
    }
}

TEST(ComparisonSampling, NoiseTurnsExactlyTheShareRound) {
    WeightedComparisons answers;
    for (ObjectIndex q = 0; q < 200; ++q) {
        answers.add({q, 300, q, 301}, 1);
    }
    RandomStream random(3);
    addNoise(answers, 0.15, random);
    EXPECT_EQ(std::count_if(answers.items.begin(), answers.items.end(), [](const Comparison& c) { return c.j == 301; }),
              30);
}

} // namespace
} // namespace lambdascope::ordinal

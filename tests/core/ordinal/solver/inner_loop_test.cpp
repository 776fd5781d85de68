// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/solver/inner_loop.h"
#include "tests/core/ordinal/small_sets.h"

#include <gtest/gtest.h>

namespace lambdascope::ordinal {
namespace {

/// A snapshot and everything the loop wants of it.
struct At {
    At(const Objective& objective, Points start) : points(std::move(start)) {
        StopCheck stopCheck;
        objective.evaluate(points, &gradient, &slopes, stopCheck);
    }
    [[nodiscard]] Snapshot snapshot() const { return {points, gradient, slopes}; }
    Points points;
    Points gradient;
    std::vector<Slopes> slopes;
};

Points loopEnd(const Objective& objective, const At& at, InnerLoopSettings settings, bool isLazy) {
    settings.isLazy = isLazy;
    RandomStream random(11);
    InnerLoopScratch scratch;
    StopCheck stopCheck;
    Points x = at.points;
    EXPECT_TRUE(runInnerLoop(objective, at.snapshot(), settings, random, x, scratch, stopCheck));
    return x;
}

/// Algorithm 1's inner loop by whole gradients of single comparisons.
Points loopByDefinition(const Objective& objective, const At& at, const InnerLoopSettings& settings) {
    RandomStream random(11);
    StopCheck stopCheck;
    Points x = at.points;
    for (std::int64_t t = 0; t < settings.steps; ++t) {
        Points u = at.gradient;
        for (std::int64_t b = 0; b < settings.batch; ++b) {
            const std::size_t q = random.below(static_cast<std::size_t>(objective.set().size()));
            WeightedComparisons one;
            one.add(objective.set().items()[q], 1);
            const ComparisonSet alone(std::move(one), objective.set().objects());
            const Objective single(alone, objective.model());
            Points now;
            Points then;
            single.evaluate(x, &now, nullptr, stopCheck);
            single.evaluate(at.points, &then, nullptr, stopCheck);
            u += objective.set().relativeWeight(q) / static_cast<double>(settings.batch) * (now - then);
        }
        x -= static_cast<double>(settings.batch) * settings.step * u;
    }
    return x;
}

TEST(InnerLoop, LazyAndPlainFollowAlgorithmOne) {
    for (const Eigen::Index p : {1, 2, 3, 6, 9, 10, 12, 17}) {
        for (const std::int64_t batch : {1, 7}) {
            const ComparisonSet set = randomComparisons(randomPoints(15, 3, 1, 1), 90, 2, batch == 7);
            for (const ModelSpec& model : allModels(p)) {
                const Objective objective(set, model);
                const At at(objective, randomPoints(15, p, 0.5, 3));
                const InnerLoopSettings settings{0.02, 60 / batch, batch, true};
                const Points expected = loopByDefinition(objective, at, settings);
                for (const bool isLazy : {false, true}) {
                    EXPECT_LE((loopEnd(objective, at, settings, isLazy) - expected).norm(), 1e-12 * expected.norm())
                        << modelName(model.kind) << " p = " << p << " b = " << batch << " lazy " << isLazy;
                }
                EXPECT_GT((expected - at.points).norm(), 1e-3 * expected.norm());
            }
        }
    }
}

TEST(InnerLoop, LazyEqualsPlainOverAWholeEpoch) {
    const ComparisonSet set = randomComparisons(randomPoints(100, 10, 0.22, 1), 10000, 2, false, false);
    for (const ModelSpec& model : allModels(10)) {
        const Objective objective(set, model);
        const At at(objective, randomPoints(100, 10, 0.1, 3));
        for (const std::int64_t batch : {1, 10, 100}) {
            const InnerLoopSettings settings{0.01, 10000 / batch, batch, true};
            const Points lazy = loopEnd(objective, at, settings, true);
            const Points plain = loopEnd(objective, at, settings, false);
            EXPECT_LE((lazy - plain).cwiseAbs().maxCoeff(), 1e-9 * plain.cwiseAbs().maxCoeff())
                << modelName(model.kind) << " b = " << batch;
        }
    }
}

TEST(InnerLoop, LazyEqualsPlainWhereObjectsFillMoreThanTheCaches) {
    // Only of so many objects what comes next is fetched ahead.
    const ComparisonSet set = randomComparisons(randomPoints(4000, 10, 0.22, 1), 3000, 2);
    const Objective objective(set, {});
    const At at(objective, randomPoints(4000, 10, 0.1, 3));
    for (const std::int64_t batch : {1, 7}) {
        const InnerLoopSettings settings{0.01, 1500 / batch, batch, true};
        const Points plain = loopEnd(objective, at, settings, false);
        EXPECT_LE((loopEnd(objective, at, settings, true) - plain).cwiseAbs().maxCoeff(),
                  1e-9 * plain.cwiseAbs().maxCoeff());
        EXPECT_GT((plain - at.points).norm(), 1e-4 * plain.norm());
    }
}

TEST(InnerLoop, MovesObjectsOfNoComparisonNowhere) {
    WeightedComparisons answers;
    answers.add({0, 1, 0, 2}, 1);
    const ComparisonSet set(std::move(answers), 5);
    const Objective objective(set, {});
    const At at(objective, randomPoints(5, 2, 1, 3));
    const Points x = loopEnd(objective, at, {0.1, 50, 1, true}, true);
    EXPECT_EQ(x.row(3), at.points.row(3));
    EXPECT_EQ(x.row(4), at.points.row(4));
    EXPECT_NE(x.row(0), at.points.row(0));
}

TEST(InnerLoop, EndsSoonAfterAStop) {
    const ComparisonSet set = randomComparisons(randomPoints(50, 2, 1, 1), 1000, 2);
    const Objective objective(set, {});
    const At at(objective, randomPoints(50, 2, 1, 3));
    for (const bool isLazy : {false, true}) {
        int questions = 0;
        StopCheck stopCheck([&] { return ++questions > 2; });
        RandomStream random(1);
        InnerLoopScratch scratch;
        Points x = at.points;
        EXPECT_FALSE(
            runInnerLoop(objective, at.snapshot(), {1e-9, 1'000'000'000, 1, isLazy}, random, x, scratch, stopCheck));
        Points y = at.points;
        questions = 0;
        StopCheck other([&] { return ++questions > 2; });
        EXPECT_FALSE(runSgdLoop(objective, {1e-9, 1'000'000'000, 1, isLazy}, random, y, scratch, other));
    }
}

} // namespace
} // namespace lambdascope::ordinal

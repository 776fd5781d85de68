// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/ordinal/solver/placement.h"
#include "tests/core/ordinal/small_sets.h"

#include <gtest/gtest.h>

namespace lambdascope::ordinal {
namespace {

TEST(Placement, PutsANewObjectWhereItsAnswersWantIt) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Points x = randomPoints(60, 2, 1.5, seed);
        const Eigen::RowVectorXd truth = randomPoints(1, 2, 1, seed + 50);
        RandomStream random(seed, "answers");
        WeightedComparisons answers;
        while (answers.size() < 400) {
            const auto j = static_cast<ObjectIndex>(random.below(60));
            const auto k = static_cast<ObjectIndex>(random.below(60));
            if (j != k) {
                const bool isCloser = (x.row(j) - truth).squaredNorm() < (x.row(k) - truth).squaredNorm();
                answers.add(isCloser ? Comparison{60, j, 60, k} : Comparison{60, k, 60, j}, 1);
            }
        }
        for (const ModelSpec& model : allModels(2)) {
            StopCheck stopCheck;
            const Placement placed = placeObject(x, answers, model, stopCheck);
            EXPECT_LE(placed.error, 0.08) << modelName(model.kind);
            // Models of shares of distances pull towards what the object is close to.
            const bool isShare = model.kind == ModelKind::Ckl || model.kind == ModelKind::Tste;
            EXPECT_LE((placed.point - truth).norm(), isShare ? 1.0 : 0.5) << modelName(model.kind);
        }
    }
}

TEST(Placement, IsWhatTheObjectiveOfItsAnswersHasForLeast) {
    const Points x = randomPoints(5, 2, 1, 2);
    WeightedComparisons answers;
    answers.add({5, 0, 5, 1}, 2);
    answers.add({5, 1, 5, 0}, 1); // contradicts
    answers.add({2, 5, 3, 4}, 1); // a quadruplet
    const ModelSpec model;
    StopCheck stopCheck;
    const Placement placed = placeObject(x, answers, model, stopCheck);
    const ComparisonSet set(answers, 6);
    Points all(6, 2);
    all.topRows(5) = x;
    for (const double dx : {-0.05, 0.0, 0.05}) {
        for (const double dy : {-0.05, 0.0, 0.05}) {
            all.row(5) = placed.point + Eigen::RowVectorXd{{dx, dy}};
            EXPECT_GE(Objective(set, model).evaluate(all, nullptr, nullptr, stopCheck).loss, placed.loss - 1e-12);
        }
    }
}

} // namespace
} // namespace lambdascope::ordinal

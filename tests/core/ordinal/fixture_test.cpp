// SPDX-License-Identifier: GPL-3.0-or-later
// Losses and gradients of an independent implementation, tests/fixtures/make_fixtures.py.
#include "core/config/json_document.h"
#include "tests/core/ordinal/small_sets.h"

#include <gtest/gtest.h>

namespace lambdascope::ordinal {
namespace {

Points pointsOf(const Json& rows) {
    const auto values = rows.get<std::vector<std::vector<double>>>();
    Points x(static_cast<Eigen::Index>(values.size()), static_cast<Eigen::Index>(values.front().size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        x.row(static_cast<Eigen::Index>(i)) =
            Eigen::Map<const Eigen::RowVectorXd>(values[i].data(), static_cast<Eigen::Index>(values[i].size()));
    }
    return x;
}

TEST(OrdinalFixture, SameLossAndGradient) {
    const auto document = readJsonDocument(LAMBDASCOPE_TEST_SOURCE_DIR "/tests/fixtures/ordinal_small.json");
    ASSERT_TRUE(document) << document.error().describe();
    const Json& json = document->value;
    const Points x = pointsOf(json.at("X"));
    WeightedComparisons answers;
    for (const Json& q : json.at("quadruplets")) {
        answers.add(
            {q[0].get<ObjectIndex>(), q[1].get<ObjectIndex>(), q[2].get<ObjectIndex>(), q[3].get<ObjectIndex>()}, 1);
    }
    const ComparisonSet set(std::move(answers), static_cast<ObjectIndex>(x.rows()));
    int compared = 0;
    for (ModelSpec model : allModels(2)) {
        const auto found = json.at("models").find(modelName(model.kind));
        if (found == json.at("models").end()) {
            continue; // SOE
        }
        model.mu = json.at("mu").get<double>();
        model.alpha = json.at("alpha").get<double>();
        StopCheck stopCheck;
        Points gradient;
        const ObjectiveValue value = Objective(set, model).evaluate(x, &gradient, nullptr, stopCheck);
        EXPECT_NEAR(value.loss, found->at("loss").get<double>(), 1e-12);
        // Theirs is by differences.
        EXPECT_LE((gradient - pointsOf(found->at("gradient"))).cwiseAbs().maxCoeff(), 1e-8) << modelName(model.kind);
        ++compared;
    }
    EXPECT_EQ(compared, 4);
}

} // namespace
} // namespace lambdascope::ordinal

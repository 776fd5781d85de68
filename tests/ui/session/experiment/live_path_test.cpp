// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/families.h"
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/session/experiment/experiment_document.h"
#include "ui/session/experiment/live_path.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>

namespace lambdascope {
namespace {

class LivePathTest : public testing::Test {
  protected:
    static Json document(const Json& problem, const std::string& edits) {
        Json json = tinyDocument(problem);
        json["data"]["edits"] = edits;
        return json;
    }
    bool settle() {
        return waitUntil([&] { return !live.isBusy(); });
    }
    LivePath live{{&tinyCatalog(), findTinyFamily}};
};

TEST_F(LivePathTest, TheNewestWishIsTheOneThatStays) {
    for (int i = 0; i < 30; ++i) {
        live.request({document({{"points", 3}}, "omit " + std::to_string(i)), tinyPlaces(), ""});
    }
    ASSERT_TRUE(settle());
    ASSERT_NE(live.path(), nullptr) << live.trouble();
    EXPECT_EQ(live.path()->edits, "omit 29");
    EXPECT_TRUE(live.path()->isWhole);
    EXPECT_EQ(live.path()->record.finishedPointCount(), 3U);
    EXPECT_EQ(live.path()->record.start().laneName, LivePath::usualLane(document({}, "")));
}

TEST_F(LivePathTest, AnObsoletePathIsStopped) {
    // A path that would take a minute.
    live.request({document({{"points", 60}, {"iterations", 100}, {"delay_us", 10000}}, "omit 1"), tinyPlaces(), ""});
    ASSERT_TRUE(live.isBusy());
    QElapsedTimer clock;
    clock.start();
    live.request({document({{"points", 2}}, "omit 2"), tinyPlaces(), ""});
    ASSERT_TRUE(waitUntil([&] { return live.path() != nullptr && live.path()->edits == "omit 2"; }));
    EXPECT_LT(clock.elapsed(), 20000);
    EXPECT_TRUE(live.path()->isWhole);
}

TEST_F(LivePathTest, WhatFailsSaysWhyAndThePathBeforeStays) {
    live.request({document({{"points", 2}}, ""), tinyPlaces(), ""});
    ASSERT_TRUE(settle());
    const auto before = live.path();
    ASSERT_NE(before, nullptr);
    live.request({document({{"points", 2}}, "omit 9999"), tinyPlaces(), ""});
    ASSERT_TRUE(settle());
    EXPECT_NE(live.trouble().find("no row 9999"), std::string::npos) << live.trouble();
    EXPECT_EQ(live.path(), before);
    live.request({document({{"points", 2}, {"fail_at", 0}}, ""), tinyPlaces(), ""});
    ASSERT_TRUE(settle());
    EXPECT_FALSE(live.trouble().empty());
    EXPECT_EQ(live.path(), before);
    live.request({document({{"points", 2}}, ""), tinyPlaces(), ""});
    ASSERT_TRUE(settle());
    EXPECT_EQ(live.trouble(), "");
    EXPECT_NE(live.path(), before);
}

TEST_F(LivePathTest, ClearingDropsAllThatThereIs) {
    live.request({document({{"points", 2}}, ""), tinyPlaces(), ""});
    ASSERT_TRUE(settle());
    live.request({document({{"points", 50}, {"delay_us", 10000}}, ""), tinyPlaces(), ""});
    live.clear();
    EXPECT_FALSE(live.isBusy());
    settleEvents();
    EXPECT_EQ(live.path(), nullptr);
    EXPECT_EQ(live.plane(), nullptr);
}

/// Of moved rows in the plane; `edits` as the window keeps them.
Json builtIn(const std::string& family, int rows, const std::string& edits) {
    ExperimentDocument fresh(builtInCatalog());
    fresh.newExperiment(QString::fromStdString(family));
    fresh.setValue("data.source", "toy:two-moons?n=" + std::to_string(rows));
    fresh.setValue("data.edits", edits);
    if (family == "pu") {
        fresh.setValue("path.ratio", 0.7);
        fresh.setValue("path.stop", 0.001);
    } else {
        fresh.setValue("path.max_points", 20);
    }
    return fresh.json();
}

class LivePathOfFamily : public testing::TestWithParam<const char*> {};

TEST_P(LivePathOfFamily, IsThatOfAFreshRunToTheLastBit) {
    LivePath live{{&builtInCatalog(), findFamily}};
    Json last;
    for (int i = 0; i < 5; ++i) {
        last = builtIn(GetParam(), 60, "move 7 " + std::to_string(0.1 * i) + " 0.5; omit 3");
        live.request({last, {}, ""});
        settleEvents();
    }
    ASSERT_TRUE(waitUntil([&] { return !live.isBusy(); }));
    ASSERT_NE(live.path(), nullptr) << live.trouble();
    EXPECT_TRUE(live.path()->isWhole);

    auto experiment = validateExperiment(last, builtInCatalog());
    ASSERT_TRUE(experiment.has_value());
    ExperimentOptions options;
    options.wishes.threads = 1;
    options.lanes = {LivePath::usualLane((*experiment)->document)};
    ExperimentRunner runner(std::move(*experiment), *findFamily(GetParam()), options);
    ASSERT_TRUE(runner.prepare().has_value());
    struct : EventSink {
        RunRecord record;
        void publish(const RunEvent& event) noexcept override { record.apply(event); }
    } fresh;
    ASSERT_TRUE(runner.run(fresh).has_value());
    const RunRecord& shown = live.path()->record;
    ASSERT_EQ(shown.finishedPointCount(), fresh.record.finishedPointCount());
    ASSERT_GT(shown.finishedPointCount(), 1U);
    const auto objective = *shown.columnWithRole(ColumnRole::Objective);
    for (std::size_t k = 0; k < shown.finishedPointCount(); ++k) {
        EXPECT_EQ(shown.points()[k].axisValue, fresh.record.points()[k].axisValue);
        EXPECT_EQ(shown.points()[k].values[objective], fresh.record.points()[k].values[objective]);
    }
}

INSTANTIATE_TEST_SUITE_P(Families, LivePathOfFamily, testing::Values("metric", "svm", "pu"));

} // namespace
} // namespace lambdascope

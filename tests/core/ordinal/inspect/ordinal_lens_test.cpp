// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/audit_report.h"
#include "core/ordinal/family.h"
#include "core/ordinal/path/prepared_ordinal.h"
#include "core/ordinal/problem/object_relations.h"
#include "core/record/measure_series.h"
#include "core/record/run_record.h"
#include "core/run/event_sink.h"
#include "core/run/experiment_runner.h"
#include "tests/core/data/data_files.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lambdascope::ordinal {
namespace {

const SchemaCatalog& lensCatalog() {
    static const SchemaCatalog only({family().schema});
    return only;
}

std::unique_ptr<ExperimentRunner> runnerFor(const Json& overlay, const RunWishes& wishes = {}) {
    Json document = {{"family", "ordinal"},
                     {"data", {{"source", "toy:ordinal-gaussian?n=30&d=3"}, {"scale", "none"}}},
                     {"problem", {{"comparisons", "points"}, {"train", 800}, {"test", 300}, {"dimensions", 3}}},
                     {"solver", {{"trials", 3}}},
                     {"path", {{"epochs", 6}}}};
    const Json lane = {{"name", "lane"}};
    document["lanes"] = Json::array({lane});
    if (overlay.isObject()) {
        document.mergePatch(overlay);
    }
    auto experiment = validateExperiment(document, lensCatalog());
    EXPECT_TRUE(experiment);
    auto runner = std::make_unique<ExperimentRunner>(std::move(*experiment), family(),
                                                     ExperimentOptions{wishes, {}, test::places()});
    EXPECT_TRUE(runner->prepare());
    return runner;
}

TEST(OrdinalLens, SaysOfEveryEpochWhatItsSolutionSays) {
    const auto runner = runnerFor({}, {.embeddings = true, .solutions = true});
    RecordingSink sink;
    ASSERT_TRUE(runner->run(sink));
    const std::vector<RunRecord> records = recordsOf(sink.events());
    ASSERT_EQ(records.size(), 1u);
    EXPECT_TRUE(quartilesOf(records[0], *records[0].columnWithKey("test_error")));
    EXPECT_EQ(elapsedSeconds(records[0]), columnValues(records[0], *records[0].columnWithKey("seconds")));
    const auto lens = runner->makeLens(0);
    ASSERT_NE(lens, nullptr);
    ASSERT_TRUE(lens->open(0, {}, {}));
    for (const int epoch : {6, 0, 3}) {
        const PointRecord* point = records[0].finishedPoint(epoch);
        ASSERT_NE(point, nullptr);
        ASSERT_EQ(point->solution->front().name, "X");
        const MatrixValues& values = point->solution->front().values;
        const Points x = Eigen::Map<const Eigen::MatrixXd>(values.data(), values.rows(), values.cols());
        for (const std::int64_t object : {0, 17, 29}) {
            const auto told = as<RelationFinder>(*lens).relations(object, epoch, 100000, {});
            ASSERT_TRUE(told);
            EXPECT_EQ(told->noun, "comparisons");
            ASSERT_FALSE(told->relations.empty());
            for (const auto& r : told->relations) {
                const double near = (x.row(r.nearFrom) - x.row(r.nearTo)).norm();
                const double far = (x.row(r.farFrom) - x.row(r.farTo)).norm();
                EXPECT_EQ(r.room, far - near); // the same bits: the lane is computed again as it was
            }
            const auto kept = as<RelationFinder>(*runner->makeLens(0))
                                  .relationsIn(*point->solution, object, 100000, {}); // never opened
            ASSERT_TRUE(kept);
            ASSERT_EQ(kept->relations.size(), told->relations.size());
            for (std::size_t k = 0; k < told->relations.size(); ++k) {
                EXPECT_EQ(kept->relations[k].room, told->relations[k].room);
                EXPECT_EQ(kept->relations[k].holds, told->relations[k].holds);
            }
            EXPECT_EQ(kept->training.violated, told->training.violated);
        }
    }
}

TEST(OrdinalLens, CountsWhatIsSaidAmongSomeObjectsAlone) {
    const auto runner = runnerFor({});
    const auto lens = runner->makeLens(0);
    ASSERT_TRUE(lens->open(0, {}, {}));
    ItemSet some(30);
    for (const std::int64_t object : {1, 2, 3, 5, 8, 9, 11, 13, 17, 20, 21, 25, 28, 29}) {
        some.insert(object);
    }
    // Each comparison among them is listed once for the least of its objects.
    PointRelations::Count training;
    PointRelations::Count heldOut;
    some.visit([&](std::int64_t object) {
        const auto told = as<RelationFinder>(*lens).relations(object, 4, 100000, {});
        ASSERT_TRUE(told);
        for (const auto& r : told->relations) {
            const auto objects = {r.nearFrom, r.nearTo, r.farFrom, r.farTo};
            if (std::min(objects) == object &&
                std::all_of(objects.begin(), objects.end(), [&](auto o) { return some.contains(o); })) {
                PointRelations::Count& count = r.isHeldOut ? heldOut : training;
                ++(r.holds ? count.holding : count.violated);
            }
        }
    });
    const auto among = as<RelationFinder>(*lens).relationsAmong(some, 4, {});
    ASSERT_TRUE(among);
    EXPECT_TRUE(among->relations.empty());
    EXPECT_GT(training.violated, 0);
    EXPECT_GT(heldOut.holding, 0);
    EXPECT_EQ(among->training.holding, training.holding);
    EXPECT_EQ(among->training.violated, training.violated);
    EXPECT_EQ(among->heldOut.holding, heldOut.holding);
    EXPECT_EQ(among->heldOut.violated, heldOut.violated);
    EXPECT_FALSE(as<RelationFinder>(*lens).relationsAmong(some, 7, {}));
}

TEST(OrdinalRecords, QuartilesAreThoseOfTheTrials) {
    const auto runner = runnerFor({{"solver", {{"trials", 5}}}}, {.solutions = true});
    RecordingSink sink;
    ASSERT_TRUE(runner->run(sink));
    const RunRecord record = recordsOf(sink.events()).front();
    const auto valueOf = [&record](const PointRecord& point, const char* key) {
        return point.values[*record.columnWithKey(key)];
    };
    double spread = 0;
    for (const PointRecord& point : record.points()) {
        ASSERT_EQ(point.solution->at(1).name, "trials");
        const MatrixValues& trials = point.solution->at(1).values; // loss, training error, held-out error, …
        ASSERT_EQ(trials.rows(), 5);
        for (const auto& [column, key] : {std::pair(1, std::string("train_error")), {2, "test_error"}}) {
            std::vector<double> errors(trials.data() + 5 * column, trials.data() + 5 * (column + 1));
            std::sort(errors.begin(), errors.end());
            EXPECT_EQ(valueOf(point, (key + "_q1").c_str()), errors[1]);
            EXPECT_EQ(valueOf(point, key.c_str()), errors[2]);
            EXPECT_EQ(valueOf(point, (key + "_q3").c_str()), errors[3]);
            spread += errors[3] - errors[1];
        }
    }
    EXPECT_GT(spread, 0);
}

TEST(OrdinalLens, RefusesWhatIsNotThereAndWhatOnlyScreeningHas) {
    const auto runner = runnerFor({});
    const auto lens = runner->makeLens(0);
    EXPECT_FALSE(as<RelationFinder>(*lens).relations(0, 0, 10, {})); // not open yet
    ASSERT_TRUE(lens->open(3, {}, {}));
    EXPECT_EQ(lens->path().size(), 3u);
    EXPECT_FALSE(as<RelationFinder>(*lens).relations(-1, 0, 10, {}));
    EXPECT_FALSE(as<RelationFinder>(*lens).relations(30, 0, 10, {}));
    EXPECT_FALSE(as<RelationFinder>(*lens).relations(0, 3, 10, {}));
    EXPECT_TRUE(as<RelationFinder>(*lens).relations(29, 2, 10, {}));
    EXPECT_TRUE(as<RelationFinder>(*lens).relationsIn({{"X", Eigen::MatrixXd::Ones(30, 3)}}, 29, 10, {}));
    EXPECT_FALSE(as<RelationFinder>(*lens).relationsIn({{"X", Eigen::MatrixXd::Ones(30, 3)}}, 30, 10, {}));
    EXPECT_FALSE(as<RelationFinder>(*lens).relationsIn({{"X", Eigen::MatrixXd::Ones(29, 3)}}, 0, 10, {}));
    EXPECT_FALSE(as<RelationFinder>(*lens).relationsIn({}, 0, 10, {}));
    const auto audit = askLens(*lens, &DecisionAuditor::audit, 0, RunLens::Progress(), std::stop_token());
    ASSERT_FALSE(audit);
    EXPECT_NE(audit.error().describe().find("screen nothing"), std::string::npos);
    EXPECT_FALSE(capability<ItemExplainer>(*lens));
    EXPECT_FALSE(capability<RegionSlicer>(*lens));
}

TEST(OrdinalLens, StopsWhenAskedTo) {
    const auto runner = runnerFor({});
    const auto lens = runner->makeLens(0);
    std::stop_source stop;
    stop.request_stop();
    const auto opened = lens->open(0, {}, stop.get_token());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::Stopped);
}

TEST(OrdinalLens, IsNotThereForAPathOfDimensions) {
    const auto runner = runnerFor({{"path", {{"kind", "dimensions"}, {"max_dimensions", 2}, {"epochs", 2}}}});
    EXPECT_EQ(runner->makeLens(0), nullptr);
    EXPECT_FALSE(runner->lensObstacle().empty());
}

} // namespace
} // namespace lambdascope::ordinal

// SPDX-License-Identifier: GPL-3.0-or-later
// Whole lanes: what a run tells, that it repeats itself, and data it cannot use.
#include "core/ordinal/family.h"
#include "core/ordinal/path/ordinal_schema.h"
#include "core/record/run_record.h"
#include "core/run/event_sink.h"
#include "core/run/experiment_runner.h"
#include "tests/core/data/data_folder.h"
#include "tests/support/stopping_sink.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace lambdascope::ordinal {
namespace {

const SchemaCatalog& catalog() {
    static const SchemaCatalog only({family().schema});
    return only;
}

Json documentWith(const Json& overlay) {
    Json document = {{"family", "ordinal"},
                     {"name", "small"},
                     {"data", {{"source", "toy:ordinal-gaussian?n=40&d=3"}, {"scale", "none"}}},
                     {"problem", {{"comparisons", "points"}, {"train", 1500}, {"test", 500}, {"dimensions", 3}}},
                     {"path", {{"epochs", 8}}}};
    document.mergePatch(overlay);
    return document;
}

struct Outcome {
    std::vector<PointFinished> points; ///< of the first lane
    RunStarted start;
    std::optional<Error> error;

    [[nodiscard]] double at(std::size_t point, std::string_view column) const {
        return points.at(point).values.at(placeOfColumn(start.columns, column));
    }
};

class Keeper final : public EventSink {
  public:
    explicit Keeper(Outcome& to) : m_to(to) {}
    void publish(const RunEvent& event) noexcept override {
        if (m_run.isValid() && event.run != m_run) {
            return;
        }
        m_run = event.run;
        if (const auto* start = std::get_if<RunStarted>(&event.body)) {
            m_to.start = *start;
        } else if (const auto* point = std::get_if<PointFinished>(&event.body)) {
            m_to.points.push_back(*point);
        }
    }

  private:
    Outcome& m_to;
    RunId m_run;
};

Outcome run(const Json& overlay, int threads = 1, const std::filesystem::path& folder = {}) {
    Outcome outcome;
    auto experiment = validateExperiment(documentWith(overlay), catalog());
    if (!experiment) {
        outcome.error = experiment.error();
        return outcome;
    }
    ExperimentOptions options;
    options.wishes = {.embeddings = true, .solutions = true, .measures = true, .threads = threads};
    options.places = test::places();
    if (!folder.empty()) {
        options.places.folders = {folder};
    }
    ExperimentRunner runner(std::move(*experiment), family(), options);
    if (auto ready = runner.prepare(); !ready) {
        outcome.error = ready.error();
        return outcome;
    }
    Keeper keeper(outcome);
    EXPECT_TRUE(runner.run(keeper));
    return outcome;
}

Json oneLane(const Json& solver, const Json& settings = Json::object()) {
    Json lane = {{"name", "lane"}, {"solver", solver}};
    lane.mergePatch(settings);
    return {{"lanes", Json::array({lane})}};
}

std::string complaint(const Json& overlay, const std::filesystem::path& folder = {}) {
    const Outcome outcome = run(overlay, 1, folder);
    EXPECT_TRUE(outcome.error);
    return outcome.error ? outcome.error->describe() : "";
}

void expectParts(const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts) {
        EXPECT_NE(message.find(part), std::string::npos) << part << " in\n" << message;
    }
}

TEST(OrdinalFamily, AStopWhileComparisonsAreDrawnIsNoFault) {
    for (const char* source : {"points", "classes"}) {
        SCOPED_TRACE(source);
        const Json overlay = {{"data", {{"source", "toy:two-moons?n=400"}}},
                              {"problem", {{"comparisons", source}, {"train", 1000000}}}};
        auto experiment = validateExperiment(documentWith(overlay), catalog());
        ASSERT_TRUE(experiment) << experiment.error().describe();
        ExperimentOptions options;
        options.places = test::places();
        ExperimentRunner runner(std::move(*experiment), family(), options);
        std::stop_source stop;
        const auto ready = runner.prepare(
            [&](double, std::string_view activity) {
                if (activity == "drawing comparisons") {
                    stop.request_stop();
                }
            },
            stop.get_token());
        ASSERT_FALSE(ready);
        EXPECT_EQ(ready.error().code, ErrorCode::Stopped) << ready.error().describe();
    }
}

TEST(OrdinalFamily, TablesWriteAndReadEveryField) {
    ProblemConfig problem;
    problem.comparisons = ComparisonSource::File;
    problem.file = "a";
    problem.names = "b";
    problem.layout = ComparisonLayout::Quadruplets;
    problem.base = IdBase::One;
    problem.form = ComparisonLayout::Quadruplets;
    problem.repeats = RepeatPolicy::Majority;
    problem.dropSelf = true;
    problem.train = 7;
    problem.test = 8;
    problem.noise = 0.1;
    problem.dimensions = 4;
    problem.model = ModelKind::Soe;
    problem.mu = 2;
    problem.alpha = 3;
    problem.margin = 0.5;
    problem.gamma = 0.3;
    problem.top = 9;
    problem.kernel = 0.2;
    problem.ridge = 0.3;
    std::vector<Fault> faults;
    EXPECT_EQ(problemFields().read(problemFields().write(problem), "problem", faults), problem);
    SolverConfig solver{MethodKind::Modular, 0.5, 0.1, 3, 2, 0.7, 4, false, true, 12, 6, 0.2};
    solver.start = StartKind::Convex;
    solver.startLambda = 0.4;
    solver.rank = 7;
    solver.tolerance = 1e-3;
    solver.maxIterations = 17;
    EXPECT_EQ(solverFields().read(solverFields().write(solver), "solver", faults), solver);
    PathConfig path;
    path.kind = PathKind::Dimensions;
    path.epochs = 5;
    path.stopError = 0.2;
    path.maxDimensions = 3;
    path.folds = 4;
    path.ratio = 0.3;
    path.maxPoints = 7;
    EXPECT_EQ(pathFields().read(pathFields().write(path), "path", faults), path);
    LaneConfig lane;
    lane.model = LaneModel::Ckl;
    lane.bounds = {triplets::BoundKind::MidpointGap};
    lane.every = 4;
    EXPECT_EQ(laneFields().read(laneFields().write(lane), "lane", faults), lane);
    EXPECT_TRUE(faults.empty());
    EXPECT_EQ(lane.kind(), ModelKind::Ckl);
    EXPECT_EQ(LaneConfig{}.kind(), std::nullopt);
}

TEST(OrdinalFamily, EpochsLowerTheErrorsAndCountGradientsAsThePaperDoes) {
    const Outcome lane = run(oneLane({{"method", "svrg-sbb"}}));
    ASSERT_FALSE(lane.error);
    ASSERT_EQ(lane.points.size(), 9u);
    EXPECT_EQ(lane.start.axisKey, "epoch");
    EXPECT_EQ(lane.at(0, "gradients"), 0);
    EXPECT_NEAR(lane.at(8, "gradients"), 24, 1e-9); // three per epoch
    EXPECT_LT(lane.at(8, "loss"), lane.at(0, "loss"));
    EXPECT_LT(lane.at(8, "train_error"), 0.1);
    EXPECT_LT(lane.at(8, "test_error"), 0.15);
    EXPECT_LT(lane.at(8, "procrustes"), 0.2);
    EXPECT_GT(lane.at(8, "seconds"), lane.at(4, "seconds"));
    EXPECT_EQ(lane.start.facts.at("comparisons"), 1500);
    EXPECT_EQ(lane.start.facts.at("held_out"), 500);
}

TEST(OrdinalFamily, ColumnsOfThePathAreThoseOfTheRunFolder) {
    const Outcome lane = run(oneLane({{"method", "batch"}}));
    const char* const keys[] = {"epoch", "gradients", "loss", "train_error", "test_error", "step", "cpu", "wall"};
    for (std::size_t column = 0; column < std::size(keys); ++column) {
        EXPECT_EQ(lane.start.columns.at(column).key, keys[column]);
    }
    for (const PointFinished& point : lane.points) {
        EXPECT_EQ(point.values.size(), lane.start.columns.size());
    }
}

TEST(OrdinalFamily, SameSeedSameBitsOnOneAndTwoThreads) {
    for (const char* method : {"svrg-sbb", "sgd", "lbfgs"}) {
        const Json overlay = oneLane({{"method", method}, {"trials", 5}});
        const Outcome one = run(overlay, 1);
        const Outcome two = run(overlay, 2);
        ASSERT_EQ(one.points.size(), two.points.size());
        for (std::size_t point = 0; point < one.points.size(); ++point) {
            EXPECT_EQ(one.points[point].solution->front().values, two.points[point].solution->front().values);
            for (const char* key : {"loss", "train_error", "test_error", "test_error_q1", "test_error_q3", "step"}) {
                EXPECT_EQ(one.at(point, key), two.at(point, key)) << key;
            }
        }
        EXPECT_LE(one.at(8, "test_error_q1"), one.at(8, "test_error"));
        EXPECT_GE(one.at(8, "test_error_q3"), one.at(8, "test_error"));
    }
}

TEST(OrdinalFamily, PicturesDoNotFlipFromEpochToEpoch) {
    for (const std::int64_t dimensions : {2, 3}) {
        Json overlay = oneLane({{"method", "svrg-sbb"}, {"step", 0.002}, {"epsilon", 0.1}});
        overlay["problem"] = {{"comparisons", "classes"}, {"dimensions", dimensions}};
        overlay["data"] = {{"source", "toy:gaussian-classes?n=60"}};
        overlay["path"] = {{"epochs", 25}};
        const Outcome lane = run(overlay);
        ASSERT_FALSE(lane.error) << lane.error->describe();
        for (std::size_t point = 5; point + 1 < lane.points.size(); ++point) {
            const auto& before = lane.points[point].embedding->coordinates;
            const auto& after = lane.points[point + 1].embedding->coordinates;
            double product = 0;
            double one = 0;
            double two = 0;
            for (std::size_t at = 0; at < before.size(); ++at) {
                product += static_cast<double>(before[at]) * after[at];
                one += static_cast<double>(before[at]) * before[at];
                two += static_cast<double>(after[at]) * after[at];
            }
            EXPECT_GT(product / std::sqrt(one * two), 0.9) << point;
        }
        EXPECT_EQ(lane.points[3].embedding->classes.size(), 60u);
    }
}

TEST(OrdinalFamily, EurodistHasNamesAndComesCloseToItsMap) {
    Json overlay = oneLane({{"method", "lbfgs"}});
    overlay["data"] = {{"source", "eurodist"}};
    overlay["problem"] = {{"comparisons", "distances"}, {"train", 2000}, {"test", "auto"}, {"dimensions", 2}};
    overlay["path"] = {{"epochs", 60}};
    const Outcome lane = run(overlay);
    ASSERT_FALSE(lane.error) << lane.error->describe();
    const std::size_t last = lane.points.size() - 1;
    EXPECT_LT(lane.at(last, "test_error"), 0.12);
    EXPECT_LT(lane.at(last, "procrustes"), 0.2);
    ASSERT_TRUE(lane.points[last].embedding->names);
    EXPECT_EQ(lane.points[last].embedding->names->front(), "Athens");
    EXPECT_EQ(lane.points[last].embedding->names->size(), 21u);
}

TEST(OrdinalFamily, LanesMayHaveModelsOfTheirOwn) {
    const Outcome own = run(oneLane({{"method", "batch"}}, {{"model", "CKL"}}));
    EXPECT_EQ(own.start.facts.at("model"), "CKL");
    Json overlay = oneLane({{"method", "batch"}});
    overlay["problem"] = {{"model", "CKL"}};
    EXPECT_EQ(run(overlay).at(5, "loss"), own.at(5, "loss"));
}

TEST(OrdinalFamily, HeldOutRowsFindTheirClass) {
    Json overlay = oneLane({{"method", "svrg-sbb"}});
    overlay["data"] = {{"source", "iris"}, {"scale", "minmax"}, {"subset", 0.7}};
    overlay["problem"] = {{"comparisons", "classes"}, {"train", 4000}, {"test", 1000}, {"top", 20}};
    const Outcome lane = run(overlay);
    ASSERT_FALSE(lane.error) << lane.error->describe();
    EXPECT_GT(lane.at(8, "map"), 0.9);
    EXPECT_GT(lane.at(8, "precision"), 0.9);
    EXPECT_GT(lane.at(8, "recall"), 0.4);
    EXPECT_GT(lane.at(8, "map"), lane.at(0, "map"));
}

TEST(OrdinalFamily, DimensionsAreChosenByCrossValidation) {
    Json overlay = oneLane({{"method", "lbfgs"}});
    overlay["data"] = {{"source", "toy:ordinal-gaussian?n=30&d=2"}};
    overlay["problem"] = {{"train", 1500}};
    overlay["path"] = {{"kind", "dimensions"}, {"max_dimensions", 3}, {"folds", 3}, {"epochs", 15}};
    const Outcome one = run(overlay);
    ASSERT_FALSE(one.error) << one.error->describe();
    ASSERT_EQ(one.points.size(), 3u);
    EXPECT_GT(one.at(0, "cv_error"), 1.5 * one.at(1, "cv_error")); // a line is not enough for a plane
    EXPECT_LT(one.at(1, "cv_error"), 0.08);
    EXPECT_EQ(run(overlay, 2).at(1, "cv_error"), one.at(1, "cv_error"));
}

TEST(OrdinalFamily, StopsAtTheErrorAskedFor) {
    Json overlay = oneLane({{"method", "svrg-sbb"}});
    overlay["path"] = {{"epochs", 200}, {"stop_error", 0.2}};
    const Outcome lane = run(overlay);
    ASSERT_LT(lane.points.size(), 100u);
    EXPECT_LE(lane.at(lane.points.size() - 1, "test_error"), 0.2);
    EXPECT_GT(lane.at(lane.points.size() - 2, "test_error"), 0.2);
}

TEST(OrdinalFamily, ReadsComparisonsFromAFileWithoutRows) {
    const test::DataFolder folder;
    folder.write("c.csv", "i,j,k\n1,2,3\n2,1,3\n3,2,1\n1,2,4\n4,3,1\n4,3,2\n");
    folder.write("n.txt", "a\nb\nc\nd\ne\n");
    Json overlay = oneLane({{"method", "batch"}});
    overlay["data"] = {{"source", "none"}};
    overlay["problem"] = {{"comparisons", "file"}, {"file", "c.csv"}, {"names", "n.txt"}, {"train", 5},
                          {"test", "auto"},        {"dimensions", 2}};
    const Outcome lane = run(overlay, 1, folder.path(""));
    ASSERT_FALSE(lane.error) << lane.error->describe();
    EXPECT_EQ(lane.start.facts.at("ids_from"), 1);
    EXPECT_EQ(lane.start.facts.at("n"), 5);
    EXPECT_EQ(lane.start.facts.at("objects_without_comparison").get<int>(), 1);
    EXPECT_EQ(lane.start.facts.at("held_out"), 1);
    EXPECT_EQ(lane.points[0].embedding->names->back(), "e");

    overlay["problem"]["names"] = "";
    folder.write("c.csv", "0,1,2\n0,1,2\n");
    EXPECT_EQ(run(overlay, 1, folder.path("")).error->faults.at(0).key, "problem.train");
}

TEST(OrdinalFamily, ExplainsWhatItCannotUse) {
    const Json lane = oneLane({{"method", "batch"}});
    const auto with = [&](const Json& overlay) {
        Json document = lane;
        document.mergePatch(overlay);
        return document;
    };
    expectParts(complaint(with({{"data", {{"source", "none"}}}})), {"data.source", "problem.comparisons"});
    expectParts(complaint(with({{"problem", {{"comparisons", "file"}}}})), {"problem.file", "is empty"});
    Json wide = oneLane({{"batch", 1000000}, {"trials", 1000}});
    wide["problem"] = {{"dimensions", 1000}};
    expectParts(complaint(wide), {"lanes[0].solver.batch", "GB; the limit is 16 GB", "smaller mini-batches"});
    wide["lanes"][0]["solver"]["batch"] = 1;
    wide["problem"]["train"] = 700;
    wide["data"] = {{"source", "toy:ordinal-gaussian?n=900&d=3"}};
    expectParts(complaint(wide), {"lanes[0].solver.trials", "fewer trials"});
    expectParts(complaint(with({{"problem", {{"comparisons", "distances"}}}})), {"40 rows and 3 columns"});
    expectParts(complaint(with({{"problem", {{"comparisons", "classes"}}}})), {"data.labels", "no labels"});
    expectParts(complaint(with({{"data", {{"source", "toy:ordinal-gaussian?n=1"}}}})), {"1 row", "three objects"});
    expectParts(complaint(with({{"data", {{"source", "eurodist"}, {"scale", "minmax"}}},
                                {"problem", {{"comparisons", "distances"}}}})),
                {"data.scale", "matrix of distances"});
    expectParts(complaint(with({{"data", {{"source", "toy:ordinal-gaussian?n=5000&d=2"}}},
                                {"lanes", {{{"name", "c"}, {"solver", {{"method", "convex"}}}}}}})),
                {"lanes[0].solver.method", "3,000 objects"});
}

TEST(OrdinalFamily, PresetsAreValidAndTheirProblemsCanBePrepared) {
    const std::filesystem::path folder = std::filesystem::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "resources" / "presets";
    int prepared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        if (text.str().find("\"family\": \"ordinal\"") == std::string::npos) {
            continue;
        }
        SCOPED_TRACE(entry.path().filename().string());
        auto experiment = readExperiment(text.str(), entry.path().filename().string(), catalog());
        ASSERT_TRUE(experiment) << experiment.error().describe();
        ExperimentOptions options;
        options.places = test::places();
        const bool needsFile = (*experiment)->document["problem"]["comparisons"] == "file"; // which is not bundled
        ExperimentRunner runner(std::move(*experiment), family(), options);
        const auto ready = runner.prepare();
        EXPECT_EQ(static_cast<bool>(ready), !needsFile) << (ready ? "" : ready.error().describe());
        prepared += ready ? 1 : 0;
    }
    EXPECT_GT(prepared, 12);
}

TEST(OrdinalFamily, StopsSoonAndKeepsFinishedEpochs) {
    auto experiment = validateExperiment(documentWith(oneLane({{"method", "svrg"}, {"trials", 4}})), catalog());
    ASSERT_TRUE(experiment);
    ExperimentRunner runner(std::move(*experiment), family(), {});
    ASSERT_TRUE(runner.prepare());
    test::StoppingSink sink([](const RunEvent& event) {
        const auto* point = std::get_if<PointFinished>(&event.body);
        return point != nullptr && point->index == 3;
    });
    const auto outcome = runner.run(sink, sink.token());
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->lanes[0].termination, Termination::StoppedByUser);
    EXPECT_EQ(sink.all<PointFinished>().size(), 4U);
}

} // namespace
} // namespace lambdascope::ordinal

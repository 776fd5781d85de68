// SPDX-License-Identifier: GPL-3.0-or-later
// General forms as the rest of the program sees them: an experiment, a prepared problem, a lane.
#include "core/metric/family.h"
#include "core/metric/path/metric_schema.h"
#include "core/run/make_family.h"
#include "tests/core/data/data_files.h"
#include "tests/core/metric/small_experiments.h"
#include "tests/core/triplets/small_comparisons.h"

#include <gtest/gtest.h>

namespace lambdascope::metric {
namespace {

using test::DataFolder;

std::string textOf(const TripletSet& triplets) {
    std::string text = "base 0\nform triplet\n";
    for (TripletIndex t = 0; t < triplets.triplets(); ++t) {
        const Triplet at = triplets.triplet(t);
        text += std::to_string(at.anchor) + " " + std::to_string(at.same) + " " + std::to_string(at.other) + "\n";
        if (t % 7 == 0) {
            text += "target " + std::to_string(at.anchor) + " " + std::to_string(at.same) + "\n";
        }
    }
    return text;
}

class GeneralFamily : public testing::Test {
  protected:
    [[nodiscard]] static Experiment experimentOn(const std::filesystem::path& file, Json problem = Json::object(),
                                                 Json more = Json::object()) {
        problem["constraints"] = "file";
        problem["file"] = file.string();
        more["problem"] = std::move(problem);
        return experimentFrom(more);
    }
    [[nodiscard]] Error prepareError(const std::string& text, Json problem = Json::object()) const {
        const auto prepared =
            family().prepare(experimentOn(folder.write("c.txt", text), std::move(problem)), data, {}, {}, {});
        EXPECT_FALSE(prepared);
        return prepared ? Error{} : prepared.error();
    }

    DataFolder folder;
    SmallShape shape{.name = "plain", .rowsPerClass = 12};
    std::shared_ptr<const Dataset> data = smallData(shape, 1);
    RecordingSink sink;
    RunContext context{RunId{1}, sink, {}, nullptr, {.embeddings = true, .solutions = true, .threads = 1}};
};

/// λ, primal, n_R, n_L, screened at the end, of the first points of a lane.
std::vector<std::vector<double>> walked(const PreparedProblem& problem, std::size_t lane, RunContext& context) {
    const auto task = problem.makeTask(lane);
    const auto columns = task->describe().columns;
    const auto schedule = task->schedule();
    std::vector<std::vector<double>> rows;
    std::shared_ptr<const WarmStart> warm;
    for (std::size_t i = 0; i < std::min<std::size_t>(20, schedule.size()); ++i) {
        const PathPoint point{static_cast<std::int32_t>(i), schedule[i]};
        auto report = task->solvePoint(point, warm, context);
        EXPECT_TRUE(report);
        warm = report->warmStart;
        EXPECT_EQ(report->termination, Termination::Converged);
        const PointEvaluation evaluation = task->evaluate(point, *report, context);
        EXPECT_NE(evaluation.embedding, nullptr);
        EXPECT_NE(evaluation.solution, nullptr);
        rows.emplace_back();
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const std::string& key = columns[c].key;
            if (key == "lambda" || key == "primal" || key == "n_items" || key == "path_R" || key == "path_L") {
                rows.back().push_back(report->values[c]);
            }
        }
    }
    return rows;
}

TEST_F(GeneralFamily, WalksTheSamePathOverNeighboursAndOverTheirTripletsInAFile) {
    // Newton picks triplets of neighbours only; step by step the paths are the same by projected gradient.
    const Json solver = {{"tolerance", 1e-9}, {"method", "projected-gradient"}};
    const Experiment byNeighbours =
        experimentFrom({{"problem", {{"k", 3}}}, {"solver", solver}, {"path", {{"ratio", 0.7}}}});
    const auto first = family().prepare(byNeighbours, data, {}, {}, {});
    ASSERT_TRUE(first) << first.error().describe();
    const auto& triplets = dynamic_cast<const PreparedMetric&>(**first).triplets();
    const Experiment byFile = experimentOn(folder.write("triplets.txt", textOf(triplets)), {},
                                           {{"solver", solver}, {"path", {{"ratio", 0.7}}}});
    const auto second = family().prepare(byFile, data, {}, {}, {});
    ASSERT_TRUE(second) << second.error().describe();
    EXPECT_TRUE((*first)->lensObstacle().empty());
    EXPECT_TRUE((*second)->lensObstacle().empty());
    EXPECT_NE((*second)->makeLens(0), nullptr);
    for (std::size_t lane = 0; lane < byNeighbours.laneNames.size(); ++lane) {
        const auto a = walked(**first, lane, context);
        const auto b = walked(**second, lane, context);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (std::size_t c = 0; c < a[i].size(); ++c) {
                // The engines round differently, and so may decide a triplet or two at the very edge differently.
                const bool isCountOfDecisions = c >= 3;
                EXPECT_NEAR(a[i][c], b[i][c], isCountOfDecisions ? 2 : 1e-8 * (1 + std::abs(a[i][c])))
                    << lane << " " << i << " " << c;
            }
        }
    }
}

TEST_F(GeneralFamily, NeedsNoLabels) {
    Dataset::Parts parts;
    parts.dense = data->dense();
    const auto unlabelled = std::make_shared<const Dataset>(std::move(parts));
    const auto file = folder.write("c.txt", "base 1\ntriplet 1 4 2\nquadruplet 1 4 2 3\nsimilar 1 7 0.5 2\n"
                                            "dissimilar 1 2 2\ntarget 4 7\ntriplet 1 4 2 3\ntriplet 1 2 4\n");
    const Experiment experiment = experimentOn(file, {{"linear_term", 0.01}});
    const auto prepared = family().prepare(experiment, unlabelled, {}, {}, {});
    ASSERT_TRUE(prepared) << prepared.error().describe();
    const auto task = (*prepared)->makeTask(experiment.laneNames.size() - 1);
    const LaneDescription started = task->describe();
    EXPECT_EQ(started.itemNoun, "comparisons");
    EXPECT_EQ(started.facts.at("comparisons"), 5);
    EXPECT_EQ(started.facts.at("comparisons_repeated"), 1);
    EXPECT_EQ(started.facts.at("comparisons_contradicting"), 1);
    EXPECT_EQ(started.facts.at("engine"), "comparisons");
    const auto rows = walked(**prepared, experiment.laneNames.size() - 1, context);
    EXPECT_EQ(rows.size(), 20U);
}

/// LMNN: the linear term over same-class neighbours draws them together.
TEST_F(GeneralFamily, ALinearTermOverNeighboursShortensTargetDistances) {
    double before = 0;
    for (const double factor : {0.0, 0.5, 5.0}) {
        const Experiment experiment = experimentFrom(
            {{"problem", {{"k", 3}, {"linear_term", factor}}}, {"path", {{"start", 1.0}, {"max_points", 1}}}});
        const auto prepared = family().prepare(experiment, data, {}, {}, {});
        ASSERT_TRUE(prepared) << prepared.error().describe();
        const auto& metric = dynamic_cast<const PreparedMetric&>(**prepared);
        EXPECT_EQ(metric.linearTerm().size() > 0, factor > 0);
        const auto task = (*prepared)->makeTask(experiment.laneNames.size() - 1);
        auto report = task->solvePoint({0, 1.0}, nullptr, context);
        ASSERT_TRUE(report);
        EXPECT_EQ(report->termination, Termination::Converged);
        const auto* warm = dynamic_cast<const TripletWarmStart*>(report->warmStart.get());
        ASSERT_NE(warm, nullptr);
        double targets = 0;
        const TripletSet& set = metric.triplets();
        for (std::int64_t s = 0; s < set.sameOffset(set.rows()); ++s) {
            const PairIndex p = set.samePair(s);
            const Eigen::VectorXd delta =
                (set.paddedRows().row(set.first(p)) - set.paddedRows().row(set.second(p))).head(set.features());
            targets += delta.dot(warm->solved.point.matrix * delta);
        }
        if (factor > 0) {
            EXPECT_LT(targets, before);
        }
        before = targets;
    }
}

TEST_F(GeneralFamily, ExplainsWhatIsWrongWithTheComparisons) {
    const Error beyond = prepareError("base 0\ntriplet 0 1 36\n");
    EXPECT_EQ(beyond.code, ErrorCode::InvalidData);
    EXPECT_NE(beyond.faults.at(0).message.find("no row 36"), std::string::npos);

    const Error noTargets = prepareError("base 0\ntriplet 0 3 1\n", {{"linear_term", 0.5}});
    EXPECT_EQ(noTargets.faults.at(0).key, "problem.linear_term");

    const Error onlySimilar = prepareError("base 0\nsimilar 0 3 1\n");
    EXPECT_EQ(onlySimilar.faults.at(0).key, "problem.file");
    EXPECT_NE(onlySimilar.faults.at(0).message.find("M = 0 is the best metric"), std::string::npos);

    const Error tooHeavy =
        prepareError("base 0\ntriplet 0 3 1\ntarget 0 1\ntarget 0 2\ntarget 0 4\n", {{"linear_term", 1e9}});
    EXPECT_NE(tooHeavy.faults.at(0).remedy.find("linear_term"), std::string::npos);

    const Error belowGamma = prepareError("base 0\ndissimilar 0 1 0.01\n");
    EXPECT_EQ(belowGamma.faults.at(0).key, "problem.gamma");
}

TEST_F(GeneralFamily, ChecksTheFieldsAComparisonFileNeeds) {
    const MetricConfig sound = configOf<MetricConfig>(experimentOn("c.txt"));
    const auto faultsOf = [](const MetricConfig& config, const DataConfig& read) {
        std::vector<Fault> faults;
        crossCheck(config, read, faults);
        std::vector<std::string> keys;
        for (const Fault& fault : faults) {
            keys.push_back(fault.key);
        }
        return keys;
    };
    using Keys = std::vector<std::string>;
    EXPECT_EQ(faultsOf(sound, {}), Keys{});
    MetricConfig config = sound;
    config.problem.file.clear();
    DataConfig partial;
    partial.missing = MissingPolicy::DropRows;
    partial.subset = 0.9;
    EXPECT_EQ(faultsOf(config, partial), (Keys{"problem.file", "data.subset", "data.missing"}));
    config.problem.constraints = ConstraintSource::Neighbours;
    EXPECT_EQ(faultsOf(config, partial), Keys{});
    // Ranges are for comparisons too, whatever the engine setting says.
    config = sound;
    config.lanes[0].solver.engine = EngineKind::Sorted;
    config.lanes[0].settings.bounds = {BoundKind::RelaxedPath};
    config.lanes[0].settings.range = true;
    EXPECT_EQ(faultsOf(config, {}), Keys{});
    config.problem.constraints = ConstraintSource::Neighbours;
    EXPECT_EQ(faultsOf(config, {}), Keys{"lanes[0].range"});
}

} // namespace
} // namespace lambdascope::metric

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/random_stream.h"
#include "core/common/state_archive.h"
#include "core/inspect/audit_report.h"
#include "core/inspect/predictor.h"
#include "core/svm/inspect/multiclass_lens.h"
#include "core/svm/path/multiclass_task.h"
#include "tests/core/svm/several_classes.h"
#include "tests/support/lens_capability.h"

#include <string>
#include <tuple>

namespace lambdascope::svm {
namespace {

/// Of `ofTwo`, a run of a part alone.
void expectPartIsAsAlone(const Walked& all, std::size_t part, const Walked& ofTwo) {
    ASSERT_EQ(all.points.size(), ofTwo.points.size());
    for (std::size_t p = 0; p < all.points.size(); ++p) {
        for (const ColumnDescription& column : all.lane.parts.columns) {
            if (column.unit != "s") {
                EXPECT_PRED2(isSame, all.part(p, part, column.key), ofTwo.value(p, column.key))
                    << column.key << " at point " << p;
            }
        }
    }
}

Json lanesOf(const char* intercept) {
    Json lanes = {{{"name", "Shrink"}},
                  {{"name", "GAP"}, {"bounds", {"GAP"}}, {"shrink", false}, {"schedule", "every"}, {"every", 1}},
                  {{"name", "auto"}, {"bounds", {"IT", "GAP"}}}};
    if (std::string_view(intercept) != "free") {
        lanes.push_back({{"name", "DT"}, {"bounds", {"DT"}}});
    }
    return lanes;
}

/// How several classes are told apart: kernel, intercept, classes.
using Way = std::tuple<const char*, const char*, const char*>;

class SeveralClasses : public ::testing::TestWithParam<std::tuple<Way, std::uint64_t>> {
  protected:
    [[nodiscard]] static Json overlayOf(const Way& way) {
        const auto& [kernel, intercept, classes] = way;
        return {{"problem", {{"kernel", kernel}, {"intercept", intercept}, {"bias", 0.5}, {"classes", classes}}},
                {"path", {{"kind", "grid"}, {"ratio", 4}, {"max_points", 5}, {"max_c", 1e6}}},
                {"solver", {{"tolerance", 1e-5}}},
                {"lanes", lanesOf(intercept)}};
    }
};

TEST_P(SeveralClasses, EveryPartIsSolvedAndScreenedAsItWouldBeAlone) {
    const auto& [way, seed] = GetParam();
    const auto data = quarters(4, 12, 20, seed);
    const Json overlay = overlayOf(way);
    const auto prepared = preparedOn(data, overlay);
    const auto& several = dynamic_cast<const PreparedMulticlass&>(*prepared);
    EXPECT_EQ(several.parts().size(), several.isOfPairs() ? 6U : 4U);
    std::int64_t decisions = 0;
    for (std::size_t lane = 0; lane < several.laneCount(); ++lane) {
        const Walked all = walk(*prepared, lane);
        Json alone = overlay;
        alone["problem"]["classes"] = "two";
        alone["path"] = {{"kind", "list"}, {"values", several.makeTask(lane)->schedule()}};
        for (std::size_t p = 0; p < several.parts().size(); ++p) {
            SCOPED_TRACE(several.parts()[p].name + ", lane " + std::to_string(lane));
            const PreparedSvm& part = *several.parts()[p].prepared;
            alone["problem"]["positive"] = part.positive();
            const std::shared_ptr<const Dataset> own(prepared, &part.data());
            expectPartIsAsAlone(all, p, walk(*preparedOn(own, alone), lane));
            for (std::size_t k = 0; k < all.points.size(); ++k) {
                decisions += static_cast<std::int64_t>(all.part(k, p, "final_R") + all.part(k, p, "final_L"));
            }
        }
    }
    EXPECT_GT(decisions, 100);
}

TEST_P(SeveralClasses, APointIsTheSumOfItsParts) {
    const auto& [way, seed] = GetParam();
    const auto prepared = preparedOn(quarters(3, 10, 12, seed), overlayOf(way));
    for (std::size_t lane = 0; lane < 3; ++lane) {
        const Walked all = walk(*prepared, lane);
        ASSERT_EQ(all.parts.size(), all.points.size());
        for (std::size_t p = 0; p < all.points.size(); ++p) {
            const auto sum = [&](std::string_view key) {
                double total = 0;
                for (std::size_t part = 0; part < 3; ++part) {
                    total += all.part(p, part, key);
                }
                return total;
            };
            for (const char* key : {"primal", "dual", "loss", "n_items", "n_R", "n_L", "n_E", "path_R", "path_L",
                                    "final_R", "final_L", "iterations", "updates", "work", "norm2", "cpu_solve"}) {
                EXPECT_DOUBLE_EQ(all.value(p, key), sum(key)) << key;
            }
            EXPECT_NEAR(all.value(p, "gap"), sum("gap"), 1e-12 * sum("gap"));
            EXPECT_GE(all.value(p, "gap"), sum("gap"));
            EXPECT_EQ(all.points[p].decidableItems, sum("n_R") + sum("n_L"));
            EXPECT_DOUBLE_EQ(all.value(p, "final_rate"),
                             screeningRate(static_cast<std::int64_t>(sum("final_R") + sum("final_L")),
                                           all.points[p].decidableItems));
            const ValueBounds& bounds = all.points[p].bounds;
            EXPECT_LE(bounds.lower, all.value(p, "dual"));
            EXPECT_GE(bounds.upper, all.value(p, "primal"));
            const auto checks = all.checks.find(static_cast<std::int32_t>(p));
            if (lane == 1) { // it looks at each point
                ASSERT_NE(checks, all.checks.end());
                EXPECT_EQ(checks->second.front().fixedLow, all.value(p, "path_R"));
                EXPECT_EQ(checks->second.back().fixedLow, all.value(p, "final_R"));
                EXPECT_EQ(checks->second.back().fixedHigh, all.value(p, "final_L"));
            }
        }
    }
}

/// The class of a row by the text of the rule: pairs vote, the first of the most votes wins; or the largest f.
std::int32_t classByTheRule(const PreparedMulticlass& several, const std::vector<double>& f) {
    std::map<std::int32_t, double> score;
    for (std::size_t p = 0; p < f.size(); ++p) {
        const ClassPart& part = several.parts()[p];
        if (several.isOfPairs()) {
            score[f[p] < 0 ? part.negative : part.positive] += 1;
        } else {
            score[part.positive] = f[p];
        }
    }
    auto best = score.begin();
    for (auto one = score.begin(); one != score.end(); ++one) {
        best = one->second > best->second ? one : best;
    }
    return best->first;
}

TEST_P(SeveralClasses, HeldOutRowsAreOfTheClassThatThePartsChooseTogether) {
    const auto& [way, seed] = GetParam();
    const auto data = quarters(5, 8, 40, seed);
    const auto prepared = preparedOn(data, overlayOf(way));
    const auto& several = dynamic_cast<const PreparedMulticlass&>(*prepared);
    const auto lens = prepared->makeLens(0);
    ASSERT_TRUE(lens->open(0, {}, {}));
    const Walked all = walk(*prepared);
    for (std::int32_t point = 0; point < std::ssize(all.points); ++point) {
        const auto predicted = as<Predictor>(*lens).predict(point, *data->heldOut(), {});
        ASSERT_TRUE(predicted);
        std::vector<std::vector<double>> f(several.parts().size()); // by part, from the parts' own lenses
        for (std::size_t p = 0; p < f.size(); ++p) {
            const auto own = several.parts()[p].prepared->makeLens(0);
            ASSERT_TRUE(own->open(0, {}, {}));
            f[p] = as<Predictor>(*own).predict(point, *data->heldOut(), {})->values;
        }
        int wrong = 0;
        for (std::size_t i = 0; i < data->heldOut()->labels().size(); ++i) {
            std::vector<double> ofRow;
            bool isClear = true; // where f is not rounding
            for (const auto& values : f) {
                ofRow.push_back(values[i]);
                isClear = isClear && std::abs(values[i]) > 1e-9;
            }
            if (isClear) {
                EXPECT_EQ(predicted->classes[i], classByTheRule(several, ofRow)) << i;
            }
            wrong += predicted->classes[i] == data->heldOut()->labels()[i] ? 0 : 1;
        }
        EXPECT_DOUBLE_EQ(all.value(static_cast<std::size_t>(point), "test_error"), wrong / 40.0);
    }
}

TEST_P(SeveralClasses, AreAuditedAndExplainedPartByPart) {
    const auto& [way, seed] = GetParam();
    const auto prepared = preparedOn(quarters(4, 9, 0, seed), overlayOf(way));
    const auto& several = dynamic_cast<const PreparedMulticlass&>(*prepared);
    const auto lens = prepared->makeLens(1);
    const auto report = as<DecisionAuditor>(*lens).audit(0, {}, {});
    ASSERT_TRUE(report) << report.error().describe();
    EXPECT_EQ(report->wrong, 0);
    EXPECT_GT(report->decisions, 50);
    const auto history = as<DecisionRecorder>(*lens).decisions({}, {});
    ASSERT_TRUE(history);
    const std::int32_t point = 2;
    std::int64_t item = 0;
    for (const ClassPart& part : several.parts()) {
        for (SampleIndex i = 0; i < part.items(); ++i, ++item) {
            if (i % 5 != 0) {
                continue;
            }
            const auto why = as<ItemExplainer>(*lens).explain(item, point, {});
            ASSERT_TRUE(why) << why.error().describe();
            EXPECT_EQ(why->item, item);
            EXPECT_NE(why->title.find(part.name), std::string::npos);
            const std::string place = std::to_string(item) + ", row " + std::to_string(part.rowOf(i)) + " ";
            EXPECT_TRUE(why->title.starts_with("sample " + place)) << why->title;
            EXPECT_TRUE(why->set.empty() || why->trueSet == why->set) << why->title;
        }
    }
    EXPECT_EQ(as<ItemExplainer>(*lens).items(), item);
    const auto ofRow = as<ItemExplainer>(*lens).itemsOfSample(7, point, 100, {});
    ASSERT_TRUE(ofRow);
    EXPECT_EQ(ofRow->size(), several.isOfPairs() ? 3U : 4U);
}

TEST_P(SeveralClasses, GoOnFromTheirStateToTheSameBits) {
    const auto& [way, seed] = GetParam();
    const auto prepared = preparedOn(quarters(3, 10, 0, seed), overlayOf(way));
    NullSink sink;
    RunContext context(RunId{0}, sink);
    const auto whole = prepared->makeTask(2);
    std::string state;
    std::shared_ptr<const WarmStart> last;
    std::vector<std::vector<double>> values;
    const auto solve = [&](PathTask& task, std::int32_t p) {
        auto report = task.solvePoint({p, task.schedule()[static_cast<std::size_t>(p)]}, last, context);
        last = report->warmStart;
        return report->values;
    };
    for (std::int32_t p = 0; p < 5; ++p) {
        values.push_back(solve(*whole, p));
        if (p == 2) {
            StateArchive archive;
            whole->transfer(archive, last, context);
            state = archive.take();
        }
    }
    const auto resumed = prepared->makeTask(2);
    StateArchive archive(state);
    last = nullptr;
    resumed->transfer(archive, last, context);
    EXPECT_TRUE(archive.isWhole());
    const std::vector<ColumnDescription> columns = resumed->describe().columns;
    for (std::int32_t p = 3; p < 5; ++p) {
        const std::vector<double> again = solve(*resumed, p);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (columns[c].unit != "s") {
                EXPECT_PRED2(isSame, again[c], values[static_cast<std::size_t>(p)][c]) << columns[c].key;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, SeveralClasses,
    ::testing::Combine(::testing::Values(Way{"linear", "none", "one-vs-one"}, Way{"linear", "feature", "one-vs-rest"},
                                         Way{"linear", "free", "one-vs-one"}, Way{"polynomial", "none", "one-vs-rest"},
                                         Way{"polynomial", "free", "one-vs-one"},
                                         Way{"polynomial", "feature", "one-vs-one"}),
                       ::testing::Values(1, 2)));

Json ofPairs(const char* classes = "one-vs-one", const Json& problem = Json::object()) {
    Json overlay = {{"problem", {{"kernel", "rbf"}, {"gamma", 1}, {"intercept", "free"}, {"classes", classes}}},
                    {"path", {{"kind", "grid"}, {"ratio", 10}, {"max_points", 3}, {"max_c", 1e6}}},
                    {"lanes", {{{"name", "GAP"}, {"bounds", {"GAP"}}}}}};
    overlay["problem"].mergePatch(problem);
    return overlay;
}

TEST(MulticlassEdges, TwoClassesAreTheOneProblemThatTheyAre) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const auto data = quarters(2, 20, 10, seed);
        const Walked two = walk(*preparedOn(data, ofPairs("two")));
        for (const char* classes : {"one-vs-one", "one-vs-rest"}) {
            // What is asked of two classes only does not matter here.
            const Walked several = walk(*preparedOn(data, ofPairs(classes, {{"positive", "c0"}})));
            ASSERT_EQ(several.lane.columns, two.lane.columns);
            EXPECT_TRUE(several.lane.parts.names.empty());
            for (std::size_t p = 0; p < two.points.size(); ++p) {
                for (const ColumnDescription& column : two.lane.columns) {
                    if (column.unit != "s") {
                        EXPECT_PRED2(isSame, several.value(p, column.key), two.value(p, column.key)) << column.key;
                    }
                }
            }
        }
    }
}

/// With classes renamed, and rows of some of them left out.
std::shared_ptr<const Dataset> thinned(const Dataset& data, const std::vector<std::string>& names,
                                       const std::vector<int>& kept) {
    Dataset::Parts parts;
    std::vector<Eigen::Index> rows;
    std::vector<int> seen(names.size(), 0);
    for (std::size_t i = 0; i < data.labels().size(); ++i) {
        const auto label = static_cast<std::size_t>(data.labels()[i]);
        if (seen[label]++ < kept[label]) {
            rows.push_back(static_cast<Eigen::Index>(i));
            parts.labels.push_back(data.labels()[i]);
        }
    }
    parts.dense = data.dense()(rows, Eigen::all);
    parts.classNames = names;
    return std::make_shared<const Dataset>(std::move(parts));
}

TEST(MulticlassEdges, ClassesOfOneRowAndNamesOfAnyKindAreFine) {
    const auto data = thinned(*quarters(4, 6, 0, 5), {"-1", "2.5", "a class", "1e300"}, {6, 1, 1, 5});
    for (const char* classes : {"one-vs-one", "one-vs-rest"}) {
        const auto prepared = preparedOn(data, ofPairs(classes));
        const Walked all = walk(*prepared);
        for (std::size_t p = 0; p < all.points.size(); ++p) {
            EXPECT_EQ(all.points[p].termination, Termination::Converged);
            EXPECT_TRUE(std::isnan(all.value(p, "test_error")));
        }
        EXPECT_EQ(all.lane.parts.names.front(), std::string_view(classes) == "one-vs-one" ? "2.5 vs -1" : "-1 vs rest");
        const auto report = as<DecisionAuditor>(*prepared->makeLens(0)).audit(0, {}, {});
        ASSERT_TRUE(report);
        EXPECT_EQ(report->wrong, 0);
    }
}

TEST(MulticlassEdges, APairThatNothingTellsApartHasItsPointsAllTheSame) {
    const auto rows = quarters(3, 8, 0, 6);
    Dataset::Parts parts;
    parts.dense = rows->dense();
    parts.labels = rows->labels();
    parts.classNames = rows->classNames();
    for (Eigen::Index i = 0; i + 2 < parts.dense.rows(); i += 3) {
        parts.dense.row(i + 1) = parts.dense.row(i); // the second class stands where the first does
    }
    const auto prepared = preparedOn(std::make_shared<const Dataset>(std::move(parts)), ofPairs());
    for (const PointReport& point : walk(*prepared).points) {
        EXPECT_EQ(point.termination, Termination::Converged);
    }
}

TEST(MulticlassEdges, ThirtyClassesMakeTheirPairs) {
    const auto prepared = preparedOn(quarters(30, 4, 60, 7), ofPairs());
    const Walked all = walk(*prepared);
    EXPECT_EQ(all.lane.parts.names.size(), 435U);
    EXPECT_EQ(all.value(0, "n_items"), 435 * 8);
    EXPECT_LT(all.value(2, "test_error"), 0.9);
}

TEST(MulticlassEdges, RowsPickedWhereMemoryIsShortAreTheSame) {
    // 480 rows take 1.8 MB, the pairs of 4 classes 2.8 MB more.
    const auto data = quarters(4, 120, 0, 8);
    const Json plain = {{"kernel", "polynomial"}};
    const Walked ample = walk(*preparedOn(data, ofPairs("one-vs-one", plain)));
    for (const int megabytes : {1, 2, 3}) {
        Json tight = plain;
        tight["kernel_memory"] = megabytes;
        const Walked all = walk(*preparedOn(data, ofPairs("one-vs-one", tight)));
        for (std::size_t p = 0; p < all.points.size(); ++p) {
            EXPECT_EQ(all.points[p].termination, Termination::Converged);
            EXPECT_NEAR(all.value(p, "primal") / ample.value(p, "primal"), 1, 2e-6);
        }
    }
}

TEST(MulticlassEdges, WhatCannotBeIsRefusedWithItsField) {
    struct Case {
        Json problem;
        const char* key;
    };
    for (const Case& wrong :
         {Case{{{"folds", 3}}, "problem.folds"}, Case{{{"positive_weight", 2}}, "problem.positive_weight"},
          Case{{{"classes", "all"}}, "problem.classes"}}) {
        const auto refused = validateExperiment(documentWith(ofPairs("one-vs-one", wrong.problem)), catalog());
        ASSERT_FALSE(refused) << wrong.key;
        EXPECT_EQ(refused.error().faults.front().key, wrong.key);
        EXPECT_FALSE(refused.error().faults.front().remedy.empty());
    }
    const auto experiment = validateExperiment(documentWith(ofPairs()), catalog()).value();
    const auto many = family().prepare(*experiment, quarters(101, 1, 0, 1), {}, {}, {});
    ASSERT_FALSE(many);
    EXPECT_EQ(many.error().faults.front().key, "problem.classes");
    const auto one = family().prepare(*experiment, quarters(1, 5, 0, 1), {}, {}, {});
    ASSERT_FALSE(one);
    EXPECT_EQ(one.error().faults.front().key, "data.labels");
}

} // namespace
} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
// What the lens says about comparisons from a file, and about problems with a linear term.
#include "core/metric/family.h"
#include "core/triplets/inspect/decision_audit.h"
#include "core/triplets/inspect/item_geometry.h"
#include "tests/core/data/data_files.h"
#include "tests/core/metric/small_experiments.h"
#include "tests/core/triplets/small_comparisons.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lambdascope::metric {
namespace {

using test::DataFolder;

const SmallShape kShape{
    .name = "two_classes_overlapping", .classes = 2, .rowsPerClass = 14, .features = 5, .k = 3, .spread = 0.3};

const FormMix kMix = {.name = "all_forms",
                      .hasTriplets = true,
                      .hasQuadruplets = true,
                      .hasBounds = true,
                      .hasWeights = true,
                      .linear = 0.05};

Json lanesToLookInto() {
    return Json::array({{{"name", "naive"}},
                        {{"name", "sphere"}, {"bounds", {"GB", "RRPB"}}},
                        {{"name", "linear"}, {"bounds", {"PGB", "DGB"}}, {"rule", "linear"}},
                        {{"name", "cone"}, {"bounds", {"GB", "CDGB"}}, {"rule", "semidefinite"}},
                        {{"name", "ranges"}, {"bounds", {"RRPB", "PGB"}}, {"schedule", "every"}, {"range", true}}});
}

std::optional<double> term(const BoundDecision& decision, const std::string& symbol) {
    for (const NamedValue& value : decision.terms) {
        if (value.symbol == symbol) {
            return value.value;
        }
    }
    return std::nullopt;
}

/// The decision that the numbers of a decision make, computed from its terms alone.
std::string decisionFrom(const BoundDecision& decision) {
    const double tau = term(decision, "τ").value_or(1);
    const double q = term(decision, "⟨H,Q⟩").value();
    const double r = term(decision, "r").value();
    const double h = term(decision, "‖H‖").value();
    const double padding = term(decision, "δ").value();
    if (const auto value = term(decision, "D(z)")) {
        const bool isProved = *value - padding > r * r;
        return !isProved ? "" : decision.inequality.find("−H") == std::string::npos ? "R" : "L";
    }
    const double beta = term(decision, "β").value_or(0);
    const double p = beta * term(decision, "⟨P,Q⟩").value_or(0);
    const double s = beta * term(decision, "⟨P,H⟩").value_or(0);
    const double n = beta * term(decision, "‖P‖").value_or(0);
    const bool isLinear = decision.inequality.find('<') != std::string::npos; // of the two sides the one shown
    const double reach = r * std::sqrt(std::max(h * h - (isLinear ? -2 : 2) * s + n * n, 0.0));
    if (!isLinear) {
        return q - p - reach - padding > tau ? "R" : "";
    }
    return q + p + reach + padding < tau - kGamma ? "L" : "";
}

class ComparisonLens : public testing::TestWithParam<Structure> {
  protected:
    void SetUp() override {
        SmallShape shape = kShape;
        shape.structure = GetParam();
        const auto data = smallData(shape, 1);
        const auto file = folder.write("c.txt", fileText(randomList(*data, kMix, 1)));
        prepare(data, {{"constraints", "file"}, {"file", file.string()}, {"linear_term", kMix.linear}});
    }
    void prepare(const std::shared_ptr<const Dataset>& data, Json problem) {
        problem["structure"] = GetParam() == Structure::Diagonal ? "diagonal" : "full";
        experiment = experimentFrom({{"problem", std::move(problem)},
                                     {"solver", {{"method", "projected-gradient"}}},
                                     {"path", {{"ratio", 0.8}, {"max_points", 20}}},
                                     {"lanes", lanesToLookInto()}});
        auto made = family().prepare(experiment, data, {}, {}, {});
        ASSERT_TRUE(made) << made.error().describe();
        prepared = *made;
        EXPECT_TRUE(prepared->lensObstacle().empty());
    }
    std::unique_ptr<RunLens> opened(const std::string& name) const {
        const std::vector<std::string>& names = experiment.laneNames;
        const auto lane = std::find(names.begin(), names.end(), name) - names.begin();
        auto lens = prepared->makeLens(static_cast<std::size_t>(lane));
        EXPECT_NE(lens, nullptr);
        EXPECT_TRUE(lens->open(0, {}, {}));
        return lens;
    }
    [[nodiscard]] ProblemItems items() const { return dynamic_cast<const PreparedMetric&>(*prepared).items(); }
    void auditAllLanes() const;

    DataFolder folder;
    Experiment experiment;
    std::shared_ptr<const PreparedProblem> prepared;
};

void ComparisonLens::auditAllLanes() const {
    for (const char* lane : {"naive", "sphere", "linear", "cone", "ranges"}) {
        const auto lens = opened(lane);
        const auto report = as<DecisionAuditor>(*lens).audit(0, {}, {});
        ASSERT_TRUE(report) << lane;
        double decided = 0;
        for (const RecomputedPoint& point : lens->path()) {
            for (std::size_t c = 0; c < lens->lane().columns.size(); ++c) {
                decided += lens->lane().columns[c].role == ColumnRole::FinalFixed ? point.values[c] : 0;
            }
        }
        EXPECT_EQ(static_cast<double>(report->decisions), decided) << lane;
        EXPECT_EQ(decided > 0, std::string(lane) != "naive") << lane;
        EXPECT_EQ(report->wrong, 0) << lane;
        EXPECT_LE(report->largestGap, 1e-9) << lane;
        EXPECT_EQ(report->points, static_cast<std::int32_t>(lens->path().size()));
    }
}

TEST_P(ComparisonLens, AuditsEveryDecisionOfThePath) {
    auditAllLanes();
}

TEST_P(ComparisonLens, AuditsTripletsOfNeighboursWithALinearTerm) {
    SmallShape shape = kShape;
    shape.structure = GetParam();
    prepare(smallData(shape, 1), {{"k", 3}, {"linear_term", 0.05}});
    auditAllLanes();
}

TEST_P(ComparisonLens, TheNumbersOfAnExplanationRecomputeTheDecision) {
    std::map<std::string, int> forms;
    for (const char* lane : {"sphere", "linear", "cone"}) {
        const auto lens = opened(lane);
        const auto last = static_cast<std::int32_t>(lens->path().size()) - 1;
        std::map<std::string, int> seen;
        for (const std::int32_t point : {1, last / 2, last}) {
            const auto notable = as<ItemExplainer>(*lens).notableItems(point, 18, {});
            ASSERT_TRUE(notable);
            for (const NotableItem& item : *notable) {
                const auto why = as<ItemExplainer>(*lens).explain(item.item, point, {});
                ASSERT_TRUE(why);
                EXPECT_EQ(why->set, item.set);
                EXPECT_EQ(why->title, item.title);
                EXPECT_EQ(as<ItemExplainer>(*lens).findItem(item.title).value(), item.item);
                ++seen[why->set];
                ++forms[why->title.substr(0, why->title.find(' '))];
                const ItemGeometry probe(items(), item.item);
                bool isDecided = false;
                for (const auto* decisions : {&why->used, &why->rivals}) {
                    for (const BoundDecision& decision : *decisions) {
                        EXPECT_EQ(decisionFrom(decision), decision.set) << lane << ' ' << decision.bound;
                        EXPECT_EQ(decision.room > 0, !decision.set.empty()) << decision.bound;
                        EXPECT_EQ(term(decision, "τ").value_or(1), probe.threshold());
                        EXPECT_NEAR(*term(decision, "‖H‖"), probe.matrix().norm(), 1e-12 * (1 + probe.norm().value));
                    }
                }
                for (const BoundDecision& decision : why->used) {
                    isDecided = isDecided || decision.set == why->set;
                }
                EXPECT_TRUE(isDecided) << lane << " point " << point << ' ' << why->title;
                const double margin = why->facts.front().value;
                EXPECT_EQ(why->trueSet, margin > probe.threshold()            ? "R"
                                        : margin < probe.threshold() - kGamma ? "L"
                                                                              : "C");
                if (!why->set.empty()) {
                    EXPECT_EQ(why->trueSet, why->set);
                    EXPECT_NEAR(item.slack,
                                why->set == "R" ? margin - probe.threshold() : probe.threshold() - kGamma - margin,
                                1e-9 * (1 + std::abs(margin)));
                }
            }
        }
        EXPECT_GT(seen["R"], 0) << lane;
        EXPECT_GT(seen["L"], 0) << lane;
        EXPECT_GT(seen[""], 0) << lane;
    }
    EXPECT_EQ(forms.size(), 3U); // pair, quadruplet, triplet
}

TEST_P(ComparisonLens, NamesTheReferenceWhoseRangeFixedAComparison) {
    const auto lens = opened("ranges");
    const auto count = static_cast<std::int32_t>(lens->path().size());
    int held = 0;
    for (const std::int32_t point : {2, count - 1}) {
        const double lambda = lens->path()[static_cast<std::size_t>(point)].axisValue;
        for (std::int64_t item = 0; item < as<ItemExplainer>(*lens).items(); item += 7) {
            const auto why = as<ItemExplainer>(*lens).explain(item, point, {});
            ASSERT_TRUE(why);
            if (!why->reference) {
                continue;
            }
            ++held;
            EXPECT_EQ(why->check, 0);
            EXPECT_EQ(why->reference->decision.set, why->set);
            EXPECT_EQ(decisionFrom(why->reference->decision), why->set);
            EXPECT_LT(why->reference->low, lambda);
            EXPECT_GE(why->reference->axisValue, lambda);
        }
    }
    EXPECT_GT(held, 5);
}

TEST_P(ComparisonLens, ItemsOfASampleNameIt) {
    const auto lens = opened("sphere");
    std::size_t found = 0;
    for (RowIndex row = 0; row < items().table().rows(); row += 5) {
        const auto notable = as<ItemExplainer>(*lens).itemsOfSample(row, 6, 12, {});
        ASSERT_TRUE(notable);
        for (const NotableItem& item : *notable) {
            const ProblemItem pairs = items().at(item.item);
            const RowPair far = items().rows(pairs.far);
            const RowPair near = items().rows(pairs.near);
            const bool inFar = pairs.far != items().noPair() && (far.a == row || far.b == row);
            const bool inNear = pairs.near != items().noPair() && (near.a == row || near.b == row);
            EXPECT_TRUE(inFar || inNear) << item.title;
        }
        found += notable->size();
    }
    EXPECT_GT(found, 10U);
    EXPECT_FALSE(as<ItemExplainer>(*lens).itemsOfSample(items().table().rows(), 6, 12, {}));
}

TEST_P(ComparisonLens, MarkedSamplesStandForTheComparisonsAmongThem) {
    const auto lens = opened("sphere");
    auto& recorder = as<DecisionRecorder>(*lens);
    ItemSet rows(items().table().rows());
    for (RowIndex row = 0; row < rows.size(); ++row) {
        if (row % 3 != 0) {
            rows.insert(row);
        }
    }
    const auto marked = recorder.itemsOf(rows, {});
    ASSERT_TRUE(marked);
    ItemSet named(rows.size());
    for (TripletIndex number = 0; number < items().size(); ++number) {
        bool isAmong = true;
        for (const PairIndex p : {items().at(number).far, items().at(number).near}) {
            if (p != items().noPair()) {
                const RowPair pair = items().rows(p);
                isAmong = isAmong && rows.contains(pair.a) && rows.contains(pair.b);
            }
        }
        EXPECT_EQ(marked->contains(number), isAmong) << number;
        for (const PairIndex p : {items().at(number).far, items().at(number).near}) {
            if (isAmong && p != items().noPair()) {
                named.insert(items().rows(p).a);
                named.insert(items().rows(p).b);
            }
        }
    }
    EXPECT_GT(marked->count(), 3);
    EXPECT_LT(marked->count(), items().size());
    EXPECT_EQ(*recorder.samplesOf(*marked, {}), named);
}

TEST_P(ComparisonLens, LifetimesAndRangesAreThoseOfTheSphereRule) {
    const auto lens = opened("sphere");
    const std::int32_t from = 4;
    const auto lifetimes = as<RegionSlicer>(*lens).lifetimes(from, 0, {});
    ASSERT_TRUE(lifetimes);
    ASSERT_GT(lifetimes->intervals.size(), 10U);
    const auto grid = as<RegionSlicer>(*lens).ranges({}, {});
    ASSERT_TRUE(grid);
    for (std::size_t to = 0; to < grid->targets.size(); ++to) {
        const double lambda = grid->targets[to];
        const auto inside = std::count_if(
            lifetimes->intervals.begin(), lifetimes->intervals.end(),
            [&](const Lifetimes::Interval& interval) { return interval.low < lambda && lambda < interval.high; });
        std::int64_t decidable = 0;
        for (std::size_t c = 0; c < lens->lane().columns.size(); ++c) {
            const std::string& key = lens->lane().columns[c].key;
            decidable += key == "n_R" || key == "n_L" ? std::llround(lens->path()[to].values[c]) : 0;
        }
        if (decidable > 0) {
            EXPECT_NEAR(grid->rates(from, static_cast<Eigen::Index>(to)),
                        std::min(1.0, static_cast<double>(inside) / static_cast<double>(decidable)),
                        1.5 / static_cast<double>(decidable));
        }
    }
    for (const Lifetimes::Interval& interval : lifetimes->intervals) {
        EXPECT_LT(interval.low, lifetimes->reference);
        EXPECT_GT(interval.high, lifetimes->reference);
        const ItemGeometry probe(items(), interval.item);
        const auto why = as<ItemExplainer>(*lens).explain(interval.item, from, {});
        ASSERT_TRUE(why);
        EXPECT_EQ(why->trueSet, interval.isHighSet ? "L" : "R"); // it holds at its own reference
    }
}

TEST_P(ComparisonLens, EveryBallOfASliceHoldsTheOptimum) {
    for (const char* lane : {"sphere", "cone"}) {
        const auto slice = as<RegionSlicer>(*opened(lane)).slice(5, {});
        ASSERT_TRUE(slice);
        ASSERT_GT(slice->balls.size(), 4U);
        for (const BallSlice::Ball& ball : slice->balls) {
            const double distance = std::hypot(slice->optimumX - ball.x, slice->optimumY - ball.y);
            EXPECT_LE(distance, ball.radius * (1 + 1e-9) + 1e-9) << ball.name; // the optimum is in the plane
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Structures, ComparisonLens, testing::Values(Structure::Full, Structure::Diagonal),
                         [](const auto& entry) { return entry.param == Structure::Full ? "full" : "diagonal"; });

/// The audit has teeth for every form: deciding all for R is found out item by item.
TEST(ComparisonAudit, CatchesWrongDecisionsOneByOne) {
    for (const FormMix& mix : formMixes()) {
        const GeneralProblem general = solvableProblem({.name = "plain"}, mix, 1);
        const SolvedPoint tight = general.solveTightly(0.1 * general.start(kGamma).lambda, kGamma).solved;
        for (const Decision decision : {Decision::Zero, Decision::Linear}) {
            TripletStates all(general.set.size());
            std::int64_t wrong = 0;
            for (TripletIndex c = 0; c < general.set.size(); ++c) {
                all.set(c, decision);
                const double margin = general.margin(c, tight.point.matrix);
                const double tau = general.set.items().threshold[static_cast<std::size_t>(c)];
                wrong += decision == Decision::Zero ? margin < tau : margin > tau - kGamma;
            }
            StopCheck never;
            const DecisionAudit audit = auditDecisions(general.set, all, tight, kGamma, never);
            EXPECT_EQ(audit.decided, general.set.size());
            EXPECT_GT(wrong, 0) << mix.name;
            EXPECT_NEAR(static_cast<double>(audit.wrong), static_cast<double>(wrong),
                        static_cast<double>(audit.doubtful));
        }
    }
}

} // namespace
} // namespace lambdascope::metric

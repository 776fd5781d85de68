// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/audit_report.h"
#include "tests/core/metric/inspect/metric_lens_fixture.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

namespace lambdascope::metric {
namespace {

TEST_F(MetricLensTest, ComputesThePathAgainToTheLastBit) {
    for (const char* lane : {"naive", "GB", "RRPB+PGB"}) {
        const auto task = prepared->makeTask(laneNamed(experiment, lane));
        NullSink sink;
        RunContext context(RunId{1}, sink);
        const auto lens = opened(lane);
        std::shared_ptr<const WarmStart> warm;
        const auto columns = lens->lane().columns;
        ASSERT_GT(lens->path().size(), 5U);
        for (std::size_t p = 0; p < lens->path().size(); ++p) {
            const auto report =
                task->solvePoint({static_cast<std::int32_t>(p), lens->path()[p].axisValue}, warm, context);
            ASSERT_TRUE(report);
            warm = report->warmStart;
            for (std::size_t c = 0; c < columns.size(); ++c) {
                if (columns[c].unit != "s" && columns[c].role != ColumnRole::HeldOutError) {
                    EXPECT_EQ(report->values[c], lens->path()[p].values[c]) << lane << ' ' << columns[c].key;
                }
            }
        }
    }
}

TEST_F(MetricLensTest, SolvesAPointAgainToTheLastBitHoweverFewWarmStartsWereKept) {
    const auto& metric = dynamic_cast<const PreparedMetric&>(*prepared);
    const Lane& lane = metric.lane(laneNamed(experiment, "RRPB+PGB"));
    LaneReplay roomy = replayOf(metric, lane);
    LaneReplay cramped = replayOf(metric, lane, 3000.0); // a few warm starts of 5 × 5
    ASSERT_TRUE(roomy.walk(0, {}, {}, {}, {}));
    ASSERT_TRUE(cramped.walk(0, {}, {}, {}, {}));
    const auto count = static_cast<std::int32_t>(roomy.path().size());
    ASSERT_EQ(cramped.path().size(), roomy.path().size());
    for (std::int32_t p = count - 1; p >= 0; p -= 3) { // backwards: nothing may depend on what was solved before
        TripletStates first(triplets().triplets());
        TripletStates second(triplets().triplets());
        const auto a = roomy.replay(p, {&first, nullptr, nullptr}, {});
        const auto b = cramped.replay(p, {&second, nullptr, nullptr}, {});
        ASSERT_TRUE(a && b);
        const auto& solvedA = dynamic_cast<const TripletWarmStart&>(*a->warmStart).solved;
        const auto& solvedB = dynamic_cast<const TripletWarmStart&>(*b->warmStart).solved;
        EXPECT_EQ(solvedA.point.matrix, solvedB.point.matrix);
        EXPECT_EQ(solvedA.gap, solvedB.gap);
        EXPECT_EQ((*roomy.solution(p, {}))->solved.point.matrix, solvedA.point.matrix);
        EXPECT_EQ((*cramped.solution(p, {}))->solved.point.matrix, solvedA.point.matrix);
        for (TripletIndex t = 0; t < triplets().triplets(); ++t) {
            ASSERT_EQ(first.at(t), second.at(t));
        }
    }
}

/// Decisions that last over several λ are those that the path had there, not those that it ended with.
TEST_F(MetricLensTest, SolvesAPointAgainAsThePathDidOnEveryEngine) {
    for (const std::string engine : {"pairs", "sorted", "triplets"}) {
        for (const std::string method : {"projected-gradient", "newton", "auto"}) {
            const Json lanes = {{{"name", "auto"}, {"bounds", {"RRPB", "PGB"}}, {"schedule", "auto"}}};
            experiment = lensExperiment({{"solver", {{"method", method}, {"engine", engine}}},
                                         {"path", {{"ratio", 0.9}, {"max_points", 50}}},
                                         {"lanes", lanes}});
            prepared = preparedLens(experiment);
            const auto& metric = dynamic_cast<const PreparedMetric&>(*prepared);
            LaneReplay replay = replayOf(metric, metric.lane(0));
            ASSERT_TRUE(replay.walk(0, {}, {}, {}, {}));
            const auto columns = metric.makeTask(0)->describe().columns;
            for (auto p = static_cast<std::int32_t>(replay.path().size()) - 1; p >= 0; p -= 9) {
                const auto again = replay.replay(p, {}, {});
                ASSERT_TRUE(again);
                const auto& before = replay.path()[static_cast<std::size_t>(p)];
                for (std::size_t c = 0; c < columns.size(); ++c) {
                    if (columns[c].unit != "s" && columns[c].role != ColumnRole::HeldOutError) {
                        EXPECT_EQ(again->values[c], before.values[c])
                            << engine << ", " << method << ' ' << p << ' ' << columns[c].key;
                    }
                }
            }
        }
    }
}

TEST_F(MetricLensTest, TheNumbersOfAnExplanationRecomputeTheDecision) {
    for (const char* lane : {"GB", "PGB", "DGB", "RRPB", "MGB", "RRPB+PGB"}) {
        const auto lens = opened(lane);
        const auto last = static_cast<std::int32_t>(lens->path().size()) - 1;
        std::map<std::string, int> seen;
        for (const std::int32_t point : {1, last / 2, last}) {
            const auto notable = as<ItemExplainer>(*lens).notableItems(point, 12, {});
            ASSERT_TRUE(notable);
            for (const NotableItem& item : *notable) {
                const auto why = as<ItemExplainer>(*lens).explain(item.item, point, {});
                ASSERT_TRUE(why);
                EXPECT_EQ(why->set, item.set);
                EXPECT_EQ(why->title, item.title);
                ++seen[why->set];
                bool isDecided = false;
                for (const auto* decisions : {&why->used, &why->rivals}) {
                    for (const BoundDecision& decision : *decisions) {
                        EXPECT_EQ(decisionFrom(decision, gamma), decision.set) << decision.bound;
                        EXPECT_EQ(decision.room > 0, !decision.set.empty()) << decision.bound;
                        const double sign = decision.threshold == 1 ? -1 : 1;
                        EXPECT_EQ(decision.left,
                                  term(decision, "⟨H,Q⟩") + sign * term(decision, "r") * term(decision, "‖H‖"));
                        EXPECT_NEAR(term(decision, "‖H‖"), normOf(triplets(), item.item),
                                    1e-12 * (1 + term(decision, "‖H‖")));
                    }
                }
                for (const BoundDecision& decision : why->used) {
                    isDecided = isDecided || decision.set == why->set;
                }
                EXPECT_TRUE(isDecided) << lane << " point " << point << ' ' << why->title;
                if (!why->set.empty()) {
                    EXPECT_EQ(why->trueSet, why->set); // the solution is near enough for these
                    EXPECT_GE(why->check, 0);
                }
                // All bounds that have something to say are told of, once each.
                EXPECT_LE(why->used.size() + why->rivals.size(), allBounds().size());
                EXPECT_GE(why->used.size() + why->rivals.size(), 4U);
            }
        }
        EXPECT_GT(seen["R"] + seen["L"], 0) << lane;
        EXPECT_GT(seen[""], 0) << lane;
    }
}

/// Beside the rule's numbers are those that the radius is made of, by the formula of the bound that is named.
void expectRadiiByFormula(RunLens& lens, std::map<std::string, int>& seen) {
    const auto last = static_cast<std::int32_t>(lens.path().size()) - 1;
    for (const std::int32_t point : {1, last / 2, last}) {
        for (std::int64_t item = 0; item < as<ItemExplainer>(lens).items(); item += 41) {
            const auto why = as<ItemExplainer>(lens).explain(item, point, {});
            ASSERT_TRUE(why);
            for (const auto* decisions : {&why->used, &why->rivals}) {
                for (const BoundDecision& decision : *decisions) {
                    const double lambda = term(decision, "λ");
                    const auto square = [](double value) { return value * value; };
                    double expected = 0;
                    if (decision.bound == "GB") {
                        expected = term(decision, "‖∇P‖") / (2 * lambda);
                    } else if (decision.bound == "PGB") {
                        expected =
                            std::sqrt(square(term(decision, "r of GB")) - square(term(decision, "‖[Q of GB]₋‖")));
                    } else if (decision.bound == "CDGB") {
                        expected = std::sqrt(term(decision, "gap of M(α)") / lambda);
                    } else if (decision.bound == "MGB") {
                        expected =
                            std::sqrt(term(decision, "gap") / lambda - 0.25 * square(term(decision, "‖M − M(α)‖")));
                    } else if (decision.bound == "DGB" || why->iteration > 0) {
                        expected = std::sqrt(2 * term(decision, "gap") / lambda);
                    } else {
                        const double lambda0 = term(decision, "λ₀");
                        const double far = std::abs(lambda0 - lambda);
                        expected = far / (2 * lambda) * term(decision, "‖M₀‖") +
                                   (far + lambda0 + lambda) / (2 * lambda) * term(decision, "ε");
                    }
                    const double r = term(decision, "r");
                    EXPECT_NEAR(r, expected, 1e-6 * (r + std::abs(term(decision, "⟨H,Q⟩")) / term(decision, "‖H‖")))
                        << decision.bound;
                    ++seen[decision.bound];
                }
            }
        }
    }
}

TEST_F(MetricLensTest, TheNumbersOfAnExplanationRecomputeTheRadius) {
    for (const char* lane : {"GB", "RRPB+PGB"}) {
        std::map<std::string, int> seen;
        expectRadiiByFormula(*opened(lane), seen);
        EXPECT_EQ(seen.size(), allBounds().size()) << lane;
    }
}

TEST_F(MetricLensTest, ExplainsAndAuditsADiagonalM) {
    experiment = lensExperiment({{"problem", {{"k", 4}, {"structure", "diagonal"}}}});
    prepared = preparedLens(experiment);
    const auto lens = opened("RRPB+PGB");
    const auto notable = as<ItemExplainer>(*lens).notableItems(6, 12, {});
    ASSERT_TRUE(notable);
    int decided = 0;
    for (const NotableItem& item : *notable) {
        const auto why = as<ItemExplainer>(*lens).explain(item.item, 6, {});
        ASSERT_TRUE(why);
        EXPECT_EQ(why->set, item.set);
        bool isDecided = false;
        for (const BoundDecision& decision : why->used) {
            EXPECT_EQ(decisionFrom(decision, gamma), decision.set);
            isDecided = isDecided || decision.set == why->set;
        }
        EXPECT_TRUE(isDecided) << why->title;
        decided += why->set.empty() ? 0 : 1;
    }
    EXPECT_GT(decided, 0);
    const auto report = as<DecisionAuditor>(*lens).audit(0, {}, {});
    ASSERT_TRUE(report);
    EXPECT_GT(report->decisions, 0);
    EXPECT_EQ(report->wrong, 0);
}

TEST_F(MetricLensTest, NamesTheFirstCheckThatDecided) {
    const auto lens = opened("RRPB+PGB");
    const auto& metric = dynamic_cast<const PreparedMetric&>(*prepared);
    LaneReplay replay = replayOf(metric, metric.lane(laneNamed(experiment, "RRPB+PGB")));
    ASSERT_TRUE(replay.walk(0, {}, {}, {}, {}));
    class OnCheck final : public ScreeningObserver {
      public:
        explicit OnCheck(const TripletStates& states) : m_states(states), first(states.size(), -1) {}
        void checked(const ScreeningCheck& check) override {
            for (TripletIndex t = 0; t < m_states.size(); ++t) {
                auto& number = first[static_cast<std::size_t>(t)];
                number = number < 0 && m_states.at(t) != Decision::Keep ? check.check : number;
            }
        }

      private:
        const TripletStates& m_states;

      public:
        std::vector<std::int32_t> first;
    };
    TripletStates states(triplets().triplets());
    OnCheck observer(states);
    const std::int32_t point = 6;
    ASSERT_TRUE(replay.replay(point, {&states, &observer}, {}));
    std::map<std::int32_t, int> checks;
    for (TripletIndex t = 0; t < triplets().triplets(); t += 7) {
        const auto why = as<ItemExplainer>(*lens).explain(t, point, {});
        ASSERT_TRUE(why);
        EXPECT_EQ(why->check, observer.first[static_cast<std::size_t>(t)]);
        ++checks[why->check];
    }
    EXPECT_GE(checks.size(), 2U) << "some decided at once, some later or never";
}

TEST_F(MetricLensTest, ItemsOfASampleBeginAtIt) {
    const auto lens = opened("RRPB+PGB");
    for (const std::int64_t sample : {std::int64_t{0}, std::int64_t{9}, std::int64_t{triplets().rows() - 1}}) {
        const auto items = as<ItemExplainer>(*lens).itemsOfSample(sample, 6, 12, {});
        ASSERT_TRUE(items);
        EXPECT_FALSE(items->empty());
        EXPECT_LE(items->size(), 12U);
        for (const NotableItem& item : *items) {
            EXPECT_EQ(item.title.find("triplet (" + std::to_string(sample) + ", "), 0U) << item.title;
            EXPECT_EQ(as<ItemExplainer>(*lens).explain(item.item, 6, {})->set, item.set);
        }
    }
    EXPECT_FALSE(as<ItemExplainer>(*lens).itemsOfSample(-1, 6, 12, {}));
    EXPECT_FALSE(as<ItemExplainer>(*lens).itemsOfSample(triplets().rows(), 6, 12, {}));
}

TEST_F(MetricLensTest, MarkedSamplesStandForTheTripletsTheyAreAnchorsOf) {
    const auto lens = prepared->makeLens(0); // asked of a lane that was never computed, too
    auto& recorder = as<DecisionRecorder>(*lens);
    const std::int64_t last = triplets().rows() - 1;
    const std::array<std::int64_t, 4> rows{0, 9, last, last + 7}; // the last one is none
    const auto marked = recorder.itemsOf(ItemSet::of(rows), {});
    ASSERT_TRUE(marked);
    EXPECT_EQ(marked->size(), triplets().triplets());
    for (TripletIndex t = 0; t < triplets().triplets(); ++t) {
        const RowIndex anchor = triplets().triplet(t).anchor;
        EXPECT_EQ(marked->contains(t), anchor == 0 || anchor == 9 || anchor == last) << t;
    }
    const auto anchors = recorder.samplesOf(*marked, {});
    ASSERT_TRUE(anchors);
    EXPECT_EQ(anchors->count(), 3);
    EXPECT_TRUE(anchors->contains(0) && anchors->contains(9) && anchors->contains(last));
    EXPECT_EQ(recorder.itemsOf(ItemSet(), {})->count(), 0);
    EXPECT_NE(recorder.belonging().find("anchor"), std::string::npos);
}

TEST_F(MetricLensTest, ALaneWithoutScreeningSaysSo) {
    const auto lens = opened("naive");
    const auto why = as<ItemExplainer>(*lens).explain(3, 4, {});
    ASSERT_TRUE(why);
    EXPECT_EQ(why->checks, 0);
    EXPECT_TRUE(why->set.empty() && why->used.empty() && why->rivals.empty());
    const auto report = as<DecisionAuditor>(*lens).audit(0, {}, {});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->decisions, 0);
    EXPECT_EQ(auditText(*report), "no decisions to check");
}

TEST_F(MetricLensTest, AuditsEveryDecisionOfThePath) {
    for (const char* lane : {"GB", "RRPB+PGB"}) {
        const auto lens = prepared->makeLens(laneNamed(experiment, lane));
        double share = 0;
        const auto report = as<DecisionAuditor>(*lens).audit(0, [&](double done) { share = done; }, {});
        ASSERT_TRUE(report);
        double decided = 0;
        for (const RecomputedPoint& point : lens->path()) {
            for (std::size_t c = 0; c < lens->lane().columns.size(); ++c) {
                decided += lens->lane().columns[c].role == ColumnRole::FinalFixed ? point.values[c] : 0;
            }
        }
        EXPECT_EQ(static_cast<double>(report->decisions), decided);
        EXPECT_EQ(report->wrong, 0);
        EXPECT_TRUE(report->examples.empty());
        EXPECT_GT(report->smallestSlack, -1e-6);
        EXPECT_LE(report->largestGap, 1e-9);
        EXPECT_EQ(report->points, static_cast<std::int32_t>(lens->path().size()));
        EXPECT_GT(share, 0.2);
        const auto closest = as<ItemExplainer>(*lens).explain(report->closestItem, report->closestPoint, {});
        ASSERT_TRUE(closest);
        ASSERT_FALSE(closest->set.empty());
        const double margin = closest->facts.front().value; // of the run's own solution, near the accurate one
        EXPECT_NEAR(closest->set == "R" ? margin - 1 : 1 - gamma - margin, report->smallestSlack, 1e-3);
        const auto again = as<DecisionAuditor>(*lens).audit(0, {}, {}); // now from what is kept
        ASSERT_TRUE(again);
        EXPECT_EQ(again->decisions, report->decisions);
        EXPECT_EQ(again->smallestSlack, report->smallestSlack);
    }
}

TEST_F(MetricLensTest, AnInterruptedRunIsLookedIntoAsFarAsItGot) {
    const auto lens = opened("PGB", 4);
    EXPECT_EQ(lens->path().size(), 4U);
    EXPECT_TRUE(as<ItemExplainer>(*lens).explain(0, 3, {}));
    EXPECT_FALSE(as<ItemExplainer>(*lens).explain(0, 4, {}));
    const auto report = as<DecisionAuditor>(*lens).audit(0, {}, {});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->points, 4);
}

TEST_F(MetricLensTest, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    const auto lens = prepared->makeLens(laneNamed(experiment, "PGB"));
    const auto result = lens->open(0, {}, stop.get_token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Stopped);
    EXPECT_EQ(as<DecisionAuditor>(*lens).audit(0, {}, stop.get_token()).error().code, ErrorCode::Stopped);
    EXPECT_FALSE(as<ItemExplainer>(*lens).explain(0, 0, {})) << "nothing is known yet";
}

TEST_F(MetricLensTest, FindsATripletByItsRows) {
    const auto lens = opened("naive", 1);
    for (TripletIndex t = 0; t < triplets().triplets(); t += 31) {
        const Triplet rows = triplets().triplet(t);
        const std::string text =
            std::to_string(rows.anchor) + ", " + std::to_string(rows.same) + ", " + std::to_string(rows.other);
        for (const std::string& written : {text, "(" + text + ")"}) {
            const auto found = as<ItemExplainer>(*lens).findItem(written);
            ASSERT_TRUE(found) << written;
            EXPECT_EQ(*found, t);
        }
    }
    const Triplet rows = triplets().triplet(0);
    const std::string swapped =
        std::to_string(rows.anchor) + " " + std::to_string(rows.other) + " " + std::to_string(rows.same);
    for (const std::string& bad : {std::string(), std::string("4, 9"), std::string("1 2 3 4"), std::string("a b c"),
                                   std::string("0, 1, 99999"), std::string("99999999999 0 1"), swapped}) {
        const auto found = as<ItemExplainer>(*lens).findItem(bad);
        ASSERT_FALSE(found) << bad;
        EXPECT_FALSE(found.error().faults.front().remedy.empty());
    }
}

TEST_F(MetricLensTest, EveryBallOfASliceHoldsTheOptimum) {
    for (const char* lane : {"PGB", "MGB", "RRPB+PGB"}) {
        const auto lens = opened(lane);
        const auto slice = as<RegionSlicer>(*lens).slice(5, {});
        ASSERT_TRUE(slice);
        ASSERT_GT(slice->balls.size(), 5U);
        std::size_t used = 0;
        std::size_t midpoint = 0;
        for (const BallSlice::Ball& ball : slice->balls) {
            midpoint += ball.name == "MGB" ? 1U : 0U;
            const double x = slice->optimumX - ball.x;
            const double y = slice->optimumY - ball.y;
            if (ball.name == "RPB") {
                continue; // promises nothing
            }
            EXPECT_LE(std::hypot(x, y), ball.radius * (1 + 1e-9) + 1e-9) << ball.name; // the optimum is in the plane
            EXPECT_LE(ball.radius, ball.fullRadius * (1 + 1e-12));
            used += ball.isUsed ? 1U : 0U;
        }
        EXPECT_GT(used, 0U);
        EXPECT_GT(midpoint, 0U);
        EXPECT_FALSE(slice->xLabel.empty());
    }
}

} // namespace
} // namespace lambdascope::metric

// SPDX-License-Identifier: GPL-3.0-or-later
// No screened triplet is wrong, for each bound, engine and edge case; and an audit that cannot find a broken rule is
// worth nothing, so broken rules are put before it too.
#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/inspect/decision_audit.h"
#include "tests/core/triplets/shrunken_bound.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace lambdascope::triplets {
namespace {

/// Walks a coarse path by lanes and audits every point against a tight solve.
class SafetyWalk {
  public:
    /// The λ to walk, as shares of λ_max: first, and each from the one before.
    struct Grid {
        double first = 1;
        double ratio = 0.5;
        int points = 7;
    };

    SafetyWalk(const SmallShape& shape, std::uint64_t seed, double gamma) : SafetyWalk(shape, seed, gamma, Grid()) {}
    SafetyWalk(const SmallShape& shape, std::uint64_t seed, double gamma, Grid grid)
        : m_set(solvableTriplets(shape, seed)), m_gamma(gamma) {
        PairsEngine engine(m_set);
        m_start = startOf(m_set, gamma, engine);
        double lambda = grid.first * m_start.lambda;
        for (int point = 0; point < grid.points; ++point) {
            m_tight.push_back(solveTightly(m_set, lambda, gamma, gamma > 0 ? 1e-11 : 1e-7));
            lambda *= grid.ratio;
        }
    }

    struct Sum {
        std::int64_t decided = 0;
        std::int64_t wrong = 0;
    };

    /// `makeBounds()` gives the bounds of the lane.
    template <class MakeBounds>
    Sum run(EngineKind kind, MakeBounds&& makeBounds, bool expectObjective = true, RuleKind rule = RuleKind::Sphere,
            std::optional<BoundKind> ranges = std::nullopt, bool activeSet = false) {
        Sum sum;
        const auto engine = makeEngine(kind, m_set);
        TripletStates states(m_set.triplets());
        engine->record(&states);
        RecordingSink sink;
        RunContext context(RunId{0}, sink);
        PointSettings settings;
        settings.gamma = m_gamma;
        settings.screenEvery = 3;
        settings.maxIterations = 3000;
        settings.rule = rule;
        settings.ranges = ranges;
        settings.activeSet = activeSet;
        PointSolver solver(*engine, makeBounds(), settings);
        SolvedPoint reference = m_start;
        for (const PointOutcome& tight : m_tight) {
            states.reset();
            const PointOutcome outcome = solver.solve(tight.solved.lambda, reference, 0, context);
            StopCheck never;
            const DecisionAudit audit = auditDecisions(m_set, states, tight.solved, m_gamma, never);
            EXPECT_EQ(audit.decided, outcome.finalScreened.zero + outcome.finalScreened.linear);
            sum.decided += audit.decided;
            sum.wrong += audit.wrong;
            if (expectObjective) {
                EXPECT_EQ(outcome.termination, Termination::Converged);
                EXPECT_NEAR(outcome.primal.value, tight.primal.value,
                            1.2e-6 * std::max(1.0, std::abs(tight.primal.value)));
            }
            reference = outcome.solved;
        }
        return sum;
    }

  private:
    TripletSet m_set;
    double m_gamma;
    SolvedPoint m_start;
    std::vector<PointOutcome> m_tight;
};

struct LaneOfTest {
    std::vector<BoundKind> bounds;
    RuleKind rule = RuleKind::Sphere;
    std::optional<BoundKind> ranges = std::nullopt;
    bool activeSet = false;
};

constexpr auto kMGB = BoundKind::MidpointGap;
constexpr auto kRRPB = BoundKind::RelaxedPath;
constexpr auto kPGB = BoundKind::ProjectedGradient;

/// Each safe bound with each rule, and combinations.
std::vector<LaneOfTest> lanesOfTest() {
    std::vector<LaneOfTest> lanes = {{{}}};
    for (const RuleKind rule : {RuleKind::Sphere, RuleKind::Linear, RuleKind::Semidefinite}) {
        for (const BoundKind bound : allBounds()) {
            lanes.push_back({{bound}, rule});
        }
    }
    lanes.push_back({{kRRPB, kPGB}});
    lanes.push_back({{kMGB, kPGB}});
    lanes.push_back({{kRRPB, kPGB}, RuleKind::Sphere, kRRPB});
    lanes.push_back({{kMGB, kPGB}, RuleKind::Sphere, kMGB});
    lanes.push_back({{kRRPB, BoundKind::Gradient}, RuleKind::Semidefinite, kRRPB});
    lanes.push_back({{kRRPB, BoundKind::Gradient}, RuleKind::Analytic, kRRPB});
    lanes.push_back({{kMGB}, RuleKind::Analytic, kMGB});
    lanes.push_back({{}, RuleKind::Sphere, std::nullopt, true});
    lanes.push_back({{kRRPB, kPGB}, RuleKind::Sphere, std::nullopt, true});
    lanes.push_back({{kMGB, BoundKind::DualityGap}, RuleKind::Sphere, kMGB, true});
    return lanes;
}

const std::vector<LaneOfTest> kLanes = lanesOfTest();

std::vector<std::unique_ptr<Bound>> honest(const std::vector<BoundKind>& kinds) {
    std::vector<std::unique_ptr<Bound>> bounds;
    for (const BoundKind kind : kinds) {
        bounds.push_back(makeBound(kind));
    }
    return bounds;
}

class Safety : public testing::TestWithParam<std::tuple<SmallShape, double>> {};

TEST_P(Safety, NoLaneDecidesATripletWronglyAndAllReachTheSameObjective) {
    const auto& [shape, gamma] = GetParam();
    std::map<std::size_t, std::int64_t> decided; // per lane
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        SafetyWalk walk(shape, seed, gamma);
        for (std::size_t at = 0; at < kLanes.size(); ++at) {
            const auto& lane = kLanes[at];
            if (shape.structure == Structure::Full && lane.rule == RuleKind::Analytic) {
                continue; // a rule of diagonal matrices
            }
            for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets}) {
                if (kind == EngineKind::Triplets && (seed > 1 || shape.k.value_or(0) > 10)) {
                    continue; // slow, and engines_test compares the engines triplet by triplet
                }
                const auto sum = walk.run(
                    kind, [&] { return honest(lane.bounds); }, true, lane.rule, lane.ranges, lane.activeSet);
                EXPECT_EQ(sum.wrong, 0) << "lane " << at;
                decided[at] += sum.decided;
            }
        }
    }
    for (const auto& [at, count] : decided) {
        EXPECT_EQ(count > 0, !kLanes[at].bounds.empty()) << "lane " << at; // and they are not safe by doing nothing
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Safety, testing::Combine(testing::ValuesIn(smallShapes()), testing::Values(0.05, 0.5)),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_gamma" + std::to_string(entry.index % 2);
                         });

TEST(SafetyOfTheHinge, NoLaneDecidesATripletWrongly) {
    for (const char* name : {"plain", "ties"}) {
        const SmallShape shape{.name = name, .isRounded = std::string(name) == "ties"};
        SafetyWalk walk(shape, 1, 0.0);
        for (const auto& lane : kLanes) {
            const auto sum = walk.run(
                EngineKind::Pairs, [&] { return honest(lane.bounds); }, true, lane.rule, lane.ranges, lane.activeSet);
            EXPECT_EQ(sum.wrong, 0);
        }
    }
}

/// λ over twelve decades round λ_max, where gaps, radii and margins differ by as many orders of magnitude.
TEST(SafetyAtExtremes, NoLaneDecidesATripletWrongly) {
    for (const double scale : {1e-6, 1.0, 1e6}) {
        const SmallShape shape{.name = "extreme", .features = 4, .k = 4, .scale = scale, .hasDuplicates = true};
        SafetyWalk walk(shape, 1, 0.05, {.first = 1e6, .ratio = 0.1, .points = 13});
        for (const auto& lane : kLanes) {
            const auto sum = walk.run(
                EngineKind::Pairs, [&] { return honest(lane.bounds); }, false, lane.rule, lane.ranges, lane.activeSet);
            EXPECT_EQ(sum.wrong, 0);
            EXPECT_EQ(sum.decided > 0, !lane.bounds.empty());
        }
    }
}

/// The audit has teeth: balls that are too small are caught, for every bound.
TEST(SafetyAudit, CatchesBrokenBounds) {
    for (const BoundKind kind : allBounds()) {
        std::int64_t wrong = 0;
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            SafetyWalk walk({.name = "two_classes_overlapping",
                             .classes = 2,
                             .rowsPerClass = 14,
                             .features = 5,
                             .k = 4,
                             .spread = 0.3},
                            seed, 0.05);
            wrong += walk.run(
                             EngineKind::Pairs,
                             [&] {
                                 std::vector<std::unique_ptr<Bound>> bounds;
                                 bounds.push_back(std::make_unique<ShrunkenBound>(kind, 0.3));
                                 return bounds;
                             },
                             false)
                         .wrong;
        }
        EXPECT_GT(wrong, 0) << makeBound(kind)->name() << " at 0.3 of its radius went unnoticed";
    }
}

TEST(SafetyAudit, CatchesWrongDecisionsOneByOne) {
    const TripletSet set = solvableTriplets({.name = "plain"}, 1);
    PairsEngine engine(set);
    const SolvedPoint start = startOf(set, 0.05, engine);
    const SolvedPoint tight = solveTightly(set, 0.1 * start.lambda, 0.05).solved;
    TripletStates allZero(set.triplets());
    for (TripletIndex t = 0; t < set.triplets(); ++t) {
        allZero.set(t, Decision::Zero);
    }
    std::int64_t below = 0;
    for (TripletIndex t = 0; t < set.triplets(); ++t) {
        below += marginOf(set, t, tight.point.matrix) < 1 ? 1 : 0;
    }
    StopCheck never;
    const DecisionAudit audit = auditDecisions(set, allZero, tight, 0.05, never);
    EXPECT_EQ(audit.decided, set.triplets());
    EXPECT_NEAR(static_cast<double>(audit.wrong), static_cast<double>(below), static_cast<double>(audit.doubtful));
    EXPECT_LT(audit.smallestSlack, 0);
}

} // namespace
} // namespace lambdascope::triplets

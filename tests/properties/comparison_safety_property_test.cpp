// SPDX-License-Identifier: GPL-3.0-or-later
// General forms: no screened comparison is wrong, for each bound, form and edge case; and broken rules are found out.
#include "core/triplets/inspect/decision_audit.h"
#include "tests/core/triplets/shrunken_bound.h"
#include "tests/core/triplets/small_comparisons.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace lambdascope::triplets {
namespace {

struct Tally {
    std::int64_t decided = 0;
    std::int64_t wrong = 0;
};

/// Decisions against margins at a tight solution, in extended precision.
Tally audit(const GeneralProblem& general, const TripletStates& states, const SolvedPoint& tight, double gamma) {
    Tally tally;
    const double distance = std::sqrt(2 * tight.gap / tight.lambda);
    for (TripletIndex c = 0; c < general.set.size(); ++c) {
        const Decision decision = states.at(c);
        if (decision == Decision::Keep) {
            continue;
        }
        ++tally.decided;
        const auto at = static_cast<std::size_t>(c);
        const double tau = general.set.items().threshold[at];
        const double margin = general.margin(c, tight.point.matrix);
        const double slack = decision == Decision::Zero ? margin - tau : tau - gamma - margin;
        const double rho = general.set.largestNorm();
        const double doubt =
            distance * general.set.items().length[at] + 1e-14 * (1 + std::abs(tau) + rho * rho * tight.point.trace);
        tally.wrong += slack < -doubt ? 1 : 0;
    }
    return tally;
}

struct TestLane {
    std::vector<BoundKind> bounds;
    RuleKind rule = RuleKind::Sphere;
    std::optional<BoundKind> ranges = std::nullopt;
};

/// Walks a coarse path and audits every point against a tight solve.
class Walk {
  public:
    Walk(const SmallShape& shape, const FormMix& mix, std::uint64_t seed, double gamma)
        : Walk(solvableProblem(shape, mix, seed), gamma) {}
    Walk(GeneralProblem general, double gamma)
        : m_general(std::move(general)), m_gamma(gamma), m_start(m_general.start(gamma)) {
        double lambda = m_start.lambda;
        for (int point = 0; point < 6; ++point) {
            m_tight.push_back(m_general.solveTightly(lambda, gamma, gamma > 0 ? 1e-10 : 1e-7));
            lambda *= 0.4;
        }
    }

    Tally run(const TestLane& lane, double shrink = 1) {
        Tally sum;
        const std::unique_ptr<Engine> engine = m_general.engine();
        TripletStates states(m_general.set.size());
        engine->record(&states);
        RecordingSink sink;
        RunContext context(RunId{0}, sink);
        PointSettings settings;
        settings.gamma = m_gamma;
        settings.screenEvery = 3;
        settings.maxIterations = 3000;
        settings.rule = lane.rule;
        settings.ranges = lane.ranges;
        std::vector<std::unique_ptr<Bound>> bounds;
        for (const BoundKind kind : lane.bounds) {
            bounds.push_back(shrink < 1 ? std::make_unique<ShrunkenBound>(kind, shrink) : makeBound(kind));
        }
        PointSolver solver(*engine, std::move(bounds), settings);
        SolvedPoint reference = m_start;
        for (const PointOutcome& tight : m_tight) {
            states.reset();
            const PointOutcome outcome = solver.solve(tight.solved.lambda, reference, 0, context);
            const Tally tally = audit(m_general, states, tight.solved, m_gamma);
            StopCheck never;
            const DecisionAudit same = auditDecisions(m_general.set, states, tight.solved, m_gamma, never);
            EXPECT_EQ(same.decided, tally.decided);
            EXPECT_GE(same.wrong + same.doubtful, tally.wrong);
            EXPECT_TRUE(shrink < 1 || same.wrong == 0) << same.examples.front();
            EXPECT_EQ(tally.decided, outcome.finalScreened.zero + outcome.finalScreened.linear);
            sum.decided += tally.decided;
            sum.wrong += tally.wrong;
            if (shrink == 1) {
                const double relative = 1.2e-6 * std::max(1.0, std::abs(tight.primal.value));
                // The hinge may run into the iteration limit; its gap then says how far it came.
                const double room = m_gamma > 0 ? relative : outcome.solved.gap + tight.solved.gap;
                EXPECT_TRUE(outcome.termination == Termination::Converged || m_gamma == 0);
                EXPECT_NEAR(outcome.primal.value, tight.primal.value, room);
            }
            reference = outcome.solved;
        }
        return sum;
    }

  private:
    GeneralProblem m_general;
    double m_gamma;
    SolvedPoint m_start;
    std::vector<PointOutcome> m_tight;
};

constexpr auto kGB = BoundKind::Gradient;
constexpr auto kPGB = BoundKind::ProjectedGradient;
constexpr auto kDGB = BoundKind::DualityGap;
constexpr auto kCDGB = BoundKind::ConstrainedDualityGap;
constexpr auto kMGB = BoundKind::MidpointGap;
constexpr auto kRRPB = BoundKind::RelaxedPath;

/// Every bound with every rule, alone; and combinations, also with ranges.
std::vector<TestLane> lanesFor(Structure structure) {
    std::vector<RuleKind> rules = {RuleKind::Sphere, RuleKind::Linear, RuleKind::Semidefinite};
    if (structure == Structure::Diagonal) {
        rules.push_back(RuleKind::Analytic);
    }
    std::vector<TestLane> lanes = {{}};
    for (const RuleKind rule : rules) {
        for (const BoundKind bound : allBounds()) {
            lanes.push_back({{bound}, rule});
        }
        lanes.push_back({{kRRPB, kPGB}, rule, kRRPB});
        lanes.push_back({{kMGB, kPGB}, rule, kMGB});
    }
    lanes.push_back({{kRRPB, kPGB}});
    lanes.push_back({{kRRPB}, RuleKind::Sphere, kRRPB});
    return lanes;
}

class ComparisonSafety : public testing::TestWithParam<std::tuple<SmallShape, FormMix>> {};

TEST_P(ComparisonSafety, NoLaneDecidesAComparisonWronglyAndAllReachTheSameObjective) {
    const auto& [shape, mix] = GetParam();
    const std::vector<TestLane> lanes = lanesFor(shape.structure);
    std::map<std::size_t, std::int64_t> decided; // per lane
    for (const double gamma : {0.05, 0.5}) {
        Walk walk(shape, mix, gamma > 0.1 ? 2 : 1, gamma);
        for (std::size_t at = 0; at < lanes.size(); ++at) {
            const Tally tally = walk.run(lanes[at]);
            EXPECT_EQ(tally.wrong, 0) << "lane " << at << " γ " << gamma;
            decided[at] += tally.decided;
        }
    }
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        EXPECT_EQ(decided[at] > 0, !lanes[at].bounds.empty()) << at; // and they are not safe by doing nothing
    }
}

INSTANTIATE_TEST_SUITE_P(Mixes, ComparisonSafety,
                         testing::Combine(testing::ValuesIn(smallShapes()), testing::ValuesIn(formMixes())),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_" + std::get<1>(entry.param).name;
                         });

/// Objects of which nothing is known but such comparisons.
class ObjectSafety : public testing::TestWithParam<RowIndex> {};

TEST_P(ObjectSafety, NoLaneDecidesAComparisonOfObjectsWrongly) {
    const std::vector<TestLane> lanes = lanesFor(Structure::Full);
    std::map<std::size_t, std::int64_t> decided; // per lane
    for (const double gamma : {0.05, 0.5}) {
        Walk walk(problemOfObjects(GetParam(), gamma > 0.1 ? 2 : 1), gamma);
        for (std::size_t at = 0; at < lanes.size(); ++at) {
            const Tally tally = walk.run(lanes[at]);
            EXPECT_EQ(tally.wrong, 0) << "lane " << at << " γ " << gamma;
            decided[at] += tally.decided;
        }
    }
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        EXPECT_EQ(decided[at] > 0, !lanes[at].bounds.empty()) << at;
    }
    Walk hinge(problemOfObjects(GetParam(), 3), 0.0);
    EXPECT_EQ(hinge.run({{kRRPB, kPGB}, RuleKind::Sphere, kRRPB}).wrong, 0);
    EXPECT_EQ(hinge.run({{kMGB}}).wrong, 0);
}

TEST(ObjectAudit, CatchesBallsThatAreTooSmall) {
    std::map<RuleKind, std::int64_t> wrong;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        Walk walk(problemOfObjects(14, seed), 0.05);
        for (const RuleKind rule : {RuleKind::Sphere, RuleKind::Linear, RuleKind::Semidefinite}) {
            wrong[rule] += walk.run({{kDGB}, rule}, 0.05).wrong;
        }
    }
    for (const auto& [rule, count] : wrong) {
        EXPECT_GT(count, 0) << static_cast<int>(rule);
    }
}

INSTANTIATE_TEST_SUITE_P(Counts, ObjectSafety, testing::Values(3, 5, 12),
                         [](const auto& entry) { return std::to_string(entry.param) + "_objects"; });

class ComparisonSafetyByMix : public testing::TestWithParam<FormMix> {};

TEST_P(ComparisonSafetyByMix, NoLaneDecidesAComparisonOfTheHingeWrongly) {
    Walk walk({.name = "plain"}, GetParam(), 1, 0.0);
    const std::vector<TestLane> lanes = {{},
                                         {{kGB}},
                                         {{kPGB}},
                                         {{kDGB}},
                                         {{kRRPB}},
                                         {{kGB}, RuleKind::Linear},
                                         {{kCDGB}, RuleKind::Semidefinite},
                                         {{kRRPB, kPGB}, RuleKind::Sphere, kRRPB}};
    for (const TestLane& lane : lanes) {
        EXPECT_EQ(walk.run(lane).wrong, 0);
    }
}

/// The audit has teeth: balls that are too small are caught, for every form and rule.
TEST_P(ComparisonSafetyByMix, TheAuditCatchesBallsThatAreTooSmall) {
    std::map<RuleKind, std::int64_t> wrong;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const SmallShape shape{.name = "overlapping", .classes = 2, .rowsPerClass = 14, .features = 5, .spread = 0.3};
        Walk walk(shape, GetParam(), seed, 0.05);
        for (const RuleKind rule : {RuleKind::Sphere, RuleKind::Linear, RuleKind::Semidefinite}) {
            wrong[rule] += walk.run({{kDGB}, rule}, 0.05).wrong;
        }
    }
    for (const auto& [rule, count] : wrong) {
        EXPECT_GT(count, 0) << static_cast<int>(rule);
    }
}

INSTANTIATE_TEST_SUITE_P(Mixes, ComparisonSafetyByMix, testing::ValuesIn(formMixes()),
                         [](const auto& entry) { return entry.param.name; });

} // namespace
} // namespace lambdascope::triplets

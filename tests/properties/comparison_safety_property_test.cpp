// SPDX-License-Identifier: GPL-3.0-or-later
// General forms: no screened comparison is wrong, for each bound, form and edge case; and broken rules are found out.
#include "tests/core/metric/shrunken_bound.h"
#include "tests/core/metric/small_comparisons.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace lambdascope::metric {
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
        const Verdict verdict = states.at(c);
        if (verdict == Verdict::Keep) {
            continue;
        }
        ++tally.decided;
        const auto at = static_cast<std::size_t>(c);
        const double tau = general.set.items().threshold[at];
        const double margin = general.margin(c, tight.point.matrix);
        const double slack = verdict == Verdict::Zero ? margin - tau : tau - gamma - margin;
        const double rho = general.set.largestNorm();
        const double doubt =
            distance * general.set.items().length[at] + 1e-14 * (1 + std::abs(tau) + rho * rho * tight.point.trace);
        tally.wrong += slack < -doubt ? 1 : 0;
    }
    return tally;
}

/// Walks a coarse path and audits every point against a tight solve.
class Walk {
  public:
    Walk(const SmallShape& shape, const FormMix& mix, std::uint64_t seed, double gamma)
        : m_general(solvableProblem(shape, mix, seed)), m_gamma(gamma), m_start(m_general.start(gamma)) {
        double lambda = m_start.lambda;
        for (int point = 0; point < 6; ++point) {
            m_tight.push_back(m_general.solveTightly(lambda, gamma, gamma > 0 ? 1e-10 : 1e-7));
            lambda *= 0.4;
        }
    }

    Tally run(const std::vector<BoundKind>& kinds, double shrink = 1) {
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
        std::vector<std::unique_ptr<Bound>> bounds;
        for (const BoundKind kind : kinds) {
            bounds.push_back(shrink < 1 ? std::make_unique<ShrunkenBound>(kind, shrink) : makeBound(kind));
        }
        PointSolver solver(*engine, std::move(bounds), settings);
        SolvedPoint reference = m_start;
        for (const PointOutcome& tight : m_tight) {
            states.reset();
            const PointOutcome outcome = solver.solve(tight.solved.lambda, reference, 0, context);
            const Tally tally = audit(m_general, states, tight.solved, m_gamma);
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

const std::vector<std::vector<BoundKind>> kLanes = {
    {},
    {BoundKind::Gradient},
    {BoundKind::ProjectedGradient},
    {BoundKind::DualityGap},
    {BoundKind::RelaxedPath},
    {BoundKind::RelaxedPath, BoundKind::ProjectedGradient},
};

class ComparisonSafety : public testing::TestWithParam<std::tuple<SmallShape, FormMix>> {};

TEST_P(ComparisonSafety, NoLaneDecidesAComparisonWronglyAndAllReachTheSameObjective) {
    const auto& [shape, mix] = GetParam();
    std::map<std::size_t, std::int64_t> decided; // per lane
    for (const double gamma : {0.05, 0.5}) {
        Walk walk(shape, mix, gamma > 0.1 ? 2 : 1, gamma);
        for (std::size_t at = 0; at < kLanes.size(); ++at) {
            const Tally tally = walk.run(kLanes[at]);
            EXPECT_EQ(tally.wrong, 0) << "lane " << at << " γ " << gamma;
            decided[at] += tally.decided;
        }
    }
    for (std::size_t at = 0; at < kLanes.size(); ++at) {
        EXPECT_EQ(decided[at] > 0, !kLanes[at].empty()) << at; // and they are not safe by doing nothing
    }
}

INSTANTIATE_TEST_SUITE_P(Mixes, ComparisonSafety,
                         testing::Combine(testing::ValuesIn(smallShapes()), testing::ValuesIn(formMixes())),
                         [](const auto& entry) {
                             return std::get<0>(entry.param).name + "_" + std::get<1>(entry.param).name;
                         });

TEST(ComparisonSafetyOfTheHinge, NoLaneDecidesAComparisonWrongly) {
    for (const FormMix& mix : formMixes()) {
        Walk walk({.name = "plain"}, mix, 1, 0.0);
        for (const auto& lane : kLanes) {
            EXPECT_EQ(walk.run(lane).wrong, 0) << mix.name;
        }
    }
}

/// The audit has teeth: balls that are too small are caught, for every form.
TEST(ComparisonSafetyAudit, CatchesBallsThatAreTooSmall) {
    for (const FormMix& mix : formMixes()) {
        std::int64_t wrong = 0;
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            const SmallShape shape{
                .name = "overlapping", .classes = 2, .rowsPerClass = 14, .features = 5, .spread = 0.3};
            Walk walk(shape, mix, seed, 0.05);
            wrong += walk.run({BoundKind::DualityGap}, 0.05).wrong;
        }
        EXPECT_GT(wrong, 0) << mix.name;
    }
}

} // namespace
} // namespace lambdascope::metric

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/dual_curvature.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace lambdascope::triplets {
namespace {

constexpr std::size_t kNoLimit = 1000000;

/// A working set at a random point, with everything around it.
struct SetLab {
    explicit SetLab(const SmallShape& shape, EngineKind kind = EngineKind::Pairs)
        : set(solvableTriplets(shape, 1)), engine(makeEngine(kind, set)),
          lambda(0.1 * startOf(set, kGamma, *engine).lambda), objective(*engine, stopCheck, ledger, lambda),
          working(set, lambda), point(randomPoint(set, 5)) {
        objective.smoothing = kGamma;
        (void)objective.evaluate(point, whole);
    }
    WorkingSet::Outcome collect(double reach, std::size_t limit = kNoLimit) {
        return working.collect(objective, point, reach, limit, state.alphas);
    }
    bool evaluate(WorkingSet::State& at) {
        return working.evaluateDual(objective, at) && working.evaluatePrimal(objective, at);
    }

    TripletSet set;
    std::unique_ptr<Engine> engine;
    double lambda;
    StopCheck stopCheck;
    CpuLedger ledger;
    ReducedObjective objective;
    WorkingSet working;
    MetricPoint point;
    ReducedState whole; ///< at `point`
    WorkingSet::State state;
};

/// α inside the box, different for each triplet.
std::vector<double> innerAlphas(std::size_t count) {
    std::vector<double> alphas(count);
    for (std::size_t t = 0; t < count; ++t) {
        alphas[t] = 0.2 + 0.6 * static_cast<double>((7 * t) % 11) / 10;
    }
    return alphas;
}

TEST(WorkingSet, KnowsTheAlphasOfItsTripletsAtAnyPoint) {
    for (const SmallShape& shape : bothStructures()) {
        SetLab lab(shape);
        ASSERT_EQ(lab.collect(0.2), WorkingSet::Outcome::Collected);
        const std::vector<double> here = lab.state.alphas;
        std::vector<double> alphas;
        ASSERT_TRUE(lab.working.alphasAt(lab.objective, lab.point, alphas));
        EXPECT_EQ(alphas, here) << shape.name;
        const MetricPoint other = randomPoint(lab.set, 6);
        ASSERT_TRUE(lab.working.alphasAt(lab.objective, other, alphas));
        ASSERT_EQ(alphas.size(), lab.working.near().size());
        for (std::size_t t = 0; t < alphas.size(); ++t) {
            const auto formOf = [&](PairIndex p) {
                const auto rows = lab.set.rowsOf(p);
                const Eigen::VectorXd x =
                    (lab.set.paddedRows().row(rows.a) - lab.set.paddedRows().row(rows.b)).head(lab.set.features());
                return isDiagonal(other.matrix) ? x.cwiseAbs2().dot(other.matrix.col(0)) : x.dot(other.matrix * x);
            };
            const PairedTriplet& triplet = lab.working.near()[t];
            const double margin = formOf(triplet.other) - formOf(triplet.same);
            EXPECT_NEAR(alphas[t], lossSlope(margin, kGamma), 1e-9 * (1 + std::abs(margin)) / kGamma) << shape.name;
        }
    }
}

TEST(WorkingSet, HasTheDualValueOfTheWholeProblem) {
    for (const SmallShape& shape : bothStructures()) {
        for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets, EngineKind::Sorted}) {
            SetLab lab(shape, kind);
            ASSERT_EQ(lab.collect(0.2), WorkingSet::Outcome::Collected);
            ASSERT_TRUE(lab.working.evaluateDual(lab.objective, lab.state));
            const LossTotals& totals = lab.whole.totals;
            const double pull = 1e-300 + totals.pull.norm();
            EXPECT_LE((lab.state.totals.pull - totals.pull).norm(), 1e-8 * pull) << shape.name;
            EXPECT_NEAR(lab.state.totals.alphaSum.value, totals.alphaSum.value, 1e-7 * (1 + totals.alphaSum.value));
            const Bounded dual = dualValue(totals, squaredNormInCone(totals.pull), lab.lambda, kGamma);
            const Bounded own = lab.working.dual(lab.state, kGamma);
            EXPECT_NEAR(own.value, dual.value, own.error + dual.error + 1e-7 * std::abs(dual.value)) << shape.name;
            EXPECT_LE(own.error, 1e-6 * (1 + std::abs(own.value))) << shape.name;
        }
    }
}

TEST(WorkingSet, IsTheWholeProblemWhenItHoldsAllTriplets) {
    for (const SmallShape& shape : bothStructures()) {
        SetLab lab(shape);
        ASSERT_EQ(lab.collect(1e9), WorkingSet::Outcome::Collected);
        ASSERT_EQ(static_cast<TripletIndex>(lab.working.near().size()), lab.set.triplets());
        lab.state.alphas = innerAlphas(lab.working.near().size());
        ASSERT_TRUE(lab.evaluate(lab.state));
        ReducedState whole;
        ASSERT_TRUE(lab.objective.evaluate(lab.state.cone.point(), whole));
        EXPECT_NEAR(lab.state.value, whole.value, 1e-8 * (1 + std::abs(whole.value))) << shape.name;
        EXPECT_GE(lab.state.gap(), -1e-8 * (1 + std::abs(whole.value))) << shape.name;
    }
}

TEST(WorkingSet, KnowsTheGradientOfTheDual) {
    for (const SmallShape& shape : bothStructures()) {
        SetLab lab(shape);
        ASSERT_EQ(lab.collect(0.5), WorkingSet::Outcome::Collected);
        lab.state.alphas = innerAlphas(lab.working.near().size());
        ASSERT_TRUE(lab.evaluate(lab.state));
        const double h = 1e-4;
        for (std::size_t t = 0; t < lab.state.alphas.size(); t += 1 + lab.state.alphas.size() / 7) {
            WorkingSet::State up = lab.state;
            WorkingSet::State down = lab.state;
            up.alphas[t] += h;
            down.alphas[t] -= h;
            ASSERT_TRUE(lab.working.evaluateDual(lab.objective, up));
            ASSERT_TRUE(lab.working.evaluateDual(lab.objective, down));
            const double scale = 1 + std::abs(lab.state.ascent[t]) + std::abs(lab.state.dual) * 1e-9;
            EXPECT_NEAR((up.dual - down.dual) / (2 * h), lab.state.ascent[t], 1e-3 * scale) << shape.name;
        }
    }
}

TEST(WorkingSet, CarriesAlphasOver) {
    SetLab lab({.name = "plain"});
    ASSERT_EQ(lab.collect(0.1), WorkingSet::Outcome::Collected);
    const std::vector<double> alphas = innerAlphas(lab.working.near().size());
    const KnownAlphas known = lab.working.named(alphas);
    std::vector<double> carried;
    ASSERT_TRUE(lab.working.carryOver(lab.objective, known, lab.state.alphas, carried));
    EXPECT_EQ(carried, alphas);
    // A larger set elsewhere: what was outside keeps the 0 or 1 it had at the first point.
    const MetricPoint first = lab.point;
    lab.point = randomPoint(lab.set, 6);
    ASSERT_EQ(lab.collect(1e9), WorkingSet::Outcome::Collected);
    ASSERT_TRUE(lab.working.carryOver(lab.objective, known, lab.state.alphas, carried));
    std::size_t found = 0;
    for (std::size_t t = 0; t < carried.size(); ++t) {
        const auto at = std::find_if(known.begin(), known.end(),
                                     [&](const auto& entry) { return entry.first == lab.working.near()[t]; });
        if (at != known.end()) {
            EXPECT_EQ(carried[t], at->second);
            ++found;
        } else {
            EXPECT_EQ(carried[t], marginOf(lab.set, static_cast<TripletIndex>(t), first.matrix) > 1 ? 0 : 1) << t;
        }
    }
    EXPECT_EQ(found, known.size());
    EXPECT_GT(carried.size(), found);
}

TEST(WorkingSet, SaysWhenItWouldBeTooLarge) {
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets, EngineKind::Sorted}) {
        SetLab lab({.name = "plain"}, kind);
        EXPECT_EQ(lab.collect(100, 10), WorkingSet::Outcome::TooMany);
    }
}

Eigen::VectorXd asVector(const std::vector<double>& values) {
    return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// −∇²D · step, by differences of the gradient of D.
Eigen::VectorXd curvatureAlong(SetLab& lab, const Eigen::VectorXd& step) {
    const double h = 1e-5 / (1e-300 + step.cwiseAbs().maxCoeff());
    std::array<WorkingSet::State, 2> ends;
    for (std::size_t side = 0; side < 2; ++side) {
        ends[side] = lab.state;
        const Eigen::VectorXd moved = asVector(lab.state.alphas) + (side == 0 ? -h : h) * step;
        ends[side].alphas.assign(moved.begin(), moved.end());
        EXPECT_TRUE(lab.evaluate(ends[side]));
    }
    return (asVector(ends[0].ascent) - asVector(ends[1].ascent)) / (2 * h);
}

/// Inner α of all triplets within `reach`, and the curvature there; false when there is none.
bool prepare(SetLab& lab, double reach, DualCurvature& curvature) {
    EXPECT_EQ(lab.collect(reach), WorkingSet::Outcome::Collected);
    const std::size_t count = lab.working.near().size();
    if (count == 0) {
        return false;
    }
    lab.state.alphas = innerAlphas(count);
    EXPECT_TRUE(lab.evaluate(lab.state));
    std::vector<std::size_t> free(count);
    std::iota(free.begin(), free.end(), 0);
    EXPECT_EQ(curvature.set(lab.working, lab.state.cone, free, lab.stopCheck), DualCurvature::Outcome::Done);
    return true;
}

/// Fewer triplets than numbers in the rows of B, and more.
constexpr std::array<double, 2> kReaches = {0.05, 2.0};

TEST(DualCurvature, SolvesForTheStepThatTheGradientOfTheDualConfirms) {
    for (const SmallShape& shape : bothStructures()) {
        SetLab lab(shape);
        for (const double reach : kReaches) {
            ThreadTeam team(2);
            DualCurvature curvature(team);
            if (!prepare(lab, reach, curvature)) {
                continue;
            }
            const Eigen::VectorXd ascent = asVector(lab.state.ascent);
            const Eigen::VectorXd wide = Eigen::VectorXd::Constant(ascent.size(), 1e300);
            Eigen::VectorXd step;
            ASSERT_TRUE(curvature.solve(ascent, -wide, wide, lab.stopCheck, step));
            EXPECT_LE((curvatureAlong(lab, step) - ascent).norm(), 2e-3 * ascent.norm() + 1e-9) << shape.name;
        }
    }
}

TEST(DualCurvature, FindsTheBestStepOfTheBox) {
    int held = 0;
    for (const SmallShape& shape : bothStructures()) {
        SetLab lab(shape);
        for (const double reach : kReaches) {
            ThreadTeam team(2);
            DualCurvature curvature(team);
            if (!prepare(lab, reach, curvature)) {
                continue;
            }
            const Eigen::VectorXd ascent = asVector(lab.state.ascent);
            const Eigen::VectorXd low = -asVector(lab.state.alphas);
            const Eigen::VectorXd high = low.array() + 1;
            Eigen::VectorXd step;
            ASSERT_TRUE(curvature.solve(ascent, low, high, lab.stopCheck, step));
            const Eigen::VectorXd rest = ascent - curvatureAlong(lab, step);
            const double room = 2e-3 * (1 + ascent.norm());
            for (Eigen::Index t = 0; t < step.size(); ++t) {
                ASSERT_GE(step[t], low[t]);
                ASSERT_LE(step[t], high[t]);
                EXPECT_TRUE(rest[t] <= room || step[t] == high[t]) << shape.name << ' ' << rest[t];
                EXPECT_TRUE(rest[t] >= -room || step[t] == low[t]) << shape.name << ' ' << rest[t];
                held += step[t] == low[t] || step[t] == high[t] ? 1 : 0;
            }
        }
    }
    EXPECT_GT(held, 100);
}

/// What lies below the band is counted, by every engine alike.
TEST(CollectNear, ListsTheBandAndSumsWhatLiesBelow) {
    for (const SmallShape& shape : bothStructures()) {
        const TripletSet set = solvableTriplets(shape, 2);
        const MetricPoint point = randomPoint(set, 3);
        for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets, EngineKind::Sorted}) {
            const auto engine = makeEngine(kind, set);
            StopCheck stopCheck;
            NearTriplets found;
            ASSERT_TRUE(engine->nearTriplets(point, 0.7, 1.1, kNoLimit, stopCheck, found));
            TripletIndex near = 0;
            TripletIndex below = 0;
            Eigen::MatrixXd pull = Eigen::MatrixXd::Zero(point.matrix.rows(), point.matrix.cols());
            for (TripletIndex t = 0; t < set.triplets(); ++t) {
                const double margin = marginOf(set, t, point.matrix);
                near += margin >= 0.7 && margin <= 1.1 ? 1 : 0;
                below += margin < 0.7 ? 1 : 0;
            }
            EXPECT_EQ(static_cast<TripletIndex>(found.near.size()), near) << shape.name;
            EXPECT_EQ(found.belowWeight.value, static_cast<double>(below)) << shape.name;
            // ⟨Σ H, M⟩ over those below, by pairs and by triplets.
            PairQuadraticForms space(set);
            std::vector<double> distances;
            ASSERT_TRUE(space.distances(point, nullptr, stopCheck, distances));
            const double byPairs = std::inner_product(distances.begin(), distances.end(), found.pull.begin(), 0.0);
            double byTriplets = 0;
            double size = 0;
            for (TripletIndex t = 0; t < set.triplets(); ++t) {
                const double margin = marginOf(set, t, point.matrix);
                byTriplets += margin < 0.7 ? margin : 0;
                size += std::abs(margin);
            }
            EXPECT_NEAR(byPairs, byTriplets, 1e-7 * (1 + size)) << shape.name;
        }
    }
}

TEST(ConeProjection, ScalesWhatItProjects) {
    Eigen::MatrixXd s(4, 4);
    s << 2, 1, 0, 0.3, 1, -1, 0.5, 0, 0, 0.5, 0.7, -0.2, 0.3, 0, -0.2, -3;
    ConeProjection cone;
    StopCheck stopCheck;
    ASSERT_TRUE(cone.compute(s, 0.5, stopCheck));
    const PsdSplit split = splitPsd(s);
    EXPECT_LE((cone.point().matrix - 0.5 * split.positive).norm(), 1e-14);
    EXPECT_EQ(cone.matrixNorm().value, split.positiveNorm.value);
    EXPECT_EQ(cone.rank(), split.factor.cols());
    EXPECT_EQ(cone.freedom(), (cone.roots() > 0).count() / 2 + cone.rank() - cone.rank() / 2);
}

TEST(ConeProjection, RefusesWhatIsNotFinite) {
    StopCheck none;
    ConeProjection cone;
    EXPECT_FALSE(cone.compute(Eigen::MatrixXd::Constant(3, 3, std::numeric_limits<double>::quiet_NaN()), 1, none));
    EXPECT_FALSE(cone.compute(Eigen::MatrixXd::Constant(3, 1, std::numeric_limits<double>::infinity()), 1, none));
}

} // namespace
} // namespace lambdascope::triplets

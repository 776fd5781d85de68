// SPDX-License-Identifier: GPL-3.0-or-later
// What a solve says of its own effort: evaluations as an engine sees them from outside, and work that repeats itself.
#include "core/triplets/problem/counted_work.h"
#include "core/triplets/solver/method_choice.h"
#include "core/triplets/solver/point_solver.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

namespace lambdascope::triplets {
namespace {

/// Counts the sums that are asked of an engine.
class CountingEngine final : public Engine {
  public:
    explicit CountingEngine(Engine& engine) : m_engine(engine) {}

    bool evaluate(const MetricPoint& point, double smoothing, StopCheck& stopCheck, LossTotals& totals) override {
        ++sums;
        return m_engine.evaluate(point, smoothing, stopCheck, totals);
    }
    bool evaluateCounting(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck,
                          LossTotals& totals, SetCounts& setCounts) override {
        return m_engine.evaluateCounting(point, smoothing, edge, stopCheck, totals, setCounts); // statistics
    }
    bool evaluateAll(const MetricPoint& point, double smoothing, double edge, StopCheck& stopCheck, LossTotals& totals,
                     SetCounts& setCounts) override {
        ++proofs;
        return m_engine.evaluateAll(point, smoothing, edge, stopCheck, totals, setCounts);
    }
    bool nearTriplets(const MetricPoint& point, double lowest, double highest, std::size_t limit, StopCheck& stopCheck,
                      NearTriplets& found) override {
        ++sums;
        return m_engine.nearTriplets(point, lowest, highest, limit, stopCheck, found);
    }
    bool screen(std::span<const Region> regions, double gamma, StopCheck& stopCheck, ScreenedPart& screened) override {
        return m_engine.screen(regions, gamma, stopCheck, screened);
    }
    [[nodiscard]] const PairTable* collectable() const override { return m_engine.collectable(); }
    [[nodiscard]] const ProductLists* productLists() const override { return m_engine.productLists(); }
    [[nodiscard]] const TripletSet* productSets() const override { return m_engine.productSets(); }
    void activateAll() override { m_engine.activateAll(); }
    [[nodiscard]] TripletIndex activeTriplets() const override { return m_engine.activeTriplets(); }
    [[nodiscard]] std::int64_t pairsPerEvaluation() const override { return m_engine.pairsPerEvaluation(); }
    [[nodiscard]] double countedWork() const override { return m_engine.countedWork(); }
    [[nodiscard]] std::size_t bytes() const override { return m_engine.bytes(); }
    void record(TripletStates* states) override { m_engine.record(states); }
    void transfer(StateArchive& archive) override { m_engine.transfer(archive); }

    std::int64_t sums = 0;
    std::int64_t proofs = 0; ///< over all triplets, at the end; those of a lane that does not screen are statistics

  private:
    Engine& m_engine;
};

struct Lab {
    Lab(const SmallShape& shape, double labGamma, EngineKind kind, std::uint64_t seed = 1)
        : set(solvableTriplets(shape, seed)), plain(makeEngine(kind, set)), engine(*plain), context(RunId{1}, sink),
          start(startOf(set, labGamma, *plain)), top(start.lambda) {
        settings.gamma = labGamma;
    }

    PointOutcome solve(double share, MethodKind method, const std::vector<BoundKind>& kinds = {}) {
        settings.method = method;
        std::vector<std::unique_ptr<Bound>> bounds;
        for (const BoundKind kind : kinds) {
            bounds.push_back(makeBound(kind));
        }
        engine.sums = 0;
        engine.proofs = 0;
        return PointSolver(engine, std::move(bounds), settings).solve(share * top, start, 0, context);
    }

    TripletSet set;
    std::unique_ptr<Engine> plain;
    CountingEngine engine;
    RecordingSink sink;
    RunContext context;
    PointSettings settings;
    SolvedPoint start;
    double top; ///< λ_max
};

constexpr std::array kMethods = {MethodKind::ProjectedGradient, MethodKind::Newton, MethodKind::Automatic};

TEST(CountedWork, ReportsTheEvaluationsThatAnEngineSees) {
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Triplets, EngineKind::Sorted}) {
        for (const double gamma : {0.05, 0.0}) {
            for (const double share : {0.3, 0.03, 0.003}) {
                for (const auto& bounds : {std::vector<BoundKind>{}, {BoundKind::RelaxedPath, BoundKind::DualityGap}}) {
                    for (const MethodKind method : kMethods) {
                        Lab lab({.name = "plain", .rowsPerClass = 16, .k = 5}, gamma, kind);
                        const CpuLedger ledger = lab.solve(share, method, bounds).ledger;
                        const std::int64_t seen = lab.engine.sums + (bounds.empty() ? 0 : lab.engine.proofs);
                        EXPECT_EQ(ledger.evaluations - ledger.innerEvaluations, seen)
                            << "engine " << static_cast<int>(kind) << " gamma " << gamma << " share " << share
                            << " method " << static_cast<int>(method) << " bounds " << bounds.size();
                        EXPECT_GT(ledger.work, 0);
                        EXPECT_GT(ledger.sums, 0);
                        EXPECT_LT(ledger.sums, ledger.work); // there are decompositions at least
                        EXPECT_GE(ledger.work, lab.plain->countedWork() / 3);
                        if (method == MethodKind::ProjectedGradient) {
                            EXPECT_EQ(ledger.innerEvaluations, 0);
                            EXPECT_LE(ledger.sums, lab.plain->countedWork());
                        }
                        if (method == MethodKind::Newton) { // α of the set and M of the α, once at least
                            EXPECT_GE(ledger.innerEvaluations, 2);
                            EXPECT_GE(ledger.evaluations, 4);
                        }
                    }
                }
            }
        }
    }
}

TEST(CountedWork, CountsProductsWithTheCurvatureOfWholeProductSets) {
    // More triplets between the edges than a system over triplets holds.
    Lab lab({.name = "crowded", .classes = 2, .rowsPerClass = 40, .features = 4, .k = std::nullopt, .spread = 0.3}, 1.0,
            EngineKind::Sorted);
    const CpuLedger ledger = lab.solve(0.01, MethodKind::Newton).ledger;
    EXPECT_EQ(ledger.evaluations - ledger.innerEvaluations, lab.engine.sums);
    EXPECT_GT(ledger.innerEvaluations, 0);
    // Products are sums over what is left, too.
    EXPECT_GT(ledger.sums, 1.5 * static_cast<double>(lab.engine.sums) * ledger.lastEvaluation);
}

/// What a path leaves behind.
struct Path {
    std::vector<double> work;
    std::vector<std::int64_t> evaluations;
    Eigen::MatrixXd last;

    Path(const SmallShape& shape, EngineKind kind, MethodKind method, std::uint64_t seed, int threads = 1) {
        Lab lab(shape, 0.05, kind, seed);
        lab.settings.tolerance = 1e-6;
        lab.settings.threads = threads;
        for (double share = 0.9; share > 1e-5; share *= 0.9) {
            const PointOutcome outcome = lab.solve(share, method);
            EXPECT_EQ(outcome.termination, Termination::Converged) << shape.name << " share " << share;
            EXPECT_LE(outcome.solved.gap, 1e-6 * std::max(1.0, outcome.primal.value)) << shape.name;
            work.push_back(outcome.ledger.work);
            evaluations.push_back(outcome.ledger.evaluations);
            lab.start = outcome.solved;
        }
        last = lab.start.point.matrix;
    }
    [[nodiscard]] double sum() const { return std::accumulate(work.begin(), work.end(), 0.0); }
};

TEST(CountedWork, RepeatsItselfOnAPathWithAnyNumberOfThreads) {
    const SmallShape shape{
        .name = "overlapping", .classes = 2, .rowsPerClass = 20, .features = 6, .k = 6, .spread = 0.3};
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Sorted}) {
        for (const MethodKind method : kMethods) {
            const Path once(shape, kind, method, 1);
            for (const int threads : {1, 2}) {
                const Path again(shape, kind, method, 1, threads);
                EXPECT_EQ(once.work, again.work);
                EXPECT_EQ(once.evaluations, again.evaluations);
                EXPECT_EQ(once.last, again.last);
            }
        }
    }
}

/// Over whole paths, in the mean of several: on problems as small as these, where a λ is a few evaluations, a trial or
/// a method that rounding leads another way may cost a third of one path. The benchmark lambdascope_metric_speed
/// measures that on real data.
TEST(CountedWork, OfAutoIsNearThatOfTheBetterMethodOnSmallProblems) {
    constexpr std::uint64_t kSeeds = 8;
    for (const EngineKind kind : {EngineKind::Pairs, EngineKind::Sorted}) {
        double ratios = 0;
        for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
            const SmallShape shape{.name = "seed " + std::to_string(seed),
                                   .classes = 2,
                                   .rowsPerClass = 15 + 3 * static_cast<int>(seed),
                                   .features = 2 + static_cast<int>(seed % 5),
                                   .k = 6,
                                   .spread = 0.3 + 0.15 * static_cast<double>(seed)};
            const Path gradient(shape, kind, MethodKind::ProjectedGradient, seed);
            const Path newton(shape, kind, MethodKind::Newton, seed);
            const Path chosen(shape, kind, MethodKind::Automatic, seed);
            const double better = std::min(gradient.sum(), newton.sum());
            const double ratio = chosen.sum() / better;
            EXPECT_LE(ratio, 1.5) << shape.name << " engine " << static_cast<int>(kind);
            ratios += ratio;
        }
        EXPECT_LE(ratios, 1.05 * kSeeds) << "engine " << static_cast<int>(kind);
    }
}

/// Of a solve that looks by a rule, where so many evaluations are expected.
double workOfLooks(RuleKind rule, ScheduleKind schedule, double visits, Structure structure) {
    Lab lab({.name = "plain", .rowsPerClass = 16, .k = 5, .structure = structure}, 0.05, EngineKind::Pairs);
    lab.settings.rule = rule;
    lab.settings.schedule = schedule;
    lab.start.screening.visits = visits;
    return lab.solve(0.3, MethodKind::ProjectedGradient, {BoundKind::RelaxedPath}).ledger.work;
}

TEST(CountedWork, OfTheConeIsSpentByAutoOnlyWhereManyEvaluationsAreExpected) {
    for (const Structure structure : {Structure::Full, Structure::Diagonal}) {
        const auto work = [structure](RuleKind rule, ScheduleKind schedule, double visits) {
            return workOfLooks(rule, schedule, visits, structure);
        };
        const double byBall = work(RuleKind::Sphere, ScheduleKind::Auto, 20);
        EXPECT_EQ(work(RuleKind::Semidefinite, ScheduleKind::Auto, 20), byBall);
        EXPECT_GT(work(RuleKind::Semidefinite, ScheduleKind::Auto, 2000), byBall);
        EXPECT_GT(work(RuleKind::Semidefinite, ScheduleKind::Every, 20),
                  work(RuleKind::Sphere, ScheduleKind::Every, 20));
    }
}

// Else the work of a point would depend, in its last digits, on that of the points before.
TEST(CountedWork, IsCountedInWholeUnits) {
    for (std::int64_t n = 0; n < 2000; n += 7) {
        for (const double units : {work::ofProduct(n, 3, 5),
                                   work::ofSquare(n, 3),
                                   work::ofFactor(n),
                                   work::ofEigen(n, false),
                                   work::ofEigen(n, true),
                                   work::ofNumbers(n),
                                   work::ofValues(n, 7),
                                   work::ofSum(n, 7),
                                   work::ofTriplets(n, 3 * n, n + 1),
                                   work::ofLook({n, 3 * n, n + 5, n, 2 * n}),
                                   work::ofNorms(n, 7),
                                   work::ofJudging(n),
                                   work::ofRuleOperations(n),
                                   work::ofLifetimes(n),
                                   work::ofMatrixTriplets(n, n / 2, 9),
                                   work::ofPicking(n),
                                   work::ofSearches(n, 3 * n),
                                   work::ofSystemRows(n, 7),
                                   work::ofRowLook(n),
                                   work::ofProductSums(3 * n, n, n, n / 3, n)}) {
            ASSERT_EQ(units, std::floor(units)) << n;
        }
    }
}

} // namespace
} // namespace lambdascope::triplets

// SPDX-License-Identifier: GPL-3.0-or-later
// Agreement with answers of an independent implementation, tests/fixtures/make_fixtures.py, of high accuracy.
#include "core/config/json_document.h"
#include "core/triplets/engines/pairs_engine.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

namespace lambdascope::triplets {
namespace {

Eigen::MatrixXd matrixOf(const Json& rows) {
    Eigen::MatrixXd m(rows.size(), rows.at(0).size());
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
        for (Eigen::Index j = 0; j < m.cols(); ++j) {
            m(i, j) = rows.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j)).get<double>();
        }
    }
    return m;
}

class Fixture : public testing::TestWithParam<EngineKind> {
  protected:
    void SetUp() override {
        auto document = readJsonDocument(LAMBDASCOPE_TEST_SOURCE_DIR "/tests/fixtures/metric_small.json");
        ASSERT_TRUE(document) << document.error().describe();
        m_json = document->value;
        Dataset::Parts parts;
        parts.dense = matrixOf(m_json.at("X"));
        parts.labels = m_json.at("y").get<std::vector<std::int32_t>>();
        parts.classNames = {"0", "1", "2"};
        const Dataset data(std::move(parts));
        const auto neighbours = classNeighbours(data, m_json.at("k").get<std::int64_t>());
        ASSERT_TRUE(neighbours);
        auto set = TripletSet::build(data.dense(), *neighbours);
        ASSERT_TRUE(set);
        m_set = std::make_unique<TripletSet>(std::move(set).value());
        m_engine = makeEngine(GetParam(), *m_set);
        for (TripletIndex t = 0; t < m_set->triplets(); ++t) {
            m_numberOf[{m_set->triplet(t).anchor, m_set->triplet(t).same, m_set->triplet(t).other}] = t;
        }
    }
    /// Our number of the fixture's t-th triplet.
    TripletIndex numberOf(std::size_t t) {
        const auto triplet = m_json.at("triplets").at(t).get<std::array<RowIndex, 3>>();
        const auto found = m_numberOf.find(triplet);
        EXPECT_NE(found, m_numberOf.end()) << t;
        return found == m_numberOf.end() ? 0 : found->second;
    }

    Json m_json;
    std::unique_ptr<TripletSet> m_set;
    std::unique_ptr<Engine> m_engine;
    std::map<std::array<RowIndex, 3>, TripletIndex> m_numberOf;
    StopCheck never;
};

TEST_P(Fixture, SameTripletsAndSameLambdaMax) {
    ASSERT_EQ(m_set->triplets(), static_cast<TripletIndex>(m_json.at("triplets").size()));
    for (std::size_t t = 0; t < m_json.at("triplets").size(); ++t) {
        numberOf(t);
    }
    for (const auto& [gamma, expected] : m_json.at("lambda_max").items()) {
        EXPECT_NEAR(lambdaMaxSolution(*m_set, std::stod(gamma), never).lambdaMax / expected.get<double>(), 1, 1e-12);
    }
}

TEST_P(Fixture, SameOptimumAndMargins) {
    for (const Json& entry : m_json.at("cases")) {
        const double gamma = entry.at("gamma").get<double>();
        const double lambda = entry.at("lam").get<double>();
        const PointOutcome outcome = solveTightly(*m_set, lambda, gamma, 1e-11, GetParam());
        EXPECT_NEAR(outcome.primal.value, entry.at("primal").get<double>(), 1e-8);
        const Eigen::MatrixXd optimum = matrixOf(entry.at("optimum"));
        // Either answer lies within (2 gap/λ)^½ of the exact optimum; the fixture's own gap is at most 1e-12.
        const double distance = std::sqrt(2 * outcome.solved.gap / lambda) + std::sqrt(2e-12 / lambda);
        EXPECT_LE((outcome.solved.point.matrix - optimum).norm(), distance + 1e-9);
        for (std::size_t t = 0; t < entry.at("margins").size(); ++t) {
            EXPECT_NEAR(marginOf(*m_set, numberOf(t), optimum), entry.at("margins").at(t).get<double>(), 1e-9);
        }
    }
}

TEST_P(Fixture, SameBoundsAndSameDecisions) {
    for (const Json& entry : m_json.at("cases")) {
        const double gamma = entry.at("gamma").get<double>();
        const double lambda = entry.at("lam").get<double>();
        const double lambda0 = entry.at("lambda_reference").get<double>();
        const MetricPoint point = MetricPoint::fromSplit(splitByCone(matrixOf(entry.at("reference"))));
        LossTotals totals;
        m_engine->activateAll();
        ASSERT_TRUE(m_engine->evaluate(point, gamma, never, totals));
        EXPECT_NEAR(totals.loss.value, entry.at("loss_at_reference").get<double>(), 1e-9);
        const Eigen::MatrixXd gradient = lambda * point.matrix - totals.pull;
        EXPECT_LE((gradient - matrixOf(entry.at("gradient_at_reference"))).norm(), 1e-9 * (1 + gradient.norm()));
        const auto gapAt = [&](double at) {
            return primalValue(totals, point, at, gamma) - dualValue(totals, squaredNormInCone(totals.pull), at, gamma);
        };
        const auto bound = [](Bounded gap) { return std::max(gap.value, 0.0) + gap.error; };
        const Bounded gap0 = gapAt(lambda0);
        EXPECT_NEAR(gap0.value, entry.at("reference_gap").get<double>(), gap0.error + 1e-12);
        EXPECT_LE(gap0.error, 1e-9);
        BoundReference reference{&point, &totals, lambda, gamma, bound(gapAt(lambda)), {&point, lambda0, bound(gap0)}};
        DualPoint dual;
        dual.point = MetricPoint::fromSplit(splitByCone(totals.pull), 1 / lambda);
        LossTotals there;
        ASSERT_TRUE(m_engine->evaluate(dual.point, gamma, never, there));
        dual.gap = bound(primalValue(there, dual.point, lambda, gamma) -
                         dualValue(totals, squaredNormInCone(totals.pull), lambda, gamma));
        reference.dual = &dual;
        for (const BoundKind kind : {BoundKind::Gradient, BoundKind::ProjectedGradient, BoundKind::DualityGap,
                                     BoundKind::ConstrainedDualityGap, BoundKind::RelaxedPath}) {
            const auto maker = makeBound(kind);
            const Json& expected = entry.at("bounds").at(std::string(maker->name()));
            const Sphere sphere = maker->sphere(reference);
            EXPECT_LE((sphere.centre - matrixOf(expected.at("center"))).norm(), 1e-9) << maker->name();
            const double radius = expected.at("radius").get<double>();
            // ε = (2 gap₀/λ₀)^½ turns the rounding of a vanishing gap into its root.
            const double fromGap = 2 * lambda0 / lambda * std::sqrt(2 * (2 * gap0.error + 1e-12) / lambda0);
            EXPECT_NEAR(sphere.radius, radius, 1e-9 + (kind == BoundKind::RelaxedPath ? fromGap : 0)) << maker->name();
            EXPECT_GE(sphere.radius, radius * (1 - 1e-6)) << maker->name();
            TripletStates states(m_set->triplets());
            m_engine->activateAll();
            m_engine->record(&states);
            ScreenedPart screened;
            const Region region{.sphere = sphere};
            ASSERT_TRUE(m_engine->screen(std::span(&region, 1), gamma, never, screened));
            m_engine->record(nullptr);
            const auto inR = expected.at("R").get<std::string>();
            const auto inL = expected.at("L").get<std::string>();
            for (std::size_t t = 0; t < inR.size(); ++t) {
                const Decision decision = inR[t] == '1'   ? Decision::Zero
                                          : inL[t] == '1' ? Decision::Linear
                                                          : Decision::Keep;
                EXPECT_EQ(states.at(numberOf(t)), decision) << maker->name() << ' ' << t;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, Fixture, testing::Values(EngineKind::Pairs, EngineKind::Triplets),
                         [](const auto& entry) { return entry.param == EngineKind::Pairs ? "pairs" : "triplets"; });

} // namespace
} // namespace lambdascope::triplets

// SPDX-License-Identifier: GPL-3.0-or-later
// Optima of an independent implementation, tests/fixtures/make_fixtures.py.
#include "core/config/json_document.h"
#include "core/pu/rivals/interior_point.h"
#include "tests/core/pu/small_pus.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::pu {
namespace {

Eigen::VectorXd vectorOf(const Json& numbers) {
    const auto values = numbers.get<std::vector<double>>();
    return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

TEST(PuFixture, SameOptimumBiasAndValues) {
    auto document = readJsonDocument(LAMBDASCOPE_TEST_SOURCE_DIR "/tests/fixtures/pu_small.json");
    ASSERT_TRUE(document) << document.error().describe();
    const Json& json = document->value;
    auto samples = std::make_shared<PuSamples>();
    samples->positives = json.at("p").get<SampleIndex>();
    samples->unlabeled = json.at("n").get<SampleIndex>();
    const auto x = json.at("X").get<std::vector<std::vector<double>>>();
    samples->dense.resize(static_cast<Eigen::Index>(x.size()), static_cast<Eigen::Index>(x.front().size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
        samples->dense.row(static_cast<Eigen::Index>(i)) =
            Eigen::Map<const Eigen::RowVectorXd>(x[i].data(), static_cast<Eigen::Index>(x[i].size()));
    }
    for (const Json& entry : json.at("cases")) {
        const bool isLinear = entry.at("kernel").get<std::string>() == "linear";
        const KernelFunction kernel{.kind = isLinear ? KernelKind::Linear : KernelKind::Rbf, .gamma = 1};
        const PuProblem problem(spaceOf(samples, kernel), json.at("prior").get<double>());
        const double lambda = entry.at("lam").get<double>();
        SCOPED_TRACE(kernelName(kernel) + ", " + std::to_string(lambda));
        const double primal = entry.at("primal").get<double>();
        const double size = std::max(1.0, std::abs(primal));
        const SolvedPu solved = solveAt(problem, lambda, {.tolerance = 1e-11}).solved;
        const double unit = problem.unit(lambda);
        EXPECT_NEAR(solved.primal, primal, 1e-9 * size);
        EXPECT_NEAR(solved.dual, entry.at("dual").get<double>(), 1e-9 * size);
        const auto range = entry.at("beta_interval").get<std::vector<double>>();
        EXPECT_NEAR(unit * solved.biases.low, range[0], 1e-5 * (1 + std::abs(range[0])));
        EXPECT_NEAR(unit * solved.biases.high, range[1], 1e-5 * (1 + std::abs(range[1])));
        EXPECT_NEAR(2 * unit, entry.at("c2").get<double>(), 1e-12 * unit);
        EXPECT_NEAR(problem.pull() * unit, entry.at("c1").get<double>(), 1e-12 * unit * problem.pull());
        // Values differ by the bias that was chosen.
        const Eigen::VectorXd f = vectorOf(entry.at("f"));
        const Eigen::VectorXd ours = unit * solved.scores;
        EXPECT_LE(((f.array() - f(0)) - (ours.array() - ours(0))).abs().maxCoeff(), 1e-4 * (1 + std::abs(f(0))));
    }
}

} // namespace
} // namespace lambdascope::pu

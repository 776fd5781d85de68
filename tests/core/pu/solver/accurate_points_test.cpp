// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/solver/accurate_points.h"
#include "tests/core/pu/small_pus.h"
#include "tests/support/kernel_definition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lambdascope::pu {
namespace {

/// Gaps of points of one problem, primal minus dual sample by sample, in quad precision and the units of PuProblem.
class ExactGaps {
  public:
    explicit ExactGaps(const PuProblem& problem)
        : m_problem(problem), m_size(static_cast<std::size_t>(problem.size())) {
        const FeatureRows rows = problem.space().features();
        FeatureRows::Dense x = FeatureRows::Dense::Zero(rows.rows(), rows.features());
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            rows.addTo(i, 1.0, x.row(i).data());
        }
        for (SampleIndex i = 0; i < problem.size(); ++i) {
            for (SampleIndex j = 0; j < problem.size(); ++j) {
                m_kernel.push_back(j < i ? m_kernel[static_cast<std::size_t>(j) * m_size + static_cast<std::size_t>(i)]
                                         : kernelByDefinition<Quad>(problem.space().kernel(), x, i, j));
            }
        }
    }

    [[nodiscard]] Quad of(const SolvedPu& point) const {
        const Quad pull = static_cast<Quad>(m_problem.mass()) / static_cast<Quad>(m_problem.positives());
        const Quad epsilon = m_problem.epsilon(point.lambda);
        const auto hinge = [](Quad at, double slope) {
            return (at > 0 ? at : Quad(0)) - static_cast<Quad>(slope) * at;
        };
        Quad gap = 0;
        for (SampleIndex u = m_problem.positives(); u < m_problem.size(); ++u) {
            const Quad* const row = &m_kernel[static_cast<std::size_t>(u) * m_size];
            Quad z = point.bias;
            for (SampleIndex j = 0; j < m_problem.size(); ++j) {
                z += (j < m_problem.positives() ? pull : -static_cast<Quad>(point.s(j))) * row[j];
            }
            gap += hinge(z + epsilon, std::min(point.s(u), 1.0)) + hinge(z - epsilon, std::max(point.s(u) - 1, 0.0));
        }
        return gap;
    }

  private:
    const PuProblem& m_problem;
    std::size_t m_size;
    std::vector<Quad> m_kernel;
};

/// What gaps are relative to, in the units of PuProblem.
double sizeOfGaps(const PuProblem& problem, const SolvedPu& solved) {
    return std::max(1.0, std::abs(solved.primal)) / std::pow(problem.unit(solved.lambda), 2);
}

TEST(PuRefinement, LowersGapsThatStayUpperBounds) {
    int points = 0;
    int lowered = 0;
    for (const SmallShape& shape : smallShapes()) {
        for (const KernelFunction& kernel : smallKernels()) {
            if (isHopeless(shape, kernel)) {
                continue;
            }
            const auto problem = smallPu(shape, kernel, 3);
            const ExactGaps exact(*problem);
            for (const double lambda : {1e-1, 1e-3}) {
                SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", λ = " + std::to_string(lambda));
                SolvedPu point = solveAt(*problem, lambda, {.tolerance = 1e-5}).solved;
                const double before = point.gap;
                StopCheck never;
                refineSolution(*problem, 1e-12 * sizeOfGaps(*problem, point), point, never);
                EXPECT_LE(point.gap, before);
                EXPECT_LE(static_cast<double>(exact.of(point)), point.gap);
                EXPECT_EQ(point.mass.minus(ExactSum::of(problem->mass())), 0);
                ++points;
                lowered += point.gap <= std::max(1e-4 * before, 1e-12 * sizeOfGaps(*problem, point)) ? 1 : 0;
            }
        }
    }
    EXPECT_GT(points, 100);
    EXPECT_GT(4 * lowered, 3 * points) << "of " << points;
}

TEST(PuRefinement, LeavesThePointAloneWhenStopped) {
    const auto problem = smallPu(smallShapes().front(), {.kind = KernelKind::Rbf, .gamma = 0.3}, 3);
    const SolvedPu point = solveAt(*problem, 1e-2, {.tolerance = 1e-4}).solved;
    SolvedPu refined = point;
    StopCheck stopped([] { return true; });
    (void)stopped.ask();
    refineSolution(*problem, 0, refined, stopped);
    EXPECT_EQ(refined.gap, point.gap);
    EXPECT_TRUE(refined.s == point.s);
}

TEST(AccuratePuPoints, KeepTheirPromiseOncePerPriorAndLambda) {
    for (const KernelFunction& kernel : {KernelFunction{}, KernelFunction{.kind = KernelKind::Rbf, .gamma = 0.3}}) {
        const auto problem = smallPu(smallShapes().front(), kernel, 3);
        AccuratePoints accurate;
        for (const double lambda : {1e-1, 1e-2, 1e-3, 1e-4}) {
            SCOPED_TRACE(kernelName(kernel) + ", λ = " + std::to_string(lambda));
            const auto point = accurate.at(*problem, lambda, startOf(*problem), {});
            ASSERT_NE(point, nullptr);
            EXPECT_LE(point->solved.gap, AccuratePoints::kPromisedGap * sizeOfGaps(*problem, point->solved));
            EXPECT_EQ(accurate.at(*problem, lambda, startOf(*problem), {}), point);
        }
    }
}

} // namespace
} // namespace lambdascope::pu

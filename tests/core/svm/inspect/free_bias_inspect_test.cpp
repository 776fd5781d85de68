// SPDX-License-Identifier: GPL-3.0-or-later
// Slices, ranges, lifetimes and proofs for certificates of SVMs with a free bias.
#include "core/svm/inspect/free_bias_proof.h"
#include "core/svm/inspect/svm_lens.h"
#include "core/svm/screening/c_ranges.h"
#include "core/svm/solver/accurate_points.h"
#include "tests/core/svm/small_svms.h"
#include "tests/core/svm/svm_experiment.h"
#include "tests/support/lens_capability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace lambdascope::svm {
namespace {

Json freeBias(const char* kernel) {
    return {{"problem", {{"kernel", kernel}, {"intercept", "free"}, {"positive_weight", 2}}},
            {"lanes", {{{"name", "GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}, {"every", 1}}}}};
}

TEST(FreeBiasSlices, AreRectanglesThatHoldTheOptimumAndShrink) {
    for (const char* kernel : {"linear", "rbf"}) {
        const Prepared prepared(freeBias(kernel));
        const auto lens = prepared.lensOf("GAP");
        int several = 0;
        for (std::int32_t point = 1; point < static_cast<std::int32_t>(lens->path().size()); ++point) {
            SCOPED_TRACE(std::string(kernel) + " " + std::to_string(point));
            const auto slice = as<RegionSlicer>(*lens).slice(point, {});
            ASSERT_TRUE(slice);
            EXPECT_TRUE(slice->balls.empty());
            ASSERT_FALSE(slice->parts.empty());
            const SvmProblem& problem = prepared.problem->problem();
            const double c = prepared.problem->schedule()[static_cast<std::size_t>(point)];
            const SolvedSvm exact = solveAt(problem, c, 1e-11).solved;
            const double value = // wᵀo + b
                problem.origin().dot(exact.margins.cwiseProduct(problem.y())) + exact.bias;
            EXPECT_NEAR(slice->optimumY, value, 1e-3 * (1 + std::abs(value)));
            std::map<std::string, std::vector<const BallSlice::Part*>> parts;
            for (const BallSlice::Part& part : slice->parts) {
                EXPECT_TRUE(part.isBracketed);
                EXPECT_EQ(part.isUsed, part.name == "GAP");
                ASSERT_EQ(part.outline.size(), 4U);
                const double spare = 1e-4 * (1 + std::abs(value));
                EXPECT_LE(part.outline[0].x, slice->optimumX + spare) << part.name;
                EXPECT_GE(part.outline[2].x, slice->optimumX - spare) << part.name;
                EXPECT_LE(part.outline[0].y, slice->optimumY + spare) << part.name;
                EXPECT_GE(part.outline[2].y, slice->optimumY - spare) << part.name;
                EXPECT_NE(part.text.find("bracket"), std::string::npos);
                parts[part.name].push_back(&part);
            }
            EXPECT_EQ(parts["BT1"].size(), 1U);
            const auto& gap = parts["GAP"];
            if (gap.size() > 1) {
                ++several;
                const auto& first = gap.front()->outline;
                const auto& last = gap.back()->outline;
                EXPECT_LT(last[2].x - last[0].x, first[2].x - first[0].x);
                EXPECT_LE(last[2].y - last[0].y, first[2].y - first[0].y);
            }
        }
        EXPECT_GT(several, 0);
    }
}

// A lane of IT and GAP showed the rectangle of GAP alone.
TEST(FreeBiasSlices, ShowBallOneToALaneOfTheIntersectionWhichLiesInIt) {
    Json lanes = Json::array();
    for (const char* bound : {"BT1", "IT", "GAP"}) {
        lanes.push_back({{"name", bound}, {"bounds", Json::array({bound})}, {"schedule", "every"}, {"every", 1}});
    }
    Json document = freeBias("rbf");
    document["lanes"] = lanes;
    const Prepared prepared(document);
    for (const std::string bound : {"BT1", "IT", "GAP"}) {
        const auto lens = prepared.lensOf(bound);
        const auto slice = as<RegionSlicer>(*lens).slice(3, {});
        ASSERT_TRUE(slice);
        int used = 0;
        for (const BallSlice::Part& part : slice->parts) {
            EXPECT_EQ(part.isUsed, part.name == (bound == "IT" ? "BT1" : bound)) << bound << " " << part.name;
            used += part.isUsed ? 1 : 0;
        }
        EXPECT_GT(used, 0) << bound;
    }
}

/// Where several C lie in a cell, what holds over the cell holds at each of them, and what holds there is true.
TEST(DecisionsOverC, AreTrueAtEveryCOfTheCell) {
    int decided = 0;
    for (SmallShape shape : smallShapes()) {
        shape.hasFreeBias = true;
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(shape, kernel, 4);
            const SvmProblem& problem = *svm->problem;
            AccuratePoints accurate(problem);
            for (const double c : {0.05, 3.0}) {
                const SolvedSvm reference = solveAt(problem, c, 1e-7).solved;
                for (const auto& [low, high] :
                     std::map<double, double>{{1, 1}, {0.99, 1}, {1.1, 1.15}, {0.7, 0.9}, {2, 2}, {1, 4}}) {
                    SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", C = " + std::to_string(c) + " times " +
                                 std::to_string(low) + " to " + std::to_string(high));
                    const std::vector<Decision> all = decisionsOverC(problem, reference, low, high);
                    for (const double t : {low, 0.5 * (low + high), high}) {
                        const std::vector<Decision> here = decisionsOverC(problem, reference, t, t);
                        const auto point = accurate.at(t * c, reference, {});
                        for (SampleIndex i = 0; i < problem.size(); ++i) {
                            const auto k = static_cast<std::size_t>(i);
                            const double alpha = point->solved.alpha(i);
                            const double upper = t * c * problem.weights()(i);
                            // α (f − 1) or (Cω − α)(1 − f) is part of the gap, whichever the sample's set.
                            const double spare = 1e-3 * upper + 1e-9;
                            for (const Decision decision : {all[k], here[k]}) {
                                EXPECT_TRUE(decision != Decision::Zero || alpha <= spare) << i << " " << alpha;
                                EXPECT_TRUE(decision != Decision::Full || alpha >= upper - spare) << i << " " << alpha;
                            }
                            // Of several best biases each may decide by its own.
                            EXPECT_TRUE(upper == 0 || all[k] == Decision::Keep || here[k] == Decision::Keep ||
                                        all[k] == here[k])
                                << i;
                            decided += all[k] != Decision::Keep ? 1 : 0;
                        }
                    }
                }
            }
        }
    }
    EXPECT_GT(decided, 5000);
}

TEST(FreeBiasRanges, AgreeWithLifetimes) {
    const Prepared prepared(freeBias("rbf"));
    const auto lens = prepared.lensOf("GAP");
    const auto ranges = as<RegionSlicer>(*lens).ranges({}, {});
    ASSERT_TRUE(ranges);
    const auto count = static_cast<std::int64_t>(lens->path().size());
    ASSERT_EQ(ranges->rates.rows(), count);
    int longer = 0;
    for (std::int64_t p = 1; p < count; ++p) {
        EXPECT_GT(ranges->rates(p, p), 0.9) << "a solution tells most of its own samples";
        const auto lifetimes = as<RegionSlicer>(*lens).lifetimes(static_cast<std::int32_t>(p), 0, {});
        ASSERT_TRUE(lifetimes);
        ASSERT_GT(lifetimes->intervals.size(), 20U);
        std::set<std::int64_t> seen;
        for (const Lifetimes::Interval& life : lifetimes->intervals) {
            EXPECT_LE(life.low, lifetimes->reference);
            EXPECT_GE(life.high, lifetimes->reference);
            EXPECT_TRUE(seen.insert(life.item).second);
            longer += life.high > 1.05 * life.low ? 1 : 0;
        }
        for (std::int64_t q = 0; q < count; ++q) { // cells claim no more than places in them
            const double c = ranges->targets[static_cast<std::size_t>(q)];
            const auto alive = std::count_if(lifetimes->intervals.begin(), lifetimes->intervals.end(),
                                             [c](const auto& life) { return life.low <= c && c <= life.high; });
            if (alive > 0) {
                EXPECT_GT(ranges->rates(p, q), 0) << p << " " << q;
            }
        }
    }
    EXPECT_GT(longer, 20);
}

struct Slopes {
    long double left = 0;
    long double right = 0;
};

/// Of Σ ω max(0, t − y(s + b)) + νΣω b: left of `bracket.low` with scores at their upper ends, right of `bracket.high`
/// with scores at their lower ends.
Slopes slopesAt(const SmallSvm& svm, const std::vector<long double>& margins, double radius, const BiasBracket& bracket,
                double nu) {
    const SvmProblem& problem = *svm.problem;
    Slopes slopes;
    for (SampleIndex i = 0; i < problem.size(); ++i) {
        const long double score = problem.y()(i) * margins[static_cast<std::size_t>(i)];
        const long double reach = static_cast<long double>(radius) * problem.reaches()[static_cast<std::size_t>(i)];
        const long double high = score + reach + bracket.low;
        const long double low = score - reach + bracket.high;
        const long double weight = problem.weights()(i);
        const long double edge = problem.thresholds()(i);
        slopes.left += problem.y()(i) > 0 ? (high <= edge ? -weight : 0) : (high > -edge ? weight : 0);
        slopes.right += problem.y()(i) > 0 ? (low < edge ? -weight : 0) : (low >= -edge ? weight : 0);
        slopes.left += nu * weight;
        slopes.right += nu * weight;
    }
    return slopes;
}

/// What sums of weights may round, of a sum that should be 0.
double roundingOf(const SvmProblem& problem) {
    return 1e-17 * problem.weights().sum();
}

/// Problems with a free bias, of all tasks.
std::vector<SmallShape> shapesOfAllTasks() {
    std::vector<SmallShape> shapes = allShapes(true);
    const std::vector<SmallShape> more = oneClassShapes();
    shapes.insert(shapes.end(), more.begin(), more.end());
    return shapes;
}

/// Some C of a path: of one class from ν = 1 on.
std::vector<double> someC(const SvmProblem& problem) {
    if (problem.balance() == 0) {
        return {1e-3, 1.0, 1e3};
    }
    const double least = 1 / problem.weights().sum();
    return {least, least * (1 + 1e-14), 3.3 * least, 20 * least};
}

TEST(FreeBiasProof, BracketsHoldAnOptimalBiasForTheBallOfTheGap) {
    int narrow = 0;
    for (const SmallShape& shape : shapesOfAllTasks()) {
        for (const KernelFunction& kernel : smallKernels()) {
            const auto svm = smallSvm(shape, kernel, 3);
            const SvmProblem& problem = *svm->problem;
            AccuratePoints accurate(problem);
            for (const double c : someC(problem)) {
                SCOPED_TRACE(shape.name + ", " + kernelName(kernel) + ", C = " + std::to_string(c));
                const auto point = accurate.at(c, bottomOf(problem), {});
                ASSERT_NE(point, nullptr);
                const std::vector<long double> shares = sharesOf(problem, *point);
                const FreeBiasProof proof = proveBias(problem, *point, shares);
                ASSERT_TRUE(std::isfinite(proof.bracket.low) && std::isfinite(proof.bracket.high));
                EXPECT_LE(proof.bracket.low, proof.bracket.high);
                EXPECT_GE(proof.radius, std::sqrt(point->solved.gap));
                const auto margins = exactMargins(*svm, kernel, point->solved.alpha);
                for (const double share : {0.0, 0.5, 1.0}) {
                    const Slopes slopes =
                        slopesAt(*svm, margins, share * proof.radius, proof.bracket, statedNu(problem, c));
                    EXPECT_LE(slopes.left, roundingOf(problem));
                    EXPECT_GE(slopes.right, -roundingOf(problem));
                }
                narrow += proof.bracket.high - proof.bracket.low < 1e-2 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(narrow, 200);
}

TEST(FreeBiasProof, OneSampleTakesWhatDecimalsLeaveOfTheBalance) {
    for (SmallShape shape : shapesOfAllTasks()) {
        for (const bool isWeighted : {false, true}) {
            shape.isWeighted = isWeighted;
            const auto svm = smallSvm(shape, {.kind = KernelKind::Rbf, .gamma = 0.5}, 8);
            const SvmProblem& problem = *svm->problem;
            AccuratePoints accurate(problem);
            for (const double c : someC(problem)) {
                SCOPED_TRACE(shape.name + ", C = " + std::to_string(c));
                const auto point = accurate.at(c, bottomOf(problem), {});
                const std::vector<long double> shares = sharesOf(problem, *point);
                const SampleIndex balance = proveBias(problem, *point, shares).balance;
                const long double nu = statedNu(problem, c);
                const long double own = problem.weights()(balance);
                EXPECT_GT(own, 0);
                long double rest = -nu * own; // of Σ yωa − νΣω, without that sample's a
                for (SampleIndex i = 0; i < problem.size(); ++i) {
                    const long double share = shares[static_cast<std::size_t>(i)];
                    ASSERT_GE(share, 0);
                    ASSERT_LE(share, 1);
                    EXPECT_TRUE(nu != 1 || share == 1);
                    rest += i == balance ? 0 : problem.weights()(i) * (problem.y()(i) * share - nu);
                }
                const long double taken = -problem.y()(balance) * rest / own;
                EXPECT_GE(taken, -1e-17L);
                EXPECT_LE(taken, 1 + 1e-17L);
                EXPECT_NEAR(static_cast<double>(taken - shares[static_cast<std::size_t>(balance)]), 0, 1e-13);
            }
        }
    }
}

TEST(FreeBiasProof, StatesNuThatNoSampleHasToExceed) {
    for (const SmallShape& shape : oneClassShapes()) {
        const auto svm = smallSvm(shape, {.kind = KernelKind::Linear}, 8);
        const SvmProblem& problem = *svm->problem;
        const double least = 1 / problem.weights().sum();
        EXPECT_EQ(statedNu(problem, least), 1);
        EXPECT_EQ(statedNu(problem, std::nextafter(least, 1e300)), 1);
        EXPECT_LT(statedNu(problem, least * (1 + 1e-14)), 1);
        EXPECT_NEAR(statedNu(problem, 4 * least), 0.25, 1e-15);
    }
    EXPECT_EQ(statedNu(*smallSvm(smallShapes().front(), {.kind = KernelKind::Linear}, 8)->problem, 3), 0);
}

} // namespace
} // namespace lambdascope::svm

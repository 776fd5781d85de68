// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/problem/counted_work.h"
#include "core/triplets/problem/pair_quadratic_forms.h"
#include "tests/core/triplets/small_problems.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope::triplets {
namespace {

/// Numbers of every third pair, their rows and ends.
struct ListedPairs {
    std::vector<PairIndex> numbers;
    std::vector<RowIndex> rows;
    PairEnds ends;

    explicit ListedPairs(const TripletSet& set) {
        std::vector<bool> isUsed(static_cast<std::size_t>(set.rows()), false);
        for (PairIndex p = 0; p < set.pairs(); p += 3) {
            numbers.push_back(p);
            ends.first.push_back(set.first(p));
            ends.second.push_back(set.second(p));
            ends.squaredLength.push_back(set.squaredLength(p));
            isUsed[static_cast<std::size_t>(set.first(p))] = isUsed[static_cast<std::size_t>(set.second(p))] = true;
        }
        for (RowIndex i = 0; i < set.rows(); ++i) {
            if (isUsed[static_cast<std::size_t>(i)]) {
                rows.push_back(i);
            }
        }
    }
};

/// The part of a pair in the shape of the structure: δδᵀ or δ∘δ.
Eigen::MatrixXd partOf(const TripletSet& set, PairIndex pair) {
    const Eigen::VectorXd difference =
        (set.paddedRows().row(set.first(pair)) - set.paddedRows().row(set.second(pair))).head(set.features());
    return set.structure() == Structure::Diagonal ? Eigen::MatrixXd(difference.cwiseAbs2())
                                                  : Eigen::MatrixXd(difference * difference.transpose());
}

/// Rows of all widths that have loops of their own, and wider ones; all pairs, listed ones, and these by place.
TEST(PairForms, AreTheirDefinitionsForRowsOfAnyWidthAndAnyListOfPairs) {
    StopCheck never;
    for (const Structure structure : {Structure::Full, Structure::Diagonal}) {
        for (const int features : {1, 3, 4, 5, 8, 11, 16, 19, 22, 26, 30, 32, 33, 41}) {
            // One set of several thousand pairs: loops take some hundred at a time.
            const TripletSet set = smallTriplets({.name = "wide",
                                                  .rowsPerClass = features == 19 ? 40 : 8,
                                                  .features = features,
                                                  .k = features == 19 ? std::nullopt : std::optional<std::int64_t>(3),
                                                  .structure = structure},
                                                 static_cast<std::uint64_t>(features));
            PairQuadraticForms space(set);
            const MetricPoint point = randomPoint(set, 3);
            const Eigen::MatrixXd shifted = point.matrix - 0.3 * point.matrix.norm() * identityOf(set);
            const ListedPairs listed(set);
            for (const PairList& list : {PairList(), PairList(&listed.numbers), PairList(&listed.numbers, &listed.rows),
                                         PairList(&listed.numbers, &listed.rows, &listed.ends)}) {
                std::vector<double> z;
                std::vector<double> q;
                ASSERT_TRUE(space.distances(point, list, never, z));
                ASSERT_TRUE(space.forms(shifted, list, never, q));
                std::vector<double> weights(static_cast<std::size_t>(set.pairs()), 0);
                Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(point.matrix.rows(), point.matrix.cols());
                const std::size_t count = list == nullptr ? weights.size() : list->size();
                for (std::size_t at = 0; at < count; ++at) {
                    const PairIndex pair = list == nullptr ? static_cast<PairIndex>(at) : (*list)[at];
                    const std::size_t place = list.ends() != nullptr ? at : static_cast<std::size_t>(pair);
                    const Eigen::MatrixXd part = partOf(set, pair);
                    const double exact = part.cwiseProduct(point.matrix).sum();
                    EXPECT_NEAR(z[place], exact, 2 * space.valueError(point.spectralBound()));
                    EXPECT_NEAR(q[place], part.cwiseProduct(shifted).sum(),
                                2 * space.valueError(spectralBound(shifted)));
                    weights[place] = at % 4 == 1 ? 0 : 1.5 - static_cast<double>(at % 5);
                    sum += weights[place] * part;
                }
                MatrixSum found;
                ASSERT_TRUE(space.weightedSum(weights, 0, list, never, found));
                EXPECT_LE((found.value - sum).norm(), 2 * found.error + 1e-14 * sum.norm()) << features;
                EXPECT_LE(found.error, 1e-11 * (1 + sum.norm()));
                EXPECT_TRUE(structure == Structure::Diagonal || found.value == found.value.transpose()) << features;
            }
        }
    }
}

/// From a decomposition of the matrix, which pays from some thousand pairs on: of any signs and rank.
TEST(PairForms, OfManyPairsReadTheMatrixAsADifferenceOfSquares) {
    StopCheck never;
    using Wide = long double;
    for (const int features : {1, 2, 5, 19, 32, 41}) {
        for (const double scale : {1e-60, 1.0, 1e60}) {
            const TripletSet set = smallTriplets(
                {.name = "many pairs", .rowsPerClass = 70, .features = features, .k = std::nullopt, .scale = scale},
                static_cast<std::uint64_t>(features));
            const Eigen::Index d = features;
            const Eigen::VectorXd line = Eigen::VectorXd::LinSpaced(d, 0.5, 2);
            const Eigen::VectorXd falling = Eigen::pow(10, Eigen::ArrayXd::LinSpaced(d, 0, -13));
            const Eigen::MatrixXd turned = randomPoint(set, 3).matrix;
            PairQuadraticForms space(set);
            for (const Eigen::MatrixXd& q :
                 {Eigen::MatrixXd(turned - 0.3 * turned.norm() * identityOf(set)), turned, Eigen::MatrixXd(-turned),
                  Eigen::MatrixXd(line * line.transpose()), Eigen::MatrixXd(identityOf(set) - line * line.transpose()),
                  Eigen::MatrixXd(falling.asDiagonal()), Eigen::MatrixXd(Eigen::MatrixXd::Zero(d, d))}) {
                std::vector<double> values;
                const double before = space.countedWork();
                ASSERT_TRUE(space.forms(q, nullptr, never, values));
                const Eigen::Index most = set.stride() + 4; // P and N may be padded both
                EXPECT_LE(space.countedWork() - before, work::ofEigen(d) + work::ofProduct(d, d, d) +
                                                            work::ofProduct(set.rows(), d, most) +
                                                            work::ofValues(set.pairs(), most));
                EXPECT_LT(space.workOfForms(set.pairs()), work::ofValues(set.pairs(), 2 * set.stride()));
                const double bound = space.valueError(spectralBound(q));
                EXPECT_LE(bound, 1e-11 * q.norm() * set.largestNorm() * set.largestNorm());
                for (PairIndex pair = 0; pair < set.pairs(); pair += 7) {
                    const Eigen::Matrix<Wide, Eigen::Dynamic, 1> difference =
                        (set.paddedRows().row(set.first(pair)).cast<Wide>() -
                         set.paddedRows().row(set.second(pair)).cast<Wide>())
                            .head(d);
                    const Wide exact = difference.dot(q.cast<Wide>() * difference);
                    ASSERT_LE(std::abs(static_cast<double>(values[static_cast<std::size_t>(pair)] - exact)), bound)
                        << features << ' ' << scale;
                }
            }
        }
    }
}

} // namespace
} // namespace lambdascope::triplets

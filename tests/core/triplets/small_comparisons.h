// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triplets/problem/comparison_set.h"
#include "tests/core/triplets/small_problems.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope::triplets {

/// Which forms a random general problem has.
struct FormMix {
    std::string name;
    bool hasTriplets = false;
    bool hasQuadruplets = false;
    bool hasBounds = false;  ///< upper bounds in a class, lower ones between classes
    bool hasWeights = false; ///< from 0.1 to 10, and some comparisons repeated or turned round
    double linear = 0;       ///< factor of the linear term; 0 for none

    friend void PrintTo(const FormMix& mix, std::ostream* out) { *out << mix.name; }
};

/// Every form alone, and mixtures.
[[nodiscard]] std::vector<FormMix> formMixes();

/// Some forty comparisons of each form that the class labels suggest, a few against them, and targets.
[[nodiscard]] ComparisonList randomList(const Dataset& data, const FormMix& mix, std::uint64_t seed);
/// As a comparison file says it; triplets as quadruplets that share a row.
[[nodiscard]] std::string fileText(const ComparisonList& list);

/// A random general problem: the randomList of smallData.
struct GeneralProblem {
    GeneralProblem(const SmallShape& shape, const FormMix& mix, std::uint64_t seed);
    explicit GeneralProblem(ComparisonSet comparisons) : set(std::move(comparisons)) {}

    [[nodiscard]] std::unique_ptr<Engine> engine() const;
    [[nodiscard]] LambdaMaxSolution top(double gamma) const;
    /// λ_max and the solution there.
    [[nodiscard]] SolvedPoint start(double gamma) const;
    /// As solveTightly.
    [[nodiscard]] PointOutcome solveTightly(double lambda, double gamma, double tolerance = 1e-10) const;

    /// ⟨H, Q⟩ of an item, straight from the definition, in extended precision.
    [[nodiscard]] double margin(TripletIndex item, const Eigen::MatrixXd& q) const;
    /// H of an item, straight from the definition.
    [[nodiscard]] Eigen::MatrixXd matrixOf(TripletIndex item) const;

    ComparisonSet set;
    Eigen::MatrixXd linear; ///< S, empty for none
};

/// A GeneralProblem of the first of the seeds `seed`, `seed` + 1000, … whose optimum is not M = 0 for every λ.
[[nodiscard]] GeneralProblem solvableProblem(const SmallShape& shape, const FormMix& mix, std::uint64_t seed);

/// A random M ⪰ 0 whose margins spread around 1.
[[nodiscard]] MetricPoint pointFor(const PairTable& table, std::uint64_t seed);

/// `count` random triplets and quadruplets of objects at least, with thresholds of 0.8, half of them with weights, some
/// turned round besides.
[[nodiscard]] ComparisonList randomAnswers(RowIndex objects, int count, std::uint64_t seed);

/// Some twelve randomAnswers for each object, of the first of the seeds `seed`, `seed` + 1000, … with which not all of
/// them lie on one point for every λ.
[[nodiscard]] GeneralProblem problemOfObjects(RowIndex objects, std::uint64_t seed);

/// All triplets of a set as a list, in the order of their numbers.
[[nodiscard]] ComparisonList listOf(const TripletSet& triplets);

} // namespace lambdascope::triplets

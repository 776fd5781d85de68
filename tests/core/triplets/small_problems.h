// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "core/triplets/engines/engine.h"
#include "core/triplets/problem/cone.h"
#include "core/triplets/problem/triplet_set.h"
#include "core/triplets/solver/lambda_max_solution.h"
#include "core/triplets/solver/point_solver.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace lambdascope::triplets {

/// Shape of a random problem: Gaussian classes in d dimensions, on purpose small.
struct SmallShape {
    std::string name;
    int classes = 3;
    int rowsPerClass = 8;
    int features = 3;
    std::optional<std::int64_t> k = 3;
    double scale = 1;           ///< all values times this
    double offset = 0;          ///< added to all values
    double spread = 1.5;        ///< distance of class centres in standard deviations
    bool isRounded = false;     ///< values on a coarse grid: many equal distances
    bool hasDuplicates = false; ///< every third row repeats an earlier one, of its own or of another class
    Structure structure = Structure::Full;

    friend void PrintTo(const SmallShape& shape, std::ostream* out) { *out << shape.name; }
};

[[nodiscard]] std::string ruleName(RuleKind rule);
// What the values of parametrized tests look like when one fails.
void PrintTo(RuleKind rule, std::ostream* out);
void PrintTo(BoundKind bound, std::ostream* out);
void PrintTo(EngineKind engine, std::ostream* out);
void PrintTo(Structure structure, std::ostream* out);

/// The edge cases that every engine, bound and lane has to survive, in either structure.
[[nodiscard]] std::vector<SmallShape> smallShapes();

/// smallShapes(), those of a full M for a diagonal one too.
[[nodiscard]] std::vector<SmallShape> bothStructures();

[[nodiscard]] std::shared_ptr<const Dataset> smallData(const SmallShape& shape, std::uint64_t seed);
[[nodiscard]] TripletSet smallTriplets(const SmallShape& shape, std::uint64_t seed);

/// smallTriplets of the first of the seeds `seed`, `seed` + 1000, … whose optimum is not M = 0 for every λ.
[[nodiscard]] TripletSet solvableTriplets(const SmallShape& shape, std::uint64_t seed);

/// A random M ⪰ 0 whose margins on `triplets` spread around 1.
[[nodiscard]] MetricPoint randomPoint(const TripletSet& triplets, std::uint64_t seed);

/// The identity in the shape of the structure.
[[nodiscard]] Eigen::MatrixXd identityOf(const TripletSet& triplets);
[[nodiscard]] Eigen::MatrixXd identityLike(const Eigen::MatrixXd& shape);

/// A ball round a solution that decides some triplets and leaves some; its centre is not positive semidefinite.
[[nodiscard]] Sphere middlingSphere(const MetricPoint& point);

/// What one check by some regions decides of all items, with γ = 0.05.
struct CheckOutcome {
    TripletStates decisions;
    ScreenedPart screened;
};
[[nodiscard]] CheckOutcome checkBy(std::span<const Region> regions, Engine& engine, TripletIndex items);

inline constexpr double kGamma = 0.05; ///< width of the smoothed part of the hinge loss, as in [T]
/// What engines may differ by, relative.
inline constexpr double kAgreement = 1e-10;

/// Sums over the same items by two engines.
void expectSameTotals(const LossTotals& a, const LossTotals& b);

/// λ_max and the closed-form optimum there.
[[nodiscard]] SolvedPoint startOf(const TripletSet& triplets, double gamma, Engine& engine);

/// An optimum to the last digits: no screening, relative gap `tolerance` or as near as rounding allows.
[[nodiscard]] PointOutcome solveTightly(const TripletSet& triplets, double lambda, double gamma,
                                        double tolerance = 1e-11, EngineKind engine = EngineKind::Pairs);

/// ⟨H, Q⟩ of one triplet, straight from the definition, in extended precision.
[[nodiscard]] double marginOf(const TripletSet& triplets, TripletIndex number, const Eigen::MatrixXd& q);
/// ‖H‖_F of one triplet, straight from the definition.
[[nodiscard]] double normOf(const TripletSet& triplets, TripletIndex number);

} // namespace lambdascope::triplets

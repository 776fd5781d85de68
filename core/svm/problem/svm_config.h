// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernel/kernel_function.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope::svm {

/// What the decision function is to do.
enum class TaskKind {
    Classification, ///< separate two classes
    Regression,     ///< come within ε of numbers
    Novelty,        ///< be above 0 on most samples, which are of one kind
};

/// How more than two classes are told apart.
enum class ClassesKind {
    Two,       ///< not: one against all others
    OneVsOne,  ///< by a problem for each pair of classes, on their samples alone
    OneVsRest, ///< by a problem for each class against all others
};

/// What stands for the constant of a decision function.
enum class InterceptKind {
    None,
    Feature, ///< a constant feature, whose coefficient is regularized like the others
    Free,    ///< a bias b that is not regularized
};

/// The "problem" section.
struct ProblemConfig {
    TaskKind task = TaskKind::Classification;
    double epsilon = 0.1;          ///< half the width of the tube, in units of the target
    std::string positive = "auto"; ///< name of the class with y = +1
    KernelKind kernel = KernelKind::Linear;
    double gamma = 1;
    GammaUnit gammaUnit = GammaUnit::PerFeature;
    std::int64_t degree = 3;
    double offset = 1;
    double bias = 0; ///< of InterceptKind::Feature; 0 for no such feature
    double positiveWeight = 1;
    double negativeWeight = 1;
    std::int64_t kernelMemory = 2000; ///< MB
    std::int64_t folds = 0;           ///< of cross-validation along the path; 0 for none
    std::string weights;              ///< file with one factor of C per row; empty for none
    InterceptKind intercept = InterceptKind::Feature;
    ClassesKind classes = ClassesKind::Two;
    bool operator==(const ProblemConfig&) const = default;

    [[nodiscard]] KernelFunction kernelFor(std::int64_t features) const {
        KernelFunction function = kernelOf(*this, features);
        function.bias = intercept == InterceptKind::Feature && !isNovelty() ? bias : 0;
        return function;
    }
    [[nodiscard]] bool hasSeveralClasses() const {
        return task == TaskKind::Classification && classes != ClassesKind::Two;
    }
    [[nodiscard]] bool isRegression() const { return task == TaskKind::Regression; }
    [[nodiscard]] bool isNovelty() const { return task == TaskKind::Novelty; }
    [[nodiscard]] bool hasFreeBias() const { return intercept == InterceptKind::Free || isNovelty(); }
};

enum class MethodKind {
    Descent,   ///< dual coordinate descent with steps on the face
    Liblinear, ///< the library, every C from nothing
    Libsvm,    ///< the same, in a process of its own
};

/// The "solver" section.
struct SolverConfig {
    MethodKind method = MethodKind::Descent;
    double tolerance = 1e-6; ///< gap ≤ tolerance · primal
    std::int64_t maxIterations = 100000;
    bool operator==(const SolverConfig&) const = default;
};

enum class PathKind {
    Grid,          ///< start · ratio^t
    Approximation, ///< the ε-path of [S, appendix D]
    List,          ///< given values
    Reference,     ///< one C, from references at given shares of it [S, figure 4]
};
enum class CUnit {
    Absolute,
    CMin,
    Nu, ///< ν = 1/(C Σω), novelty only
};

/// The "path" section.
struct PathConfig {
    PathKind kind = PathKind::Grid;
    std::optional<double> start; ///< first C; nothing for C_min
    double ratio = 1.5;
    double maxC = 1e4;
    double epsilon = 1e-3;
    std::vector<double> values;
    CUnit unit = CUnit::Absolute;
    double c = 10; ///< of Reference
    std::int64_t maxPoints = 1000;
    bool operator==(const PathConfig&) const = default;
};

/// Where the regions that hold w*(C) come from. Every one is safe with any dual feasible reference, not only with the
/// exact optimum at C₀: with w̃ feasible (any vector is) and s ∈ [0, 1]ⁿ,
///   ‖w* − ½(w̃ + C z_s)‖² ≤ ‖½(w̃ + C z_s)‖² + C(ξ̃ − Σ sωt),   z_s = Σ sᵢωᵢzᵢ, ξ̃ = Σ ωᵢ max(0, tᵢ − zᵢᵀw̃),
/// because condition NC3 of [S] holds for s between 0 and 1, and for any thresholds: hinges at w* are at least sᵢ(tᵢ −
/// zᵢᵀw*), and w*ᵀ(w̃ − w*) + C(ξ̃ − ξ*) ≥ 0 where w* is optimal. With a free bias ξ is the least sum of hinges over all
/// b, a convex function of w too: the same holds for its ξ̃ and every s with Σ yᵢsᵢωᵢ = 0, which takes b* out of Σ
/// sω(t − zᵀw* − yb*) ≤ ξ*. (What rounding leaves of that sum is owed, see imbalanceCost.) Where b* is, see BiasAnchor
/// and bracketBias.
enum class BoundKind {
    BallOne,      ///< BT1 [S, theorem 6]: s = α₀/C₀; ¼‖w₀‖²(C/C₀ − 1)² + (C/C₀) gap₀ is r²
    BallTwo,      ///< BT2 [S, theorem 7]: s = ŝ of Nc3Cut
    Intersection, ///< IT [S, theorem 8]: BT1 and BT2 at once
    Delta,        ///< DT [S, theorem 11]: with the solution at a larger C too
    Gap, ///< s = α/C, w̃ = w(α) at the current point: centre w, r² = gap (half of what strong convexity of the
         ///< primal alone gives); the only one that improves while solving
};

[[nodiscard]] constexpr std::string_view boundName(BoundKind kind) {
    switch (kind) {
    case BoundKind::BallOne: return "BT1";
    case BoundKind::BallTwo: return "BT2";
    case BoundKind::Intersection: return "IT";
    case BoundKind::Delta: return "DT";
    case BoundKind::Gap: return "GAP";
    }
    return {};
}

/// Whether the bound is proven for a free bias.
[[nodiscard]] constexpr bool allowsFreeBias(BoundKind kind) {
    return kind != BoundKind::Delta;
}

/// Whether it is proven for yᵀα = s ≠ 0 too. (With s, BT1's inequalities leave (b₀ − b*)s of its bias.)
[[nodiscard]] constexpr bool allowsBalance(BoundKind kind) {
    return kind == BoundKind::Gap;
}

/// When samples are screened again while a point is solved.
enum class ScheduleKind {
    Auto,  ///< where counted work says that it pays
    Every, ///< every so many sweeps
};

/// Settings of a lane besides its name and solver. No bounds and no shrinking: the naive baseline.
struct LaneConfig {
    bool shrink = true;
    std::vector<BoundKind> bounds;
    ScheduleKind schedule = ScheduleKind::Auto;
    std::int64_t every = 10; ///< sweeps, of ScheduleKind::Every
    double beyond = 1.3;     ///< of DT
    std::string oracle = {}; ///< the lane whose sets this one knows; empty for one that has to find them
    bool operator==(const LaneConfig&) const = default;
};

/// What a solution proves of the samples at its own C, by the ball round it: the bounds of an oracle lane.
inline const std::vector<BoundKind> kOracleBounds = {BoundKind::Gap};

struct Lane {
    std::string name;
    SolverConfig solver;
    LaneConfig settings;
};

/// An experiment as the family reads it.
struct SvmConfig {
    ProblemConfig problem;
    SolverConfig solver; ///< of lanes that say nothing else
    PathConfig path;
    std::vector<Lane> lanes;
};

} // namespace lambdascope::svm

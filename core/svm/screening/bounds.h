// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/problem/svm_config.h"
#include "core/svm/screening/bias_anchor.h"
#include "core/svm/screening/nc3_cut.h"
#include "core/svm/screening/region.h"
#include "core/svm/screening/solved_svm.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace lambdascope::svm {

[[nodiscard]] const std::vector<BoundKind>& allBounds();

/// What regions are made from; everything must outlive them.
struct ScreeningReference {
    double c = 0;
    const SolvedSvm* path = nullptr;        ///< solution at another C₀; null at dynamic checks
    const Nc3Cut* cut = nullptr;            ///< ŝ for `path`
    const SolvedSvm* beyond = nullptr;      ///< solution at some C_b > C
    Direction current;                      ///< margins of the current point at C; GAP
    double gap = 0;                         ///< upper bound of its gap
    const Eigen::VectorXd* alpha = nullptr; ///< of the current point
    double squaredNorm = 0;                 ///< ‖w‖² of the current point
    /// With a free bias: brackets of β = b* + (w* − m)ᵀo, for the centres m of the balls of `path` and of the current
    /// point and the origin o of the problem, and what the square of BT1's radius owes to yᵀα ≠ 0.
    std::optional<BiasBracket> pathBias = {};
    std::optional<BiasBracket> currentBias = {};
    double pathOwed = 0;
    /// What free samples say of the bias, in place of these brackets where it is worth more. BT2 and IT need it.
    std::optional<BiasTie> pathTie = {};
    std::optional<BiasTie> currentTie = {};
    double cutOwed = 0;                            ///< what the square of BT2's radius owes to Σ yᵢŝᵢωᵢ ≠ 0
    std::shared_ptr<const BiasAnchor> anchor = {}; ///< one at hand that may do, or that was made last; may be null
    StopCheck* stopCheck = nullptr;                ///< asked while one is made: when stopped, there are no ties
};

enum class BiasDetail {
    All,    ///< brackets and ties for all samples
    Needed, ///< ties for undecided samples, and brackets where these are worth less
};

/// Finds what a free bias adds to the reference: the brackets and ties that its balls give. Nothing without a free
/// bias. A sample that is decided (`decisions` on all of them, empty for none) stands where it belongs: its hinge is 0
/// or a straight line, at the optimum as before. O(n) on average, and a BiasAnchor; how many operations that took.
double bracketBiases(const SvmProblem& problem, std::span<const Decision> decisions, ScreeningReference& reference,
                     BiasDetail detail = BiasDetail::All);

/// A solution as the current point of its own C.
[[nodiscard]] ScreeningReference referenceAt(const SolvedSvm& solved);

[[nodiscard]] bool needsCut(BoundKind kind);
/// False for those that only the path screening can use.
[[nodiscard]] bool isDynamic(BoundKind kind);

/// The ball of BT1, BT2 or GAP; nothing when the reference lacks what it needs.
[[nodiscard]] std::optional<Ball> makeBall(BoundKind kind, const ScreeningReference& reference);

/// The vectors that regions are made from, as those who are asked about see them.
struct RegionSights {
    Direction path;                                ///< w of the solution at another C
    Direction cut;                                 ///< z_ŝ; empty when nothing needs it
    Direction current;                             ///< w of the current point
    std::span<const double> reaches;               ///< SvmProblem::reaches() of those who are asked about
    std::span<const double> pathDistances = {};    ///< BiasAnchor::distances() of theirs; empty where nobody knows them
    std::span<const double> currentDistances = {}; ///< …
};

/// DT's part of a ball round 0: w₀ᵀw ≥ height.
struct Cap {
    double height = 0;        ///< lower bound
    double squaredRadius = 0; ///< upper bound
};
/// Nothing when the reference lacks what DT needs.
[[nodiscard]] std::optional<Cap> makeCap(const ScreeningReference& reference);

/// Null when the reference lacks what the bound needs. O(1).
[[nodiscard]] std::unique_ptr<Region> makeRegion(BoundKind kind, const SvmProblem& problem,
                                                 const ScreeningReference& reference);
/// The same region for others than the samples it comes from: `probes` holds them, `sights` their products.
[[nodiscard]] std::unique_ptr<Region> makeRegion(BoundKind kind, const SvmProblem& probes,
                                                 const ScreeningReference& reference, const RegionSights& sights);

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_plane.h"
#include "core/svm/path/prepared_svm.h"
#include "core/svm/solver/point_solver.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lambdascope::svm {

/// What the bounds of a lane were made from at one point, kept beyond the solve: the path screening's reference and
/// that of the last check.
class PlaneEvidence {
  public:
    explicit PlaneEvidence(std::vector<BoundKind> bounds) : m_bounds(std::move(bounds)) {}

    void take(const ScreeningCheck& check);

    [[nodiscard]] const std::vector<BoundKind>& bounds() const { return m_bounds; }
    [[nodiscard]] const SolvedSvm* path() const { return m_path ? &*m_path : nullptr; }
    [[nodiscard]] const SolvedSvm* beyond() const { return m_beyond ? &*m_beyond : nullptr; }
    [[nodiscard]] const Nc3Cut* cut() const { return m_cut.get(); }
    /// Point of the last check; only C, α, ‖w‖² and the gap are known.
    [[nodiscard]] const SolvedSvm* current() const { return m_current ? &*m_current : nullptr; }
    /// What a free bias adds: the bracket by the gap of that point, that by BT1 of path(), and what BT1 owes.
    [[nodiscard]] const std::optional<BiasBracket>& currentBias() const { return m_currentBias; }
    [[nodiscard]] const std::optional<BiasBracket>& pathBias() const { return m_pathBias; }
    [[nodiscard]] double pathOwed() const { return m_pathOwed; }
    [[nodiscard]] double c() const { return m_c; }

  private:
    std::vector<BoundKind> m_bounds;
    double m_c = 0;
    std::optional<SolvedSvm> m_path;
    std::optional<SolvedSvm> m_beyond;
    std::optional<SolvedSvm> m_current;
    std::optional<BiasBracket> m_currentBias;
    std::optional<BiasBracket> m_pathBias;
    double m_pathOwed = 0;
    std::shared_ptr<const Nc3Cut> m_cut;
};

/// Draws a plane of two features under a solution w, f(x) = wᵀΦ(x) + b: where f is 0 and ±1, and for every place x what
/// the bounds say about f*(x). Bounds of the margin of a sample of the positive class there are ℓ and u:
///   ℓ > 1: such a sample is in R, one of the other class in L;   u < −1: the other way round;
///   ℓ > −1: one of the other class is in L;                      u < 1: one of the positive class is in L.
/// Cells are judged at their centres, all rounding included, as samples are. O(cells · samples), fewer cells the more
/// samples there are; linear kernels O(cells · features + samples).
///
/// Of a regression with one feature it is the plane of x and the target: the curve f, the tube f ± ε, and for each
/// place (x, t), with bounds ℓ and u of f*(x), where t certainly lies,
///   u − ε < t < ℓ + ε: inside the tube;   t > u + ε: above it;   t < ℓ − ε: below it.
/// With more features lines of equal f, and the places where u − ε ≤ f ≤ ℓ + ε: f* is within ε of f. Its items are
/// rows, of both sides of the tube: screened to the inside of the tube when both sides are screened to R, beyond it
/// when one is screened to L.
///
/// Of one class it is where f is 0, and the places that are certainly inside, ℓ > 0, or outside, u < 0.
class PlaneMaker {
  public:
    /// The plane of two different features, all others at their means; the kernel must be computed from features.
    /// `prepared` must outlive the maker.
    PlaneMaker(const PreparedSvm& prepared, const PlaneAxes& axes) : m_prepared(prepared), m_axes(axes) {}

    /// `decisions` are the last ones on all samples. Unfinished when `stopCheck` asked to stop.
    [[nodiscard]] DecisionPlane make(const SolvedSvm& solved, std::span<const Decision> decisions,
                                     const PlaneEvidence& evidence, StopCheck& stopCheck) const;

    /// Items in a plane; of more, evenly drawn ones.
    static constexpr SampleIndex kMostItems = 4'000;

  private:
    struct Vectors;

    [[nodiscard]] DecisionPlane frame() const;
    void addItems(DecisionPlane& plane, const SolvedSvm& solved, std::span<const Decision> decisions) const;
    /// What a regression has in their place.
    [[nodiscard]] DecisionPlane tubeFrame() const;
    void addRows(DecisionPlane& plane, const SolvedSvm& solved, std::span<const Decision> decisions) const;
    [[nodiscard]] DecisionPlane noveltyFrame() const; ///< of one class
    /// Lines, and what is known about places, from f and the bounds of f* at the middles of columns or of cells.
    void drawClasses(DecisionPlane& plane, std::span<const double> f, std::span<const MarginRange> known) const;
    void drawTube(DecisionPlane& plane, std::span<const double> f, std::span<const MarginRange> known) const;
    void drawContours(DecisionPlane& plane, std::span<const double> f, std::span<const MarginRange> known) const;
    static void drawNovelty(DecisionPlane& plane, std::span<const double> f, std::span<const MarginRange> known);
    [[nodiscard]] std::vector<MarginRange> rangesOver(const SvmProblem& probes, const Vectors& vectors,
                                                      const Eigen::MatrixXd& values,
                                                      const PlaneEvidence& evidence) const;

    /// The middles of the cells as rows with all features, that of a bias too.
    [[nodiscard]] FeatureRows::Dense placesOf(const DecisionPlane& plane) const;

    const PreparedSvm& m_prepared;
    PlaneAxes m_axes;
};

/// "sample 12 (+)", with its name if the data have names; of regression "side of row 12 above the tube".
[[nodiscard]] std::string sampleTitle(const PreparedSvm& prepared, SampleIndex i);

} // namespace lambdascope::svm

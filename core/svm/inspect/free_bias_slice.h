// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/region_slicer.h"
#include "core/svm/screening/bounds.h"
#include "core/svm/solver/point_outcome.h"

#include <Eigen/Core>

#include <vector>

namespace lambdascope::svm {

/// What BT1 and GAP know of an SVM with a free bias, cut by a plane through the optimum (w*, b*): across, the direction
/// from w* to the centre of the first ball; upwards, the decision value v = wᵀo + b at the origin o of distances
/// (SvmProblem::origin()), which is the bias as seen from amid the samples.
///
/// A ball ‖w − m‖ ≤ r says nothing of b: it cuts a strip from the plane. The bracket of β = b* + (w* − m)ᵀo that it
/// proves is one of v, less mᵀo, and ends the strip above and below. The region of each bound is a rectangle,
///   |x − xₘ| ≤ √(r² − ‖m − w*‖² + xₘ²),  β₁ + mᵀo ≤ v ≤ β₂ + mᵀo,   xₘ the place of the centre across.
/// IT lies in that of BT1, which is drawn for it.
/// Making it costs a row of the kernel for each sample that o is made of, and O(n) per check.
class FreeBiasSlicer {
  public:
    /// `bounds` are the lane's own. All must outlive it.
    FreeBiasSlicer(const SvmProblem& problem, const std::vector<BoundKind>& bounds, const SolvedSvm& optimum);

    void take(const ScreeningCheck& check);
    /// Where several biases are best, the optimum is drawn at the one nearest to the middle of the last bracket.
    [[nodiscard]] BallSlice finished();

  private:
    /// The centre m of a ball as the plane sees it.
    struct Centre {
        double withOptimum = 0;
        double withFirst = 0;
        double withOrigin = 0;
        double square = 0;
    };
    [[nodiscard]] Centre centreOf(const Eigen::VectorXd& alpha, double factor, double squaredNorm) const;
    void add(BoundKind kind, const Centre& centre, double squaredRadius, const BiasBracket& bias,
             const ScreeningCheck& check);

    const SvmProblem& m_problem;
    const std::vector<BoundKind>& m_bounds;
    const SolvedSvm& m_optimum;
    Eigen::VectorXd m_origin; ///< zᵢᵀo
    Eigen::VectorXd m_first;  ///< zᵢᵀm of the first centre
    Centre m_firstCentre;
    BallSlice m_slice;
    double m_lastValue = 0; ///< the middle of the last bracket of v
};

} // namespace lambdascope::svm

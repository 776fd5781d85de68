// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/sample_space.h"

#include <vector>

namespace lambdascope::svm {

/// The dual over the samples strictly between their bounds, the others held: δ = Q_FF⁻¹(1 − f_F) leads to the best
/// point of the face's affine hull. Where that lies outside the box, the step is either cut off coordinate by
/// coordinate [Bertsekas 1982, two-metric projection] or ends at the first bound it meets, whichever gains more;
/// samples that have met a bound are held too, and so on for a few rounds. Coordinate descent finds the face, this
/// finds the point on it, whatever the condition of Q_FF.
class FaceStep {
  public:
    /// Looks for the free samples among the members at `visit`.
    FaceStep(SampleSpace& space, const std::vector<std::int32_t>& visit);

    [[nodiscard]] std::size_t size() const { return m_free.size(); }
    /// Work of take() in operations of a sweep, which are slower than those of a factorization.
    [[nodiscard]] double cost() const;
    /// Takes the step; what the dual value gained: 0 when no step helps or `poll` asked to stop.
    double take(WorkPoll& poll);

  private:
    /// One round over the samples of `open` (places in m_free); what it changes, and gains.
    double round(const std::vector<Eigen::Index>& open, Eigen::VectorXd& change, WorkPoll& poll) const;

    SampleSpace& m_space;
    std::vector<std::int32_t> m_free; ///< positions
    Eigen::MatrixXd m_products;       ///< Q_FF
    Eigen::VectorXd m_alpha;
    Eigen::VectorXd m_upper;
    Eigen::VectorXd m_pull; ///< 1 − f
};

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/screening/region.h"
#include "core/svm/screening/solved_svm.h"

#include <vector>

namespace lambdascope::svm {

/// What BT1 of a solution at C₀ decides at all C of an interval, with a free bias. At C = t C₀ its ball has the centre
/// ½(1 + t) w₀ and the radius r² = ¼‖w₀‖²(t − 1)² + t gap₀ + what yᵀα owes. Over [t₁, t₂] scores of the centre are
/// linear in t, what is owed rises, and the rest of r² is convex: the larger radius at both ends, and one bracket for
/// all scores between those at both ends, hold at every t between.
class BallOverC {
  public:
    /// Both must outlive it.
    BallOverC(const SvmProblem& problem, const SolvedSvm& reference) : m_problem(problem), m_reference(reference) {}

    /// What is decided of each sample at every C = t C₀ with t in [low, high], 0 < low ≤ high. O(n) on average.
    [[nodiscard]] std::vector<Decision> decisions(double low, double high) const;

  private:
    const SvmProblem& m_problem;
    const SolvedSvm& m_reference;
};

} // namespace lambdascope::svm

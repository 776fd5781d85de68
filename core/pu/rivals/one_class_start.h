// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/problem/pu_problem.h"

namespace lambdascope::pu {

/// The published start [P, section 4.5]: a one-class SVM on the positives (ν = 0.1) ranks the unlabeled samples, and
/// five groups of the ranking get σ = 0, small, c₂/2, large, c₂ (17). Group sizes follow from a closed form of (18):
/// the groups between hold ⌈log n⌉ samples each, those of 0 and c₂ a share a of (1−π)n and πn, and a is as large as the
/// sum of σ allows. O(p² + n p).
[[nodiscard]] Eigen::VectorXd oneClassStart(const PuProblem& problem, StopCheck& stopCheck);

} // namespace lambdascope::pu

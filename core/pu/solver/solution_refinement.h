// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/engines/pu_engine.h"

namespace lambdascope::pu {

/// Takes rounding, and what steps of two leave, out of a completed point whose gap they hold up. The gap is bounded by
/// scores in double-double arithmetic of the samples that it depends on: those whose s is not the slope of the loss on
/// their side of a kink. With these scores the fractional s are then moved to where their samples are at their kinks,
/// by Newton steps on their face (iterative refinement [Higham 2002, §12.1]).
///
/// Ends when the gap is at most `target`, in the units of PuProblem, or falls no further. The point stays as it is
/// where nothing helps, and when `poll` asks to stop; its scores are those of double arithmetic, with their error.
void refineSolution(const PuProblem& problem, double target, SolvedPu& point, WorkPoll& poll);

} // namespace lambdascope::pu

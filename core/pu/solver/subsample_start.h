// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/problem/pu_problem.h"

namespace lambdascope::pu {

/// s near the optimum at λ, for the first point of a path: every eighth unlabeled sample, with all positives, makes a
/// problem of the same kind, solved roughly from a start of its own; what its solution says of all samples,
/// a = (m'/p) h − Σ s' k, ranks the pieces between the kinks, and the best of them are filled until Σs = m. Few samples
/// are then wrong, so few kernel rows are ever asked for. Problems of few samples, linear and precomputed kernels get
/// rankedStart(). Any feasible s does for a start: what is rough here costs steps later, nothing else.
/// O(n²/8) kernel values, none of them kept.
[[nodiscard]] Eigen::VectorXd subsampleStart(const PuProblem& problem, double lambda, StopCheck& stopCheck);

} // namespace lambdascope::pu

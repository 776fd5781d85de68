// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/random_stream.h"
#include "core/common/stop_check.h"
#include "core/ordinal/problem/objective.h"
#include "core/ordinal/problem/points.h"

#include <cstdint>
#include <vector>

namespace lambdascope::ordinal {

/// What the inner loop of SVRG knows of the snapshot x̃.
struct Snapshot {
    const Points& points;              ///< x̃
    const Points& gradient;            ///< ∇F(x̃)
    const std::vector<Slopes>& slopes; ///< of every comparison at x̃
};

struct InnerLoopSettings {
    double step = 0;        ///< η; a step moves by b η u
    std::int64_t steps = 0; ///< m / b
    std::int64_t batch = 1; ///< b
    bool isLazy = true;     ///< see runInnerLoop
};

/// Memory of the loops, kept from one epoch to the next.
struct InnerLoopScratch {
    std::vector<double> records;       ///< of the lazy loop
    std::vector<double> updates;       ///< of a mini-batch
    std::vector<std::uint32_t> chosen; ///< comparisons of mini-batches
};

/// The inner loop of SVRG [O, Alg 1]: `steps` times u = (1/b) Σ_{q∈I} (∇f_q(x) − ∇f_q(x̃)) + ∇F(x̃), x ← x − bηu, with I
/// drawn with replacement (the paper prints x where u is meant). `x` begins as x̃.
///
/// The dense term ∇F(x̃) touches all n rows in every step, O(np). Lazily a row takes the dense terms of all steps so far
/// only where a comparison reads it, and at the end: O(bp) per step, the same iterates up to rounding. Draws are the
/// same either way.
///
/// False when `stopCheck` asked to stop; `x` is then worth nothing.
bool runInnerLoop(const Objective& objective, const Snapshot& snapshot, const InnerLoopSettings& settings,
                  RandomStream& random, Points& x, InnerLoopScratch& scratch, StopCheck& stopCheck);

/// `steps` steps of stochastic gradient descent, x ← x − bη (1/b) Σ_{q∈I} ∇f_q(x). O(bp) each.
bool runSgdLoop(const Objective& objective, const InnerLoopSettings& settings, RandomStream& random, Points& x,
                InnerLoopScratch& scratch, StopCheck& stopCheck);

} // namespace lambdascope::ordinal

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/problem/objective.h"
#include "core/ordinal/problem/points.h"
#include "tests/benchmarks/ordinal_runs/trial_runs.h"

namespace lambdascope::benchmarks {

/// The least of F(X) + ridge ‖X‖²/n that L-BFGS finds from `start`, and its errors.
struct Floor {
    double loss = 0;         ///< F
    double gradientNorm = 0; ///< of what is minimized
    double trainingError = 0;
    double heldOutError = 0;
    double seconds = 0;        ///< CPU
    double secondsToGoal = -1; ///< CPU until the held-out error was at most `goal`; −1 when it never was
};
[[nodiscard]] Floor floorOf(const ordinal::Objective& objective, const ordinal::ComparisonSet& test,
                            const ordinal::Points& start, double ridge, int mostIterations, double goal);

/// Prints CKL's optimum on the paper's synthetic set for several μ: where its error ends, whatever solver finds it.
void printCklFloors(const SyntheticSet& set);

/// Prints what error the models come to on n = 500, p = 10 with 100,000, 200,000 and 400,000 triplets, and how soon to
/// 0.01. True when 100,000 triplets are enough for 0.01 within 5 s.
bool printLearningCurve();

} // namespace lambdascope::benchmarks

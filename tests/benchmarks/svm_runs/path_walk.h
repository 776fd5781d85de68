// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/solver/point_solver.h"

#include <functional>
#include <string>
#include <vector>

namespace lambdascope::benchmarks {

/// 21 values of C from 1e-2 to 1e2.
[[nodiscard]] std::vector<double> decades();
/// The ε-path of [S, appendix D] up to C = 10⁴.
[[nodiscard]] std::vector<double> epsilonPath(const svm::SvmProblem& problem);

/// Settings of a lane by its name: any of "Shrink", "BT1", "IT" and "GAP" in it.
[[nodiscard]] svm::PointSettings laneOf(const std::string& lane, double tolerance);

/// Sums over a path.
struct PathTotals {
    double primal = 0;
    double cpu = 0;           ///< seconds, kernel rows not included
    double rules = 0;         ///< of them, making regions and judging samples
    double images = 0;        ///< of them, products that the regions need
    double screened = 0;      ///< samples, after the last check of each point
    double decidable = 0;     ///< samples in R and L
    double operations = 0;    ///< counted
    std::int64_t carried = 0; ///< decisions taken over from smaller C
    std::int64_t updates = 0;
    std::int64_t sweeps = 0;
    int loose = 0; ///< points that missed their tolerance

    [[nodiscard]] double rate() const { return decidable > 0 ? screened / decidable : 0; }
};

/// Solves along `values`, each C from the solution at the one before. `each` may be empty. With `known`, solutions at
/// all these C, as an oracle that knows what they prove.
PathTotals walkPath(const svm::SvmProblem& problem, const std::vector<double>& values,
                    const svm::PointSettings& settings, const std::function<void(const svm::PointOutcome&)>& each = {},
                    const std::vector<svm::SolvedSvm>& known = {});

/// The closed-form start of a path, at C_min (1 when there is none) or below.
[[nodiscard]] svm::SolvedSvm startOf(const svm::SvmProblem& problem, double atMost);
[[nodiscard]] double leastC(const svm::SvmProblem& problem);

} // namespace lambdascope::benchmarks

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/problem/svm_problem.h"
#include "core/svm/screening/region.h"
#include "core/svm/screening/solved_svm.h"

#include <cstdint>
#include <span>

namespace lambdascope::svm {

/// Whether α lies between its bounds, by more than sums of α round: at ν = 1 all are at C.
[[nodiscard]] inline bool isFree(const SvmProblem& problem, const SolvedSvm& solved, SampleIndex i) {
    constexpr double kRounding = 1e-12;
    const double upper = solved.c * problem.weights()(i);
    return solved.alpha.size() > 0 && solved.alpha(i) > 0 && solved.alpha(i) < upper * (1 - kRounding);
}

/// Numbers in DecisionPlane::states.
enum SampleState : std::int32_t { ScreenedToR, ScreenedToL, InR, InL, InE };

[[nodiscard]] inline SampleState stateOf(const SvmProblem& problem, const SolvedSvm& solved, Decision decision,
                                         SampleIndex i) {
    if (decision != Decision::Keep) {
        return decision == Decision::Zero ? ScreenedToR : ScreenedToL;
    }
    const double margin = solved.marginOf(i, problem.y()(i));
    const double edge = problem.thresholds()(i);
    return isFree(problem, solved, i) || margin == edge ? InE : margin > edge ? InR : InL;
}

/// The same for rows of a regression.
enum RowState : std::int32_t { ScreenedInside, ScreenedBeyond, Inside, Beyond, OnEdge };

[[nodiscard]] inline RowState stateOfRow(const SvmProblem& problem, const SolvedSvm& solved,
                                         std::span<const Decision> decisions, SampleIndex row) {
    const auto side = [&](SampleIndex i) {
        return stateOf(problem, solved, decisions[static_cast<std::size_t>(i)], i);
    };
    const SampleState above = side(row);
    const SampleState below = side(row + problem.rowCount());
    const auto isAny = [&](SampleState state) { return above == state || below == state; };
    return isAny(ScreenedToL)                             ? ScreenedBeyond
           : above == ScreenedToR && below == ScreenedToR ? ScreenedInside
           : isAny(InE)                                   ? OnEdge
           : isAny(InL)                                   ? Beyond
                                                          : Inside;
}

} // namespace lambdascope::svm

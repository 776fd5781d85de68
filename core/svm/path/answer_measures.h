// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_event.h"
#include "core/svm/problem/svm_config.h"

#include <Eigen/Core>

#include <vector>

namespace lambdascope::svm {

/// One measure of answers f(x) to rows that training has not seen, and its columns.
struct AnswerMeasure {
    ColumnDescription heldOut; ///< on rows that the subset left out
    ColumnDescription crossed; ///< by cross-validation
};

/// Classification: the share of rows with y f(x) ≤ 0, and areaUnderCurve() of f. Regression: the means of (target − f)²
/// and of |target − f|, and R² = 1 − Σ (target − f)² / Σ (target − mean)². Novelty: the share of rows with f < 0.
[[nodiscard]] const std::vector<AnswerMeasure>& answerMeasures(TaskKind task);

/// The measures in that order; `truth` holds y or targets, rows count by their weights, alike without any. NaN where a
/// measure means nothing: one class, one target. O(n log n).
[[nodiscard]] std::vector<double> measureAnswers(TaskKind task, const Eigen::VectorXd& answers,
                                                 const Eigen::VectorXd& truth, const Eigen::VectorXd& weights = {});

/// What answers to some rows are held against.
struct RowTruth {
    TaskKind task = TaskKind::Classification;
    Eigen::VectorXd values; ///< y = ±1, or targets
    double mean = 0;        ///< f(x) = wᵀΦ(x) + b + mean
};

/// NaN for each measure.
[[nodiscard]] std::vector<double> unknownMeasures(TaskKind task);

} // namespace lambdascope::svm

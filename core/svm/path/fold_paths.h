// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/path/held_out_test.h"
#include "core/svm/solver/point_solver.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace lambdascope::svm {

/// Cross-validation along a path, in k folds of equal size and mix of classes. A fold is the same problem with weight 0
/// for the rows left out: α = 0 for their samples, whose margins are what the fold's solution makes of them. So all
/// folds share features and kernel rows with the path itself, and nothing is computed that a store of rows already has.
///
/// Each fold walks the path upwards with its own warm starts, screened by IT, with a free bias by GAP. What comes out
/// at a point is the same whoever asks first. Thread-safe.
class FoldPaths {
  public:
    /// `problem` must outlive it. `cs` are the C of the path's points; 2 ≤ k ≤ rows of either class. Rows count in
    /// the measures by `rowWeights`, alike without any; `truth` is theirs, without values the classes of the problem.
    FoldPaths(const SvmProblem& problem, std::vector<double> cs, std::int32_t k, double tolerance, std::uint64_t seed,
              Eigen::VectorXd rowWeights = {}, RowTruth truth = {});
    ~FoldPaths();

    /// Of all rows, each by the solution that has not seen it, at point `index`; points before it are solved first.
    /// NaN after a stop.
    [[nodiscard]] std::vector<double> at(std::int32_t index, const std::stop_token& stop);

  private:
    struct Fold {
        std::vector<SampleIndex> leftOut; ///< rows
        std::unique_ptr<SvmProblem> problem;
        std::unique_ptr<PointSolver> solver;
        SolvedSvm last;
    };

    /// Solves the next point in all folds; false after a stop.
    bool advance(const std::stop_token& stop);

    const SvmProblem& m_problem;
    Eigen::VectorXd m_rowWeights;
    RowTruth m_truth;
    std::vector<double> m_cs;
    PointSettings m_settings;
    std::vector<Fold> m_folds;
    std::vector<std::vector<double>> m_known; ///< of the points solved
    std::mutex m_mutex;
};

/// The fold of each row: classes dealt out in turn after a shuffle.
[[nodiscard]] std::vector<std::int32_t> dealtFolds(const Eigen::VectorXd& y, std::int32_t k, std::uint64_t seed);

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/accurate_points.h"
#include "core/metric/held_out_test.h"
#include "core/metric/metric_config.h"
#include "core/metric/point_solver.h"
#include "core/metric/triplet_set.h"
#include "core/run/family.h"

#include <memory>
#include <stop_token>

namespace lambdascope::metric {

/// The optimum for large λ in closed form: with H₀ = Σ H over all triplets (of the shape of the structure), M*(λ) =
/// [H₀]₊/λ while all triplets lie in the linear part of the loss, that is for λ ≥ λ_max = max_t ⟨H_t, [H₀]₊⟩/(1 − γ).
struct PathTop {
    Eigen::MatrixXd sum; ///< H₀
    PsdSplit split;      ///< of H₀
    double lambdaMax = 0;
};

/// Computes the PathTop by pairs, O(pairs d + rows d²). Unfinished when `poll` asked to stop; so is topPoint.
[[nodiscard]] PathTop pathTop(const TripletSet& triplets, double gamma, WorkPoll& poll);

/// The closed-form optimum at `lambda` ≥ λ_max, as the start and first reference of a path. Sums by `engine`.
[[nodiscard]] SolvedPoint topPoint(const PathTop& top, double lambda, double gamma, Engine& engine, WorkPoll& poll);

/// Triplets and λ_max of an experiment, shared by its lanes.
class PreparedMetric final : public PreparedProblem {
  public:
    PreparedMetric(const Experiment& experiment, std::shared_ptr<const Dataset> data, TripletSet triplets, PathTop top);

    [[nodiscard]] std::unique_ptr<PathTask> makeTask(const Lane& lane) const override;
    [[nodiscard]] std::unique_ptr<RunLens> makeLens(const Lane& lane) const override;

    [[nodiscard]] const Dataset& data() const { return *m_data; }
    [[nodiscard]] const TripletSet& triplets() const { return m_triplets; }
    /// What measures the metrics along the path on rows that data.subset leaves out.
    [[nodiscard]] const HeldOutTest& heldOutTest() const { return m_heldOutTest; }
    [[nodiscard]] const PathTop& top() const { return m_top; }
    [[nodiscard]] const ProblemConfig& problem() const { return m_problem; }
    [[nodiscard]] const PathConfig& path() const { return m_path; }
    /// The resolved experiment, for RunStarted.
    [[nodiscard]] const Json& document() const { return m_document; }
    /// n, d, classes, pairs, triplets, λ_max, …: the same for all lanes.
    [[nodiscard]] Json facts() const;

  private:
    std::shared_ptr<const Dataset> m_data;
    TripletSet m_triplets;
    PathTop m_top;
    ProblemConfig m_problem;
    HeldOutTest m_heldOutTest;
    PathConfig m_path;
    Json m_document;
    std::shared_ptr<AccuratePoints> m_accurate; ///< of all lenses: lanes have the same optima
};

/// Checks the data against the problem and prepares; see Family::prepare.
Result<std::shared_ptr<const PreparedProblem>> prepare(const Experiment& experiment,
                                                       std::shared_ptr<const Dataset> data,
                                                       const ProgressFunction& progress, std::stop_token stop);

} // namespace lambdascope::metric

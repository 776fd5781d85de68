// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/path/held_out_test.h"
#include "core/metric/problem/metric_config.h"
#include "core/run/family.h"
#include "core/run/known_lane.h"
#include "core/triplets/path/path_problem.h"
#include "core/triplets/problem/comparison_set.h"
#include "core/triplets/problem/problem_items.h"
#include "core/triplets/problem/triplet_set.h"
#include "core/triplets/solver/accurate_points.h"
#include "core/triplets/solver/lambda_max_solution.h"
#include "core/triplets/solver/point_solver.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope::metric {

/// What is compared with what, and the linear term; either triplets of neighbours or comparisons from a file.
struct PreparedItems {
    TripletSet triplets; ///< empty when there are comparisons
    std::optional<ComparisonSet> comparisons;
    Eigen::MatrixXd linear; ///< S of the linear term, empty for none
    std::string fileSha256; ///< of the comparisons
};

/// Triplets (or comparisons) and λ_max of an experiment, shared by its lanes.
class PreparedMetric final : public PreparedProblem, public PathProblem {
  public:
    PreparedMetric(const std::shared_ptr<const MetricConfig>& config, std::shared_ptr<const Dataset> data,
                   PreparedItems items, LambdaMaxSolution top);

    [[nodiscard]] std::unique_ptr<PathTask> makeTask(std::size_t lane) const override;
    [[nodiscard]] std::unique_ptr<RunLens> makeLens(std::size_t lane) const override;
    [[nodiscard]] std::string lensObstacle() const override { return {}; }

    [[nodiscard]] const Dataset& data() const { return *m_data; }
    /// The triplets of neighbours; an empty set when the comparisons come from a file.
    [[nodiscard]] const TripletSet& triplets() const { return m_items.triplets; }
    /// The comparisons from a file; null when there are triplets of neighbours.
    [[nodiscard]] const ComparisonSet* comparisons() const {
        return m_items.comparisons ? &*m_items.comparisons : nullptr;
    }
    /// Either of them.
    [[nodiscard]] ProblemItems items() const override;
    /// Rows and pairs of either.
    [[nodiscard]] const PairTable& pairTable() const { return items().table(); }
    /// S of the linear term, empty for none.
    [[nodiscard]] const Eigen::MatrixXd& linearTerm() const { return m_items.linear; }
    /// An engine for all of it; `kind` chooses among those for triplets.
    [[nodiscard]] std::unique_ptr<Engine> makeEngine(EngineKind kind, int threads) const override;
    /// What measures the metrics along the path on rows that data.subset leaves out.
    [[nodiscard]] const HeldOutTest& heldOutTest() const { return m_heldOutTest; }
    [[nodiscard]] const LambdaMaxSolution& top() const override { return m_top; }
    [[nodiscard]] double gamma() const override { return problem().lossGamma(); }
    [[nodiscard]] const ProblemConfig& problem() const { return m_config->problem; }
    [[nodiscard]] const PathConfig& path() const override { return m_config->path; }
    [[nodiscard]] const std::vector<double>* approximationPath() const override {
        return path().kind == PathKind::Approximation ? &m_schedule : nullptr;
    }
    void setApproximationPath(std::vector<double> values) { m_schedule = std::move(values); }
    [[nodiscard]] const Lane& lane(std::size_t number) const { return m_config->lanes[number]; }
    /// What the oracle lane `lane` knows; null for other lanes.
    [[nodiscard]] std::unique_ptr<KnownLane> makeKnownLane(const Lane& lane) const;
    /// Where `lane` leaves its solutions for oracle lanes; null when none asks for them.
    [[nodiscard]] FinishedPoints* finishedPoints(const Lane& lane) const;
    /// n, d, classes, pairs, triplets, λ_max, …: the same for all lanes.
    [[nodiscard]] Json facts() const;

  private:
    std::shared_ptr<const MetricConfig> m_config;
    std::shared_ptr<const Dataset> m_data;
    PreparedItems m_items;
    LambdaMaxSolution m_top;
    HeldOutTest m_heldOutTest;
    std::vector<double> m_schedule;             ///< of an ε-approximation path
    std::shared_ptr<AccuratePoints> m_accurate; ///< of all lenses: lanes have the same optima
    std::shared_ptr<FinishedPoints> m_finished; ///< of lanes whose sets an oracle lane knows
};

} // namespace lambdascope::metric

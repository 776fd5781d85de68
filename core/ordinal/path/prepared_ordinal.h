// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/path/embedding_frames.h"
#include "core/ordinal/path/factor_task.h"
#include "core/ordinal/path/gram_problem.h"
#include "core/ordinal/problem/comparison_set.h"
#include "core/ordinal/problem/ordinal_config.h"
#include "core/ordinal/problem/points.h"
#include "core/ordinal/problem/retrieval.h"
#include "core/run/family.h"

#include <Eigen/Core>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope::ordinal {

/// Everything that a preparation works out.
struct PreparedParts {
    std::shared_ptr<const Dataset> data;
    std::unique_ptr<const ComparisonSet> train;
    std::unique_ptr<const ComparisonSet> test; ///< may be empty
    /// Parts of the training comparisons, for a path of dimensions: those left out, and all others.
    struct Fold {
        std::unique_ptr<const ComparisonSet> rest;
        std::unique_ptr<const ComparisonSet> part;
    };
    std::vector<Fold> folds;
    std::unique_ptr<const GramProblem> gram;       ///< for a path over λ, and for convex starts
    std::unique_ptr<const FactorProblem> factored; ///< the same, for lanes that hold a factor
    ObjectLabels labels;
    Eigen::MatrixXd reference; ///< known coordinates, a row per object; empty for none
    Json facts = Json::object();
};

/// Whether a lane solves the convex problem along λ, or begins at its solution.
[[nodiscard]] bool isConvex(const OrdinalConfig& config, const Lane& lane);

/// Makes `gram` and `factored` of `parts`, which has the training comparisons, as far as lanes want them. Errors: those
/// of GramProblem::make() and FactorProblem::make().
Result<void> makeConvexProblems(const OrdinalConfig& config, std::uint64_t seed, const std::stop_token& stop,
                                PreparedParts& parts);

/// Comparisons, names and reference coordinates of an experiment, shared by its lanes.
class PreparedOrdinal final : public PreparedProblem {
  public:
    PreparedOrdinal(std::shared_ptr<const OrdinalConfig> config, std::uint64_t seed, PreparedParts parts);

    [[nodiscard]] std::unique_ptr<PathTask> makeTask(std::size_t lane) const override;
    Result<PlacedObjects> placeObjects(std::size_t lane, std::int32_t point, const std::filesystem::path& answers,
                                       const ProgressFunction& progress, std::stop_token stop) const override;

    [[nodiscard]] std::unique_ptr<RunLens> makeLens(std::size_t lane) const override;
    /// A path of dimensions has no embeddings to look at.
    [[nodiscard]] std::string lensObstacle() const override;

    [[nodiscard]] const ComparisonSet& train() const { return *m_parts.train; }
    [[nodiscard]] const ComparisonSet& test() const { return *m_parts.test; }
    [[nodiscard]] const std::vector<PreparedParts::Fold>& folds() const { return m_parts.folds; }
    /// The convex problem of a path over λ and of convex starts, of lanes that hold the whole Gram matrix and of those
    /// that hold a factor; null where there is none.
    [[nodiscard]] const GramProblem* gram() const { return m_parts.gram.get(); }
    [[nodiscard]] const FactorProblem* factored() const { return m_parts.factored.get(); }
    /// The convex start of a lane with that solver. Nothing when stopped.
    [[nodiscard]] std::optional<Points> convexStart(const SolverConfig& solver, int threads,
                                                    const std::stop_token& stop) const;
    [[nodiscard]] const ObjectLabels& labels() const { return m_parts.labels; }
    [[nodiscard]] const Eigen::MatrixXd& reference() const { return m_parts.reference; }
    [[nodiscard]] const ProblemConfig& config() const { return m_config->problem; }
    [[nodiscard]] const PathConfig& path() const { return m_config->path; }
    [[nodiscard]] const Json& facts() const { return m_parts.facts; }
    [[nodiscard]] std::uint64_t seed() const { return m_seed; }

    /// Whether held-out rows can be looked up in an embedding.
    [[nodiscard]] bool hasRetrieval() const;
    /// How well held-out rows find rows of their class in the embedding X. The map's factor is made at the first call.
    [[nodiscard]] RetrievalMeasures retrieval(const Points& x, StopCheck& stopCheck) const;

  private:
    PreparedParts m_parts;
    std::shared_ptr<const OrdinalConfig> m_config;
    std::uint64_t m_seed;
    mutable std::mutex m_mapMutex;
    mutable std::unique_ptr<const OutOfSampleMap> m_map;
};

} // namespace lambdascope::ordinal

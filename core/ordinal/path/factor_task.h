// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/ordinal/path/embedding_frames.h"
#include "core/ordinal/path/ordinal_task.h"
#include "core/ordinal/problem/ordinal_config.h"
#include "core/ordinal/problem/paired_comparisons.h"
#include "core/ordinal/problem/points.h"
#include "core/ordinal/solver/factor_solver.h"
#include "core/triplets/path/path_plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace lambdascope::ordinal {

class PreparedOrdinal;

/// The rank of a lane's Gram matrix: that of its solver, or kUsualRank (at least p) where the objects are too many for
/// GramProblem; nothing where the whole matrix is held.
[[nodiscard]] std::optional<Eigen::Index> factorRank(const SolverConfig& solver, ObjectIndex objects,
                                                     std::int64_t dimensions);
inline constexpr std::int64_t kUsualRank = 32;

/// Memory of a lane with a Gram matrix of that rank.
[[nodiscard]] double factorBytes(ObjectIndex objects, Eigen::Index rank, std::int64_t comparisons);

/// The convex problem for lanes that hold a factor of their Gram matrix (FactoredGram). Memory O(comparisons), and
/// O(n p) per lane.
class FactorProblem {
  public:
    /// For lanes of at most `rank`. λ_max is that of this rank, or `lambdaMax` where the whole problem knows it.
    /// Errors: InvalidData where G = 0 is the solution for every λ; Stopped.
    static Result<std::unique_ptr<const FactorProblem>> make(const OrdinalConfig& config, const ComparisonSet& train,
                                                             Eigen::Index rank, std::optional<double> lambdaMax,
                                                             std::uint64_t seed, const std::stop_token& stop);

    FactorProblem(const FactorProblem&) = delete;
    FactorProblem& operator=(const FactorProblem&) = delete;

    [[nodiscard]] const FactoredGram& gram() const { return m_gram; }
    [[nodiscard]] double lambdaMax() const { return m_lambdaMax; }
    [[nodiscard]] FactorPoint top(Eigen::Index rank, double lambda) const {
        return topPoint(m_gram, m_top, rank, lambda);
    }

  private:
    FactorProblem(const OrdinalConfig& config, const ComparisonSet& train, StopCheck& stopCheck)
        : m_items(train, stopCheck), m_gram(m_items, config.problem.gamma, config.problem.margin) {}

    PairedComparisons m_items;
    FactoredGram m_gram;
    FactorTop m_top;
    double m_lambdaMax = 0;
};

/// X of the p longest axes of what L-BFGS finds at λ = share · λ_max, walked to from λ_max by halves. Nothing when
/// stopped.
[[nodiscard]] std::optional<Points> factoredStart(const FactorProblem& problem, Eigen::Index rank, double share,
                                                  Eigen::Index p, std::uint64_t seed, const std::stop_token& stop);

/// A factor on its way down λ; x are its p longest axes.
struct FactorWarmStart final : OrdinalWarmStart {
    FactorPoint point;

    void transfer(auto& archive) { archive(x, point); }
    [[nodiscard]] double bytes() const override {
        return static_cast<double>(sizeof(double)) *
               (static_cast<double>(x.size() + point.factor.size() + point.polar.size()) +
                static_cast<double>(point.alphas.size()));
    }
};

/// One lane over λ whose Gram matrix has rank p: minimized over its factor, with an upper bound of the gap. Nothing is
/// screened: the bound is too loose for its ball to decide anything.
class FactorTask final : public PathTask {
  public:
    /// Of a lane of `prepared` that has this rank.
    FactorTask(const PreparedOrdinal& prepared, const Lane& lane, Eigen::Index rank);

    [[nodiscard]] LaneDescription describe() const override;
    [[nodiscard]] std::vector<double> schedule() const override;
    [[nodiscard]] Error emptyPathError() const override;
    Result<PointReport> solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                   RunContext& context) override;
    PointEvaluation evaluate(const PathPoint& point, const PointReport& report, RunContext& context) override;
    void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) override;
    [[nodiscard]] bool endsPath(const std::vector<PointReport>& finished) const override;
    [[nodiscard]] std::int32_t estimatedPointCount(const std::vector<PointReport>& finished) const override;

  private:
    const PreparedOrdinal& m_prepared;
    const SolverConfig& m_solver;
    Eigen::Index m_rank;
    std::vector<ColumnDescription> m_columns;
    EmbeddingFrames m_frames;
};

} // namespace lambdascope::ordinal

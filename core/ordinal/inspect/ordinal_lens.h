// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_auditor.h"
#include "core/inspect/path_replay.h"
#include "core/inspect/relation_finder.h"
#include "core/ordinal/path/ordinal_task.h"
#include "core/ordinal/path/prepared_ordinal.h"
#include "core/ordinal/problem/points.h"
#include "core/triplets/inspect/triplet_lens.h"

#include <utility>
#include <vector>

namespace lambdascope::ordinal {

/// Looks into the embeddings of one lane of epochs: which comparisons of an object hold. Nothing is screened here.
class OrdinalLens : public RunLens, public RelationFinder {
  public:
    OrdinalLens(const PreparedOrdinal& prepared, std::size_t lane);

    Result<void> open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) override;
    Result<void> computeAt(std::vector<double> axisValues) override {
        return m_replay.computeAt(std::move(axisValues));
    }
    [[nodiscard]] const LaneDescription& lane() const override { return m_replay.description(); }
    [[nodiscard]] const std::vector<RecomputedPoint>& path() const override { return m_replay.path(); }
    Result<PointRelations> relations(std::int64_t sample, std::int32_t point, std::size_t count,
                                     std::stop_token stop) override;
    Result<PointRelations> relationsIn(const Solution& solution, std::int64_t sample, std::size_t count,
                                       std::stop_token stop) override;
    Result<PointRelations> relationsAmong(const ItemSet& samples, std::int32_t point, std::stop_token stop) override;

  protected:
    [[nodiscard]] PathReplay& replay() { return m_replay; }

  private:
    /// The embedding at a path point.
    Result<std::shared_ptr<const WarmStart>> solutionAt(std::int32_t point, const std::stop_token& stop);

    const PreparedOrdinal& m_prepared;
    PathReplay m_replay;
};

/// The same of a lane over λ whose Gram matrix has a fixed rank. There is no decision to check; its audit says how far
/// the solutions are from being proven.
class FactorLens final : public OrdinalLens, public DecisionAuditor {
  public:
    /// `tolerance` is that of the lane.
    FactorLens(const PreparedOrdinal& prepared, std::size_t lane, double tolerance)
        : OrdinalLens(prepared, lane), m_tolerance(tolerance) {}

    Result<AuditReport> audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) override;

  private:
    double m_tolerance;
};

/// Looks into a lane over λ: what TripletLens answers about its comparisons, and which of an object hold in the
/// embedding of the p longest axes.
class GramLens final : public triplets::TripletLens, public RelationFinder {
  public:
    GramLens(const PreparedOrdinal& prepared, const triplets::Lane& lane);

    Result<PointRelations> relations(std::int64_t sample, std::int32_t point, std::size_t count,
                                     std::stop_token stop) override;
    Result<PointRelations> relationsIn(const Solution& solution, std::int64_t sample, std::size_t count,
                                       std::stop_token stop) override;
    Result<PointRelations> relationsAmong(const ItemSet& samples, std::int32_t point, std::stop_token stop) override;

  private:
    /// The embedding at a path point.
    Result<Points> pointsAt(std::int32_t point, const std::stop_token& stop);

    const PreparedOrdinal& m_prepared;
};

} // namespace lambdascope::ordinal

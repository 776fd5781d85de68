// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/accurate_points.h"
#include "core/metric/lane_replay.h"
#include "core/metric/range_trace.h"
#include "core/metric/triplet_states.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope::metric {

/// Answers questions about the triplets of one lane by computing what is needed of it again. Memory: the warm starts of
/// LaneReplay and two bits per triplet. Ranges and lifetimes are in metric_lens_ranges.cpp, the slice is in
/// metric_lens_slice.cpp.
class MetricLens final : public RunLens {
  public:
    MetricLens(const PreparedMetric& prepared, const Lane& lane, std::shared_ptr<AccuratePoints> accurate);

    Result<void> open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) override;
    [[nodiscard]] const RunStarted& lane() const override { return m_replay.description(); }
    [[nodiscard]] std::string unsafeReason() const override;
    [[nodiscard]] const std::vector<RecomputedPoint>& path() const override { return m_replay.path(); }
    [[nodiscard]] std::int64_t items() const override { return m_triplets.triplets(); }
    Result<std::vector<NotableItem>> notableItems(std::int32_t point, std::size_t count, std::stop_token stop) override;
    Result<std::vector<NotableItem>> itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t count,
                                                   std::stop_token stop) override;
    [[nodiscard]] Result<std::int64_t> findItem(const std::string& text) const override;

    Result<ItemExplanation> explain(std::int64_t item, std::int32_t point, std::stop_token stop) override;
    Result<AuditReport> audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) override;
    Result<RangeGrid> ranges(const Progress& progress, std::stop_token stop) override;
    Result<Lifetimes> lifetimes(std::int32_t point, std::size_t count, std::stop_token stop) override;
    Result<BallSlice> slice(std::int32_t point, std::stop_token stop) override;

  private:
    TripletStates& states();
    /// The best few of R, of L and of those that stayed, among the triplets of anchors in [first, end).
    Result<std::vector<NotableItem>> notableOf(RowIndex first, RowIndex end, std::int32_t point, std::size_t count,
                                               const std::stop_token& stop);
    /// What fixed a triplet before the first check, if its range is what did.
    [[nodiscard]] std::optional<FixingReference> fixingReference(const RangeTrace& trace, const TripletProbe& probe,
                                                                 const ItemExplanation& why, double lambda) const;
    Result<void> auditPoint(const PathPoint& point, const PointReport& report, AuditReport& sum,
                            const std::stop_token& stop);
    /// Where a margin lies: "R", "C" or "L".
    [[nodiscard]] std::string setOf(double margin) const;

    const PreparedMetric& m_prepared;
    const TripletSet& m_triplets;
    LaneConfig m_lane;
    double m_gamma;
    LaneReplay m_replay;
    std::shared_ptr<AccuratePoints> m_accurate;
    std::optional<TripletStates> m_states;
};

} // namespace lambdascope::metric

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_auditor.h"
#include "core/inspect/decision_recorder.h"
#include "core/inspect/item_explainer.h"
#include "core/inspect/region_slicer.h"
#include "core/triplets/inspect/recorded_check.h"
#include "core/triplets/path/lane_replay.h"
#include "core/triplets/screening/triplet_states.h"
#include "core/triplets/solver/accurate_points.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lambdascope::triplets {

/// Answers questions about the items of one lane, triplets or comparisons, by computing what is needed of it again.
/// Memory: the warm starts of LaneReplay and two bits per item. Notable and marked items are in
/// triplet_lens_notable.cpp, ranges and lifetimes in triplet_lens_ranges.cpp, the slice in triplet_lens_slice.cpp.
/// Families add what else they can tell.
class TripletLens : public RunLens,
                    public ItemExplainer,
                    public DecisionAuditor,
                    public DecisionRecorder,
                    public RegionSlicer {
  public:
    /// `makeTask` makes a task of `lane`, which is one of `problem`; `accurate` is shared by its lanes.
    TripletLens(const PathProblem& problem, const Lane& lane, LaneReplay::MakeTask makeTask,
                std::shared_ptr<AccuratePoints> accurate);

    Result<void> open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) override;
    Result<void> computeAt(std::vector<double> axisValues) override {
        return m_replay.computeAt(std::move(axisValues));
    }
    [[nodiscard]] const LaneDescription& lane() const override { return m_replay.description(); }
    [[nodiscard]] std::string unsafeReason() const override;
    [[nodiscard]] const std::vector<RecomputedPoint>& path() const override { return m_replay.path(); }
    [[nodiscard]] std::int64_t items() const override { return m_items.size(); }
    Result<std::vector<NotableItem>> notableItems(std::int32_t point, std::size_t count, std::stop_token stop) override;
    Result<std::vector<NotableItem>> itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t count,
                                                   std::stop_token stop) override;
    [[nodiscard]] Result<std::int64_t> findItem(const std::string& text) override;

    Result<ItemExplanation> explain(std::int64_t item, std::int32_t point, std::stop_token stop) override;
    Result<AuditReport> audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) override;
    Result<ItemSet> itemsOf(const ItemSet& samples, std::stop_token stop) override;
    Result<ItemSet> samplesOf(const ItemSet& items, std::stop_token stop) override;
    [[nodiscard]] std::string belonging() const override;
    Result<DecisionHistory> decisions(const Progress& progress, std::stop_token stop) override;
    Result<RangeGrid> ranges(const Progress& progress, std::stop_token stop) override;
    Result<Lifetimes> lifetimes(std::int32_t point, std::size_t count, std::stop_token stop) override;
    Result<BallSlice> slice(std::int32_t point, std::stop_token stop) override;

  protected:
    [[nodiscard]] LaneReplay& replay() { return m_replay; }
    [[nodiscard]] AccuratePoints& accurate() { return *m_accurate; }
    /// Of the point that replay() solved last while it listened with them.
    [[nodiscard]] TripletStates& states();
    [[nodiscard]] bool screens() const { return !m_lane.bounds.empty(); }

  private:
    /// Of ranges and lifetimes, which are shown for lanes that keep none too.
    [[nodiscard]] BoundKind rangeBound() const { return m_lane.rangeBound().value_or(BoundKind::RelaxedPath); }
    /// The best few of R, of L and of those that stayed, among all items or among those of a row.
    Result<std::vector<NotableItem>> notableOf(std::optional<RowIndex> row, std::int32_t point, std::size_t count,
                                               const std::stop_token& stop);
    /// What the lane's bounds and all others say about an item at a check.
    void addDecisions(const RecordedCheck& kept, const ItemGeometry& probe, StopCheck& stopCheck,
                      ItemExplanation& why) const;
    /// What fixed an item before the first check, if its range is what did.
    [[nodiscard]] std::optional<FixingReference> fixingReference(const RangeProvenance& trace,
                                                                 const ItemGeometry& probe, const ItemExplanation& why,
                                                                 double lambda) const;
    Result<void> auditPoint(const PathPoint& point, const PointReport& report, AuditReport& sum,
                            const std::stop_token& stop);
    /// Where a margin lies: "R", "C" or "L".
    [[nodiscard]] std::string setOf(double margin, double threshold) const;
    [[nodiscard]] SetScale scaleOf(double threshold, double margin) const;

    ProblemItems m_items;
    const LaneConfig& m_lane;
    double m_gamma;
    LaneReplay m_replay;
    std::shared_ptr<AccuratePoints> m_accurate;
    std::optional<TripletStates> m_states;
};

} // namespace lambdascope::triplets

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/ordinal_task.h"
#include "core/ordinal/prepared_ordinal.h"
#include "core/run/path_replay.h"
#include "core/run/point_relations.h"
#include "core/run/run_lens.h"

#include <string>
#include <vector>

namespace lambdascope::ordinal {

/// Looks into the embeddings of one lane: which comparisons of an object hold at an epoch. Nothing is screened here, so
/// questions about decisions are answered by BadUsage.
class OrdinalLens final : public RunLens, public RelationsLens {
  public:
    OrdinalLens(const PreparedOrdinal& prepared, const Lane& lane);

    Result<void> open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) override;
    [[nodiscard]] const RunStarted& lane() const override { return m_replay.description(); }
    [[nodiscard]] std::string unsafeReason() const override { return {}; }
    [[nodiscard]] const std::vector<RecomputedPoint>& path() const override { return m_replay.path(); }
    [[nodiscard]] std::int64_t items() const override { return 0; }
    Result<PointRelations> relations(std::int64_t sample, std::int32_t point, std::size_t count,
                                     std::stop_token stop) override;

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
    const PreparedOrdinal& m_prepared;
    PathReplay m_replay;
};

} // namespace lambdascope::ordinal

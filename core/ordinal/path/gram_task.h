// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/path/embedding_frames.h"
#include "core/ordinal/problem/points.h"
#include "core/triplets/path/triplet_task.h"

namespace lambdascope::ordinal {

class PreparedOrdinal;

/// One lane over λ of the convex problem (GramProblem): what its Gram matrices, and the embeddings of their p longest
/// axes, say of the comparisons.
class GramTask final : public triplets::TripletTask {
  public:
    /// Of a lane of `prepared`, which is one over λ.
    GramTask(const PreparedOrdinal& prepared, const triplets::Lane& lane);

    PointEvaluation evaluate(const PathPoint& point, const PointReport& report, RunContext& context) override;
    void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext& context) override;

  private:
    [[nodiscard]] Json facts() const override;
    void measure(const triplets::SolvedPoint& solved, ReportRow& row) const override;
    /// What held-out comparisons and rows say.
    [[nodiscard]] std::vector<MeasuredValue> measuresOf(const Points& x, RunContext& context) const;

    const PreparedOrdinal& m_prepared;
    EmbeddingFrames m_frames;
};

} // namespace lambdascope::ordinal

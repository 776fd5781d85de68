// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/path/embedding_frames.h"
#include "core/ordinal/problem/points.h"
#include "core/triplets/path/triplet_task.h"

namespace lambdascope::ordinal {

class PreparedOrdinal;

/// Columns of what a Gram matrix, and the embedding of its p longest axes, say of the comparisons.
[[nodiscard]] std::vector<ColumnDescription> gramColumns(const PreparedOrdinal& prepared);
/// Sets those that are always known, of the embedding `x` of a Gram matrix of that trace and rank, and leaves the
/// others; all where x is empty.
void setGramValues(const PreparedOrdinal& prepared, const Points& x, double trace, Eigen::Index rank, double gramError,
                   ReportRow& row);
/// The others: what held-out comparisons and rows say.
[[nodiscard]] std::vector<MeasuredValue> heldOutMeasures(const PreparedOrdinal& prepared,
                                                         const std::vector<ColumnDescription>& columns, const Points& x,
                                                         RunContext& context);

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
    const PreparedOrdinal& m_prepared;
    EmbeddingFrames m_frames;
};

} // namespace lambdascope::ordinal

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/capability.h"
#include "core/inspect/decision_history.h"
#include "core/inspect/point_relations.h"

#include <cstddef>

namespace lambdascope {

/// A lens that finds what is said about points of an embedding.
class RelationFinder {
  public:
    static constexpr const char* kMissing = "nothing relates the points of this family's embeddings";

    virtual ~RelationFinder() = default;

    /// What is said about point `sample` of the embedding at a path point, at most `count` of it, half of them violated
    /// ones if there are so many. Errors: BadUsage when there is no such sample or point.
    virtual Result<PointRelations> relations(std::int64_t sample, std::int32_t point, std::size_t count,
                                             std::stop_token stop) = 0;
    /// The same in a solution that a run has kept, whichever point it is of: the lane need not be open. Errors:
    /// BadUsage also for a solution of another problem.
    virtual Result<PointRelations> relationsIn(const Solution& solution, std::int64_t sample, std::size_t count,
                                               std::stop_token stop) = 0;
    /// Counts what is said about some points alone: both pairs lie among them. Lists nothing. Error: BadUsage when
    /// there is no such path point.
    virtual Result<PointRelations> relationsAmong(const ItemSet& samples, std::int32_t point, std::stop_token stop) = 0;
};

} // namespace lambdascope

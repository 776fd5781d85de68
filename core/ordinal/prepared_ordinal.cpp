// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/prepared_ordinal.h"

#include "core/numeric/blas_threads.h"
#include "core/ordinal/dimension_task.h"
#include "core/ordinal/new_objects.h"
#include "core/ordinal/ordinal_lens.h"
#include "core/ordinal/ordinal_task.h"
#include "core/run/run_config.h"

namespace lambdascope::ordinal {

PreparedOrdinal::PreparedOrdinal(const Experiment& experiment, PreparedParts parts)
    : m_parts(std::move(parts)), m_config(problemFields().readResolved(experiment.problem)),
      m_path(pathFields().readResolved(experiment.path)), m_document(writeExperiment(experiment)),
      m_seed(runFields().readResolved(experiment.run).seed) {}

std::unique_ptr<PathTask> PreparedOrdinal::makeTask(const Lane& lane) const {
    if (m_path.kind == PathKind::Dimensions) {
        return std::make_unique<DimensionTask>(*this, lane);
    }
    return std::make_unique<OrdinalTask>(*this, lane);
}

std::unique_ptr<RunLens> PreparedOrdinal::makeLens(const Lane& lane) const {
    return lensObstacle().empty() ? std::make_unique<OrdinalLens>(*this, lane) : nullptr;
}

std::string PreparedOrdinal::lensObstacle() const {
    return m_path.kind == PathKind::Dimensions ? PreparedProblem::lensObstacle() : std::string();
}

Result<PlacedObjects> PreparedOrdinal::placeObjects(const Lane& lane, std::int32_t point,
                                                    const std::filesystem::path& answers,
                                                    const ProgressFunction& progress, std::stop_token stop) const {
    return placeNewObjects(*this, lane, point, answers, progress, std::move(stop)); // point s is epoch s
}

bool PreparedOrdinal::hasRetrieval() const {
    const Dataset& data = *m_parts.data;
    const bool comparesRows =
        m_config.comparisons == ComparisonSource::Classes || m_config.comparisons == ComparisonSource::Rows;
    return comparesRows && data.isLabelled() && data.heldOut() != nullptr && data.rows() <= OutOfSampleMap::kMostRows;
}

RetrievalMeasures PreparedOrdinal::retrieval(const Points& x, WorkPoll& poll) const {
    const Dataset& data = *m_parts.data;
    pinBlasToOneThread();
    const std::lock_guard lock(m_mapMutex);
    if (!m_map) {
        auto map = std::make_unique<OutOfSampleMap>(data.toDense(), data.heldOut()->toDense(), m_config.kernel,
                                                    m_config.ridge, poll);
        if (poll.isStopped()) {
            return {};
        }
        m_map = std::move(map);
    }
    if (!m_map->isUsable() || !x.allFinite()) {
        return {};
    }
    return rankByDistance(m_map->map(x), data.heldOut()->labels(), x, data.labels(), m_config.top, poll);
}

} // namespace lambdascope::ordinal

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/prepared_ordinal.h"

#include "core/numeric/blas_library.h"
#include "core/ordinal/inspect/ordinal_lens.h"
#include "core/ordinal/path/dimension_task.h"
#include "core/ordinal/path/gram_task.h"
#include "core/ordinal/path/new_objects.h"
#include "core/ordinal/path/ordinal_task.h"

namespace lambdascope::ordinal {

PreparedOrdinal::PreparedOrdinal(std::shared_ptr<const OrdinalConfig> config, std::uint64_t seed, PreparedParts parts)
    : m_parts(std::move(parts)), m_config(std::move(config)), m_seed(seed) {}

std::unique_ptr<PathTask> PreparedOrdinal::makeTask(std::size_t lane) const {
    if (path().kind == PathKind::Dimensions) {
        return std::make_unique<DimensionTask>(*this, m_config->lanes[lane]);
    }
    if (path().kind == PathKind::Lambda) {
        return std::make_unique<GramTask>(*this, gram()->lane(lane));
    }
    return std::make_unique<OrdinalTask>(*this, m_config->lanes[lane]);
}

std::unique_ptr<RunLens> PreparedOrdinal::makeLens(std::size_t lane) const {
    if (path().kind == PathKind::Lambda) {
        return std::make_unique<GramLens>(*this, gram()->lane(lane));
    }
    return lensObstacle().empty() ? std::make_unique<OrdinalLens>(*this, m_config->lanes[lane]) : nullptr;
}

std::string PreparedOrdinal::lensObstacle() const {
    return path().kind == PathKind::Dimensions ? PreparedProblem::lensObstacle() : std::string();
}

Result<PlacedObjects> PreparedOrdinal::placeObjects(std::size_t lane, std::int32_t point,
                                                    const std::filesystem::path& answers,
                                                    const ProgressFunction& progress, std::stop_token stop) const {
    return placeNewObjects(*this, m_config->lanes[lane], point, answers, progress,
                           std::move(stop)); // point s is epoch s
}

bool PreparedOrdinal::hasRetrieval() const {
    const Dataset& data = *m_parts.data;
    const bool comparesRows =
        config().comparisons == ComparisonSource::Classes || config().comparisons == ComparisonSource::Rows;
    return comparesRows && data.isLabelled() && data.heldOut() != nullptr && data.rows() <= OutOfSampleMap::kMostRows;
}

RetrievalMeasures PreparedOrdinal::retrieval(const Points& x, StopCheck& stopCheck) const {
    const Dataset& data = *m_parts.data;
    pinBlasToOneThread();
    const std::lock_guard lock(m_mapMutex);
    if (!m_map) {
        auto map = std::make_unique<OutOfSampleMap>(data.toDense(), data.heldOut()->toDense(), config().kernel,
                                                    config().ridge, stopCheck);
        if (stopCheck.isStopped()) {
            return {};
        }
        m_map = std::move(map);
    }
    if (!m_map->isUsable() || !x.allFinite()) {
        return {};
    }
    return rankByDistance(m_map->map(x), data.heldOut()->labels(), x, data.labels(), config().top, stopCheck);
}

} // namespace lambdascope::ordinal

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/prepared_ordinal.h"

#include "core/numeric/blas_library.h"
#include "core/ordinal/inspect/ordinal_lens.h"
#include "core/ordinal/path/dimension_task.h"
#include "core/ordinal/path/gram_task.h"
#include "core/ordinal/path/new_objects.h"
#include "core/ordinal/path/ordinal_task.h"

#include <algorithm>

namespace lambdascope::ordinal {

bool isConvex(const OrdinalConfig& config, const Lane& lane) {
    return config.path.kind == PathKind::Lambda || lane.solver.start == StartKind::Convex;
}

Result<void> makeConvexProblems(const OrdinalConfig& config, std::uint64_t seed, const std::stop_token& stop,
                                PreparedParts& parts) {
    bool isWhole = false;
    Eigen::Index largestRank = 0;
    for (const Lane& lane : config.lanes) {
        if (isConvex(config, lane)) {
            const auto rank = factorRank(lane.solver, parts.train->objects(), config.problem.dimensions);
            isWhole = isWhole || !rank;
            largestRank = std::max(largestRank, rank.value_or(0));
        }
    }
    if (isWhole) {
        auto gram = GramProblem::make(config, *parts.train, stop);
        if (!gram) {
            return Failure{gram.error()};
        }
        parts.gram = std::move(*gram);
    }
    if (largestRank > 0) {
        const auto lambdaMax = isWhole ? std::optional(parts.gram->top().lambdaMax) : std::nullopt;
        auto factored = FactorProblem::make(config, *parts.train, largestRank, lambdaMax, seed, stop);
        if (!factored) {
            return Failure{factored.error()};
        }
        parts.factored = std::move(*factored);
    }
    return {};
}

PreparedOrdinal::PreparedOrdinal(std::shared_ptr<const OrdinalConfig> config, std::uint64_t seed, PreparedParts parts)
    : m_parts(std::move(parts)), m_config(std::move(config)), m_seed(seed) {}

std::unique_ptr<PathTask> PreparedOrdinal::makeTask(std::size_t lane) const {
    if (path().kind == PathKind::Dimensions) {
        return std::make_unique<DimensionTask>(*this, m_config->lanes[lane]);
    }
    if (path().kind == PathKind::Lambda) {
        const Lane& own = m_config->lanes[lane];
        const auto rank = factorRank(own.solver, train().objects(), config().dimensions);
        return rank ? std::unique_ptr<PathTask>(std::make_unique<FactorTask>(*this, own, *rank))
                    : std::make_unique<GramTask>(*this, gram()->lane(lane));
    }
    return std::make_unique<OrdinalTask>(*this, m_config->lanes[lane]);
}

std::unique_ptr<RunLens> PreparedOrdinal::makeLens(std::size_t lane) const {
    if (path().kind == PathKind::Lambda) {
        const SolverConfig& solver = m_config->lanes[lane].solver;
        return factorRank(solver, train().objects(), config().dimensions)
                   ? std::unique_ptr<RunLens>(std::make_unique<FactorLens>(*this, lane, solver.tolerance))
                   : std::make_unique<GramLens>(*this, gram()->lane(lane));
    }
    return lensObstacle().empty() ? std::make_unique<OrdinalLens>(*this, lane) : nullptr;
}

std::string PreparedOrdinal::lensObstacle() const {
    return path().kind == PathKind::Dimensions ? PreparedProblem::lensObstacle() : std::string();
}

std::optional<Points> PreparedOrdinal::convexStart(const SolverConfig& solver, int threads,
                                                   const std::stop_token& stop) const {
    const Eigen::Index p = config().dimensions;
    const auto rank = factorRank(solver, train().objects(), p);
    return rank ? factoredStart(*factored(), *rank, solver.startLambda, p, m_seed, stop)
                : ordinal::convexStart(*gram(), solver.startLambda, p, threads, stop);
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

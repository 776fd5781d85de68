// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/inspect/ordinal_lens.h"

#include "core/common/clocks.h"
#include "core/ordinal/path/gram_task.h"
#include "core/ordinal/problem/object_relations.h"
#include "core/ordinal/solver/gram_descent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace lambdascope::ordinal {

namespace {

Failure stopped() {
    return Failure{plainError(ErrorCode::Stopped, "stopped while looking into the lane")};
}

Result<PointRelations> foundRelations(const PreparedOrdinal& prepared, const Points& x, std::int64_t sample,
                                      std::size_t count, const std::stop_token& stop,
                                      const DecidedComparisons& decided = {}) {
    if (sample < 0 || sample >= prepared.train().objects()) {
        return Failure{plainError(ErrorCode::BadUsage, "there is no object " + std::to_string(sample) +
                                                           "; they go up to " +
                                                           std::to_string(prepared.train().objects() - 1))};
    }
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    PointRelations found =
        relationsOf(static_cast<ObjectIndex>(sample), x, prepared.train(), prepared.test(), count, stopCheck, decided);
    return stopCheck.isStopped() ? Result<PointRelations>(stopped()) : found;
}

Result<PointRelations> foundRelationsIn(const PreparedOrdinal& prepared, const Solution& solution, std::int64_t sample,
                                        std::size_t count, const std::stop_token& stop) {
    if (solution.empty() || solution.front().values.rows() != prepared.train().objects()) {
        return Failure{plainError(ErrorCode::BadUsage, "this solution has not one row for each of " +
                                                           std::to_string(prepared.train().objects()) + " objects")};
    }
    const MatrixValues& values = solution.front().values;
    return foundRelations(prepared, Eigen::Map<const Eigen::MatrixXd>(values.data(), values.rows(), values.cols()),
                          sample, count, stop);
}

Result<PointRelations> foundRelationsAmong(const PreparedOrdinal& prepared, const Points& x, const ItemSet& samples,
                                           const std::stop_token& stop) {
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    PointRelations found = relationsAmong(samples, x, prepared.train(), prepared.test(), stopCheck);
    return stopCheck.isStopped() ? Result<PointRelations>(stopped()) : found;
}

/// The pairs of a comparison, each with its smaller object first.
std::array<ObjectIndex, 4> pairsOf(ObjectIndex i, ObjectIndex j, ObjectIndex l, ObjectIndex k) {
    return {std::min(i, j), std::max(i, j), std::min(l, k), std::max(l, k)};
}

/// What `states` say of the comparisons of an object. Equal ones are one item there.
DecidedComparisons decidedOf(ObjectIndex object, const triplets::ProblemItems& items,
                             const triplets::TripletStates& states, StopCheck& stopCheck) {
    std::map<std::array<ObjectIndex, 4>, int> sets;
    items.visitOfRow(object, 8, stopCheck, [&](triplets::TripletIndex number, const triplets::ProblemItem& item) {
        const triplets::RowPair near = items.rows(item.near);
        const triplets::RowPair far = items.rows(item.far);
        const triplets::Decision decision = states.at(number);
        if (decision != triplets::Decision::Keep) {
            sets[pairsOf(near.a, near.b, far.a, far.b)] = decision == triplets::Decision::Zero ? 0 : 1;
        }
    });
    return {{"R", "L"}, [sets = std::move(sets)](const Comparison& c) {
                const auto found = sets.find(pairsOf(c.i, c.j, c.l, c.k));
                return found == sets.end() ? -1 : found->second;
            }};
}

} // namespace

OrdinalLens::OrdinalLens(const PreparedOrdinal& prepared, std::size_t lane)
    : m_prepared(prepared),
      // Trials carry their random numbers along: a lane of epochs has to be walked from its start.
      m_replay([&prepared, lane] { return prepared.makeTask(lane); }, prepared.seed(),
               prepared.path().kind == PathKind::Epochs) {}

Result<void> OrdinalLens::open(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) {
    return m_replay.walk(mostPoints, {}, {}, progress, stop);
}

Result<std::shared_ptr<const WarmStart>> OrdinalLens::solutionAt(std::int32_t point, const std::stop_token& stop) {
    if (auto checked = m_replay.checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    return m_replay.solution(point, stop);
}

Result<PointRelations> OrdinalLens::relations(std::int64_t sample, std::int32_t point, std::size_t count,
                                              std::stop_token stop) {
    const auto solution = solutionAt(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    return foundRelations(m_prepared, dynamic_cast<const OrdinalWarmStart&>(**solution).x, sample, count, stop);
}

Result<PointRelations> OrdinalLens::relationsIn(const Solution& solution, std::int64_t sample, std::size_t count,
                                                std::stop_token stop) {
    return foundRelationsIn(m_prepared, solution, sample, count, stop);
}

Result<PointRelations> OrdinalLens::relationsAmong(const ItemSet& samples, std::int32_t point, std::stop_token stop) {
    const auto solution = solutionAt(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    return foundRelationsAmong(m_prepared, dynamic_cast<const OrdinalWarmStart&>(**solution).x, samples, stop);
}

Result<AuditReport> FactorLens::audit(std::int32_t mostPoints, const Progress& progress, std::stop_token stop) {
    const double start = wallSeconds();
    AuditReport sum;
    sum.promisedGap = m_tolerance;
    const auto visit = [&sum](const PathPoint& point, const PointReport& report) -> Result<void> {
        const ValueBounds& bounds = report.bounds;
        sum.noteGap((bounds.upper - bounds.lower) / std::max(1.0, std::abs(bounds.upper)), point.index);
        ++sum.points;
        return {};
    };
    if (auto seen = replay().visit(mostPoints, {}, visit, progress, stop); !seen) {
        return Failure{seen.error()};
    }
    sum.seconds = wallSeconds() - start;
    return sum;
}

GramLens::GramLens(const PreparedOrdinal& prepared, const triplets::Lane& lane)
    : TripletLens(
          *prepared.gram(), lane, [&prepared, &lane] { return std::make_unique<GramTask>(prepared, lane); },
          prepared.gram()->accurate()),
      m_prepared(prepared) {}

Result<Points> GramLens::pointsAt(std::int32_t point, const std::stop_token& stop) {
    if (auto checked = replay().checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto solution = replay().solution(point, stop);
    if (!solution) {
        return Failure{solution.error()};
    }
    return longestAxes((*solution)->solved.point.factor, m_prepared.config().dimensions);
}

Result<PointRelations> GramLens::relations(std::int64_t sample, std::int32_t point, std::size_t count,
                                           std::stop_token stop) {
    if (!screens()) {
        const auto x = pointsAt(point, stop);
        return x ? foundRelations(m_prepared, *x, sample, count, stop) : Failure{x.error()};
    }
    if (auto checked = replay().checkPoint(point); !checked) {
        return Failure{checked.error()};
    }
    const auto report = replay().replay(point, {&states(), nullptr, nullptr}, stop);
    if (!report) {
        return Failure{report.error()};
    }
    StopCheck stopCheck([&stop] { return stop.stop_requested(); });
    const DecidedComparisons decided =
        decidedOf(static_cast<ObjectIndex>(sample), m_prepared.gram()->items(), states(), stopCheck);
    const auto& warm = dynamic_cast<const triplets::TripletWarmStart&>(*report->warmStart);
    const Points x = longestAxes(warm.solved.point.factor, m_prepared.config().dimensions);
    return foundRelations(m_prepared, x, sample, count, stop, decided);
}

Result<PointRelations> GramLens::relationsIn(const Solution& solution, std::int64_t sample, std::size_t count,
                                             std::stop_token stop) {
    return foundRelationsIn(m_prepared, solution, sample, count, stop);
}

Result<PointRelations> GramLens::relationsAmong(const ItemSet& samples, std::int32_t point, std::stop_token stop) {
    const auto x = pointsAt(point, stop);
    return x ? foundRelationsAmong(m_prepared, *x, samples, stop) : Failure{x.error()};
}

} // namespace lambdascope::ordinal

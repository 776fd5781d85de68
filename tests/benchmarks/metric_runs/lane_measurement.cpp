// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/lane_measurement.h"

#include "core/run/path_runner.h"
#include "tests/support/lens_capability.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace lambdascope::benchmarks {

namespace {

/// Turns the events of one lane into numbers per point.
class PointCollector final : public EventSink {
  public:
    explicit PointCollector(LaneMeasurement& lane) : m_lane(lane) {}

    void publish(const RunEvent& event) noexcept override {
        if (const auto* started = std::get_if<RunStarted>(&event.body)) {
            m_columns = started->columns;
        } else if (const auto* check = std::get_if<Screened>(&event.body)) {
            m_checks.push_back({static_cast<double>(check->fixedLow + check->fixedHigh), check->radius});
            m_lastLook = check->iteration;
        } else if (const auto* finished = std::get_if<PointFinished>(&event.body)) {
            finish(*finished);
        } else if (const auto* failed = std::get_if<RunFailed>(&event.body)) {
            m_lane.failure = failed->message;
        } else if (const auto* ended = std::get_if<RunFinished>(&event.body)) {
            m_lane.wall = ended->wall;
        }
    }

  private:
    [[nodiscard]] double value(const PointFinished& point, ColumnRole role) const {
        const auto found = std::find_if(m_columns.begin(), m_columns.end(),
                                        [role](const auto& column) { return column.role == role; });
        assert(found != m_columns.end());
        return point.values[static_cast<std::size_t>(found - m_columns.begin())];
    }
    [[nodiscard]] double value(const PointFinished& point, const std::string& key) const {
        return point.values[placeOfColumn(m_columns, key)];
    }

    void finish(const PointFinished& event) {
        MeasuredPoint point;
        point.lambda = event.axisValue;
        point.pathRate = value(event, ColumnRole::PathRate);
        point.finalRate = value(event, ColumnRole::FinalRate);
        point.cpuSolve = value(event, ColumnRole::CpuSolve);
        point.cpuScreen = value(event, ColumnRole::CpuScreen);
        point.cpuEvaluate = value(event, "cpu_evaluate");
        point.lastLook = std::exchange(m_lastLook, 0);
        point.countedWork = value(event, "counted_work");
        point.evaluationWork = value(event, "evaluation_work");
        point.evaluations = std::llround(value(event, "evaluations"));
        point.pairsVisited = std::llround(value(event, "pairs_visited"));
        point.iterations = std::llround(value(event, ColumnRole::Iterations));
        point.isConverged = event.termination == Termination::Converged;
        for (MeasuredCheck& check : m_checks) {
            check.rate /= static_cast<double>(std::max<std::int64_t>(event.decidableItems, 1));
        }
        point.checks = std::exchange(m_checks, {});
        m_lane.points.push_back(std::move(point));
    }

    LaneMeasurement& m_lane;
    std::vector<ColumnDescription> m_columns;
    std::vector<MeasuredCheck> m_checks; ///< of the point at hand, with numbers of triplets for rates
    std::int64_t m_lastLook = 0;
};

template <class Number, class Field>
Number sumOf(const std::vector<MeasuredPoint>& points, Field field) {
    Number sum = 0;
    for (const MeasuredPoint& point : points) {
        sum += point.*field;
    }
    return sum;
}

double meanOf(const std::vector<MeasuredPoint>& points, double MeasuredPoint::*field) {
    return points.empty() ? 0.0 : sumOf<double>(points, field) / static_cast<double>(points.size());
}

} // namespace

double LaneMeasurement::cpu(std::size_t firstPoints) const {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(firstPoints, points.size()); ++i) {
        sum += points[i].cpuSolve + points[i].cpuScreen;
    }
    return sum;
}

double LaneMeasurement::cpuScreen() const {
    return sumOf<double>(points, &MeasuredPoint::cpuScreen);
}

std::int64_t LaneMeasurement::iterations() const {
    return sumOf<std::int64_t>(points, &MeasuredPoint::iterations);
}

std::size_t LaneMeasurement::looseEnds() const {
    return static_cast<std::size_t>(
        std::count_if(points.begin(), points.end(), [](const MeasuredPoint& point) { return !point.isConverged; }));
}

double LaneMeasurement::meanPathRate() const {
    return meanOf(points, &MeasuredPoint::pathRate);
}

double LaneMeasurement::meanFinalRate() const {
    return meanOf(points, &MeasuredPoint::finalRate);
}

LaneMeasurement measureLane(const PreparedProblem& problem, const Experiment& experiment, std::size_t lane, int threads,
                            bool isAudited) {
    LaneMeasurement measured;
    measured.name = experiment.laneNames[lane];
    PointCollector sink(measured);
    LaneIdentity identity;
    identity.family = experiment.family;
    identity.laneName = measured.name;
    RunWishes wishes;
    wishes.threads = threads;
    PathRunner runner([&] { return problem.makeTask(lane); }, std::move(identity),
                      RunContext(RunIdSource::next(), sink, {}, nullptr, wishes), 0);
    runner.start();
    while (runner.advance()) {
    }
    if (isAudited && measured.failure.empty()) {
        auto audit = as<DecisionAuditor>(*problem.makeLens(lane)).audit(0, {}, {});
        if (audit) {
            measured.audit = *audit;
        } else {
            measured.failure = audit.error().describe();
        }
    }
    return measured;
}

double cpuRatio(const LaneMeasurement& lane, const LaneMeasurement& baseline) {
    const std::size_t common = std::min(lane.points.size(), baseline.points.size());
    return lane.cpu(common) / baseline.cpu(common);
}

double workRatio(const LaneMeasurement& lane, const LaneMeasurement& other) {
    const std::size_t common = std::min(lane.points.size(), other.points.size());
    double work = 0;
    double otherWork = 0;
    for (std::size_t p = 0; p < common; ++p) {
        work += lane.points[p].countedWork;
        otherWork += other.points[p].countedWork;
    }
    return work / otherWork;
}

double evaluationRatio(const LaneMeasurement& lane, const LaneMeasurement& other) {
    const std::size_t common = std::min(lane.points.size(), other.points.size());
    double work = 0;
    double otherWork = 0;
    for (std::size_t p = 0; p < common; ++p) {
        if (lane.points[p].evaluationWork > 0 && other.points[p].evaluationWork > 0) {
            work += lane.points[p].evaluationWork;
            otherWork += other.points[p].evaluationWork;
        }
    }
    return work / otherWork;
}

double afterLookRatio(const LaneMeasurement& lane, const LaneMeasurement& other) {
    const std::size_t common = std::min(lane.points.size(), other.points.size());
    const auto workAfter = [common](const LaneMeasurement& measured) {
        double work = 0;
        for (std::size_t p = 0; p < common; ++p) {
            const MeasuredPoint& point = measured.points[p];
            work += static_cast<double>(point.iterations - point.lastLook) * point.evaluationWork;
        }
        return work;
    };
    return workAfter(lane) / workAfter(other);
}

double evaluationCpuRatio(const LaneMeasurement& lane, const LaneMeasurement& other) {
    const auto cpuOfOne = [](const LaneMeasurement& measured) {
        const auto evaluations = sumOf<std::int64_t>(measured.points, &MeasuredPoint::evaluations);
        return sumOf<double>(measured.points, &MeasuredPoint::cpuEvaluate) / static_cast<double>(evaluations);
    };
    return cpuOfOne(lane) / cpuOfOne(other);
}

} // namespace lambdascope::benchmarks

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/number_text.h"
#include "core/common/state_archive.h"
#include "core/run/family.h"
#include "core/run/path_runner.h"

#include <functional>
#include <string>
#include <vector>

namespace lambdascope::toy {

struct CountingWarmStart : WarmStart {
    explicit CountingWarmStart(std::int32_t p = 0) : points(p) {}
    void transfer(auto& archive) { archive(points); }
    std::int32_t points;
};

inline std::vector<ColumnDescription> columns() {
    return {{"index", "Index", "", ColumnRole::Index, true},
            {"lambda", "λ", "", ColumnRole::Axis, false},
            {"n_items", "Items", "", ColumnRole::ItemsTotal, true},
            {"path_R", "R", "", ColumnRole::PathFixed, true},
            {"path_L", "L", "", ColumnRole::PathFixed, true},
            {"final_R", "R", "", ColumnRole::FinalFixed, true},
            {"cpu_solve", "Solve", "s", ColumnRole::CpuSolve, false},
            {"cpu_screen", "Screen", "s", ColumnRole::CpuScreen, false},
            {"wall", "Wall", "s", ColumnRole::Wall, false}};
}

/// A path task whose every answer is set by the test. By default it solves each point in two iterations and one
/// screening, spends 2 s solving and 1 s screening by its own account, and hands on how many points were solved.
class Task : public PathTask {
  public:
    struct Plan {
        std::vector<double> schedule = {4, 2, 1};
        bool isBaseline = false;
        /// Called first in solvePoint; a report it returns is used instead of the default one.
        std::function<std::optional<Result<PointReport>>(const PathPoint&, RunContext&)> onPoint;
        std::function<bool(const std::vector<PointReport>&)> endsPath;
        std::vector<std::int32_t>* warmStartsSeen = nullptr; ///< −1 for none
        int* evaluations = nullptr;
    };

    explicit Task(Plan plan) : m_plan(std::move(plan)) {}

    [[nodiscard]] LaneDescription describe() const override {
        LaneDescription start;
        start.isBaseline = m_plan.isBaseline;
        start.axisKey = "lambda";
        start.axisLabel = "λ";
        start.itemNoun = "items";
        start.fixedLowName = "R";
        start.fixedHighName = "L";
        start.columns = columns();
        start.facts = Json{{"n", 7}};
        return start;
    }
    [[nodiscard]] std::vector<double> schedule() const override { return m_plan.schedule; }

    Result<PointReport> solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>& warmStart,
                                   RunContext& context) override {
        const auto* counting = dynamic_cast<const CountingWarmStart*>(warmStart.get());
        const std::int32_t before = counting != nullptr ? counting->points : -1;
        if (m_plan.warmStartsSeen != nullptr) {
            m_plan.warmStartsSeen->push_back(before);
        }
        if (m_plan.onPoint) {
            if (auto special = m_plan.onPoint(point, context)) {
                return std::move(*special);
            }
        }
        context.publish(Screened{point.index, 0, 0, 1, 2, 10, 0.3, 0.5, 0.25, 1.0});
        context.publish(Iterated{point.index, 1, 3.0, {OptimalityKind::DualityGap, 0.5}, 0.1, 7, 1.0});
        context.publish(Iterated{point.index, 2, 2.0, {OptimalityKind::DualityGap, 0.05}, 0.1, 7, 2.0});
        PointReport report = defaultReport(point);
        report.warmStart = std::make_shared<CountingWarmStart>(point.index + 1);
        return report;
    }

    static PointReport defaultReport(const PathPoint& point) {
        PointReport report;
        report.values = {static_cast<double>(point.index), point.value, 10, 1, 2, 4, 2.0, 1.0, 0.5};
        report.decidableItems = 6;
        report.cpuSolve = 2;
        report.cpuScreen = 1;
        return report;
    }

    void transfer(StateArchive& archive, std::shared_ptr<const WarmStart>& warmStart, RunContext&) override {
        transferWarmStart<CountingWarmStart>(archive, warmStart);
    }
    PointEvaluation evaluate(const PathPoint& point, const PointReport&, RunContext& context) override {
        if (m_plan.evaluations != nullptr) {
            ++*m_plan.evaluations;
        }
        PointEvaluation evaluation;
        if (context.wishes().measures) {
            evaluation.measures.push_back({2, 100.0 + point.index});
        }
        if (context.wishes().embeddings) {
            auto embedding = std::make_shared<Embedding>();
            embedding->coordinates = {0.1F, static_cast<float>(point.value), 1.0F / 3.0F, -2.5e-7F};
            embedding->classes = {0, -1};
            embedding->classNames = {"one"};
            embedding->xLabel = "x";
            embedding->yLabel = "y";
            evaluation.embedding = std::move(embedding);
        }
        if (context.wishes().solutions) {
            auto solution = std::make_shared<Solution>();
            solution->push_back({"M", MatrixValues(2, 3, point.value / 3)});
            evaluation.solution = std::move(solution);
        }
        if (context.wishes().ranges) {
            evaluation.ranges =
                std::make_shared<RangeRow>(RangeRow{point.value, {point.value, point.value / 2}, {1, 0.5}});
        }
        return evaluation;
    }
    [[nodiscard]] bool endsPath(const std::vector<PointReport>& finished) const override {
        return m_plan.endsPath && m_plan.endsPath(finished);
    }
    [[nodiscard]] std::int32_t estimatedPointCount(const std::vector<PointReport>&) const override {
        return static_cast<std::int32_t>(m_plan.schedule.size());
    }

  private:
    Plan m_plan;
};

inline PathRunner makeRunner(Task::Plan plan, RunContext context, double timeLimit = 0, bool mayBeBaseline = true) {
    LaneIdentity lane{.experimentName = "toy experiment",
                      .family = "toy",
                      .laneName = "lane",
                      .laneIndex = 1,
                      .laneCount = 2,
                      .experiment = Json{{"name", "toy experiment"}}};
    return PathRunner([plan] { return std::make_unique<Task>(plan); }, std::move(lane), std::move(context), timeLimit,
                      mayBeBaseline);
}

inline LaneOutcome runToEnd(PathRunner& runner) {
    runner.start();
    while (runner.advance()) {
    }
    return runner.outcome();
}

/// The events of a whole toy run, for tests of sinks.
inline std::vector<RunEvent> eventsOfRun(RunId run, Task::Plan plan = {}, RunWishes wishes = {}) {
    RecordingSink sink;
    PathRunner runner = makeRunner(std::move(plan), RunContext(run, sink, {}, nullptr, wishes));
    (void)runToEnd(runner);
    return sink.events();
}

/// One short line per event: what happened, without the numbers that only clocks know.
inline std::string briefly(const RunEvent& event) {
    struct Brief {
        std::string operator()(const RunStarted& e) const {
            return "started " + e.experimentName + "/" + e.laneName + " " + std::to_string(e.laneIndex) + " of " +
                   std::to_string(e.laneCount);
        }
        std::string operator()(const PointStarted& e) const {
            return "point " + std::to_string(e.index) + " at " + exactText(e.axisValue) + " of about " +
                   std::to_string(e.estimatedPointCount);
        }
        std::string operator()(const Iterated& e) const {
            return "iterated " + std::to_string(e.pointIndex) + ":" + std::to_string(e.iteration);
        }
        std::string operator()(const Screened& e) const {
            return "screened " + std::to_string(e.pointIndex) + ":" + std::to_string(e.check);
        }
        std::string operator()(const PartsSolved& e) const { return "parts of " + std::to_string(e.pointIndex); }
        std::string operator()(const PointFinished& e) const {
            return "finished " + std::to_string(e.index) + " " + std::string(terminationName(e.termination));
        }
        std::string operator()(const RunFinished& e) const {
            return "ended " + std::string(terminationName(e.termination)) + " after " +
                   std::to_string(e.finishedPoints);
        }
        std::string operator()(const RunFailed&) const { return "failed"; }
    };
    return std::visit(Brief{}, event.body);
}

inline std::vector<std::string> briefly(const std::vector<RunEvent>& events) {
    std::vector<std::string> lines;
    for (const RunEvent& event : events) {
        lines.push_back(briefly(event));
    }
    return lines;
}

} // namespace lambdascope::toy

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/session/tiny_family.h"

#include "core/run/make_family.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

namespace lambdascope {

namespace {

constexpr std::int64_t kItems = 1000;
constexpr int kChecks = 3;
constexpr double kRatio = 0.5; ///< of neighbouring axis values

enum class Mark { Red, Green, Blue };

struct TinyProblem {
    std::int64_t points = 3;
    std::int64_t iterations = 4;
    std::int64_t delay = 0;
    std::optional<std::int64_t> failAt;
    bool refuse = false;
    std::vector<double> weights = {1, 0.5};
    std::string note;
    std::string extra;
};

struct TinySolver {
    double tolerance = 1e-6;
    std::int64_t batch = 16;
};

struct TinyPath {
    double start = 8;
};

struct TinyLane {
    double share = 0;
    std::vector<Mark> marks;
    std::optional<double> cap;
    std::int64_t every = 10;
};

struct TinyConfig {
    TinyProblem problem;
    TinySolver solver;
    TinyPath path;
    struct Lane {
        std::string name;
        TinySolver solver;
        TinyLane settings;
    };
    std::vector<Lane> lanes;
};

const FieldTable<TinyProblem>& problemFields() {
    static const FieldTable<TinyProblem> table = [] {
        FieldTable<TinyProblem> t("problem", "Problem", "What is solved.");
        t.integer(&TinyProblem::points, {"points", "Points", "", "Points of the path."}, Range::between(1, 1000000));
        t.integer(&TinyProblem::iterations, {"iterations", "Iterations", "", "Per point."}, Range::atLeast(1));
        t.integer(&TinyProblem::delay, {"delay_us", "Delay", "µs", "Per iteration."}, Range::atLeast(0));
        t.integer(&TinyProblem::failAt, {"fail_at", "Fail at", "", "Point that fails."}, Range::atLeast(0), "never");
        t.boolean(&TinyProblem::refuse, {"refuse", "Refuse the data", "", "Preparation fails."});
        t.reals(&TinyProblem::weights, {"weights", "Weights", "", "Some numbers."}, Range::atLeast(0));
        t.text(&TinyProblem::note, {"note", "Note", "", "Any text."});
        t.advanced();
        t.file(&TinyProblem::extra, {"extra", "Extra file", "", "Any file; matters while refusing."});
        t.relevantWhen("refuse", {"true"});
        return t;
    }();
    return table;
}

const FieldTable<TinySolver>& solverFields() {
    static const FieldTable<TinySolver> table = [] {
        FieldTable<TinySolver> t("solver", "Solver", "How it is solved.");
        t.real(&TinySolver::tolerance, {"tolerance", "Tolerance", "", "Gap to reach."}, Range::above(0));
        t.integer(&TinySolver::batch, {"batch", "Batch", "", "Work per step."}, Range::atLeast(1));
        t.advanced();
        return t;
    }();
    return table;
}

const FieldTable<TinyPath>& pathFields() {
    static const FieldTable<TinyPath> table = [] {
        FieldTable<TinyPath> t("path", "Path", "Which values are solved.");
        t.real(&TinyPath::start, {"start", "Start", "", "First axis value."}, Range::above(0));
        return t;
    }();
    return table;
}

const FieldTable<TinyLane>& laneFields() {
    static const FieldTable<TinyLane> table = [] {
        FieldTable<TinyLane> t("lane", "Lane", "One variant.");
        t.real(&TinyLane::share, {"share", "Share fixed", "", "Share of items fixed at the last check."},
               Range::between(0, 1));
        t.choices<Mark>(&TinyLane::marks, {"marks", "Marks", "", "Any of three."},
                        {{Mark::Red, {"red", "Red", "The first."}},
                         {Mark::Green, {"green", "Green", "The second."}},
                         {Mark::Blue, {"blue", "Blue", "The third."}}});
        t.real(&TinyLane::cap, {"cap", "Cap", "", "A limit."}, Range::above(0), "none");
        t.integer(&TinyLane::every, {"every", "Every", "iterations", "How often."}, Range::atLeast(1));
        t.advanced();
        return t;
    }();
    return table;
}

LaneDescription describeTiny(bool isBaseline) {
    LaneDescription start;
    start.isBaseline = isBaseline;
    start.axisKey = "lambda";
    start.axisLabel = "λ";
    start.itemNoun = "items";
    start.fixedLowName = "R";
    start.fixedHighName = "L";
    start.columns = {{"index", "Index", "", ColumnRole::Index, true},
                     {"lambda", "λ", "", ColumnRole::Axis, false},
                     {"iterations", "Iterations", "", ColumnRole::Iterations, true},
                     {"primal", "Objective", "", ColumnRole::Objective, false},
                     {"gap", "Gap", "", ColumnRole::Optimality, false},
                     {"n_items", "Items", "", ColumnRole::ItemsTotal, true},
                     {"path_rate", "Rate (path)", "", ColumnRole::PathRate, false},
                     {"final_rate", "Rate (final)", "", ColumnRole::FinalRate, false},
                     {"path_R", "R (path)", "", ColumnRole::PathFixed, true},
                     {"path_L", "L (path)", "", ColumnRole::PathFixed, true},
                     {"final_R", "R (final)", "", ColumnRole::FinalFixed, true},
                     {"final_L", "L (final)", "", ColumnRole::FinalFixed, true},
                     {"cpu_solve", "CPU solving", "s", ColumnRole::CpuSolve, false},
                     {"cpu_screen", "CPU screening", "s", ColumnRole::CpuScreen, false},
                     {"wall", "Wall time", "s", ColumnRole::Wall, false}};
    return start;
}

Screened screening(int point, int check, double share) {
    Screened event;
    event.pointIndex = point;
    event.check = check;
    event.iteration = check;
    event.fixedHigh =
        static_cast<std::int64_t>(std::floor(share * static_cast<double>(kItems) * (check + 1) / kChecks));
    event.total = kItems;
    event.rate = static_cast<double>(event.fixedHigh) / static_cast<double>(kItems);
    return event;
}

Iterated iteration(int point, int step, double share) {
    Iterated event;
    event.pointIndex = point;
    event.iteration = step;
    event.objective = 10.0 / (1 + point) + std::pow(kRatio, step);
    event.optimality = {OptimalityKind::DualityGap, std::pow(kRatio, step)};
    event.tolerance = 1e-6;
    event.activeItems = kItems - screening(point, std::min(step, kChecks - 1), share).fixedHigh;
    return event;
}

std::vector<double> valuesOf(int point, double axis, int iterations, double share, double cpu) {
    const auto first = static_cast<double>(screening(point, 0, share).fixedHigh);
    const auto last = static_cast<double>(screening(point, kChecks - 1, share).fixedHigh);
    const Iterated end = iteration(point, iterations - 1, share);
    return {static_cast<double>(point),
            axis,
            static_cast<double>(iterations),
            end.objective,
            end.optimality.value,
            static_cast<double>(kItems),
            first / kItems,
            last / kItems,
            0,
            first,
            0,
            last,
            cpu,
            0,
            cpu};
}

class TinyTask : public PathTask {
  public:
    TinyTask(const TinyConfig& config, const TinyLane& lane)
        : m_problem(config.problem), m_start(config.path.start), m_lane(lane) {}

    LaneDescription describe() const override { return describeTiny(m_lane.share == 0); }

    std::vector<double> schedule() const override {
        std::vector<double> values;
        for (std::int64_t i = 0; i < m_problem.points; ++i) {
            values.push_back(m_start * std::pow(kRatio, static_cast<double>(i)));
        }
        return values;
    }

    Result<PointReport> solvePoint(const PathPoint& point, const std::shared_ptr<const WarmStart>&,
                                   RunContext& context) override {
        if (m_problem.failAt && *m_problem.failAt == point.index) {
            return Failure{plainError(ErrorCode::Internal, "the point was told to fail")};
        }
        PointReport report;
        const int iterations = static_cast<int>(m_problem.iterations);
        for (int step = 0; step < iterations; ++step) {
            if (context.shouldStop()) {
                report.termination = context.stopReason();
                return report;
            }
            if (step < kChecks) {
                context.publish(screening(point.index, step, m_lane.share));
            }
            context.publish(iteration(point.index, step, m_lane.share));
            if (m_problem.delay > 0) {
                std::this_thread::sleep_for(std::chrono::microseconds(m_problem.delay));
            }
        }
        report.decidableItems = kItems;
        report.cpuSolve = 1;
        report.values = valuesOf(point.index, point.value, iterations, m_lane.share, 1);
        return report;
    }

    PointEvaluation evaluate(const PathPoint&, const PointReport&, RunContext&) override { return {}; }
    void transfer(StateArchive&, std::shared_ptr<const WarmStart>&, RunContext&) override {} // points know no others
    bool endsPath(const std::vector<PointReport>&) const override { return false; }
    std::int32_t estimatedPointCount(const std::vector<PointReport>&) const override {
        return static_cast<std::int32_t>(m_problem.points);
    }

  private:
    const TinyProblem& m_problem;
    double m_start;
    const TinyLane& m_lane;
};

class TinyPrepared : public PreparedProblem {
  public:
    explicit TinyPrepared(const std::shared_ptr<const TinyConfig>& config) : m_config(config) {}
    std::unique_ptr<PathTask> makeTask(std::size_t lane) const override {
        return std::make_unique<TinyTask>(*m_config, m_config->lanes[lane].settings);
    }

  private:
    std::shared_ptr<const TinyConfig> m_config;
};

void checkTiny(const TinyConfig& config, const DataConfig&, std::vector<Fault>& faults) {
    if (config.problem.points == 13) {
        faults.push_back({"problem.points", "13 points bring bad luck", "Take 12.", {}});
    }
}

Result<std::shared_ptr<const PreparedProblem>> prepareTiny(const std::shared_ptr<const TinyConfig>& config,
                                                           const PreparationInput&) {
    if (config->problem.refuse) {
        return Failure{
            singleFault(ErrorCode::InvalidData, {"problem.refuse", "the data were refused", "Untick it.", {}})};
    }
    return std::shared_ptr<const PreparedProblem>(std::make_shared<TinyPrepared>(config));
}

} // namespace

Family tinyFamily() {
    return makeFamily<TinyConfig>({"tiny", "Tiny problem", "Made up for tests.", ""},
                                  {problemFields(), solverFields(), pathFields(), laneFields()},
                                  Json::parse(R"([{"name": "plain"}, {"name": "half", "share": 0.5}])"), checkTiny,
                                  prepareTiny);
}

const SchemaCatalog& tinyCatalog() {
    static const SchemaCatalog catalog({tinyFamily().schema});
    return catalog;
}

const Family* findTinyFamily(std::string_view id) {
    static const Family family = tinyFamily();
    return id == "tiny" ? &family : nullptr;
}

Json tinyDocument(const Json& problem) {
    Json document = Json::parse(R"({"family": "tiny", "name": "tiny experiment", "data": {"source": "iris"}})");
    document["problem"] = problem;
    document["lanes"] = tinyFamily().schema.defaultLanes;
    return document;
}

Validated<Experiment> tinyExperiment(const Json& problem) {
    auto experiment = validateExperiment(tinyDocument(problem), tinyCatalog());
    if (!experiment) {
        std::abort(); // the test itself is wrong
    }
    return std::move(experiment).value();
}

DataPlaces tinyPlaces() {
    return {{}, std::filesystem::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "resources" / "datasets"};
}

std::vector<RunEvent> tinyEvents(const TinyRun& run) {
    std::vector<RunEvent> events;
    std::int64_t sequence = 0;
    const auto add = [&](RunEventBody body) { events.push_back({run.id, sequence++, std::move(body)}); };
    add(RunStarted{{.experimentName = "tiny experiment", .family = "tiny", .laneName = run.lane, .experiment = {}},
                   describeTiny(run.isBaseline)});
    for (int point = 0; point < run.points; ++point) {
        const double axis = 8 * std::pow(kRatio, point);
        add(PointStarted{point, axis, run.points});
        for (int step = 0; step < run.iterations; ++step) {
            if (step < kChecks) {
                add(screening(point, step, run.share));
            }
            add(iteration(point, step, run.share));
        }
        add(PointFinished{point, axis, Termination::Converged,
                          valuesOf(point, axis, run.iterations, run.share, run.cpuPerPoint), kItems, nullptr, nullptr,
                          nullptr, nullptr});
    }
    if (run.isEnded) {
        add(RunFinished{Termination::PathEnded, run.points, run.cpuPerPoint * run.points, 0, run.cpuPerPoint});
    }
    return events;
}

} // namespace lambdascope

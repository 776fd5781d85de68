// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/screening_table.h"

#include "core/common/number_text.h"
#include "core/common/quantile.h"
#include "core/metric/path/prepared_metric.h"
#include "core/triplets/solver/accurate_points.h"
#include "tests/benchmarks/metric_runs/lane_measurement.h"
#include "tests/benchmarks/metric_runs/set_limit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace lambdascope::benchmarks {

namespace {

constexpr int kMostRepeats = 9;
constexpr int kLeastRepeats = 3;
/// Seconds of a lane that a repeat takes at least, where time is of no matter.
constexpr double kRepeatSeconds = 2;
/// Else seconds for the repeats of a row.
constexpr double kPatience = 12;
/// … even if there are not the least number of repeats.
constexpr double kLongPatience = 40;
/// What the limit of screening allows: the whole path over that of the oracle lane, and an evaluation after the last
/// look over the oracle's.
constexpr double kMostOverOracle = 2.5;
constexpr double kMostOfEvaluation = 1.5;
/// Lanes of a row: without screening, with it, and the one that knows the sets beforehand.
enum : std::size_t { Plain, Screened, Oracle, LanesOfRow };

ScreeningBlock blockOn(const std::string& title, const std::string& source, const Json& k, const std::string& engine,
                       double mostCpu) {
    ScreeningBlock block;
    block.title = "screening: " + title + ", " + engine;
    block.mostCpu = mostCpu;
    block.mostWork = std::min(1.0, mostCpu);
    Json lanes = Json::array();
    for (const std::string method : {"projected-gradient", "newton", "auto"}) {
        const Json solver = {{"engine", engine}, {"method", method}};
        lanes.push_back({{"name", method}, {"bounds", {"RRPB", "PGB"}}, {"solver", solver}});
    }
    block.experiment = {{"family", "metric"},
                        {"data", {{"source", source}, {"scale", "minmax"}, {"storage", "dense"}}},
                        {"problem", {{"k", k}}},
                        {"solver", {{"tolerance", 1e-6}, {"tolerance_kind", "relative"}}},
                        {"lanes", lanes}};
    return block;
}

/// Puts a lane without screening before each one that screens where it pays, and one that knows its sets behind it;
/// other lanes go.
void groupLanes(Json& document) {
    Json lanes = Json::array();
    for (const Json& lane : document["lanes"]) {
        if (!lane.contains("bounds") || lane["bounds"].empty()) {
            continue;
        }
        Json screened = lane;
        screened["schedule"] = "auto";
        Json plain = {{"name", lane["name"].get<std::string>() + ", none"}, {"bounds", Json::array()}};
        if (lane.contains("solver")) {
            plain["solver"] = lane["solver"];
        }
        Json oracle = {{"name", lane["name"].get<std::string>() + ", oracle"}, {"oracle", lane["name"]}};
        if (lane.contains("solver")) {
            oracle["solver"] = lane["solver"];
        }
        lanes.push_back(plain);
        lanes.push_back(screened);
        lanes.push_back(oracle);
    }
    document["lanes"] = lanes;
}

std::vector<ScreeningBlock> presetBlocks() {
    std::vector<std::filesystem::path> files;
    const std::filesystem::path folder = std::filesystem::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "resources" / "presets";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<ScreeningBlock> blocks;
    for (const std::filesystem::path& file : files) {
        std::ifstream in(file);
        const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        ScreeningBlock block;
        block.experiment = Json::parse(text);
        if (block.experiment["family"].get<std::string>() == "metric") {
            block.title = "screening: preset " + file.stem().string();
            blocks.push_back(block);
        }
    }
    return blocks;
}

struct Sums {
    double work = 0;
    double visits = 0;
    double pairs = 0;
    double cpu = 0;

    explicit Sums(const LaneMeasurement& lane) {
        for (const MeasuredPoint& point : lane.points) {
            work += point.countedWork;
            visits += static_cast<double>(point.evaluations);
            pairs += static_cast<double>(point.pairsVisited);
            cpu += point.cpuSolve + point.cpuScreen;
        }
    }
};

/// CPU times of the repeats over those without screening.
struct Ratios {
    std::vector<double> screened;
    std::vector<double> oracle;
};

/// Counted work of a path that is told at each λ how far its iterates are from the optimum, as far as `most` allows.
double workTold(const metric::PreparedMetric& problem, const triplets::PointSettings& settings,
                const std::vector<triplets::BoundKind>& centres, triplets::EngineKind kind,
                const LaneMeasurement& plain, triplets::AccuratePoints& optima, double most) {
    const auto engine = problem.makeEngine(kind, 1);
    std::vector<std::unique_ptr<triplets::Bound>> bounds;
    for (const triplets::BoundKind centre : centres) {
        bounds.push_back(triplets::makeBound(centre));
    }
    triplets::PointSolver solver(*engine, std::move(bounds), settings);
    NullSink sink;
    RunContext context(RunId{0}, sink);
    StopCheck never;
    const triplets::LambdaMaxSolution& top = problem.top();
    triplets::SolvedPoint last =
        triplets::topPoint(top, std::max(plain.points.front().lambda, top.lambdaMax), settings.gamma, *engine, never);
    double work = 0;
    for (std::size_t at = 0; at < plain.points.size() && work < most; ++at) {
        const double lambda = plain.points[at].lambda;
        const auto optimum = optima.at(lambda, last, {});
        triplets::PointOutcome outcome =
            solver.solve(lambda, last, static_cast<std::int32_t>(at), context, &optimum->solved);
        work += outcome.ledger.work;
        last = std::move(outcome.solved);
    }
    return work;
}

/// The limit of all sphere rules on the path of lane `lane`, over the counted work without screening: lanes that are
/// told how far they are from the optimum, and decide at no cost what follows by the smallest balls round their
/// iterates, and round the centres of MGB and PGB there or not; the least of those that look after each iteration or
/// after every third. It bounds what can be decided at those iterates, not the work of every schedule.
double limitOfBalls(const PreparedBlock& prepared, std::size_t lane, const LaneMeasurement& plain) {
    const auto& problem = dynamic_cast<const metric::PreparedMetric&>(*prepared.problem);
    const triplets::SolverConfig& solver = problem.lane(lane).solver;
    triplets::AccuratePoints optima([&] { return problem.makeEngine(solver.engine, 1); }, problem.gamma());
    double least = std::numeric_limits<double>::infinity();
    for (const std::int64_t every : {1, 3}) {
        for (const auto& centres : {std::vector<triplets::BoundKind>(), triplets::kOracleBounds}) {
            const triplets::PointSettings told{.gamma = problem.gamma(),
                                               .tolerance = solver.tolerance,
                                               .toleranceKind = solver.toleranceKind,
                                               .maxIterations = solver.maxIterations,
                                               .screenEvery = every,
                                               .method = solver.method,
                                               .knowsDistance = true,
                                               .activeSet = solver.activeSet};
            least = std::min(least, workTold(problem, told, centres, solver.engine, plain, optima, least));
        }
    }
    return least / Sums(plain).work;
}

/// Over the counted work without screening.
struct Limits {
    double ofBalls = 0;
    std::string ofSets; ///< empty where it is not computed
};

Limits limitsOf(const PreparedBlock& prepared, const ScreeningBlock& block, std::size_t lane,
                const std::array<LaneMeasurement, LanesOfRow>& lanes, bool isLong) {
    Limits limits{limitOfBalls(prepared, lane, lanes[Plain]), {}};
    const auto& problem = dynamic_cast<const metric::PreparedMetric&>(*prepared.problem);
    if (isLong && block.mostWork < 1 && problem.lane(lane).solver.engine == triplets::EngineKind::Pairs) {
        const KnownSetWork known = workOfKnownSets(problem, lane, lanes[Oracle]);
        const double whole = Sums(lanes[Plain]).work;
        limits.ofSets = shortText(known.given / whole, 3) + " to " + shortText(known.found / whole, 3);
    }
    return limits;
}

/// True when the promises are kept.
bool printRow(const ScreeningBlock& block, const std::array<LaneMeasurement, LanesOfRow>& lanes, const Ratios& ratios,
              const Limits& limits) {
    const Sums plain(lanes[Plain]);
    const Sums screened(lanes[Screened]);
    const double work = screened.work / plain.work;
    const double cpu = quantile(ratios.screened, 0.5);
    const double overOracle = workRatio(lanes[Screened], lanes[Oracle]);
    const double evaluation = evaluationRatio(lanes[Screened], lanes[Oracle]);
    const bool isKept = work <= block.mostWork && cpu <= block.mostCpu;
    const bool isNearLimit = overOracle <= kMostOverOracle && !(evaluation > kMostOfEvaluation);
    std::printf(
        "| %s | %zu | %.3f | %.3f | %.3f … %.3f | %zu | %.2f | %.2f | %s | %s | %.2f | %.1f | %.1f | %s | %.3f | "
        "%.3f | %s | %.3f | %.2f | %.2f | %s | %.2f | %.2f |\n",
        lanes[Screened].name.c_str(), lanes[Plain].points.size(), work, cpu, quantile(ratios.screened, 0.25),
        quantile(ratios.screened, 0.75), ratios.screened.size(), plain.cpu, screened.cpu,
        groupedText(std::llround(plain.visits)).c_str(), groupedText(std::llround(screened.visits)).c_str(),
        screened.pairs / plain.pairs, 100 * lanes[Screened].meanPathRate(), 100 * lanes[Screened].meanFinalRate(),
        isKept ? "pass" : "FAIL", workRatio(lanes[Oracle], lanes[Plain]), limits.ofBalls, limits.ofSets.c_str(),
        quantile(ratios.oracle, 0.5), overOracle, evaluation, isNearLimit ? "pass" : "FAIL",
        afterLookRatio(lanes[Screened], lanes[Oracle]), evaluationCpuRatio(lanes[Screened], lanes[Oracle]));
    std::fflush(stdout);
    return isKept && isNearLimit;
}

/// The lanes of a row, one after the other; nothing, with a line that says why, where one fails.
std::optional<std::array<LaneMeasurement, LanesOfRow>> measureRow(const PreparedBlock& prepared, std::size_t first,
                                                                  bool isReversed) {
    std::array<LaneMeasurement, LanesOfRow> lanes;
    for (std::size_t at = 0; at < LanesOfRow; ++at) {
        const std::size_t side = isReversed ? LanesOfRow - 1 - at : at;
        lanes[side] = measureLane(*prepared.problem, prepared.experiment, first + side, 1, false);
        if (!lanes[side].failure.empty() || lanes[side].points.empty()) {
            std::printf("\nFAILED: lane %s: %s\n", lanes[side].name.c_str(), lanes[side].failure.c_str());
            return {};
        }
    }
    // A path may end a point earlier or later by its stop rule.
    const std::size_t common =
        std::min({lanes[Plain].points.size(), lanes[Screened].points.size(), lanes[Oracle].points.size()});
    for (LaneMeasurement& lane : lanes) {
        lane.points.resize(common);
    }
    return lanes;
}

/// Runs the lanes of a row in turns, `isLong`: in nine repeats of two seconds or more; true when the promises are kept.
bool runRow(const PreparedBlock& prepared, const ScreeningBlock& block, std::size_t first, bool isLong, int& failures) {
    Ratios ratios;
    double spent = 0;
    for (int repeat = 0; repeat < kMostRepeats; ++repeat) {
        std::array<LaneMeasurement, LanesOfRow> lanes;
        std::array<double, LanesOfRow> cpu{};
        do {
            auto measured = measureRow(prepared, first, repeat % 2 == 1); // which one goes first changes
            if (!measured) {
                ++failures;
                return true;
            }
            lanes = std::move(*measured);
            for (std::size_t side = 0; side < LanesOfRow; ++side) {
                cpu[side] += lanes[side].cpu(lanes[side].points.size());
            }
        } while (isLong && std::min(cpu[Plain], cpu[Screened]) < kRepeatSeconds);
        spent += cpu[Plain] + cpu[Screened] + cpu[Oracle];
        ratios.screened.push_back(cpu[Screened] / cpu[Plain]);
        ratios.oracle.push_back(cpu[Oracle] / cpu[Plain]);
        const bool isEnough = (repeat + 1 >= kLeastRepeats && spent >= kPatience) || spent >= kLongPatience;
        if (repeat + 1 == kMostRepeats || (!isLong && isEnough)) {
            return printRow(block, lanes, ratios, limitsOf(prepared, block, first + Screened, lanes, isLong));
        }
    }
    return true;
}

} // namespace

std::vector<ScreeningBlock> screeningBlocks() {
    std::vector<ScreeningBlock> blocks = {
        blockOn("segment, k = 20", "segment.arff", 20, "pairs", 0.35),
        blockOn("phishing, k = 7", "phishing.csv", 7, "pairs", 0.35),
        blockOn("pendigits, k = 10", "pendigits.arff", 10, "pairs", 0.35),
        // Small, or taken by Newton: never slower is what is asked of these.
        blockOn("wine, k = 10", "wine", 10, "pairs", 1.05), blockOn("iris, k = 10", "iris", 10, "pairs", 1.05),
        blockOn("breast cancer, k = 10", "breast-cancer", 10, "pairs", 1.05),
        blockOn("digits, k = all", "digits", "all", "sorted", 0.7),
        blockOn("wine, k = all", "wine", "all", "sorted", 0.7), blockOn("iris, k = all", "iris", "all", "sorted", 0.7)};
    const std::vector<ScreeningBlock> presets = presetBlocks();
    blocks.insert(blocks.end(), presets.begin(), presets.end());
    return blocks;
}

bool runScreening(const ScreeningBlock& block, bool isLong, int& failures) {
    ScreeningBlock grouped = block;
    groupLanes(grouped.experiment);
    if (grouped.experiment["lanes"].empty()) {
        return true;
    }
    const auto prepared = openBlock(grouped, failures);
    if (!prepared) {
        return true;
    }
    std::printf(
        "| lane | λ | work | CPU, median | quartiles | repeats | CPU s without | with | evaluations without | "
        "with | pairs | %% on arrival | %% before solved | promise | work, oracle | work, balls | work, sets given to "
        "found | CPU, "
        "oracle | work to oracle | last evaluation to oracle | promise | evaluations after the last look to oracle | "
        "CPU of an evaluation to oracle |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    bool areKept = true;
    for (std::size_t lane = 0; lane < prepared->experiment.laneNames.size(); lane += LanesOfRow) {
        areKept = runRow(*prepared, block, lane, isLong, failures) && areKept;
    }
    return areKept;
}

} // namespace lambdascope::benchmarks

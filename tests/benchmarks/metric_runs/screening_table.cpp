// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/screening_table.h"

#include "core/common/number_text.h"
#include "core/common/quantile.h"
#include "tests/benchmarks/metric_runs/lane_measurement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace lambdascope::benchmarks {

namespace {

constexpr int kMostRepeats = 9;
constexpr int kLeastRepeats = 3;
/// Seconds for the repeats of a pair of lanes.
constexpr double kPatience = 12;
/// … even if there are not the least number of repeats.
constexpr double kLongPatience = 40;

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

/// Puts a lane without screening before each one that screens where it pays; other lanes go.
void pairLanes(Json& document) {
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
        lanes.push_back(plain);
        lanes.push_back(screened);
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

/// True when the promises for this pair of lanes are kept.
bool runPair(const PreparedBlock& prepared, const ScreeningBlock& block, std::size_t plainLane, int& failures) {
    std::vector<double> ratios;
    double spent = 0;
    for (int repeat = 0; repeat < kMostRepeats; ++repeat) {
        std::array<LaneMeasurement, 2> lanes;
        for (std::size_t at = 0; at < 2; ++at) {
            // Which one goes first changes from repeat to repeat.
            const std::size_t side = repeat % 2 == 0 ? at : 1 - at;
            lanes[side] = measureLane(*prepared.problem, prepared.experiment, plainLane + side, 1, false);
            if (!lanes[side].failure.empty() || lanes[side].points.empty()) {
                std::printf("\nFAILED: lane %s: %s\n", lanes[side].name.c_str(), lanes[side].failure.c_str());
                ++failures;
                return true;
            }
        }
        // A path may end a point earlier or later by its stop rule.
        const std::size_t common = std::min(lanes[0].points.size(), lanes[1].points.size());
        lanes[0].points.resize(common);
        lanes[1].points.resize(common);
        const Sums plain(lanes[0]);
        const Sums screened(lanes[1]);
        spent += plain.cpu + screened.cpu;
        ratios.push_back(screened.cpu / plain.cpu);
        const bool isLast =
            repeat + 1 == kMostRepeats || (repeat + 1 >= kLeastRepeats && spent >= kPatience) || spent >= kLongPatience;
        if (!isLast) {
            continue;
        }
        const double work = screened.work / plain.work;
        const double cpu = quantile(ratios, 0.5);
        const bool isKept = work <= block.mostWork + 0.005 && cpu <= block.mostCpu;
        std::printf(
            "| %s | %zu | %.3f | %.3f | %.3f … %.3f | %zu | %.2f | %.2f | %s | %s | %.2f | %.1f | %.1f | %s |\n",
            lanes[1].name.c_str(), common, work, cpu, quantile(ratios, 0.25), quantile(ratios, 0.75), ratios.size(),
            plain.cpu, screened.cpu, groupedText(std::llround(plain.visits)).c_str(),
            groupedText(std::llround(screened.visits)).c_str(), screened.pairs / plain.pairs,
            100 * lanes[1].meanPathRate(), 100 * lanes[1].meanFinalRate(), isKept ? "pass" : "FAIL");
        std::fflush(stdout);
        return isKept;
    }
    return true;
}

} // namespace

std::vector<ScreeningBlock> screeningBlocks() {
    std::vector<ScreeningBlock> blocks = {blockOn("segment, k = 20", "segment.arff", 20, "pairs", 0.35),
                                          blockOn("phishing, k = 7", "phishing.csv", 7, "pairs", 0.35),
                                          blockOn("pendigits, k = 10", "pendigits.arff", 10, "pairs", 0.35),
                                          blockOn("digits, k = all", "digits", "all", "sorted", 0.7),
                                          blockOn("wine, k = all", "wine", "all", "sorted", 0.7),
                                          blockOn("iris, k = all", "iris", "all", "sorted", 0.7)};
    const std::vector<ScreeningBlock> presets = presetBlocks();
    blocks.insert(blocks.end(), presets.begin(), presets.end());
    return blocks;
}

bool runScreening(const ScreeningBlock& block, int& failures) {
    ScreeningBlock paired = block;
    pairLanes(paired.experiment);
    if (paired.experiment["lanes"].empty()) {
        return true;
    }
    const auto prepared = openBlock(paired, failures);
    if (!prepared) {
        return true;
    }
    std::printf("| lane | λ | work | CPU, median | quartiles | repeats | CPU s without | with | evaluations without | "
                "with | pairs | %% on arrival | %% before solved | promise |\n"
                "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    bool areKept = true;
    for (std::size_t lane = 0; lane < prepared->experiment.laneNames.size(); lane += 2) {
        areKept = runPair(*prepared, block, lane, failures) && areKept;
    }
    return areKept;
}

} // namespace lambdascope::benchmarks

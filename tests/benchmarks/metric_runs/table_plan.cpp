// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/metric_runs/table_plan.h"

#include <cmath>

namespace lambdascope::benchmarks {

namespace {

/// A data set of the tables, and how much of it the whole table takes: as many triplets as every rule can judge along
/// a path within minutes.
struct TableData {
    const char* name;
    const char* source;
    double subset;
    int k;
    int quickK;
    double ratio; ///< of the whole table's path
    /// Where the paths end, as shares of λ_max: steps grow to ten thousands a point soon after.
    double end;
    double hingeEnd;
};

constexpr TableData kIris{"iris", "iris", 1, 10, 4, 0.8, 1e-4, 2e-3};
constexpr TableData kWine{"wine", "wine", 1, 8, 3, 0.8, 1e-4, 2e-3};
constexpr TableData kSegment{"segment", "segment.arff", 0.2, 5, 2, 0.8, 1e-4, 2e-3};
constexpr TableData kPhishing{"phishing", "phishing.libsvm.gz", 0.03, 3, 1, 0.7, 2e-3, 5e-2};

Json lanesOf(const std::vector<std::string>& rules) {
    Json lanes = Json::array({naiveLane()});
    for (const char* bound : {"GB", "PGB", "DGB", "CDGB", "RRPB", "MGB"}) {
        for (const std::string& rule : rules) {
            lanes.push_back(screeningLane({bound}, rule));
        }
    }
    for (const char* bound : {"RRPB", "MGB"}) {
        lanes.push_back(screeningLane({bound, "PGB"}, "sphere"));
        lanes.push_back(screeningLane({bound, "PGB"}, "sphere", true));
    }
    return lanes;
}

/// Points of a path from λ_max to a share of it.
int pointsTo(double end, double ratio) {
    return static_cast<int>(std::ceil(std::log(end) / std::log(ratio)));
}

Json experimentOn(const TableData& data, TableSize size, bool isHinge = false) {
    const bool isWhole = size == TableSize::Whole;
    const double ratio = isWhole ? data.ratio : 0.5;
    const double end = isHinge ? data.hingeEnd : data.end;
    return {{"family", "metric"},
            {"data", {{"source", data.source}, {"subset", data.subset}, {"storage", "dense"}}},
            {"problem", {{"k", isWhole ? data.k : data.quickK}, {"loss", isHinge ? "hinge" : "smoothed-hinge"}}},
            {"path", {{"ratio", ratio}, {"max_points", pointsTo(end, ratio)}}},
            {"solver", {{"method", isHinge ? "auto" : "projected-gradient"}, {"max_iterations", 20000}}}};
}

void addRuleTables(std::vector<TableBlock>& blocks, TableSize size) {
    for (const TableData& data : {kIris, kWine, kSegment, kPhishing}) {
        for (const bool isDiagonal : {false, true}) {
            for (const bool isHinge : {false, true}) {
                TableBlock block;
                block.experiment = experimentOn(data, size, isHinge);
                block.experiment["problem"]["structure"] = isDiagonal ? "diagonal" : "full";
                block.experiment["lanes"] = lanesOf({"sphere", "linear", isDiagonal ? "analytic" : "semidefinite"});
                block.title = std::string(data.name) + (isDiagonal ? ", diagonal M" : ", full M") +
                              (isHinge ? ", hinge" : ", smoothed hinge");
                blocks.push_back(std::move(block));
            }
        }
    }
}

void addAdversarialTables(std::vector<TableBlock>& blocks, TableSize size) {
    for (const double factor : {1e-6, 1e6}) {
        TableBlock block;
        block.experiment = experimentOn(kIris, size);
        block.experiment["lanes"] = lanesOf({"sphere", "linear", "semidefinite"});
        block.factor = factor;
        block.hasNearDuplicates = true;
        block.title = std::string("iris, features times ") + (factor < 1 ? "1e-6" : "1e6") + ", near-duplicate rows";
        blocks.push_back(std::move(block));
    }
    for (const bool isHinge : {false, true}) {
        TableBlock block;
        const double ratio = size == TableSize::Whole ? 0.5 : 0.1;
        block.experiment = experimentOn(kIris, TableSize::Quick, isHinge);
        block.experiment["lanes"] = lanesOf({"sphere", "linear", "semidefinite"});
        block.experiment["path"] = {{"ratio", ratio}, {"stop", 0}, {"max_points", pointsTo(1e-12, ratio) + 1}};
        // Points that are cut off are references as good as any: only their gap makes balls larger.
        block.experiment["solver"] = {{"max_iterations", isHinge ? 300 : 3000}};
        block.hasNearDuplicates = true;
        block.decadesAbove = 3;
        block.title =
            std::string("iris, near-duplicate rows, λ over 12 decades") + (isHinge ? ", hinge" : ", smoothed hinge");
        blocks.push_back(std::move(block));
    }
}

/// Many triplets with the rules that judge them quickly, by the engines for them.
void addLargeTables(std::vector<TableBlock>& blocks) {
    Json lanes = Json::array({naiveLane(), screeningLane({"GB"}, "sphere"), screeningLane({"GB"}, "linear"),
                              screeningLane({"PGB"}, "sphere"), screeningLane({"DGB"}, "sphere"),
                              screeningLane({"CDGB"}, "sphere"), screeningLane({"RRPB"}, "sphere"),
                              screeningLane({"MGB"}, "sphere"), screeningLane({"RRPB", "PGB"}, "sphere"),
                              screeningLane({"MGB", "PGB"}, "sphere")});
    const Json path = {{"ratio", 0.9}};
    TableBlock sorted;
    sorted.experiment = experimentOn(kIris, TableSize::Whole);
    sorted.experiment["problem"]["k"] = "all";
    sorted.experiment["path"] = path;
    sorted.experiment["solver"]["engine"] = "sorted";
    sorted.experiment["lanes"] = lanes;
    sorted.title = "iris, k = all, engine sorted";
    blocks.push_back(std::move(sorted));

    lanes.push_back(screeningLane({"RRPB", "PGB"}, "sphere", true));
    lanes.push_back(screeningLane({"MGB", "PGB"}, "sphere", true));
    TableBlock pairs;
    pairs.experiment = experimentOn(kSegment, TableSize::Whole);
    pairs.experiment["data"]["subset"] = 1;
    pairs.experiment["problem"]["k"] = 20;
    pairs.experiment["path"] = path;
    pairs.experiment["lanes"] = lanes;
    pairs.title = "segment, all rows, k = 20, engine pairs";
    blocks.push_back(std::move(pairs));
}

/// The comparisons of [T, figures 6 and 7], on the published grid and with gaps as small as published.
void addShapeTables(std::vector<TableBlock>& blocks, TableSize size) {
    for (const TableData& data : {kWine, kSegment}) {
        TableBlock block;
        block.experiment = experimentOn(data, size);
        block.experiment["data"]["subset"] = 0.9 * data.subset;
        const double ratio = size == TableSize::Whole ? 0.9 : 0.5;
        block.experiment["path"] = {{"ratio", ratio}, {"max_points", pointsTo(1e-3, ratio)}};
        block.experiment["solver"]["tolerance_kind"] = "absolute";
        block.experiment["lanes"] =
            Json::array({naiveLane(), screeningLane({"GB"}, "sphere"), screeningLane({"GB"}, "linear"),
                         screeningLane({"GB"}, "semidefinite"), screeningLane({"PGB"}, "sphere"),
                         screeningLane({"PGB"}, "semidefinite"), screeningLane({"DGB"}, "sphere"),
                         screeningLane({"RRPB"}, "sphere"), screeningLane({"MGB"}, "sphere")});
        for (const char* bound : {"PGB", "RRPB"}) {
            Json often = screeningLane({bound}, "sphere");
            often["name"] = std::string(bound) + ", every 2";
            often["every"] = 2;
            block.experiment["lanes"].push_back(often);
        }
        block.showsChecks = true;
        block.title = std::string("published shapes, ") + data.name;
        blocks.push_back(std::move(block));
    }
}

} // namespace

Json naiveLane() {
    return {{"name", "naive"}, {"bounds", Json::array()}};
}

Json screeningLane(const std::vector<std::string>& bounds, const std::string& rule, bool range) {
    std::string name;
    for (const std::string& bound : bounds) {
        name += (name.empty() ? "" : "+") + bound;
    }
    return {{"name", name + ", " + rule + (range ? ", ranges" : "")},
            {"bounds", bounds},
            {"rule", rule},
            {"range", range},
            {"schedule", "every"}};
}

std::vector<TableBlock> tableBlocks(TableSize size) {
    std::vector<TableBlock> blocks;
    addRuleTables(blocks, size);
    addAdversarialTables(blocks, size);
    if (size == TableSize::Whole) {
        addLargeTables(blocks);
    }
    addShapeTables(blocks, size);
    return blocks;
}

} // namespace lambdascope::benchmarks

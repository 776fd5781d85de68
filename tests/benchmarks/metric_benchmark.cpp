// SPDX-License-Identifier: GPL-3.0-or-later
// One objective and gradient evaluation on 2310 × 19 with k = 20 (924,000 triplets), by either engine and at three
// places of the path; memory per pair; work of a screening.
#include "core/common/random_stream.h"
#include "core/data/data_source.h"
#include "core/metric/pairs_engine.h"
#include "core/metric/prepared_metric.h"
#include "core/metric/triplets_engine.h"
#include "tests/benchmarks/ratio_table.h"

#include <cstdio>
#include <filesystem>
#include <numeric>

namespace lambdascope::benchmarks {
namespace {

using namespace metric;

/// The segment data if it is there, else Gaussian classes of the same shape.
std::shared_ptr<const Dataset> segmentData() {
    DataConfig config;
    config.source = LAMBDASCOPE_TEST_SOURCE_DIR "/../shared/data/metric/segment.arff";
    if (std::filesystem::exists(config.source)) {
        if (auto data = loadDataset(config, {})) {
            return *data;
        }
    }
    RandomStream random(1, "stand-in for segment");
    Dataset::Parts parts;
    parts.name = "stand-in";
    parts.dense.resize(2310, 19);
    for (Eigen::Index i = 0; i < 2310; ++i) {
        parts.labels.push_back(static_cast<std::int32_t>(i % 7));
        for (Eigen::Index c = 0; c < 19; ++c) {
            parts.dense(i, c) = 0.3 * random.normal() + 0.4 * std::sin(static_cast<double>((i % 7) * (c + 1)));
        }
    }
    parts.classNames = {"1", "2", "3", "4", "5", "6", "7"};
    return std::make_shared<const Dataset>(std::move(parts));
}

struct Segment {
    Segment() {
        const auto data = segmentData();
        const auto neighbours = classNeighbours(*data, 20);
        auto built = TripletSet::build(data->dense(), *neighbours);
        set = std::make_unique<TripletSet>(std::move(built).value());
        PairsEngine engine(*set);
        WorkPoll never;
        top = pathTop(*set, 0.05, never);
        SolvedPoint solved = topPoint(top, top.lambdaMax, 0.05, engine, never);
        RunContext context(RunId{0}, sink);
        for (const double share : {1e-2, 1e-4, 1e-6}) {
            PointSolver solver(engine, {}, {});
            solved = solver.solve(share * top.lambdaMax, solved, 0, context).solved;
            points.push_back(solved);
        }
    }
    std::unique_ptr<TripletSet> set;
    PathTop top;
    RecordingSink sink;
    std::vector<SolvedPoint> points;
};

const Segment& segment() {
    static const Segment instance;
    return instance;
}

void evaluateOnce(benchmark::State& state, EngineKind kind, std::size_t at) {
    const Segment& problem = segment();
    const auto engine = makeEngine(kind, *problem.set);
    WorkPoll never;
    LossTotals totals;
    for (auto unused : state) {
        engine->evaluate(problem.points[at].point, 0.05, never, totals);
        benchmark::DoNotOptimize(totals.loss.value);
    }
    const auto pairs = static_cast<double>(problem.set->pairs());
    state.counters["triplets"] = static_cast<double>(problem.set->triplets());
    state.counters["pairs"] = pairs;
    state.counters["visited"] = static_cast<double>(engine->pairsPerEvaluation());
    state.counters["bytes/pair"] = static_cast<double>(engine->bytes() + problem.set->bytes()) / pairs;
}

/// First screening of a point: the sphere of the point before, on all triplets.
void screenOnce(benchmark::State& state, EngineKind kind, std::size_t at) {
    const Segment& problem = segment();
    const auto engine = makeEngine(kind, *problem.set);
    const SolvedPoint& solved = problem.points[at];
    BoundReference reference;
    reference.point = &solved.point;
    reference.totals = &solved.totals;
    reference.lambda = 0.9 * solved.lambda;
    reference.gamma = 0.05;
    reference.path = {&solved.point, solved.lambda, solved.gap};
    const Region region{.sphere = relaxedPathBound(reference)};
    WorkPoll never;
    double decided = 0;
    for (auto unused : state) {
        state.PauseTiming();
        engine->activateAll();
        state.ResumeTiming();
        ScreenedPart screened;
        engine->screen(std::span(&region, 1), 0.05, never, screened);
        decided = static_cast<double>(screened.zero + screened.linear);
    }
    state.counters["decided"] = decided;
    state.counters["bytes/pair"] =
        static_cast<double>(engine->bytes() + problem.set->bytes()) / static_cast<double>(problem.set->pairs());
}

const bool kRegistered = [] {
    const char* places[] = {"early", "middle", "late"};
    for (std::size_t at = 0; at < 3; ++at) {
        for (const EngineKind kind : {EngineKind::Triplets, EngineKind::Pairs}) {
            const std::string engine = kind == EngineKind::Pairs ? "pairs" : "triplets";
            benchmark::RegisterBenchmark(("metric/evaluate/" + std::string(places[at]) + "/" + engine).c_str(),
                                         [kind, at](benchmark::State& state) { evaluateOnce(state, kind, at); })
                ->Unit(benchmark::kMillisecond);
            benchmark::RegisterBenchmark(("metric/screen/" + std::string(places[at]) + "/" + engine).c_str(),
                                         [kind, at](benchmark::State& state) { screenOnce(state, kind, at); })
                ->Unit(benchmark::kMillisecond);
        }
        const std::string place = places[at];
        ratioLines().push_back({"metric/evaluate/" + place + "/triplets", "metric/evaluate/" + place + "/pairs", 20});
        ratioLines().push_back({"metric/screen/" + place + "/triplets", "metric/screen/" + place + "/pairs"});
    }
    return true;
}();

} // namespace
} // namespace lambdascope::benchmarks

// SPDX-License-Identifier: GPL-3.0-or-later
// One objective and gradient evaluation on 2310 × 19 with k = 20 (924,000 triplets), by each engine and at three
// places of the path; memory per pair; work of a screening. Eigen-systems.
#include "core/common/random_stream.h"
#include "core/data/data_source.h"
#include "core/metric/path/prepared_metric.h"
#include "core/numeric/psd_projection.h"
#include "core/triplets/engines/pairs_engine.h"
#include "core/triplets/engines/triplets_engine.h"
#include "tests/benchmarks/ratio_table.h"

#include <cstdio>
#include <filesystem>
#include <map>
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
        StopCheck never;
        top = lambdaMaxSolution(*set, 0.05, never);
        SolvedPoint solved = topPoint(top, top.lambdaMax, 0.05, engine, never);
        RunContext context(RunId{0}, sink);
        for (const double share : {1e-2, 1e-4, 1e-6}) {
            PointSolver solver(engine, {}, {});
            solved = solver.solve(share * top.lambdaMax, solved, 0, context).solved;
            points.push_back(solved);
        }
    }
    std::unique_ptr<TripletSet> set;
    LambdaMaxSolution top;
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
    StopCheck never;
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
    StopCheck never;
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

/// All triplets of a bundled data set, and an M whose margins spread around 1.
struct Whole {
    explicit Whole(const std::string& source) {
        DataConfig config;
        config.source = source;
        config.scale = Scaling::MinMax;
        config.subset = 0.9;
        const auto data = loadDataset(config, {{}, LAMBDASCOPE_TEST_SOURCE_DIR "/resources/datasets"});
        const auto neighbours = classNeighbours(**data, std::nullopt);
        auto built = TripletSet::build((*data)->dense(), *neighbours);
        set = std::make_unique<TripletSet>(std::move(built).value());
        StopCheck never;
        const LambdaMaxSolution top = lambdaMaxSolution(*set, 0.05, never);
        point = MetricPoint::fromSplit(top.split, 20 / top.lambdaMax);
    }
    std::unique_ptr<TripletSet> set;
    MetricPoint point;
};

const Whole& whole(const std::string& source) {
    static std::map<std::string, Whole> instances;
    return instances.try_emplace(source, source).first->second;
}

void evaluateWhole(benchmark::State& state, const std::string& source, EngineKind kind, int threads) {
    const Whole& problem = whole(source);
    const auto engine = makeEngine(kind, *problem.set, threads);
    StopCheck never;
    LossTotals totals;
    for (auto unused : state) {
        engine->evaluate(problem.point, 0.05, never, totals);
        benchmark::DoNotOptimize(totals.loss.value);
    }
    state.counters["triplets"] = static_cast<double>(problem.set->triplets());
    state.counters["pairs"] = static_cast<double>(problem.set->pairs());
    state.counters["MB"] = static_cast<double>(engine->bytes() + problem.set->bytes()) / 1e6;
}

/// A check of a ball that leaves some triplets, all of them open before.
void screenWhole(benchmark::State& state, const std::string& source, EngineKind kind) {
    const Whole& problem = whole(source);
    const auto engine = makeEngine(kind, *problem.set);
    const Region region{{problem.point.matrix, 0.05 * problem.point.matrix.norm()}};
    StopCheck never;
    ScreenedPart screened;
    for (auto unused : state) {
        engine->activateAll();
        screened = {};
        engine->screen(std::span(&region, 1), 0.05, never, screened);
    }
    state.counters["decided"] = static_cast<double>(screened.zero + screened.linear);
    state.counters["visited"] = static_cast<double>(engine->pairsPerEvaluation());
}

const bool kWholeRegistered = [] {
    const auto add = [](const std::string& name, auto run) {
        benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
    };
    for (const std::string source : {"iris", "wine", "digits"}) {
        const std::string place = "metric/all/" + source;
        add(place + "/sorted", [source](benchmark::State& s) { evaluateWhole(s, source, EngineKind::Sorted, 1); });
        add(place + "/sorted/2 threads",
            [source](benchmark::State& s) { evaluateWhole(s, source, EngineKind::Sorted, 2); });
        add(place + "/pairs", [source](benchmark::State& s) { evaluateWhole(s, source, EngineKind::Pairs, 1); });
        add(place + "/screen/sorted", [source](benchmark::State& s) { screenWhole(s, source, EngineKind::Sorted); });
        ratioLines().push_back({place + "/pairs", place + "/sorted"});
        if (source != "digits") { // a list of half a billion triplets is beyond the third engine
            add(place + "/triplets",
                [source](benchmark::State& s) { evaluateWhole(s, source, EngineKind::Triplets, 1); });
            add(place + "/screen/pairs", [source](benchmark::State& s) { screenWhole(s, source, EngineKind::Pairs); });
            ratioLines().push_back({place + "/triplets", place + "/sorted"});
            ratioLines().push_back({place + "/screen/pairs", place + "/screen/sorted"});
        }
    }
    return true;
}();

Eigen::MatrixXd symmetric(Eigen::Index d) {
    RandomStream random(1, "eigen benchmark");
    Eigen::MatrixXd a(d, d);
    for (Eigen::Index i = 0; i < a.size(); ++i) {
        a(i) = random.normal();
    }
    return a + a.transpose().eval();
}

/// Which eigen-solver is faster for which size: the grounds of psd_projection.cpp's choice.
void addEigenSystems() {
    for (const int d : {4, 8, 13, 19, 24, 32, 64, 100, 200}) {
        const std::string size = std::to_string(d);
        for (const bool withVectors : {true, false}) {
            const std::string what = withVectors ? "eigen/vectors/" : "eigen/values/";
            benchmark::RegisterBenchmark((what + size + "/Eigen").c_str(), [d, withVectors](benchmark::State& state) {
                const Eigen::MatrixXd a = symmetric(d);
                for (auto unused : state) {
                    benchmark::DoNotOptimize(symmetricEigenSystem(a, withVectors, EigenMethod::Eigen).values.data());
                }
            });
            benchmark::RegisterBenchmark((what + size + "/Lapack").c_str(), [d, withVectors](benchmark::State& state) {
                const Eigen::MatrixXd a = symmetric(d);
                for (auto unused : state) {
                    benchmark::DoNotOptimize(symmetricEigenSystem(a, withVectors, EigenMethod::Lapack).values.data());
                }
            });
            ratioLines().push_back({what + size + "/Eigen", what + size + "/Lapack"});
        }
    }
}

const bool kRegistered = [] {
    addEigenSystems();
    const char* places[] = {"early", "middle", "late"};
    for (std::size_t at = 0; at < 3; ++at) {
        for (const auto& [kind, engine] : {std::pair<EngineKind, std::string>{EngineKind::Triplets, "triplets"},
                                           {EngineKind::Pairs, "pairs"},
                                           {EngineKind::Sorted, "sorted"}}) {
            benchmark::RegisterBenchmark(("metric/evaluate/" + std::string(places[at]) + "/" + engine).c_str(),
                                         [kind = kind, at](benchmark::State& state) { evaluateOnce(state, kind, at); })
                ->Unit(benchmark::kMillisecond);
            benchmark::RegisterBenchmark(("metric/screen/" + std::string(places[at]) + "/" + engine).c_str(),
                                         [kind = kind, at](benchmark::State& state) { screenOnce(state, kind, at); })
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

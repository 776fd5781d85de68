// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/svm_runs/svm_samples.h"

#include "core/common/random_stream.h"
#include "core/common/stop_check.h"
#include "core/data/data_source.h"
#include "core/svm/path/path_plan.h"
#include "core/svm/solver/path_start.h"
#include "tests/benchmarks/program_options.h"
#include "tests/benchmarks/svm_runs/path_walk.h"
#include "tests/benchmarks/svm_runs/table_totals.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

namespace lambdascope::benchmarks {

namespace {

constexpr double kKernelBytes = 4e9;
constexpr const char* kLargeLinear = "50,000 × 22";

struct Source {
    std::string room; ///< of the shared data; none for what is made by a generator
    std::string file;
    std::string labels;
    std::int32_t positive; ///< place of the class that is to be +1
    Scaling scale;
    double subset = 1;
};

const std::map<std::string, Source>& sources() {
    static const std::map<std::string, Source> all = {
        {"wdbc", {"svm", "wdbc.csv", "Class", 1, Scaling::MinMax}},
        {"heart", {"svm", "heart_scale.libsvm", "auto", 1, Scaling::None}},
        {"german", {"svm", "german_scale.libsvm", "auto", 1, Scaling::None}},
        {"splice", {"svm", "splice.libsvm", "auto", 1, Scaling::MinMax}},
        {"digit1", {"svm", "digit1.libsvm.gz", "auto", 1, Scaling::MinMax}},
        {"dna 1", {"svm", "dna.scale.libsvm", "auto", 0, Scaling::None}},
        {"dna 2", {"svm", "dna.scale.libsvm", "auto", 1, Scaling::None}},
        {"dna 3", {"svm", "dna.scale.libsvm", "auto", 2, Scaling::None}},
        {"w8a", {"svm", "w8a.libsvm.gz", "auto", 1, Scaling::None}},
        {"reuters", {"svm", "reuters.trn.libsvm.gz", "auto", 1, Scaling::None}},
        {"figure 1", {"", "toy:svm-figure1", "auto", 1, Scaling::None}},
        // As many rows as satimage's training part has.
        {"pendigits 8", {"metric", "pendigits.arff", "auto", 8, Scaling::MinMax, 4435.0 / 10992}},
    };
    return all;
}

/// Two Gaussian classes in 22 dimensions that overlap, as large as the runs that users complain of.
Samples overlapping(Eigen::Index n) {
    RandomStream random(1, "large linear set of the SVM benchmark");
    constexpr Eigen::Index kFeatures = 22;
    Dataset::Parts parts;
    parts.dense.resize(n, kFeatures);
    Samples samples;
    samples.y.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        samples.y(i) = i % 2 == 0 ? 1 : -1;
        for (Eigen::Index f = 0; f < kFeatures; ++f) {
            parts.dense(i, f) = 0.3 * samples.y(i) + random.normal();
        }
    }
    samples.data = std::make_shared<const Dataset>(std::move(parts));
    return samples;
}

/// Two classes of four Gaussian clusters each in 20 dimensions, of which half tell nothing; one label in fifty is
/// wrong.
Samples clusters(Eigen::Index n) {
    RandomStream random(1, "clusters of the SVM benchmark");
    constexpr Eigen::Index kFeatures = 20;
    DenseRows centres(8, kFeatures);
    for (Eigen::Index i = 0; i < centres.size(); ++i) {
        centres.data()[i] = i % kFeatures < kFeatures / 2 ? (random.uniform() < 0.5 ? -0.8 : 0.8) : 0.0;
    }
    Dataset::Parts parts;
    parts.dense.resize(n, kFeatures);
    Samples samples;
    samples.y.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const Eigen::Index cluster = i % 8;
        samples.y(i) = (cluster < 4 ? 1 : -1) * (random.uniform() < 0.02 ? -1 : 1);
        for (Eigen::Index f = 0; f < kFeatures; ++f) {
            parts.dense(i, f) = centres(cluster, f) + random.normal();
        }
    }
    samples.data = std::make_shared<const Dataset>(std::move(parts));
    return samples;
}

std::string pathOf(const Source& source) {
    return source.room.empty() ? source.file : (sharedData(source.room) / source.file).string();
}

bool isThere(const Source& source) {
    return source.room.empty() || std::filesystem::exists(pathOf(source));
}

Samples fromFile(const Source& source) {
    DataConfig config;
    config.source = pathOf(source);
    config.labels = source.labels;
    config.scale = source.scale;
    config.subset = source.subset;
    Samples samples;
    samples.data = *loadDataset(config, {});
    samples.y.resize(samples.data->rows());
    for (Eigen::Index i = 0; i < samples.y.size(); ++i) {
        samples.y(i) = samples.data->labels()[static_cast<std::size_t>(i)] == source.positive ? 1 : -1;
    }
    return samples;
}

} // namespace

FeatureRows Samples::features() const {
    return featureRowsOf(*data);
}

svm::SvmProblem Samples::problem(const KernelFunction& kernel, double positiveWeight, int threads,
                                 bool hasFreeBias) const {
    std::shared_ptr<KernelRows> rows;
    if (kernel.kind != KernelKind::Linear || hasFreeBias) {
        rows = std::make_shared<KernelRows>(kernel, features(), kKernelBytes);
        StopCheck never;
        ThreadTeam team(threads);
        rows->fill(never, team);
    }
    return {features(), y, (y.array() > 0).select(positiveWeight, Eigen::VectorXd::Ones(y.size())), std::move(rows),
            hasFreeBias};
}

const Samples& samplesOf(const std::string& name) {
    static std::map<std::string, Samples> known;
    const auto [place, isNew] = known.try_emplace(name);
    if (isNew) {
        place->second = name == "clusters"      ? clusters(5000)
                        : name == kManyClusters ? clusters(20'000)
                        : name == kLargeLinear  ? overlapping(50'000)
                                                : fromFile(sources().at(name));
    }
    return place->second;
}

bool hasSamples(const std::string& name) {
    return name == "clusters" || name == kManyClusters || name == kLargeLinear || isThere(sources().at(name));
}

Samples distorted(const Samples& samples) {
    RandomStream random(1, "labels of duplicates");
    Dataset::Parts parts;
    parts.dense = samples.data->toDense();
    Samples result;
    result.y = samples.y;
    for (Eigen::Index i = 2; i < parts.dense.rows(); ++i) {
        if (i % 3 == 2) {
            parts.dense.row(i) = parts.dense.row(i - 1);
            result.y(i) = random.uniform() < 0.5 ? 1 : -1;
        }
        if (i % 10 == 0) {
            parts.dense.row(i).setZero();
        }
    }
    result.data = std::make_shared<const Dataset>(std::move(parts));
    return result;
}

std::vector<NamedKernel> paperKernels(const Samples& samples) {
    std::vector<NamedKernel> kernels = {{"linear", {}}};
    for (const auto& [name, gamma] : {std::pair{"RBF 0.1/d", 0.1}, {"RBF 1/d", 1.0}, {"RBF 10/d", 10.0}}) {
        kernels.push_back(
            {name, {.kind = KernelKind::Rbf, .gamma = gamma / static_cast<double>(samples.data->features())}});
    }
    return kernels;
}

using namespace svm;

std::vector<double> decades() {
    std::vector<double> values;
    for (int t = 0; t <= 20; ++t) {
        values.push_back(std::pow(10.0, -2 + 0.2 * t));
    }
    return values;
}

double leastC(const SvmProblem& problem) {
    StopCheck never;
    const double least = smallestC(bottomPoint(problem, 1, never), problem);
    return std::isfinite(least) ? least : 1;
}

SolvedSvm startOf(const SvmProblem& problem, double atMost) {
    StopCheck never;
    return bottomPoint(problem, std::min(leastC(problem), atMost), never);
}

std::vector<double> epsilonPath(const SvmProblem& problem) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    PathConfig config;
    config.kind = PathKind::Approximation;
    const SolvedSvm bottom = startOf(problem, std::numeric_limits<double>::infinity());
    return pathSchedule(config, problem, bottom, bottom.c, context, {});
}

PointSettings laneOf(const std::string& lane, double tolerance) {
    PointSettings settings;
    settings.tolerance = tolerance;
    settings.shrinks = lane.find("Shrink") != std::string::npos;
    for (const BoundKind kind : {BoundKind::BallOne, BoundKind::Intersection, BoundKind::Gap}) {
        if (lane.find(boundName(kind)) != std::string::npos) {
            settings.bounds.push_back(kind);
        }
    }
    return settings;
}

PathTotals walkPath(const SvmProblem& problem, const std::vector<double>& values, const PointSettings& settings,
                    const std::function<void(const PointOutcome&)>& each, const std::vector<SolvedSvm>& known) {
    NullSink sink;
    RunContext context(RunId{0}, sink);
    SolvedSvm last = startOf(problem, values.front());
    PointSolver solver(problem, settings);
    PathTotals totals;
    std::int32_t index = 0;
    for (const double c : values) {
        const SolvedSvm* proof = known.empty() ? nullptr : &known[static_cast<std::size_t>(index)];
        PointOutcome outcome = solver.solve(c, last, index++, context, proof);
        totals.operations += outcome.ledger.operations;
        totals.carried += outcome.carried;
        totals.primal += outcome.primal.value;
        totals.cpu += outcome.cpuSolve + outcome.cpuScreen;
        totals.rules += outcome.ledger.rule;
        totals.images += outcome.ledger.images;
        totals.updates += outcome.ledger.updates;
        totals.sweeps += outcome.sweeps;
        totals.screened += static_cast<double>(outcome.finalScreened.sum());
        totals.decidable += static_cast<double>(outcome.setCounts.sum());
        totals.loose += outcome.termination == Termination::Converged ? 0 : 1;
        if (each) {
            each(outcome);
        }
        last = std::move(outcome.solved);
    }
    return totals;
}

} // namespace lambdascope::benchmarks

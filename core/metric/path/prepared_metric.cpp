// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/path/prepared_metric.h"

#include "core/common/number_text.h"
#include "core/data/data_faults.h"
#include "core/data/neighbours.h"
#include "core/metric/inspect/metric_lens.h"
#include "core/metric/path/metric_schema.h"
#include "core/metric/path/metric_task.h"
#include "core/metric/problem/comparison_file.h"
#include "core/numeric/blas_library.h"
#include "core/triplets/engines/comparison_engine.h"
#include "core/triplets/engines/linear_term.h"
#include "core/triplets/engines/packed_triplets.h"
#include "core/triplets/engines/triplets_engine.h"
#include "core/triplets/path/approximation_path.h"
#include "core/triplets/problem/pair_quadratic_forms.h"
#include "core/triplets/problem/triplet_norm.h"
#include "core/triplets/solver/lambda_max_solution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::metric {

namespace {

/// Largest memory that preparation asks for by itself, in bytes; beyond it a clear message is better than swapping.
constexpr double kMemoryLimit = 8e9;
/// Largest memory for the λ ranges of one lane.
constexpr double kRangeLimit = 2e9;
/// What a neighbour of an anchor takes (neighbour list, lists of the set and of the engine), and what a pair of rows
/// does while pairs are built and afterwards (bucket, pair arrays). Rows that are neighbours of each other are one
/// pair.
constexpr double kBytesPerNeighbour = 16;
constexpr double kBytesPerPair = 32;
/// From this many features on a full M alone is no matter for a desktop.
constexpr Eigen::Index kMostFeatures = 4000;

Failure tooLarge(std::string key, std::string message, std::string remedy) {
    return Failure{singleFault(ErrorCode::OutOfMemory, {std::move(key), std::move(message), std::move(remedy), {}})};
}

std::vector<std::int64_t> classSizes(const Dataset& data) {
    std::vector<std::int64_t> sizes(data.classNames().size(), 0);
    for (const std::int32_t label : data.labels()) {
        ++sizes[static_cast<std::size_t>(label)];
    }
    return sizes;
}

/// Labels, number of classes and class sizes.
Result<void> checkClasses(const Dataset& data, const ProblemConfig& problem) {
    if (!data.isLabelled()) {
        return dataFault("data.labels", "the data have no class labels, which triplets are made from",
                         "Name the label column in data.labels, or choose labelled data.");
    }
    const std::vector<std::int64_t> sizes = classSizes(data);
    const auto populated = std::count_if(sizes.begin(), sizes.end(), [](std::int64_t size) { return size > 0; });
    if (populated < 2) {
        return dataFault("data.labels",
                         "the data have only one class" +
                             (data.classNames().empty() ? std::string() : ", '" + data.classNames().front() + "'"),
                         "Triplets need rows of at least two classes; check data.labels.");
    }
    const std::int64_t largest = *std::max_element(sizes.begin(), sizes.end());
    if (largest < 2) {
        return dataFault("data.labels", "no class has two rows, so there is no triplet",
                         "Check that data.labels names the class column, not an identifier.");
    }
    if (!problem.k) {
        return {};
    }
    const std::int64_t k = *problem.k;
    for (std::size_t c = 0; c < sizes.size(); ++c) {
        const std::int64_t size = sizes[c];
        if (size > 0 && k > size - 1) {
            return dataFault("problem.k",
                             "k = " + std::to_string(k) + " but class '" + data.classNames()[c] + "' has " +
                                 std::to_string(size) + (size == 1 ? " row" : " rows") + ", so " +
                                 std::to_string(size - 1) + " neighbours of a row of it",
                             size > 1 ? "Choose k at most " + std::to_string(size - 1) + ", or \"all\"."
                                      : "Leave the class out, or choose k = \"all\".");
        }
        if (size > 0 && k > data.rows() - size) {
            return dataFault("problem.k",
                             "k = " + std::to_string(k) + " but there are only " + std::to_string(data.rows() - size) +
                                 " rows outside class '" + data.classNames()[c] + "'",
                             "Choose k at most " + std::to_string(data.rows() - size) + ", or \"all\".");
        }
    }
    return {};
}

Result<void> checkFeatures(const Dataset& data, const ProblemConfig& problem) {
    if (problem.structure == Structure::Full && data.features() > kMostFeatures) {
        return dataFault("data.pca",
                         "the data have " + groupedText(data.features()) + " features; a full M would have " +
                             groupedText(data.features() * data.features()) + " entries",
                         "Reduce the data to at most a few hundred dimensions by data.pca, or learn a diagonal M "
                         "(problem.structure).");
    }
    // The data are kept dense, and engines hold up to two more of the size.
    const double dense = 3.0 * static_cast<double>(data.rows()) * static_cast<double>(data.features()) * sizeof(double);
    if (dense > kMemoryLimit) {
        return tooLarge("data.pca",
                        groupedText(data.rows()) + " rows of " + groupedText(data.features()) +
                            " features would take " + byteText(dense) + " while solving; the limit is " +
                            byteText(kMemoryLimit),
                        "Keep fewer rows with data.subset, or reduce the dimension by data.pca.");
    }
    return {};
}

/// What all triplets of a data set take.
struct TripletSizes {
    double neighbourBytes = 0; ///< of neighbours and pairs
    double triplets = 0;
    double packedBytes = 0; ///< of a PackedTriplets at most
    double entryBytes = 0;  ///< of all triplets in the order of rules: pairs, and forms at both ends of a capsule

    /// Of screening in the engine for pairs: what decisions leave, those that last and others, before and after a look
    /// and noted ones; what is looked at; and norms.
    [[nodiscard]] double pairsScreeningBytes() const {
        return 4 * packedBytes + entryBytes + NormCache::bytesFor(triplets);
    }
};

TripletSizes tripletSizes(const Dataset& data, const ProblemConfig& problem) {
    TripletSizes sizes;
    double neighbours = 0;
    const auto n = static_cast<double>(data.rows());
    const double k = problem.k ? static_cast<double>(*problem.k) : std::numeric_limits<double>::infinity();
    for (const std::int64_t count : classSizes(data)) {
        const auto size = static_cast<double>(count);
        const double same = std::min(k, size - 1);
        const double other = std::min(k, n - size);
        neighbours += size * (same + other);
        sizes.triplets += size * same * other;
        sizes.packedBytes += size * PackedTriplets::bytesFor(same, other);
        sizes.entryBytes += size * (same + other + kGroupSize - 1) * (2 * sizeof(RowIndex) + 2 * sizeof(double));
    }
    sizes.neighbourBytes = neighbours * kBytesPerNeighbour + std::min(neighbours, n * (n - 1) / 2) * kBytesPerPair;
    return sizes;
}

/// Memory that a lane wants for itself; `key` is the lane's.
Result<void> checkLaneSize(const TripletSizes& sizes, const Lane& lane, const std::string& key) {
    const SolverConfig& solver = lane.solver;
    const double bytes = sizes.neighbourBytes;
    const std::string triplets = groupedText(static_cast<std::int64_t>(sizes.triplets)) + " triplets";
    const double list = TripletsEngine::listBytes(static_cast<TripletIndex>(sizes.triplets));
    if (solver.engine == EngineKind::Triplets && list > kMemoryLimit) {
        return tooLarge(key + ".solver.engine",
                        "listing " + triplets + " would take " + byteText(list) + "; the limit is " +
                            byteText(kMemoryLimit),
                        "Use the engine \"sorted\" or \"pairs\", or a smaller k.");
    }
    const bool screens = !lane.settings.bounds.empty();
    const double pairs = bytes + sizes.pairsScreeningBytes();
    if (solver.engine == EngineKind::Pairs && screens && pairs > kMemoryLimit) {
        return tooLarge(key + ".solver.engine",
                        "the neighbour lists and the screening of " + triplets + " would take " + byteText(pairs) +
                            "; the limit is " + byteText(kMemoryLimit),
                        "Use the engine \"sorted\", a smaller k, or a lane without bounds.");
    }
    const double budget = 1e6 * static_cast<double>(solver.memoryBudget);
    if (solver.engine == EngineKind::Sorted && bytes > budget) {
        return tooLarge(key + ".solver.memory_budget",
                        "the neighbour lists would take " + byteText(bytes) + "; the budget is " + byteText(budget),
                        "Raise solver.memory_budget, choose a smaller k, or keep fewer rows with data.subset.");
    }
    const double ranges = RangeStore::largestBytes(sizes.triplets);
    if (lane.settings.keepsRanges() && ranges > kRangeLimit) {
        return tooLarge(key + ".range",
                        "the ranges of " + triplets + " could take " + byteText(ranges) + "; the limit is " +
                            byteText(kRangeLimit),
                        "Set range to false, or choose a smaller k.");
    }
    return {};
}

/// Memory of neighbours, pairs and, where a lane wants it, the list of triplets.
Result<void> checkSize(const Dataset& data, const MetricConfig& config) {
    if (auto checked = checkFeatures(data, config.problem); !checked) {
        return checked;
    }
    const TripletSizes sizes = tripletSizes(data, config.problem);
    if (sizes.neighbourBytes > kMemoryLimit) {
        return tooLarge("problem.k",
                        "the neighbour lists would take " + byteText(sizes.neighbourBytes) + "; the limit is " +
                            byteText(kMemoryLimit),
                        "Choose a smaller k, or keep fewer rows with data.subset.");
    }
    for (std::size_t i = 0; i < config.lanes.size(); ++i) {
        if (auto checked = checkLaneSize(sizes, config.lanes[i], "lanes[" + std::to_string(i) + "]"); !checked) {
            return checked;
        }
    }
    return {};
}

} // namespace

PreparedMetric::PreparedMetric(const std::shared_ptr<const MetricConfig>& config, std::shared_ptr<const Dataset> data,
                               PreparedItems items, LambdaMaxSolution top)
    : m_config(withOracleBounds(config, kOracleBounds)), m_data(std::move(data)), m_items(std::move(items)),
      m_top(std::move(top)), m_heldOutTest(pairTable(), *m_data, problem().knn),
      m_accurate(
          std::make_shared<AccuratePoints>([this] { return makeEngine(EngineKind::Pairs, 1); }, problem().lossGamma())),
      m_finished(std::make_shared<FinishedPoints>()) {}

std::unique_ptr<PathTask> PreparedMetric::makeTask(std::size_t lane) const {
    return std::make_unique<MetricTask>(*this, this->lane(lane));
}

std::unique_ptr<RunLens> PreparedMetric::makeLens(std::size_t lane) const {
    return std::make_unique<MetricLens>(*this, this->lane(lane), m_accurate);
}

std::unique_ptr<KnownLane> PreparedMetric::makeKnownLane(const Lane& lane) const {
    return KnownLane::of<MetricTask>(lane, *this, m_config->lanes, m_finished);
}

FinishedPoints* PreparedMetric::finishedPoints(const Lane& lane) const {
    return isKnownToOracle(lane.name, m_config->lanes) ? m_finished.get() : nullptr;
}

ProblemItems PreparedMetric::items() const {
    return m_items.comparisons ? ProblemItems(*m_items.comparisons) : ProblemItems(m_items.triplets);
}

std::unique_ptr<Engine> PreparedMetric::makeEngine(EngineKind kind, int threads) const {
    std::unique_ptr<Engine> engine = m_items.comparisons ? std::make_unique<ComparisonEngine>(*m_items.comparisons)
                                                         : triplets::makeEngine(kind, m_items.triplets, threads);
    if (m_items.linear.size() == 0) {
        return engine;
    }
    return std::make_unique<LinearTermEngine>(std::move(engine), m_items.linear);
}

Json PreparedMetric::facts() const {
    Json facts = Json::object();
    facts["data"] = m_data->name();
    facts["data_description"] = m_data->description();
    facts["data_sha256"] = m_data->sourceSha256();
    facts["content_sha256"] = m_data->contentSha256();
    facts["n"] = pairTable().rows();
    facts["d"] = pairTable().features();
    facts["classes"] = m_data->classNames().size();
    if (const ComparisonSet* set = comparisons()) {
        facts["comparisons_sha256"] = m_items.fileSha256;
        facts["comparisons_repeated"] = set->repeated();
        facts["comparisons_contradicting"] = set->contradictions();
    } else {
        facts["k"] = problem().k ? Json(*problem().k) : Json("all");
    }
    facts["linear_term"] = problem().linearTerm;
    facts["gamma"] = problem().lossGamma();
    facts["structure"] = problem().structure == Structure::Diagonal ? "diagonal" : "full";
    facts["pairs"] = pairTable().pairs();
    facts[comparisons() != nullptr ? "comparisons" : "triplets"] = items().size();
    facts["held_out"] = m_heldOutTest.rows();
    facts["lambda_max"] = m_top.lambdaMax;
    facts["problem_bytes"] = comparisons() != nullptr ? comparisons()->bytes() : m_items.triplets.bytes();
    return facts;
}

namespace {

DenseRows denseRows(const Dataset& data) {
    return data.isSparse() ? data.toDense() : data.dense();
}

/// Neighbours, triplets and the linear term over same-class neighbours.
Result<PreparedItems> prepareTriplets(const MetricConfig& config, const PreparationInput& input, StopCheck& stopCheck) {
    const ProblemConfig& problem = config.problem;
    const Dataset& data = *input.data;
    if (auto checked = checkClasses(data, problem); !checked) {
        return Failure{checked.error()};
    }
    if (auto checked = checkSize(data, config); !checked) {
        return Failure{checked.error()};
    }
    auto neighbours = classNeighbours(data, problem.k, input.progress, input.stop);
    if (!neighbours) {
        return Failure{neighbours.error()};
    }
    auto triplets = TripletSet::build(denseRows(data), *neighbours, input.stop, problem.structure);
    if (!triplets) {
        return Failure{triplets.error()};
    }
    PreparedItems items{std::move(*triplets), std::nullopt, {}, {}};
    if (problem.linearTerm > 0) {
        std::vector<double> weights(static_cast<std::size_t>(items.triplets.pairs()), 0.0);
        for (std::int64_t s = 0; s < items.triplets.sameOffset(items.triplets.rows()); ++s) {
            weights[static_cast<std::size_t>(items.triplets.samePair(s))] += 1;
        }
        items.linear = linearTerm(items.triplets, weights, problem.linearTerm, stopCheck);
    }
    return items;
}

/// Comparisons and the linear term over target pairs, from the file.
Result<PreparedItems> prepareComparisons(const ProblemConfig& problem, const PreparationInput& input,
                                         StopCheck& stopCheck) {
    const Dataset& data = *input.data;
    if (auto checked = checkFeatures(data, problem); !checked) {
        return Failure{checked.error()};
    }
    auto list = readComparisons(problem.file, static_cast<RowIndex>(data.rows()), input.progress, input.stop);
    if (!list) {
        return Failure{list.error()};
    }
    if (problem.linearTerm > 0 && list->targets.empty()) {
        return dataFault("problem.linear_term",
                         "is " + exactText(problem.linearTerm) + ", but " + list->name + " names no target pairs",
                         "Add lines \"target i j\" to the file, or set linear_term to 0.");
    }
    auto set = ComparisonSet::build(denseRows(data), *list, input.stop, problem.structure);
    if (!set) {
        return Failure{set.error()};
    }
    PreparedItems items{TripletSet::empty(data.features()), std::move(*set), {}, std::move(list->sha256)};
    if (problem.linearTerm > 0) {
        items.linear =
            linearTerm(*items.comparisons, items.comparisons->targetWeights(), problem.linearTerm, stopCheck);
    }
    return items;
}

/// Why there is no path to walk.
Failure noPath(const ProblemConfig& problem, const LambdaMaxSolution& top) {
    const bool isFile = problem.constraints == ConstraintSource::File;
    if (top.split.trace > 0) {
        return dataFault("problem.gamma",
                         "no comparison but lower bounds below γ = " + exactText(problem.lossGamma()) +
                             " asks for a metric, so no λ has a solution in closed form to start from",
                         "Choose a smaller gamma, or larger bounds: they are squared distances.");
    }
    const std::string linear = problem.linearTerm > 0 ? ", or a smaller problem.linear_term" : "";
    if (isFile) {
        return dataFault(
            "problem.file",
            "M = 0 is the best metric for every λ: what should be close is farther apart than what should be "
            "far in every direction",
            "Check the comparisons (triplet i j l: j is closer to i than l is) and the base" + linear + ".");
    }
    return dataFault("data.source",
                     "M = 0 is the best metric for every λ: rows of one class are farther apart than rows of different "
                     "classes in every direction",
                     "Check the labels (data.labels), or choose a smaller k" + linear + ".");
}

} // namespace

Result<std::shared_ptr<const PreparedProblem>> prepare(const std::shared_ptr<const MetricConfig>& config,
                                                       const PreparationInput& input) {
    const ProblemConfig& problem = config->problem;
    if (auto checked = checkMagnitudes(*input.data); !checked) {
        return Failure{checked.error()};
    }
    pinBlasToOneThread(); // λ_max must not depend on the number of cores
    StopCheck stopCheck([&input] { return input.stop.stop_requested(); });
    auto items = problem.constraints == ConstraintSource::File ? prepareComparisons(problem, input, stopCheck)
                                                               : prepareTriplets(*config, input, stopCheck);
    if (!items) {
        return Failure{items.error()};
    }
    const double gamma = problem.lossGamma();
    LambdaMaxSolution top;
    if (!stopCheck.ask()) {
        top = items->comparisons ? comparisonLambdaMax(*items->comparisons, items->linear, gamma, stopCheck)
                                 : lambdaMaxSolution(items->triplets, gamma, stopCheck, items->linear);
    }
    if (stopCheck.ask()) {
        return Failure{plainError(ErrorCode::Stopped, "stopped while preparing the triplets")};
    }
    if (!(top.lambdaMax > 0) || !std::isfinite(top.lambdaMax)) {
        return noPath(problem, top);
    }
    auto prepared = std::make_shared<PreparedMetric>(config, input.data, std::move(*items), std::move(top));
    if (prepared->approximationPath() != nullptr) {
        auto values = triplets::approximationPath(*prepared, config->solver, config->lanes, input);
        if (!values) {
            return Failure{plainError(ErrorCode::Stopped, "stopped while walking the ε-path")};
        }
        prepared->setApproximationPath(std::move(*values));
    }
    return std::shared_ptr<const PreparedProblem>(std::move(prepared));
}

} // namespace lambdascope::metric

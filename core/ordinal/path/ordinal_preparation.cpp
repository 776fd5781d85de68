// SPDX-License-Identifier: GPL-3.0-or-later
// From data and files to training and test comparisons.
#include "core/common/number_text.h"
#include "core/data/data_faults.h"
#include "core/numeric/blas_library.h"
#include "core/numeric/classical_scaling.h"
#include "core/ordinal/path/comparison_file.h"
#include "core/ordinal/path/comparison_sampling.h"
#include "core/ordinal/path/ordinal_schema.h"
#include "core/ordinal/path/prepared_ordinal.h"
#include "core/ordinal/solver/gram_descent.h"
#include "core/ordinal/solver/trial.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace lambdascope::ordinal {

namespace {

constexpr std::int64_t kDefaultTrain = 10000;
constexpr double kTrainShare = 0.8;
/// Names go along with every picture; beyond this many they could not be read there anyhow.
constexpr ObjectIndex kMostNamed = 5000;
/// Reference coordinates beyond this many numbers cost more than an epoch to compare with.
constexpr double kMostReference = 4e6;

/// Memory that the trials of a lane may take.
constexpr double kMostTrialBytes = 16e9;

struct Pool {
    WeightedComparisons comparisons;
    ObjectIndex objects = 0;
    int base = 1;
};

class Preparation {
  public:
    Preparation(const std::shared_ptr<const OrdinalConfig>& config, const PreparationInput& input)
        : m_all(config), m_config(m_all->problem), m_path(m_all->path), m_seed(input.run.seed),
          m_progress(input.progress), m_stop(input.stop), m_stopCheck([this] { return m_stop.stop_requested(); }),
          m_random(m_seed, "comparisons") {
        m_parts.data = input.data;
    }

    Result<std::shared_ptr<const PreparedProblem>> run() {
        pinBlasToOneThread();
        if (auto checked = checkData(); !checked) {
            return Failure{checked.error()};
        }
        auto pool = m_config.comparisons == ComparisonSource::File ? readPool() : drawPool();
        if (!pool) {
            return Failure{pool.error()};
        }
        if (auto made = makeSets(*pool); !made) {
            return Failure{made.error()};
        }
        makeReference();
        if (auto made = makeConvexProblems(*m_all, m_seed, m_stop, m_parts); !made) {
            return Failure{made.error()};
        }
        if (m_stopCheck.ask()) {
            return stopped();
        }
        return std::shared_ptr<const PreparedProblem>(
            std::make_shared<PreparedOrdinal>(m_all, m_seed, std::move(m_parts)));
    }

  private:
    [[nodiscard]] const Dataset& data() const { return *m_parts.data; }
    static Failure stopped() {
        return Failure{plainError(ErrorCode::Stopped, "stopped while preparing the comparisons")};
    }

    Result<void> checkData() {
        if (m_config.comparisons == ComparisonSource::File) {
            return {};
        }
        if (data().rows() < 3) {
            return dataFault("data.source",
                             "the data have " + std::to_string(data().rows()) +
                                 (data().rows() == 1 ? " row" : " rows") + ", but a comparison takes three objects",
                             "Give at least three rows.");
        }
        if (data().rows() > std::numeric_limits<ObjectIndex>::max() / 2) {
            return dataFault("data.source", "the data have too many rows", "Keep fewer by data.subset.");
        }
        if (m_config.comparisons == ComparisonSource::Distances) {
            if (const auto why = noDistances(data(), m_stopCheck)) {
                return dataFault("data.source", *why,
                                 "Give a symmetric matrix of distances, or set problem.comparisons to \"points\".");
            }
        }
        if (m_config.comparisons == ComparisonSource::Classes) {
            return checkClasses();
        }
        return {};
    }

    Result<void> checkClasses() {
        if (!data().isLabelled()) {
            return dataFault("data.labels", "the data have no labels, but comparisons are to come from classes",
                             "Name the column that holds them by data.labels.");
        }
        const std::set<std::int32_t> classes(data().labels().begin(), data().labels().end());
        if (classes.size() < 2 || classes.size() == data().labels().size()) {
            return dataFault("data.labels",
                             classes.size() < 2 ? "all rows are of one class, so that nothing is farther away"
                                                : "no two rows are of one class, so that nothing is close",
                             "Check data.labels.");
        }
        return {};
    }

    Result<Pool> readPool() {
        const auto known = static_cast<ObjectIndex>(data().rows());
        auto read = readComparisons(m_config.file, m_config.layout, m_config.base, known, m_config.dropSelf, m_progress,
                                    m_stop);
        if (!read) {
            return Failure{std::move(read).error()};
        }
        Json& facts = m_parts.facts;
        facts["file"] = read->name;
        facts["file_sha256"] = read->sha256;
        facts["ids_from"] = read->base;
        facts["layout"] = read->isQuadruplets ? "i j l k" : "i j k";
        facts["answers"] = read->comparisons.size();
        if (read->dropped > 0) {
            facts["dropped_answers"] = read->dropped;
        }
        Pool pool{mergeRepeats(read->comparisons, m_config.repeats, m_stopCheck), read->objects, read->base};
        if (m_stopCheck.ask()) {
            return stopped();
        }
        if (pool.comparisons.size() == 0) {
            return dataFault("problem.repeats", "all answers contradict each other, so that none is left",
                             "Set repeats to \"merge\" or \"keep\".");
        }
        if (m_config.repeats != RepeatPolicy::Keep) {
            facts["merged_answers"] = pool.comparisons.size();
        }
        if (auto named = readNames(pool); !named) {
            return Failure{named.error()};
        }
        return pool;
    }

    Result<void> readNames(Pool& pool) {
        if (m_config.names.empty()) {
            return {};
        }
        auto names = readObjectNames(m_config.names, pool.base, m_progress, m_stop);
        if (!names) {
            return Failure{std::move(names).error()};
        }
        const auto count = static_cast<ObjectIndex>(names->size());
        if (count < pool.objects) {
            return dataFault("problem.names",
                             "names " + groupedText(count) + " objects, but the comparisons speak of " +
                                 groupedText(pool.objects),
                             "Name all of them, or check problem.base.");
        }
        if (data().rows() == 0) {
            pool.objects = count;
        }
        names->resize(static_cast<std::size_t>(pool.objects));
        m_names = std::move(*names);
        return {};
    }

    Result<Pool> drawPool() {
        if (m_progress) {
            m_progress(0, "drawing comparisons");
        }
        const auto n = static_cast<ObjectIndex>(data().rows());
        if (auto checked = checkMagnitudes(data()); !checked) {
            return Failure{checked.error()};
        }
        const bool fromClasses = m_config.comparisons == ComparisonSource::Classes;
        const double questions = fromClasses ? 1e18 : questionCount(n, m_config.form);
        const std::int64_t train = m_config.train.value_or(std::max<std::int64_t>(
            1, static_cast<std::int64_t>(std::min<double>(kDefaultTrain, kTrainShare * questions))));
        const std::int64_t test = m_config.test.value_or(train);
        Pool pool{{}, n, 1};
        if (fromClasses) {
            pool.comparisons = sampleFromClasses(data().labels(), train + test, m_random, m_stopCheck);
        } else {
            const DenseRows x = data().toDense();
            const bool isMatrix = m_config.comparisons == ComparisonSource::Distances;
            const DistanceFunction distance = [&x, isMatrix](ObjectIndex a, ObjectIndex b) {
                return isMatrix ? x(a, b) : (x.row(a) - x.row(b)).squaredNorm();
            };
            pool.comparisons = sampleFromDistances(n, distance, m_config.form, train + test, m_random, m_stopCheck);
        }
        m_drawnTrain = train;
        if (m_stopCheck.ask()) {
            return stopped(); // what was drawn so far is not what was asked for
        }
        if (pool.comparisons.size() == 0) {
            return dataFault("data.source", "all distances are equal, so that there is nothing to compare",
                             "Give objects that differ.");
        }
        return pool;
    }

    Result<void> makeSets(const Pool& pool) {
        const auto answers = static_cast<std::int64_t>(pool.comparisons.size());
        const std::int64_t wanted = m_drawnTrain.value_or(m_config.train.value_or(
            std::max<std::int64_t>(1, std::llround(kTrainShare * static_cast<double>(answers)))));
        if (m_config.train && *m_config.train > answers) {
            return dataFault("problem.train",
                             "is " + groupedText(*m_config.train) + ", but there are only " + groupedText(answers) +
                                 " comparisons",
                             "Ask for fewer, or for \"auto\".");
        }
        Split split = splitByQuestion(pool.comparisons, wanted, m_config.test.value_or(answers), m_random, m_stopCheck);
        RandomStream noise(m_seed, "noise");
        addNoise(split.train, m_config.noise, noise, m_stopCheck);
        makeFolds(split.train, pool.objects);
        m_parts.train = std::make_unique<ComparisonSet>(std::move(split.train), pool.objects, m_stopCheck);
        m_parts.test = std::make_unique<ComparisonSet>(std::move(split.test), pool.objects, m_stopCheck);
        if (m_stopCheck.ask()) {
            return stopped();
        }
        nameObjects(pool);
        if (auto checked = checkLanes(pool.objects); !checked) {
            return checked;
        }
        tellFacts(pool.objects);
        return {};
    }

    void makeFolds(const WeightedComparisons& train, ObjectIndex objects) {
        if (m_path.kind != PathKind::Dimensions) {
            return;
        }
        RandomStream random(m_seed, "folds");
        std::vector<WeightedComparisons> parts = splitIntoFolds(train, m_path.folds, random, m_stopCheck);
        for (std::size_t fold = 0; fold < parts.size() && parts.size() > 1 && !m_stopCheck.ask(); ++fold) {
            WeightedComparisons rest;
            for (std::size_t other = 0; other < parts.size(); ++other) {
                for (std::size_t q = 0; other != fold && q < parts[other].size(); ++q) {
                    rest.add(parts[other].items[q], parts[other].weight(q));
                }
            }
            m_parts.folds.push_back({std::make_unique<ComparisonSet>(std::move(rest), objects, m_stopCheck),
                                     std::make_unique<ComparisonSet>(parts[fold], objects, m_stopCheck)});
        }
    }

    void nameObjects(const Pool& pool) {
        m_parts.labels.classes = data().labels();
        m_parts.labels.classNames = data().classNames();
        std::vector<std::string> names = m_names.empty() ? data().rowNames() : m_names;
        if (!names.empty() && pool.objects <= kMostNamed) {
            m_parts.labels.names = std::make_shared<const std::vector<std::string>>(std::move(names));
        }
    }

    Result<void> checkLanes(ObjectIndex objects) {
        for (std::size_t at = 0; at < m_all->lanes.size(); ++at) {
            const Lane& lane = m_all->lanes[at];
            const std::string key = "lanes[" + std::to_string(at) + "].";
            if (m_path.kind == PathKind::Lambda && factorRank(lane.solver, objects, m_config.dimensions)) {
                if (auto fault = screeningAtRank(lane.settings, key)) {
                    fault->message += "; it is held as a whole up to " + groupedText(GramProblem::kMostObjects) +
                                      " objects, and these are " + groupedText(objects);
                    fault->remedy += ", or take fewer objects.";
                    return Failure{singleFault(ErrorCode::InvalidData, std::move(*fault))};
                }
            }
            if (m_path.kind != PathKind::Lambda && lane.solver.method == MethodKind::Convex &&
                objects > kMostGramObjects) {
                return Failure{
                    singleFault(ErrorCode::InvalidData,
                                {key + "solver.method",
                                 "is convex, which keeps matrices of " + groupedText(objects) + " × " +
                                     groupedText(objects) + " numbers and decomposes one in every step; the limit is " +
                                     groupedText(kMostGramObjects) + " objects",
                                 "Take another method, or a path over λ: path.kind = \"lambda\".",
                                 {}})};
            }
        }
        if (auto checked = checkMemory(objects); !checked) {
            return checked;
        }
        if (m_path.kind == PathKind::Dimensions && static_cast<std::int64_t>(m_parts.folds.size()) < 2) {
            return dataFault("path.folds", "there are too few comparisons to leave some of them out",
                             "Take more comparisons.");
        }
        return {};
    }

    /// All trials of a lane are in memory at once.
    Result<void> checkMemory(ObjectIndex objects) {
        for (std::size_t at = 0; at < m_all->lanes.size(); ++at) {
            const SolverConfig& solver = m_all->lanes[at].solver;
            const std::int64_t comparisons = m_parts.train->size();
            const auto rank = factorRank(solver, objects, m_config.dimensions);
            const double ofFactor =
                rank && isConvex(*m_all, m_all->lanes[at]) ? factorBytes(objects, *rank, comparisons) : 0;
            if (ofFactor > kMostTrialBytes) {
                return Failure{singleFault(ErrorCode::OutOfMemory,
                                           {"lanes[" + std::to_string(at) + "].solver.rank",
                                            "would take " + shortText(ofFactor / 1e9, 3) + " GB; the limit is " +
                                                shortText(kMostTrialBytes / 1e9) + " GB",
                                            "Set a lower rank.",
                                            {}})};
            }
            if (rank && m_path.kind == PathKind::Lambda) {
                continue;
            }
            const auto bytes = [&](const SolverConfig& config) {
                return static_cast<double>(config.trials) * trialBytes(config, objects,
                                                                       static_cast<double>(m_config.dimensions),
                                                                       static_cast<double>(comparisons));
            };
            if (bytes(solver) <= kMostTrialBytes) {
                continue;
            }
            SolverConfig small = solver;
            small.batch = 1;
            const bool isBatch = bytes(small) <= kMostTrialBytes;
            return Failure{singleFault(
                ErrorCode::OutOfMemory,
                {"lanes[" + std::to_string(at) + "].solver." + (isBatch ? "batch" : "trials"),
                 "would take " + shortText(bytes(solver) / 1e9, 3) + " GB; the limit is " +
                     shortText(kMostTrialBytes / 1e9) + " GB",
                 isBatch ? "Take smaller mini-batches, or fewer trials." : "Take fewer trials, or fewer dimensions.",
                 {}})};
        }
        return {};
    }

    void tellFacts(ObjectIndex objects) {
        const ComparisonSet& train = *m_parts.train;
        Json& facts = m_parts.facts;
        facts["n"] = objects;
        facts["p"] = m_config.dimensions;
        facts["comparisons"] = train.size();
        facts["held_out"] = m_parts.test->size();
        facts["triplets"] = train.triplets();
        facts["quadruplets"] = train.size() - train.triplets();
        facts["weighted"] = train.isWeighted();
        if (const std::int64_t silent = train.silentObjects(); silent > 0) {
            facts["objects_without_comparison"] = silent;
        }
        facts["comparison_bytes"] = train.bytes();
        facts["data_sha256"] = data().sourceSha256();
        facts["content_sha256"] = data().contentSha256();
    }

    void makeReference() {
        const double cells = static_cast<double>(data().rows()) * static_cast<double>(data().features());
        if (data().rows() != m_parts.train->objects() || cells > kMostReference) {
            return;
        }
        const bool mayBeMatrix =
            m_config.comparisons == ComparisonSource::Distances || m_config.comparisons == ComparisonSource::File;
        if (mayBeMatrix && data().rows() <= kMostGramObjects && !noDistances(data(), m_stopCheck)) {
            const Eigen::MatrixXd squared = data().toDense().array().square();
            if (auto map = classicalScaling(squared, std::min<Eigen::Index>(m_config.dimensions, data().rows()),
                                            m_stopCheck)) {
                m_parts.reference = std::move(*map);
                m_parts.facts["reference"] = "classical scaling";
            }
        } else if (m_config.comparisons == ComparisonSource::Rows) {
            m_parts.reference = data().toDense();
            m_parts.facts["reference"] = "rows of the data";
        }
    }

    std::shared_ptr<const OrdinalConfig> m_all;
    const ProblemConfig& m_config;
    const PathConfig& m_path;
    std::uint64_t m_seed;
    const ProgressFunction& m_progress;
    std::stop_token m_stop;
    StopCheck m_stopCheck;
    RandomStream m_random;
    std::optional<std::int64_t> m_drawnTrain;
    std::vector<std::string> m_names;
    PreparedParts m_parts;
};

} // namespace

Result<std::shared_ptr<const PreparedProblem>> prepare(const std::shared_ptr<const OrdinalConfig>& config,
                                                       const PreparationInput& input) {
    return Preparation(config, input).run();
}

} // namespace lambdascope::ordinal

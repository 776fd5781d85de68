// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/path/prepared_multiclass.h"

#include "core/common/clocks.h"
#include "core/data/gather_rows.h"
#include "core/svm/inspect/multiclass_lens.h"
#include "core/svm/path/data_checks.h"
#include "core/svm/path/multiclass_task.h"
#include "core/svm/path/preparation.h"
#include "core/svm/path/svm_schema.h"
#include "core/svm/problem/decision_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lambdascope::svm {

PreparedMulticlass::PreparedMulticlass(const std::shared_ptr<const SvmConfig>& config, std::uint64_t seed,
                                       PreparedParts whole, std::vector<ClassPart> parts)
    : m_whole(std::move(whole)), m_config(config), m_seed(seed), m_parts(std::move(parts)) {}

PreparedMulticlass::~PreparedMulticlass() = default;

std::unique_ptr<PathTask> PreparedMulticlass::makeTask(std::size_t lane) const {
    return std::make_unique<MulticlassTask>(*this, lane);
}

std::unique_ptr<RunLens> PreparedMulticlass::makeLens(std::size_t lane) const {
    return std::make_unique<MulticlassLens>(*this, lane);
}

Json PreparedMulticlass::facts(Json ofPart) const {
    Json facts = std::move(ofPart);
    for (const char* key : {"positive", "n_positive"}) {
        facts.erase(key);
    }
    facts["data"] = data().name();
    facts["data_description"] = data().description();
    facts["data_sha256"] = data().sourceSha256();
    facts["content_sha256"] = data().contentSha256();
    facts["n"] = data().rows();
    facts["classes"] = data().classNames().size();
    facts["told_apart"] = problemFields().word(config(), "classes");
    facts["problems"] = m_parts.size();
    facts["held_out"] = data().heldOut() != nullptr && config().kernel != KernelKind::Precomputed
                            ? data().heldOut()->rows()
                            : Eigen::Index{0};
    double bytes = m_whole.rows ? m_whole.rows->bytes() : 0.0;
    for (const ClassPart& part : m_parts) {
        const auto& own = part.prepared->problem().sharedRows();
        bytes += own != nullptr && own != m_whole.rows ? own->bytes() : 0.0;
    }
    facts["kernel_bytes"] = bytes;
    if (const SampleWeights& weights = m_whole.sampleWeights; weights.values.size() > 0) {
        facts["left_out"] = (weights.values.array() == 0).count();
    }
    return facts;
}

Eigen::MatrixXd PreparedMulticlass::coefficients(const std::vector<const SolvedSvm*>& solved) const {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(data().rows(), std::ssize(m_parts));
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        const Eigen::VectorXd own = m_parts[p].prepared->problem().rowCoefficients(solved[p]->alpha);
        for (SampleIndex i = 0; i < own.size(); ++i) {
            all(m_parts[p].rowOf(i), static_cast<Eigen::Index>(p)) = own(i);
        }
    }
    return all;
}

Eigen::MatrixXd PreparedMulticlass::values(const std::vector<const SolvedSvm*>& solved, const Dataset& rows,
                                           StopCheck& stopCheck) const {
    const KernelFunction kernel = config().kernelFor(data().features());
    Eigen::MatrixXd values;
    if (m_parts.front().prepared->problem().isLinear()) {
        Eigen::MatrixXd weights(solved.front()->weights.size(), std::ssize(m_parts));
        for (std::size_t p = 0; p < m_parts.size(); ++p) {
            weights.col(static_cast<Eigen::Index>(p)) = solved[p]->weights;
        }
        values = DecisionFunctions(std::move(weights), kernel.bias).values(featureRowsOf(rows), stopCheck);
    } else {
        values = DecisionFunctions(kernel, featureRowsOf(data()), coefficients(solved))
                     .values(featureRowsOf(rows), stopCheck);
    }
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        values.col(static_cast<Eigen::Index>(p)).array() += solved[p]->bias;
    }
    return values;
}

std::vector<std::int32_t> PreparedMulticlass::classesOf(const Eigen::MatrixXd& values) const {
    std::vector<std::int32_t> classes;
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
        Eigen::VectorXd score = Eigen::VectorXd::Zero(std::ssize(data().classNames()));
        for (std::size_t p = 0; p < m_parts.size(); ++p) {
            const ClassPart& part = m_parts[p];
            const double f = values(i, static_cast<Eigen::Index>(p));
            if (isOfPairs()) {
                score(f >= 0 ? part.positive : part.negative) += 1;
            } else {
                score(part.positive) = f;
            }
        }
        Eigen::Index best = 0;
        score.maxCoeff(&best); // the first of equal ones
        classes.push_back(static_cast<std::int32_t>(best));
    }
    return classes;
}

double PreparedMulticlass::heldOutError(const std::vector<const SolvedSvm*>& solved, StopCheck& stopCheck) const {
    constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
    const Dataset* rows = data().heldOut();
    if (rows == nullptr || rows->rows() == 0 || config().kernel == KernelKind::Precomputed) {
        return kUndefined;
    }
    const std::vector<std::int32_t> classes = classesOf(values(solved, *rows, stopCheck));
    if (stopCheck.isStopped()) {
        return kUndefined;
    }
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        // By name: a class may be among these rows alone.
        const std::string& is = rows->classNames()[static_cast<std::size_t>(rows->labels()[i])];
        wrong += data().classNames()[static_cast<std::size_t>(classes[i])] == is ? 0 : 1;
    }
    return static_cast<double>(wrong) / static_cast<double>(classes.size());
}

namespace {

/// The rows of `data` of these two classes, by name, ascending.
std::vector<Eigen::Index> rowsOfPair(const Dataset& data, const std::string& first, const std::string& second) {
    std::vector<Eigen::Index> rows;
    for (std::size_t i = 0; i < data.labels().size(); ++i) {
        const std::string& name = data.classNames()[static_cast<std::size_t>(data.labels()[i])];
        if (name == first || name == second) {
            rows.push_back(static_cast<Eigen::Index>(i));
        }
    }
    return rows;
}

/// A data set of these rows, all of which are of two classes; of a kernel matrix, of these columns too.
std::shared_ptr<const Dataset> dataOfPair(const Dataset& data, const std::vector<Eigen::Index>& rows,
                                          const std::string& first, const std::string& second, bool isMatrix) {
    Dataset::Parts parts;
    parts.name = data.name();
    parts.isSparse = data.isSparse();
    if (data.isSparse()) {
        parts.sparse = gatherRows(data.sparse(), rows);
        if (isMatrix) {
            const SparseRows turned = SparseRows::Base(parts.sparse.transpose());
            parts.sparse = SparseRows::Base(gatherRows(turned, rows).transpose());
        }
    } else if (isMatrix) {
        parts.dense = data.dense()(rows, rows);
    } else {
        parts.dense = gatherRows(data.dense(), rows);
    }
    parts.classNames = {first, second};
    for (const Eigen::Index row : rows) {
        const auto at = static_cast<std::size_t>(row);
        parts.labels.push_back(data.classNames()[static_cast<std::size_t>(data.labels()[at])] == second ? 1 : 0);
        if (!data.rowNames().empty()) {
            parts.rowNames.push_back(data.rowNames()[at]);
        }
    }
    if (!isMatrix) {
        parts.featureNames = data.featureNames();
    }
    parts.sourceSha256 = data.sourceSha256();
    parts.contentSha256 = data.contentSha256();
    parts.description = data.description();
    if (data.heldOut() != nullptr && !isMatrix) {
        const auto heldOut = rowsOfPair(*data.heldOut(), first, second);
        parts.heldOut = heldOut.empty() ? nullptr : dataOfPair(*data.heldOut(), heldOut, first, second, false);
    }
    return std::make_shared<const Dataset>(std::move(parts));
}

/// The parts without what is prepared of them.
std::vector<ClassPart> partsOf(const Dataset& data, bool areOfPairs) {
    const std::vector<std::string>& names = data.classNames();
    const auto count = static_cast<std::int32_t>(names.size());
    std::vector<ClassPart> parts;
    for (std::int32_t first = 0; first < count; ++first) {
        const std::string& name = names[static_cast<std::size_t>(first)];
        for (std::int32_t second = first + 1; areOfPairs && second < count; ++second) {
            const std::string& other = names[static_cast<std::size_t>(second)];
            parts.push_back({second, first, other + " vs " + name, rowsOfPair(data, name, other), nullptr});
        }
        if (!areOfPairs) {
            parts.push_back({first, ClassPart::kRest, name + " vs rest", {}, nullptr});
        }
    }
    return parts;
}

/// Shares of the memory for kernel rows, in bytes.
class RowBudget {
  public:
    /// What is left by `whole`, the store of all rows.
    RowBudget(const KernelRows& whole, double all, const std::vector<ClassPart>& parts) {
        const double own = KernelRows::bytesPerRow(whole.rows()) * static_cast<double>(whole.rows());
        m_left = whole.keepsAll() ? all - own : 0;
        for (const ClassPart& part : parts) {
            m_wanted += wantedBy(part);
        }
    }
    /// All that a part wants where that can be had for all of them, else its share, but at least one row.
    [[nodiscard]] double of(const ClassPart& part) const {
        const double row = KernelRows::bytesPerRow(std::ssize(part.rows));
        return m_wanted <= m_left ? wantedBy(part) : std::max(row, m_left * wantedBy(part) / m_wanted);
    }

  private:
    static double wantedBy(const ClassPart& part) {
        const auto rows = static_cast<double>(part.rows.size());
        return rows * KernelRows::bytesPerRow(std::ssize(part.rows));
    }
    double m_left = 0;
    double m_wanted = 0;
};

/// What a part is prepared from. Where it is of all rows, it shares everything with `whole`.
void takePart(const SvmConfig& config, const PreparedParts& whole, const ClassPart& part, PreparedParts& taken) {
    const std::vector<std::string>& names = whole.data->classNames();
    taken.positive = names[static_cast<std::size_t>(part.positive)];
    taken.kernelRidge = whole.kernelRidge;
    if (part.rows.empty()) {
        taken.data = whole.data;
        taken.biasedDense = whole.biasedDense;
        taken.biasedSparse = whole.biasedSparse;
        taken.rows = whole.rows;
        taken.sampleWeights = whole.sampleWeights;
        return;
    }
    const bool isMatrix = config.problem.kernel == KernelKind::Precomputed;
    taken.data =
        dataOfPair(*whole.data, part.rows, names[static_cast<std::size_t>(part.negative)], taken.positive, isMatrix);
    if (whole.sampleWeights.values.size() > 0) {
        taken.sampleWeights.values = whole.sampleWeights.values(part.rows);
        taken.sampleWeights.sha256 = whole.sampleWeights.sha256;
    }
    if (whole.rows == nullptr) {
        if (const double bias = config.problem.kernelFor(taken.data->features()).bias; bias > 0) {
            addBias(*taken.data, bias, taken);
        }
    }
}

/// A store of the rows of a part; null where the linear kernel needs none. False after a stop.
bool takeKernelRows(const PreparedParts& whole, const ClassPart& part, double budget, StopCheck& stopCheck,
                    PreparedParts& taken) {
    if (whole.rows == nullptr || part.rows.empty()) {
        return true;
    }
    const KernelFunction& kernel = whole.rows->kernel();
    auto rows = kernel.kind == KernelKind::Precomputed
                    ? std::make_shared<KernelRows>(kernel, featuresOf(taken), budget)
                    : std::make_shared<KernelRows>(whole.rows, part.rows, featuresOf(taken), budget);
    const CpuCharge charge(taken.rowsCpu);
    const bool done = rows->fill(stopCheck);
    taken.rows = std::move(rows);
    return done;
}

/// Checks the data, and makes what all parts are made from.
Result<void> takeWhole(const SvmConfig& config, const PreparationInput& input, StopCheck& stopCheck,
                       PreparedParts& whole) {
    if (auto checked = checkClasses(*whole.data, config.problem); !checked) {
        return checked;
    }
    if (auto checked = checkKernelMemory(*whole.data, config.problem); !checked) {
        return checked;
    }
    if (auto taken = takeRows(config, input, stopCheck, whole); !taken) {
        return taken;
    }
    return checkWeightOfClasses(*whole.data, whole.sampleWeights.values);
}

std::int32_t numberOf(const std::string& name, const Dataset& data) {
    const std::vector<std::string>& names = data.classNames();
    return static_cast<std::int32_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

} // namespace

Result<std::shared_ptr<const PreparedProblem>> prepareMulticlass(const std::shared_ptr<const SvmConfig>& config,
                                                                 const PreparationInput& input, StopCheck& stopCheck,
                                                                 PreparedParts whole) {
    const ProblemConfig& problem = config->problem;
    if (auto taken = takeWhole(*config, input, stopCheck, whole); !taken) {
        return Failure{taken.error()};
    }
    std::vector<ClassPart> parts = partsOf(*whole.data, problem.classes == ClassesKind::OneVsOne);
    const double memory = 1e6 * static_cast<double>(problem.kernelMemory);
    std::vector<PreparedParts> taken(parts.size());
    std::vector<PathProblem> problems;
    double cMin = std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (input.progress) {
            input.progress(static_cast<double>(p) / static_cast<double>(parts.size()), "preparing " + parts[p].name);
        }
        const double budget = whole.rows ? RowBudget(*whole.rows, memory, parts).of(parts[p]) : 0.0;
        takePart(*config, whole, parts[p], taken[p]);
        if (!takeKernelRows(whole, parts[p], budget, stopCheck, taken[p])) {
            return stoppedPreparing();
        }
        taken[p].problem = makeProblem(problem, numberOf(taken[p].positive, *taken[p].data), taken[p], stopCheck);
        if (auto found = findStart(*config, input, stopCheck, taken[p]); !found) {
            return Failure{found.error()};
        }
        cMin = std::min(cMin, taken[p].cMin);
        problems.push_back({*taken[p].problem, taken[p].bottom});
    }
    if (!std::isfinite(cMin)) {
        return noPath(*taken.front().problem, problem);
    }
    auto schedule = planPath(*config, input, problems, cMin);
    if (!schedule) {
        return Failure{schedule.error()};
    }
    taken.front().rowsCpu += whole.rowsCpu;
    const auto needsWhole = [&](const PreparedParts& part) {
        return part.rows != nullptr && (part.rows == whole.rows || !part.rows->keepsAll());
    };
    if (std::none_of(taken.begin(), taken.end(), needsWhole)) {
        whole.rows.reset();
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
        auto own = std::make_shared<SvmConfig>(*config);
        own->problem.classes = ClassesKind::Two;
        own->problem.positive = taken[p].positive;
        taken[p].cMin = cMin;
        taken[p].schedule = *schedule;
        parts[p].prepared = std::make_unique<PreparedSvm>(own, input.run.seed, std::move(taken[p]));
    }
    return std::shared_ptr<const PreparedProblem>(
        std::make_shared<PreparedMulticlass>(config, input.run.seed, std::move(whole), std::move(parts)));
}

} // namespace lambdascope::svm

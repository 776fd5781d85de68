// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/libsvm_model.h"

#include "core/common/number_text.h"
#include "core/data/gather_rows.h"
#include "core/svm/path/prepared_multiclass.h"
#include "core/svm/problem/decision_functions.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

namespace lambdascope::svm {

namespace {

/// Class names as labels of LIBSVM, where all of them are whole numbers.
std::optional<std::vector<std::int32_t>> wholeLabels(const std::vector<std::string>& names) {
    std::vector<std::int32_t> labels;
    for (const std::string& name : names) {
        const auto number = parseInteger(name);
        if (!number || std::abs(*number) > std::numeric_limits<std::int32_t>::max()) {
            return std::nullopt;
        }
        labels.push_back(static_cast<std::int32_t>(*number));
    }
    return labels;
}

/// Class names that are whole numbers stay; all others become 1 and −1.
std::array<std::int32_t, 2> labelsOf(const PreparedSvm& prepared) {
    const std::vector<std::string>& names = prepared.data().classNames();
    const auto labels = names.size() == 2 ? wholeLabels(names) : std::nullopt;
    if (!labels) {
        return {1, -1};
    }
    const bool isFirst = names[0] == prepared.positive();
    return {(*labels)[isFirst ? 0 : 1], (*labels)[isFirst ? 1 : 0]};
}

/// Rows of the data with `columns` features, those beyond its own 0.
SparseRows widened(const Dataset& data, Eigen::Index columns) {
    SparseRows rows;
    if (data.isSparse()) {
        rows = data.sparse();
    } else {
        rows = data.dense().sparseView(0, 0);
    }
    rows.conservativeResize(rows.rows(), columns);
    rows.makeCompressed();
    return rows;
}

/// Whether a solution has what a model is made of.
Result<void> checkModel(const ProblemConfig& config, const SolvedSvm& solved) {
    if (config.kernel == KernelKind::Precomputed) {
        return Failure{
            singleFault(ErrorCode::BadUsage, {"problem.kernel",
                                              "a model of a precomputed kernel has no support vectors to write",
                                              "Run the experiment with a linear, RBF or polynomial kernel.",
                                              {}})};
    }
    if (solved.alpha.size() == 0) {
        return Failure{
            singleFault(ErrorCode::BadUsage, {"lane",
                                              "this lane's solver gives weights but no α, of which the model is made",
                                              "Choose a lane of another method; the optimum is the same.",
                                              {}})};
    }
    return {};
}

std::string_view kernelName(KernelKind kind) {
    return kind == KernelKind::Linear ? "linear" : kind == KernelKind::Polynomial ? "polynomial" : "rbf";
}

std::string kernelText(const KernelFunction& kernel) {
    std::string text = "kernel_type " + std::string(kernelName(kernel.kind)) + "\n";
    if (kernel.kind == KernelKind::Polynomial) {
        text += "degree " + std::to_string(kernel.degree) + "\n";
    }
    if (kernel.kind != KernelKind::Linear) {
        text += "gamma " + exactText(kernel.gamma) + "\n";
    }
    if (kernel.kind == KernelKind::Polynomial) {
        text += "coef0 " + exactText(kernel.offset) + "\n";
    }
    return text;
}

std::string supportText(const SparseRows& rows, Eigen::Index k) {
    std::string text;
    for (SparseRows::Base::InnerIterator it(rows, k); it; ++it) {
        text += std::to_string(it.col() + 1) + ":" + exactText(it.value()) + " ";
    }
    return text + "\n";
}

/// Of two of so many classes, among (0, 1), (0, 2), …, (1, 2), ….
Eigen::Index placeOfPair(std::int32_t one, std::int32_t other, std::int32_t classes) {
    const auto [first, second] = std::minmax(one, other);
    return first * (2 * classes - first - 1) / 2 + second - first - 1;
}

} // namespace

Eigen::VectorXd LibsvmModel::values(const Dataset& data, StopCheck& stopCheck) const {
    const Eigen::Index columns = std::max(data.features(), supports.cols());
    SparseRows own = supports;
    own.conservativeResize(own.rows(), columns);
    const SparseRows rows = widened(data, columns);
    const DecisionFunctions functions(kernel, FeatureRows(own), coefficients);
    const Eigen::MatrixXd sums = functions.values(FeatureRows(rows), stopCheck);
    return sums.col(0).array() - rho;
}

Result<LibsvmModel> libsvmModel(const PreparedSvm& prepared, const SolvedSvm& solved) {
    if (auto checked = checkModel(prepared.config(), solved); !checked) {
        return Failure{checked.error()};
    }
    const SvmProblem& problem = prepared.problem();
    LibsvmModel model;
    model.task = prepared.config().task;
    model.kernel = prepared.config().kernelFor(prepared.data().features());
    if (const double bias = model.kernel.bias; bias > 0) {
        model.rho = -bias * bias * solved.alpha.dot(problem.y());
    }
    if (problem.hasFreeBias()) {
        model.rho = -(solved.bias + prepared.targetMean());
    }
    model.kernel.bias = 0;
    const Eigen::VectorXd coefficients = problem.rowCoefficients(solved.alpha);
    std::vector<SampleIndex> order;
    for (const double side : {1.0, -1.0}) {
        const std::size_t before = order.size();
        for (SampleIndex i = 0; i < problem.rowCount(); ++i) {
            if (side * coefficients(i) > 0) {
                order.push_back(i);
            }
        }
        model.counts[side > 0 ? 0 : 1] = static_cast<std::int64_t>(order.size() - before);
    }
    if (model.task != TaskKind::Classification) {
        std::sort(order.begin(), order.end());
        model.counts = {0, 0};
    } else {
        model.labels = labelsOf(prepared);
    }
    model.supports = gatherRows(widened(prepared.data(), prepared.data().features()), order);
    model.coefficients = coefficients(order);
    if (model.task == TaskKind::Novelty) { // whose α add up to νn in LIBSVM
        model.coefficients /= solved.c;
        model.rho /= solved.c;
    }
    return model;
}

std::string writeLibsvmModel(const LibsvmModel& model) {
    const auto pair = [](auto first, auto second) {
        return " " + std::to_string(first) + " " + std::to_string(second) + "\n";
    };
    const bool hasClasses = model.task == TaskKind::Classification;
    std::string text = hasClasses                        ? "svm_type c_svc\n"
                       : model.task == TaskKind::Novelty ? "svm_type one_class\n"
                                                         : "svm_type epsilon_svr\n";
    text += kernelText(model.kernel) + "nr_class 2\n";
    text += "total_sv " + std::to_string(model.coefficients.size()) + "\n";
    text += "rho " + exactText(model.rho) + "\n";
    if (hasClasses) {
        text += "label" + pair(model.labels[0], model.labels[1]);
        text += "nr_sv" + pair(model.counts[0], model.counts[1]);
    }
    text += "SV\n";
    for (Eigen::Index k = 0; k < model.coefficients.size(); ++k) {
        text += exactText(model.coefficients(k)) + " " + supportText(model.supports, k);
    }
    return text;
}

Result<std::string> libsvmModelOfPairs(const PreparedMulticlass& prepared,
                                       const std::vector<const SolvedSvm*>& solved) {
    if (!prepared.isOfPairs()) {
        return Failure{singleFault(ErrorCode::BadUsage, {"problem.classes",
                                                         "is one-vs-rest, for which LIBSVM's format has no place",
                                                         "Run the experiment with classes \"one-vs-one\".",
                                                         {}})};
    }
    for (const SolvedSvm* part : solved) {
        if (auto checked = checkModel(prepared.config(), *part); !checked) {
            return Failure{checked.error()};
        }
    }
    const std::vector<std::string>& names = prepared.data().classNames();
    const auto classes = static_cast<std::int32_t>(names.size());
    std::vector<std::int32_t> labels(names.size());
    std::iota(labels.begin(), labels.end(), 1);
    labels = wholeLabels(names).value_or(labels);
    KernelFunction kernel = prepared.config().kernelFor(prepared.data().features());
    const Eigen::MatrixXd coefficients = prepared.coefficients(solved);
    std::string rhos;
    for (std::size_t p = 0; p < solved.size(); ++p) { // f > 0 is the later class here, the earlier one there
        const double constant = kernel.bias * kernel.bias * coefficients.col(static_cast<Eigen::Index>(p)).sum();
        rhos += " " + exactText(constant + solved[p]->bias);
    }
    kernel.bias = 0;
    std::string counts, supports, labelText;
    std::int64_t total = 0;
    const SparseRows rows = widened(prepared.data(), prepared.data().features());
    for (std::int32_t own = 0; own < classes; ++own) {
        std::int64_t count = 0;
        for (Eigen::Index i = 0; i < coefficients.rows(); ++i) {
            if (prepared.data().labels()[static_cast<std::size_t>(i)] != own || coefficients.row(i).isZero(0)) {
                continue;
            }
            ++count;
            for (std::int32_t other = 0; other < classes; ++other) {
                if (other != own) {
                    supports += exactText(-coefficients(i, placeOfPair(own, other, classes))) + " ";
                }
            }
            supports += supportText(rows, i);
        }
        counts += " " + std::to_string(count);
        labelText += " " + std::to_string(labels[static_cast<std::size_t>(own)]);
        total += count;
    }
    return "svm_type c_svc\n" + kernelText(kernel) + "nr_class " + std::to_string(classes) + "\ntotal_sv " +
           std::to_string(total) + "\nrho" + rhos + "\nlabel" + labelText + "\nnr_sv" + counts + "\nSV\n" + supports;
}

} // namespace lambdascope::svm

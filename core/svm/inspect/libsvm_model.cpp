// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/inspect/libsvm_model.h"

#include "core/common/number_text.h"
#include "core/data/gather_rows.h"
#include "core/svm/problem/decision_functions.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace lambdascope::svm {

namespace {

/// Class names that are whole numbers stay; all others become 1 and −1.
std::array<std::int32_t, 2> labelsOf(const PreparedSvm& prepared) {
    const std::vector<std::string>& names = prepared.data().classNames();
    if (names.size() == 2) {
        const std::string& positive = prepared.positive();
        const std::string& negative = names[0] == positive ? names[1] : names[0];
        const auto first = parseInteger(positive);
        const auto second = parseInteger(negative);
        const auto fits = [](const std::optional<std::int64_t>& number) {
            return number && std::abs(*number) <= std::numeric_limits<std::int32_t>::max();
        };
        if (fits(first) && fits(second)) {
            return {static_cast<std::int32_t>(*first), static_cast<std::int32_t>(*second)};
        }
    }
    return {1, -1};
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
    if (prepared.config().kernel == KernelKind::Precomputed) {
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
        text += exactText(model.coefficients(k)) + " ";
        for (SparseRows::Base::InnerIterator it(model.supports, k); it; ++it) {
            text += std::to_string(it.col() + 1) + ":" + exactText(it.value()) + " ";
        }
        text += "\n";
    }
    return text;
}

} // namespace lambdascope::svm

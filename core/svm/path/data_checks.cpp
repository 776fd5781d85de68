// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/path/data_checks.h"

#include "core/common/number_text.h"
#include "core/data/data_faults.h"
#include "core/data/label_column.h"
#include "core/kernel/kernel_obstacle.h"
#include "core/kernel/kernel_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lambdascope::svm {

namespace {

/// Whether the data have two classes or more.
Result<void> checkLabels(const Dataset& data) {
    if (!data.isLabelled()) {
        return dataFault("data.labels", "the data have no labels", "Name the column that holds them by data.labels.");
    }
    const std::vector<std::string>& names = data.classNames();
    return names.size() >= 2 ? Result<void>()
                             : dataFault("data.labels",
                                         "all rows have the label " + (names.empty() ? "none" : names.front()) +
                                             ", but an SVM separates two classes",
                                         "Check data.labels, or take more rows.");
}

} // namespace

Result<void> checkClasses(const Dataset& data, const ProblemConfig& problem) {
    if (auto checked = checkLabels(data); !checked) {
        return checked;
    }
    const std::int64_t count = std::ssize(data.classNames());
    const bool isOfPairs = problem.classes == ClassesKind::OneVsOne;
    const std::int64_t parts = isOfPairs ? count * (count - 1) / 2 : count;
    if (parts <= kMostParts) {
        return {};
    }
    return dataFault("problem.classes",
                     "the data have " + groupedText(count) + " classes, which make " + groupedText(parts) +
                         " problems; " + groupedText(kMostParts) + " are the most",
                     isOfPairs ? "Check data.labels, or set classes to \"one-vs-rest\"."
                               : "Check data.labels: are they numbers to fit (problem.task \"regression\")?");
}

Result<std::int32_t> positiveClass(const Dataset& data, const ProblemConfig& problem) {
    if (auto checked = checkLabels(data); !checked) {
        return Failure{checked.error()};
    }
    const std::vector<std::string>& names = data.classNames();
    if (problem.positive == "auto") {
        if (names.size() > 2) {
            return dataFault("problem.positive",
                             "the data have " + std::to_string(names.size()) + " classes (" + listOf(names) +
                                 "), but an SVM separates two",
                             "Name the class that is to be separated from all others, or set problem.classes to "
                             "\"one-vs-one\" or \"one-vs-rest\".");
        }
        return 1;
    }
    const auto found = std::find(names.begin(), names.end(), problem.positive);
    if (found == names.end()) {
        return dataFault("problem.positive",
                         "there is no class \"" + problem.positive + "\"; there are " + listOf(names),
                         "Name one of them, or \"auto\" for two classes.");
    }
    return static_cast<std::int32_t>(found - names.begin());
}

Result<Eigen::VectorXd> targetsOf(const Dataset& data) {
    constexpr double kMost = 1e30;
    Eigen::VectorXd targets = data.targets();
    if (!data.hasTargets() && data.isLabelled()) {
        const auto numbers = numbersFromLabels({data.labels(), data.classNames()});
        if (!numbers) {
            return dataFault("data.target",
                             "regression fits numbers, but the labels are words (" + listOf(data.classNames()) + ")",
                             "Name a column of numbers by data.target.");
        }
        targets = Eigen::Map<const Eigen::VectorXd>(numbers->data(), std::ssize(*numbers));
    }
    if (targets.size() == 0) {
        return dataFault("data.target", "regression fits one number per row, but no column is named that holds them",
                         "Name it by data.target: first, last, its name, or its number from 1.");
    }
    if (targets.cwiseAbs().maxCoeff() > kMost) {
        return dataFault("data.target",
                         "the target of some row is " + shortText(targets.cwiseAbs().maxCoeff()) + " in size, above " +
                             shortText(kMost),
                         "Give the targets in another unit.");
    }
    if (targets.minCoeff() == targets.maxCoeff()) {
        return dataFault("data.target",
                         "all targets are " + exactText(targets(0)) + ", so that there is nothing to fit",
                         "Check data.target, or take more rows.");
    }
    return targets;
}

Result<void> checkKernel(const KernelFunction& kernel, const FeatureRows& features) {
    const double largest = features.squaredNorms().maxCoeff();
    // The squares of a kernel matrix's rows overflow where its values come near to.
    const std::string obstacle = kernel.kind == KernelKind::Precomputed
                                     ? kernelObstacle({.kind = KernelKind::Linear}, 1, std::sqrt(largest))
                                     : kernelObstacle(kernel, features.features(), largest);
    return obstacle.empty() ? Result<void>() : dataFault("problem.kernel", obstacle, kKernelRemedy);
}

Result<void> checkWeightOfClasses(const Dataset& data, std::int32_t positive, const Eigen::VectorXd& weights) {
    std::array<bool, 2> hasWeight = {false, false};
    for (Eigen::Index i = 0; i < weights.size(); ++i) {
        const bool isPositive = data.labels()[static_cast<std::size_t>(i)] == positive;
        hasWeight[isPositive ? 1 : 0] = hasWeight[isPositive ? 1 : 0] || weights(i) > 0;
    }
    if (hasWeight[0] && hasWeight[1]) {
        return {};
    }
    return dataFault("problem.weights",
                     std::string("all samples of the ") + (hasWeight[1] ? "negative" : "positive") +
                         " class have weight 0, but an SVM separates two classes",
                     "Give at least one of them a number above 0.");
}

Result<void> checkWeightOfClasses(const Dataset& data, const Eigen::VectorXd& weights) {
    std::vector<bool> hasWeight(data.classNames().size(), false);
    for (Eigen::Index i = 0; i < weights.size(); ++i) {
        const auto label = static_cast<std::size_t>(data.labels()[static_cast<std::size_t>(i)]);
        hasWeight[label] = hasWeight[label] || weights(i) > 0;
    }
    const auto empty = std::find(hasWeight.begin(), hasWeight.end(), false);
    return weights.size() == 0 || empty == hasWeight.end()
               ? Result<void>()
               : dataFault("problem.weights",
                           "all samples of the class " +
                               data.classNames()[static_cast<std::size_t>(empty - hasWeight.begin())] +
                               " have weight 0",
                           "Give at least one of them a number above 0, or leave the class out of the data.");
}

std::int64_t rowsOfSmallerClass(const Dataset& data, std::int32_t positive) {
    const auto count = std::count(data.labels().begin(), data.labels().end(), positive);
    return std::min<std::int64_t>(count, data.rows() - count);
}

Result<void> checkFolds(std::int64_t fewest, const std::string& what, const ProblemConfig& problem) {
    if (problem.folds <= fewest) {
        return {};
    }
    return dataFault("problem.folds",
                     "is " + std::to_string(problem.folds) + ", but " + what + groupedText(fewest) +
                         (fewest == 1 ? " sample" : " samples"),
                     "Take fewer folds, or 0 for no cross-validation.");
}

Result<void> checkKernelMemory(const Dataset& data, const ProblemConfig& problem) {
    const double row = KernelRows::bytesPerRow(data.rows());
    const double budget = 1e6 * static_cast<double>(problem.kernelMemory);
    const bool makesNoRows = problem.kernel == KernelKind::Linear && !problem.hasFreeBias();
    if (makesNoRows || problem.kernel == KernelKind::Precomputed || row <= budget) {
        return {};
    }
    return Failure{
        singleFault(ErrorCode::InvalidData, {"problem.kernel_memory",
                                             "one kernel row of " + groupedText(data.rows()) + " samples takes " +
                                                 byteText(row) + "; the budget is " + byteText(budget),
                                             "Raise kernel_memory, or keep fewer rows with data.subset.",
                                             {}})};
}

} // namespace lambdascope::svm

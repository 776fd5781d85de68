// SPDX-License-Identifier: GPL-3.0-or-later
// Rules between the fields of an experiment, before any data are read.
#include "core/common/number_text.h"
#include "core/data/data_source.h"
#include "core/svm/path/svm_schema.h"

#include <utility>

namespace lambdascope::svm {

namespace {

/// Values of ν, whose C rise.
void checkShares(const std::vector<double>& values, std::vector<Fault>& faults) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] > 1) {
            faults.push_back({"path.values",
                              "has ν = " + exactText(values[i]) + ", but ν is a share of the samples",
                              "Give values above 0 and up to 1.",
                              {}});
            return;
        }
        if (i > 0 && !(values[i] < values[i - 1])) {
            faults.push_back({"path.values",
                              "rises from ν = " + exactText(values[i - 1]) + " to " + exactText(values[i]) +
                                  ", but paths go from small to large C",
                              "Give falling values of ν.",
                              {}});
            return;
        }
    }
}

void checkValues(const PathConfig& path, std::vector<Fault>& faults) {
    const std::vector<double>& values = path.values;
    if (values.empty()) {
        faults.push_back(
            {"path.values", "is empty, but the path takes its points from it", "Give at least one value.", {}});
        return;
    }
    if (path.unit == CUnit::Nu) {
        checkShares(values, faults);
        return;
    }
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (!(values[i] > values[i - 1])) {
            faults.push_back({"path.values",
                              "falls from " + exactText(values[i - 1]) + " to " + exactText(values[i]),
                              "Give rising values.",
                              {}});
            return;
        }
    }
    if (path.kind == PathKind::Reference && values.back() > 1) {
        faults.push_back({"path.values",
                          "has " + exactText(values.back()) + ", but references are shares of C, at most 1",
                          "Give shares between 0 and 1.",
                          {}});
    }
}

void checkPath(const PathConfig& path, std::vector<Fault>& faults) {
    if (path.kind == PathKind::List || path.kind == PathKind::Reference) {
        checkValues(path, faults);
    } else if (path.start && path.unit == CUnit::Nu) {
        if (*path.start > 1) {
            faults.push_back({"path.start",
                              "is ν = " + exactText(*path.start) + ", but ν is a share of the samples",
                              "Give a value above 0 and up to 1.",
                              {}});
        }
    } else if (path.start && *path.start > path.maxC) {
        faults.push_back({"path.start",
                          "is " + exactText(*path.start) + ", above path.max_c, " + exactText(path.maxC) +
                              "; the path would have no point",
                          "Lower start or raise max_c.",
                          {}});
    }
}

/// What no library has; `key` is the lane's, `method` and `name` are those of the library.
void checkLibraryLane(const ProblemConfig& problem, const LaneConfig& lane, const std::string& key,
                      const std::string& method, const std::string& name, std::vector<Fault>& faults) {
    if (!problem.weights.empty()) {
        faults.push_back({key + ".solver.method",
                          "is " + method + ", but the library has no weights of single samples",
                          "Remove problem.weights, or set the method to \"descent\".",
                          {}});
    }
    if (!lane.bounds.empty() || !lane.oracle.empty()) {
        faults.push_back({key + (lane.bounds.empty() ? ".oracle" : ".bounds"),
                          "the library " + name + " screens nothing",
                          "Leave it empty, or set the method to \"descent\".",
                          {}});
    }
}

/// What the library LIBLINEAR has not; `key` is the lane's.
void checkLiblinearLane(const ProblemConfig& problem, const LaneConfig& lane, const std::string& key,
                        std::vector<Fault>& faults) {
    if (problem.task != TaskKind::Classification) {
        faults.push_back({key + ".solver.method",
                          "is liblinear, which is called for classification only",
                          "Set problem.task to \"classification\", or the method to \"descent\".",
                          {}});
    }
    if (problem.kernel != KernelKind::Linear) {
        faults.push_back({key + ".solver.method",
                          "is liblinear, which has no kernel " + problemFields().word(problem, "kernel"),
                          "Set problem.kernel to \"linear\", or the method to \"descent\".",
                          {}});
    }
    checkLibraryLane(problem, lane, key, "liblinear", "LIBLINEAR", faults);
}

/// What the library LIBSVM has not.
void checkLibsvmLane(const ProblemConfig& problem, const LaneConfig& lane, const std::string& key,
                     std::vector<Fault>& faults) {
    if (!problem.hasFreeBias()) {
        faults.push_back({key + ".solver.method",
                          "is libsvm, whose problem has a free bias, but problem.intercept is " +
                              problemFields().word(problem, "intercept"),
                          "Set problem.intercept to \"free\", or the method to \"descent\".",
                          {}});
    }
    if (problem.kernel == KernelKind::Precomputed) {
        faults.push_back({key + ".solver.method",
                          "is libsvm, which is given features, not a kernel matrix",
                          "Set problem.kernel to \"linear\", \"rbf\" or \"polynomial\", or the method to \"descent\".",
                          {}});
    }
    checkLibraryLane(problem, lane, key, "libsvm", "LIBSVM", faults);
}

/// What is proven without a free bias only; `key` is the lane's.
void checkFreeBiasLane(const Lane& lane, bool isNovelty, const std::string& key, std::vector<Fault>& faults) {
    if (lane.solver.method == MethodKind::Liblinear) {
        faults.push_back({key + ".solver.method",
                          "is liblinear, which has no free bias",
                          "Set problem.intercept to \"feature\" or \"none\", or the method to \"descent\".",
                          {}});
    }
    for (const BoundKind kind : lane.settings.bounds) {
        if (isNovelty && !allowsBalance(kind)) {
            faults.push_back({key + ".bounds",
                              "has " + std::string(boundName(kind)) + ", which is not proven for one class; GAP is",
                              "Set bounds to [\"GAP\"].",
                              {}});
        } else if (!allowsFreeBias(kind)) {
            faults.push_back(
                {key + ".bounds",
                 "has " + std::string(boundName(kind)) + ", which is not proven for a free bias; the others are",
                 "Take these, or set problem.intercept to \"feature\" or \"none\".",
                 {}});
        }
    }
}

/// What has no proof or no meaning with one class.
void checkNovelty(const SvmConfig& config, std::vector<Fault>& faults) {
    if (config.path.kind == PathKind::Approximation) {
        faults.push_back({"path.kind",
                          "is approximation, whose steps are not proven for one class",
                          "Set kind to \"grid\" or \"list\".",
                          {}});
    }
    if (config.path.kind == PathKind::Reference) {
        faults.push_back({"path.kind",
                          "is reference, but no test that looks at another C is proven for one class",
                          "Set kind to \"grid\" or \"list\".",
                          {}});
    }
    if (config.problem.folds > 0) {
        faults.push_back({"problem.folds",
                          "is " + std::to_string(config.problem.folds) +
                              ", but a fold of one class has no solution at the C of all samples",
                          "Set folds to 0; rows that data.subset leaves out are measured.",
                          {}});
    }
}

/// What several classes do not have.
void checkSeveralClasses(const ProblemConfig& problem, std::vector<Fault>& faults) {
    if (problem.folds > 0) {
        faults.push_back({"problem.folds",
                          "is " + std::to_string(problem.folds) + ", but only two classes are cross-validated",
                          "Set folds to 0 (rows that data.subset leaves out are measured), or classes to \"two\".",
                          {}});
    }
    for (const auto& [key, weight] :
         {std::pair("positive_weight", problem.positiveWeight), std::pair("negative_weight", problem.negativeWeight)}) {
        if (problem.classes == ClassesKind::OneVsOne && weight != 1) {
            faults.push_back({"problem." + std::string(key),
                              "is " + exactText(weight) + ", but of a pair of classes none is the positive one",
                              "Set it to 1, or give rows weights by problem.weights.",
                              {}});
        }
    }
}

} // namespace

void checkFields(const SvmConfig& config, const DataConfig& data, std::vector<Fault>& faults) {
    checkPath(config.path, faults);
    if (config.problem.kernel == KernelKind::Precomputed) {
        checkMatrixIsKept(data, "kernel matrix", faults);
    }
    if (!config.problem.weights.empty()) {
        checkRowsAreKept(data, "problem.weights has numbers for", "; weights of 0 leave samples out", faults);
    }
    if (config.problem.isNovelty()) {
        checkNovelty(config, faults);
    } else if (config.path.unit == CUnit::Nu) {
        faults.push_back({"path.unit",
                          "is nu, which only one class has",
                          "Set unit to \"absolute\" or \"c-min\", or problem.task to \"novelty\".",
                          {}});
    }
    if (config.problem.hasSeveralClasses()) {
        checkSeveralClasses(config.problem, faults);
    }
    if (config.problem.folds == 1) {
        faults.push_back({"problem.folds",
                          "is 1, which would leave all samples out at once",
                          "Give 2 or more, or 0 for no cross-validation.",
                          {}});
    }
    for (std::size_t i = 0; i < config.lanes.size(); ++i) {
        const std::string key = "lanes[" + std::to_string(i) + "]";
        if (config.lanes[i].solver.method == MethodKind::Liblinear) {
            checkLiblinearLane(config.problem, config.lanes[i].settings, key, faults);
        } else if (config.lanes[i].solver.method == MethodKind::Libsvm) {
            checkLibsvmLane(config.problem, config.lanes[i].settings, key, faults);
        }
        if (config.problem.hasFreeBias()) {
            checkFreeBiasLane(config.lanes[i], config.problem.isNovelty(), key, faults);
        }
    }
}

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/common/stop_check.h"
#include "core/data/dataset.h"
#include "core/svm/path/prepared_svm.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lambdascope::svm {

class PreparedMulticlass;

/// A classifier of two classes, a regression or a one-class SVM as LIBSVM's svm_save_model writes it: f(x) = Σ cⱼ K(xⱼ,
/// x) − ρ, where f > 0 stands for the first label, f is the number, or f > 0 stands for inside. ρ is −b of a free bias,
/// −b² Σ c when a constant feature b stands for one, else 0; c is the sum of αy over the samples of a row. Features are
/// those of the prepared data.
struct LibsvmModel {
    TaskKind task = TaskKind::Classification;
    KernelFunction kernel; ///< without bias; linear, RBF or polynomial
    double rho = 0;
    std::array<std::int32_t, 2> labels = {1, -1}; ///< of classes
    std::array<std::int64_t, 2> counts = {0, 0};  ///< supports of either label, which come one after the other
    SparseRows supports;
    Eigen::VectorXd coefficients;

    /// f of all rows; features that either side lacks are 0 there. Unfinished when `stopCheck` asked to stop.
    [[nodiscard]] Eigen::VectorXd values(const Dataset& data, StopCheck& stopCheck) const;
};

/// The model of a solution. Errors: BadUsage for a precomputed kernel, and for solutions without α.
[[nodiscard]] Result<LibsvmModel> libsvmModel(const PreparedSvm& prepared, const SolvedSvm& solved);

/// The model of more than two classes, one against one, in LIBSVM's text format: each support vector with its
/// coefficient in each of the k − 1 pairs that its class is in, in the order of the other classes, a ρ for each pair,
/// and the labels in the order of the classes, 1 to k where their names are no whole numbers. LIBSVM's votes are ours.
/// Errors: BadUsage for one against the rest, for a precomputed kernel, and for solutions without α.
[[nodiscard]] Result<std::string> libsvmModelOfPairs(const PreparedMulticlass& prepared,
                                                     const std::vector<const SolvedSvm*>& solved);

/// In LIBSVM's text format, numbers to the last bit.
[[nodiscard]] std::string writeLibsvmModel(const LibsvmModel& model);
/// Reads that format. Errors: InvalidData with the line of `file`; other kinds of models are named.
[[nodiscard]] Result<LibsvmModel> readLibsvmModel(const std::string& text, const std::string& file);

} // namespace lambdascope::svm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/principal_axes.h"

#include "core/common/number_text.h"
#include "core/data/fault_list.h"
#include "core/data/scaling.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

Failure pcaFailure(std::string message, std::string remedy) {
    return Failure(
        singleFault(ErrorCode::InvalidConfiguration, {"data.pca", std::move(message), std::move(remedy), {}}));
}

/// Σ over blocks of rows of xᵀx, or of columns of xxᵀ, whichever is smaller; empty when stopped.
Eigen::MatrixXd gram(const DenseRows& x, const std::stop_token& stop) {
    const bool byFeatures = x.cols() <= x.rows();
    const Eigen::Index order = std::min(x.rows(), x.cols());
    const Eigen::Index length = std::max(x.rows(), x.cols());
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(order, order);
    // About ten million multiplications, a few milliseconds, between two looks at the stop token.
    const Eigen::Index step = std::max<Eigen::Index>(1, 10'000'000 / (order * order));
    for (Eigen::Index at = 0; at < length; at += step) {
        if (stop.stop_requested()) {
            return {};
        }
        const Eigen::Index count = std::min(step, length - at);
        if (byFeatures) {
            sum.selfadjointView<Eigen::Lower>().rankUpdate(x.middleRows(at, count).transpose());
        } else {
            sum.selfadjointView<Eigen::Lower>().rankUpdate(x.middleCols(at, count));
        }
    }
    return sum;
}

/// Unit vectors along columns, with the entry of largest magnitude positive. Columns that are nothing but rounding
/// errors, of directions in which the data do not extend, become zero.
void normalizeAxes(Eigen::MatrixXd& axes) {
    constexpr double kRounding = 1e-7; // roots of eigenvalues that are wrong by 1e-16 of the largest
    const double longest = axes.colwise().norm().maxCoeff();
    for (Eigen::Index c = 0; c < axes.cols(); ++c) {
        const double norm = axes.col(c).norm();
        if (norm <= kRounding * longest) {
            axes.col(c).setZero();
            continue;
        }
        axes.col(c) /= norm;
        Eigen::Index largest = 0;
        axes.col(c).cwiseAbs().maxCoeff(&largest);
        if (axes(largest, c) < 0) {
            axes.col(c) = -axes.col(c);
        }
    }
}

} // namespace

Result<void> projectOnPrincipalAxes(RawData& data, std::int64_t dimensions, std::stop_token stop, RawData* alike) {
    const std::int64_t order = std::min(data.rows(), data.features());
    if (dimensions > order) {
        return pcaFailure("PCA to " + std::to_string(dimensions) + " dimensions needs as many rows and features, but " +
                              "there are " + groupedText(data.rows()) + " rows and " + groupedText(data.features()) +
                              " features",
                          "Keep at most " + std::to_string(order) + " dimensions, or \"all\".");
    }
    if (order > kMostPcaOrder || static_cast<double>(data.rows()) * static_cast<double>(data.features()) >
                                     static_cast<double>(kMostScaledCells)) {
        return pcaFailure("PCA of " + groupedText(data.rows()) + " rows and " + groupedText(data.features()) +
                              " features is too large",
                          "Keep all features, or fewer than " + groupedText(kMostPcaOrder) + " rows.");
    }
    makeDense(data);
    DenseRows& x = data.dense;
    const Eigen::RowVectorXd mean = x.colwise().sum() / static_cast<double>(x.rows());
    x.rowwise() -= mean;
    const Eigen::MatrixXd products = gram(x, stop);
    if (stop.stop_requested()) {
        return Failure(plainError(ErrorCode::Stopped, "PCA was stopped."));
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(products);
    if (solver.info() != Eigen::Success || stop.stop_requested()) {
        return stop.stop_requested() ? Failure(plainError(ErrorCode::Stopped, "PCA was stopped."))
                                     : pcaFailure("the principal axes cannot be computed", "Scale the data first.");
    }
    Eigen::MatrixXd axes = solver.eigenvectors().rightCols(dimensions).rowwise().reverse();
    if (x.cols() > x.rows()) {
        axes = (x.transpose() * axes).eval(); // from eigenvectors of xxᵀ to those of xᵀx
    }
    normalizeAxes(axes);
    x = (x * axes).eval();
    data.featureNames.clear();
    for (std::int64_t i = 0; i < dimensions; ++i) {
        data.featureNames.push_back("PC" + std::to_string(i + 1));
    }
    if (alike != nullptr) {
        makeDense(*alike);
        alike->dense = ((alike->dense.rowwise() - mean) * axes).eval();
        alike->featureNames = data.featureNames;
    }
    const double total = solver.eigenvalues().sum();
    const double kept = solver.eigenvalues().tail(dimensions).sum();
    data.notes.push_back("PCA to " + std::to_string(dimensions) + " dimensions" +
                         (total > 0 ? ", " + shortText(100 * kept / total, 3) + " % of the variance" : ""));
    return {};
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/plane_axes.h"

#include <algorithm>
#include <utility>

namespace lambdascope::svm {

namespace {

/// More features would make every place of the plane too long.
constexpr Eigen::Index kMostFeatures = 2'000;

/// "₁₂".
std::string subscript(Eigen::Index number) {
    std::string text;
    for (const char digit : std::to_string(number)) {
        text += "\xE2\x82";
        text += static_cast<char>(0x80 + (digit - '0'));
    }
    return text;
}

/// Calls `take(row, feature, value)` for all values that may not be 0.
template <class Take>
void visitValues(const Dataset& data, Take take) {
    if (!data.isSparse()) {
        const DenseRows& rows = data.dense();
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            for (Eigen::Index j = 0; j < rows.cols(); ++j) {
                take(i, j, rows(i, j));
            }
        }
        return;
    }
    const SparseRows& rows = data.sparse();
    for (Eigen::Index i = 0; i < rows.outerSize(); ++i) {
        for (SparseRows::InnerIterator value(rows, i); value; ++value) {
            take(i, value.col(), value.value());
        }
    }
}

} // namespace

Eigen::VectorXd featureColumn(const Dataset& data, Eigen::Index feature) {
    if (!data.isSparse()) {
        return data.dense().col(feature);
    }
    Eigen::VectorXd column(data.rows());
    for (Eigen::Index i = 0; i < column.size(); ++i) {
        column(i) = data.sparse().coeff(i, feature);
    }
    return column;
}

Eigen::VectorXd featureMeans(const Dataset& data) {
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(data.features());
    visitValues(data, [&sums](Eigen::Index, Eigen::Index j, double value) { sums(j) += value; });
    return sums / static_cast<double>(std::max<Eigen::Index>(data.rows(), 1));
}

PlaneAxes separatingAxes(const Dataset& data, const Eigen::VectorXd& y) {
    const Eigen::VectorXd means = featureMeans(data);
    Eigen::VectorXd apart = Eigen::VectorXd::Zero(means.size()); // n₊n₋/n (μ₊ − μ₋), term by term
    Eigen::VectorXd squares = Eigen::VectorXd::Zero(means.size());
    const double meanLabel = y.mean();
    visitValues(data, [&](Eigen::Index i, Eigen::Index j, double value) {
        apart(j) += (y(i) - meanLabel) * value;
        squares(j) += value * value;
    });
    const Eigen::VectorXd spread = squares - static_cast<double>(data.rows()) * means.cwiseAbs2();
    std::vector<std::pair<double, std::int32_t>> order;
    for (Eigen::Index j = 0; j < means.size(); ++j) {
        const bool varies = spread(j) > 1e-12 * squares(j);
        order.emplace_back(varies ? -apart(j) * apart(j) / spread(j) : 0.0, static_cast<std::int32_t>(j));
    }
    std::partial_sort(order.begin(), order.begin() + 2, order.end());
    return {std::min(order[0].second, order[1].second), std::max(order[0].second, order[1].second)};
}

Result<PlaneAxes> chosenAxes(const PreparedSvm& prepared, const PlaneAxes& axes) {
    if (axes.x < 0 && axes.y < 0) {
        return separatingAxes(prepared.data(), prepared.problem().y());
    }
    const auto features = static_cast<std::int32_t>(prepared.data().features());
    if (axes.x == axes.y || std::min(axes.x, axes.y) < 0 || std::max(axes.x, axes.y) >= features) {
        return Failure{plainError(ErrorCode::BadUsage, "a plane needs two different features between 0 and " +
                                                           std::to_string(features - 1))};
    }
    return axes;
}

std::vector<std::string> featureTitles(const Dataset& data) {
    std::vector<std::string> titles = data.featureNames();
    for (auto j = static_cast<Eigen::Index>(titles.size()); j < data.features(); ++j) {
        titles.push_back("x" + subscript(j + 1));
    }
    return titles;
}

std::string planeObstacle(const PreparedSvm& prepared) {
    if (prepared.config().kernel == KernelKind::Precomputed) {
        return "a precomputed kernel knows nothing of places between the samples";
    }
    const Eigen::Index features = prepared.data().features();
    if (features < 2) {
        return "a decision plane needs data of two features or more; these have " + std::to_string(features);
    }
    return features <= kMostFeatures ? std::string()
                                     : "a decision plane can be drawn for at most " + std::to_string(kMostFeatures) +
                                           " features; these data have " + std::to_string(features);
}

} // namespace lambdascope::svm

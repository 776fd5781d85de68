// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/plane_axes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope {

namespace {

/// More features would make every place of the plane too long.
constexpr Eigen::Index kMostFeatures = 2'000;
/// Kernel values worth making for one picture, and how fine it then is, in columns.
constexpr double kMostProducts = 3e7;
constexpr double kMostValues = 4e6; ///< of all places together
constexpr double kFinest = 300;
constexpr double kCoarsest = 60;
constexpr double kRowsPerColumn = 0.75;
constexpr double kMargin = 0.06; ///< beyond the samples, as a share of their extent

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

Result<PlaneAxes> chosenAxes(const Dataset& data, const Eigen::VectorXd& y, const PlaneAxes& axes) {
    if (axes.x < 0 && axes.y < 0) {
        return separatingAxes(data, y);
    }
    const auto features = static_cast<std::int32_t>(data.features());
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

std::string planeObstacle(const Dataset& data, bool isPrecomputed, bool hasTarget) {
    if (isPrecomputed) {
        return "a precomputed kernel knows nothing of places between the samples";
    }
    const Eigen::Index features = data.features();
    if (features < (hasTarget ? 1 : 2)) {
        return "a decision plane needs data of two features or more; these have " + std::to_string(features);
    }
    return features <= kMostFeatures ? std::string()
                                     : "a decision plane can be drawn for at most " + std::to_string(kMostFeatures) +
                                           " features; these data have " + std::to_string(features);
}

DecisionPlane planeFrame(const Dataset& data, const PlaneAxes& axes, bool isLinear) {
    DecisionPlane plane;
    plane.axes = axes;
    plane.features = featureTitles(data);
    plane.xLabel = plane.features[static_cast<std::size_t>(axes.x)];
    plane.valueLabel = "f(x)";
    const auto extent = [&data](Eigen::Index feature, double& low, double& high) {
        const Eigen::VectorXd column = featureColumn(data, feature);
        low = column.minCoeff();
        high = column.maxCoeff();
        const double room = high > low ? kMargin * (high - low) : std::max(1.0, std::abs(high));
        low -= room;
        high += room;
    };
    extent(axes.x, plane.xLow, plane.xHigh);
    if (axes.y < 0) { // no cell is dearer than its column
        plane.columns = static_cast<std::int32_t>(kFinest);
        plane.rows = static_cast<std::int32_t>(kFinest * kRowsPerColumn);
        return plane;
    }
    plane.yLabel = plane.features[static_cast<std::size_t>(axes.y)];
    extent(axes.y, plane.yLow, plane.yHigh);
    const auto features = static_cast<double>(data.features());
    const double perCell = isLinear ? 1 : static_cast<double>(data.rows()) * std::max(1.0, features / 16);
    const double cells = std::min(kMostProducts / perCell, kMostValues / features);
    const double columns = std::clamp(std::sqrt(cells / kRowsPerColumn), kCoarsest, kFinest);
    plane.columns = static_cast<std::int32_t>(columns);
    plane.rows = static_cast<std::int32_t>(columns * kRowsPerColumn);
    return plane;
}

DenseRows planePlaces(const Dataset& data, const DecisionPlane& plane) {
    if (plane.axes.y < 0) {
        DenseRows columns = featureMeans(data).transpose().replicate(plane.columns, 1);
        for (Eigen::Index k = 0; k < columns.rows(); ++k) {
            columns(k, plane.axes.x) = columnCentre(plane, static_cast<std::int32_t>(k));
        }
        return columns;
    }
    const auto centres = cellCentres(plane);
    DenseRows places = featureMeans(data).transpose().replicate(static_cast<Eigen::Index>(centres.size()), 1);
    for (Eigen::Index k = 0; k < places.rows(); ++k) {
        places(k, plane.axes.x) = centres[static_cast<std::size_t>(k)].x;
        places(k, plane.axes.y) = centres[static_cast<std::size_t>(k)].y;
    }
    return places;
}

} // namespace lambdascope

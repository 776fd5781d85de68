// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/solution_figures.h"

#include "ui/panels/views/figure_parts.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

using namespace figures;

namespace {

QString featureName(const RunRecord& record, Eigen::Index feature) {
    const auto& names = record.start().featureNames;
    return static_cast<std::size_t>(feature) < names.size()
               ? QString::fromStdString(names[static_cast<std::size_t>(feature)])
               : QString::number(feature + 1);
}

QString solutionTitle(const ShownRun& run, int index, const NamedMatrix& matrix) {
    return text("%1 of %2 at %3")
        .arg(QString::fromStdString(matrix.name), run.name, placeText(*run.record, *run.record->finishedPoint(index)));
}

} // namespace

const NamedMatrix* solutionMatrix(const ShownRun& run, int index) {
    const PointRecord* point = run.record->finishedPoint(index);
    const bool hasOne = point != nullptr && point->solution != nullptr && !point->solution->empty();
    return hasOne ? &point->solution->front() : nullptr;
}

int lastSolutionIndex(const RunRecord& record) {
    int last = -1;
    for (const PointRecord& point : record.points()) {
        last = point.isFinished && point.solution ? static_cast<int>(point.index) : last;
    }
    return last;
}

bool hasSolutions(const RunRecord& record) {
    return lastSolutionIndex(record) >= 0;
}

HeatmapFigure matrixFigure(const ShownRun& run, int index) {
    HeatmapFigure figure;
    figure.title = run.name;
    figure.recipe = recipeOf(*run.record);
    figure.x.title = text("Feature");
    figure.y = {text("Feature"), {}, AxisScale::Linear, true};
    figure.colours = ColourMap::Diverging;
    const NamedMatrix* matrix = solutionMatrix(run, index);
    if (matrix == nullptr) {
        return figure;
    }
    figure.title = solutionTitle(run, index, *matrix);
    figure.valueTitle = text("Entry of %1").arg(QString::fromStdString(matrix->name));
    const Eigen::MatrixXd& values = matrix->values;
    double largest = 0;
    for (Eigen::Index row = 0; row < values.rows(); ++row) {
        figure.yValues << static_cast<double>(row + 1);
        figure.yNames << featureName(*run.record, row);
        for (Eigen::Index column = 0; column < values.cols(); ++column) {
            figure.values << values(row, column);
            largest = std::isfinite(values(row, column)) ? std::max(largest, std::abs(values(row, column))) : largest;
        }
    }
    for (Eigen::Index column = 0; column < values.cols(); ++column) {
        figure.xValues << static_cast<double>(column + 1);
        figure.xNames << featureName(*run.record, column);
    }
    figure.range = largest > 0 ? ValueRange{-largest, largest} : ValueRange{-1, 1};
    return figure;
}

ShapeFigure weightsFigure(const ShownRun& run, int index) {
    ShapeFigure figure;
    figure.title = run.name;
    figure.recipe = recipeOf(*run.record);
    figure.x.title = text("Feature");
    const NamedMatrix* matrix = solutionMatrix(run, index);
    if (matrix == nullptr || matrix->values.cols() != 1) {
        return figure;
    }
    figure.title = solutionTitle(run, index, *matrix);
    figure.y.title = text("Entry of %1").arg(QString::fromStdString(matrix->name));
    figure.groups = {{QStringLiteral("above"), text("above zero"), 1, Hatch::None, true},
                     {QStringLiteral("below"), text("below zero"), 0, Hatch::Rising, true}};
    figure.table.numberColumns = {text("Feature"), figure.y.title};
    figure.table.textColumns = {text("Name")};
    bool anyBelow = false;
    for (Eigen::Index i = 0; i < matrix->values.rows(); ++i) {
        const double value = matrix->values(i, 0);
        const auto place = static_cast<double>(i + 1);
        figure.table.numbers << place << value;
        figure.table.texts << featureName(*run.record, i);
        anyBelow = anyBelow || value < 0;
        figure.shapes.append({Shape::Kind::Box,
                              value < 0 ? 1 : 0,
                              {place - 0.42, place + 0.42},
                              {std::min(value, 0.0), std::max(value, 0.0)},
                              QStringLiteral("%1\n%2").arg(featureName(*run.record, i), number(value))});
    }
    if (!anyBelow) {
        figure.groups.removeLast();
    }
    return figure;
}

Figure solutionFigure(const ShownRun& run, int index) {
    const NamedMatrix* matrix = solutionMatrix(run, index);
    if (matrix != nullptr && matrix->values.cols() == 1) {
        return weightsFigure(run, index);
    }
    return matrixFigure(run, index);
}

} // namespace lambdascope

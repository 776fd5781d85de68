// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/solution_figures.h"

#include "ui/figures/figure_parts.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

using namespace figures;

namespace {

/// What the rows or the columns of a solution's matrix stand for.
struct MatrixSide {
    QString title;
    QStringList names;
};

QStringList numbers(std::int64_t count) {
    QStringList names;
    for (std::int64_t k = 1; k <= count; ++k) {
        names << QString::number(k);
    }
    return names;
}

MatrixSide features(const RunRecord& record, std::int64_t count) {
    MatrixSide side{text("Feature"), {}};
    for (const std::string& name : record.start().featureNames) {
        side.names << QString::fromStdString(name);
    }
    if (side.names.size() != count) {
        side.names = numbers(count);
    }
    return side;
}

/// "sample" of "samples".
QString singular(const QString& noun) {
    return noun.endsWith(QLatin1Char('s')) ? noun.chopped(1) : noun;
}

/// By the names that matrices have whatever the family: X has a row per object and a column per dimension, α and f
/// have a row per sample, all others stand for features.
std::pair<MatrixSide, MatrixSide> sidesOf(const ShownRun& run, int index, const NamedMatrix& matrix) {
    const RunRecord& record = *run.record;
    const std::int64_t rows = matrix.values.rows();
    if (matrix.name == "X") {
        MatrixSide objects{text("Object"), numbers(rows)};
        const PointRecord* point = record.finishedPoint(index);
        if (point->embedding && point->embedding->names &&
            point->embedding->names->size() == static_cast<std::size_t>(rows)) {
            objects.names.clear();
            for (const std::string& name : *point->embedding->names) {
                objects.names << QString::fromStdString(name);
            }
        }
        return {objects, {text("Dimension"), numbers(matrix.values.cols())}};
    }
    if (matrix.name == "alpha" || matrix.name == "f") {
        const QString noun = QString::fromStdString(record.start().itemNoun);
        return {{noun.isEmpty() ? text("Sample") : capitalized(singular(noun)), numbers(rows)}, {}};
    }
    return {features(record, rows), features(record, matrix.values.cols())};
}

QString matrixName(const NamedMatrix& matrix) {
    return matrix.name == "alpha" ? QStringLiteral("α") : QString::fromStdString(matrix.name);
}

QString solutionTitle(const ShownRun& run, int index, const NamedMatrix& matrix) {
    return text("%1 of %2 at %3")
        .arg(matrixName(matrix), run.name, placeText(*run.record, *run.record->finishedPoint(index)));
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
    const auto [rows, columns] = sidesOf(run, index, *matrix);
    figure.title = solutionTitle(run, index, *matrix);
    figure.valueTitle = text("Entry of %1").arg(matrixName(*matrix));
    figure.x.title = columns.title;
    figure.y.title = rows.title;
    figure.xNames = columns.names;
    figure.yNames = rows.names;
    const MatrixValues& values = matrix->values;
    double largest = 0;
    for (std::int64_t row = 0; row < values.rows(); ++row) {
        figure.yValues << static_cast<double>(row + 1);
        for (std::int64_t column = 0; column < values.cols(); ++column) {
            figure.values << values(row, column);
            largest = std::isfinite(values(row, column)) ? std::max(largest, std::abs(values(row, column))) : largest;
        }
    }
    for (std::int64_t column = 0; column < values.cols(); ++column) {
        figure.xValues << static_cast<double>(column + 1);
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
    const MatrixSide rows = sidesOf(run, index, *matrix).first;
    figure.title = solutionTitle(run, index, *matrix);
    figure.x.title = rows.title;
    figure.x.names = rows.names;
    figure.y.title = text("Entry of %1").arg(matrixName(*matrix));
    figure.groups = {{QStringLiteral("above"), text("above zero"), 1, Hatch::None, true},
                     {QStringLiteral("below"), text("below zero"), 0, Hatch::Rising, true}};
    figure.table.numberColumns = {rows.title, figure.y.title};
    figure.table.textColumns = {text("Name")};
    bool anyBelow = false;
    for (std::int64_t i = 0; i < matrix->values.rows(); ++i) {
        const double value = matrix->values(i, 0);
        const double place = static_cast<double>(i) + 0.5;
        figure.table.numbers << static_cast<double>(i + 1) << value;
        figure.table.texts << rows.names[i];
        anyBelow = anyBelow || value < 0;
        figure.shapes.append({Shape::Kind::Box,
                              value < 0 ? 1 : 0,
                              {place - 0.42, place + 0.42},
                              {std::min(value, 0.0), std::max(value, 0.0)},
                              QStringLiteral("%1 %2\n%3").arg(rows.title, rows.names[i], number(value))});
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

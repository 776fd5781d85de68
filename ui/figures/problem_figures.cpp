// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/problem_figures.h"

#include "ui/figures/figure_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lambdascope {

using namespace figures;

namespace {

constexpr std::array kShown = {ColumnRole::FinalRate,    ColumnRole::PathRate,       ColumnRole::AfterRate,
                               ColumnRole::HeldOutError, ColumnRole::HeldOutMeasure, ColumnRole::Iterations,
                               ColumnRole::CpuSolve,     ColumnRole::CpuScreen};

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool isRate(const ColumnDescription& column) {
    return column.role == ColumnRole::FinalRate || column.role == ColumnRole::PathRate ||
           column.role == ColumnRole::AfterRate;
}

QString titleOf(const ColumnDescription& column) {
    const QString label = QString::fromStdString(column.label);
    return column.unit.empty() ? label : QStringLiteral("%1 (%2)").arg(label, QString::fromStdString(column.unit));
}

double valueAt(const RunRecord& record, const PointRecord& point, std::size_t problem, const std::string& key) {
    const PartsDescription& parts = record.start().parts;
    const std::size_t place = problem * parts.columns.size() + placeOfColumn(parts.columns, key);
    return place < point.partValues.size() ? point.partValues[place] : kNone;
}

bool hasValues(const RunRecord& record, const std::string& key) {
    return std::any_of(record.points().begin(), record.points().end(), [&](const PointRecord& point) {
        for (std::size_t problem = 0; problem < record.start().parts.names.size(); ++problem) {
            if (std::isfinite(valueAt(record, point, problem, key))) {
                return true;
            }
        }
        return false;
    });
}

} // namespace

bool hasProblems(const RunRecord& record) {
    return std::any_of(record.points().begin(), record.points().end(),
                       [](const PointRecord& point) { return point.isFinished && !point.partValues.empty(); });
}

std::vector<ColumnDescription> problemMeasures(const std::vector<ShownRun>& runs) {
    std::vector<ColumnDescription> measures;
    for (const ColumnRole role : kShown) {
        for (const ShownRun& run : runs) {
            for (const ColumnDescription& column : run.record->start().parts.columns) {
                const bool isKnown = placeOfColumn(measures, column.key) < measures.size();
                const bool isTelling = !isRate(column) || screens(*run.record);
                if (column.role == role && !isKnown && isTelling && hasValues(*run.record, column.key)) {
                    measures.push_back(column);
                }
            }
        }
    }
    return measures;
}

HeatmapFigure problemsFigure(const ShownRun& run, const ColumnDescription& measure) {
    HeatmapFigure figure;
    const PartsDescription& parts = run.record->start().parts;
    figure.valueTitle = titleOf(measure);
    figure.title = text("%1 of each problem, %2").arg(figure.valueTitle, run.name);
    figure.x = pathAxis({run});
    figure.x.reversed = false; // columns stand in the order of the path
    figure.y = {text("Problem"), {}, AxisScale::Linear, true};
    figure.recipe = recipeOf(*run.record);
    if (isRate(measure)) {
        figure.range = ValueRange{0, 1};
    }
    const std::size_t count = parts.names.size();
    for (std::size_t problem = 0; problem < count; ++problem) {
        figure.yValues.append(static_cast<double>(problem));
        figure.yNames.append(QString::fromStdString(parts.names[problem]));
    }
    std::vector<const PointRecord*> points;
    for (const PointRecord& point : run.record->points()) {
        if (point.isFinished) {
            points.push_back(&point);
            figure.xValues.append(point.axisValue);
        }
    }
    for (std::size_t problem = 0; problem < count; ++problem) {
        for (const PointRecord* point : points) {
            figure.values.append(valueAt(*run.record, *point, problem, measure.key));
        }
    }
    return figure;
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_plane.h"
#include "ui/figures/figure_builders.h"

/// What figure builders share. Internal to this room.
namespace lambdascope::figures {

[[nodiscard]] QString text(const char* source); ///< translated
[[nodiscard]] QString number(double value);     ///< for people
[[nodiscard]] QString capitalized(QString words);

/// The axis of the path parameter: logarithmic when the path multiplies from point to point.
[[nodiscard]] AxisSpec pathAxis(const std::vector<ShownRun>& runs);
/// "λ = 12.5".
[[nodiscard]] QString placeText(const RunRecord& record, const PointRecord& point);
/// The experiment of the (first) run.
[[nodiscard]] QByteArray recipeOf(const RunRecord& record);
[[nodiscard]] QByteArray recipeOf(const std::vector<ShownRun>& runs);

/// A curve with the looks of a run: the same in every chart and in the runs table.
[[nodiscard]] Curve emptyCurve(const ShownRun& run);
/// A curve of one value per finished point.
[[nodiscard]] Curve curveOf(const ShownRun& run, const std::vector<double>& values);
/// Gives a curve the quartiles of column `column` as its band, over the same places as its points; nothing where the
/// run has none.
void addQuartiles(Curve& curve, const RunRecord& record, std::size_t column);
/// Gives it the band between these values at its points; without values, none.
void addBand(Curve& curve, const std::vector<double>& lower, const std::vector<double>& upper);
[[nodiscard]] CurveFigure pathFigure(const std::vector<ShownRun>& runs, const QString& title, AxisSpec y);

/// Logarithmic for positive values that spread over more than two decades and a half.
[[nodiscard]] AxisScale scaleFor(const QVector<Curve>& curves);

/// The point, finished or not, whose path index is `index`; null when there is none.
[[nodiscard]] const PointRecord* pointAt(const RunRecord& record, int index);

/// A line through places, with its extent.
[[nodiscard]] Shape outlineOf(const std::vector<DecisionPlane::Place>& places);

/// The room of a bar over point `index` of the first `count` points, clear of its neighbours.
[[nodiscard]] ValueRange barRange(const std::vector<PointRecord>& points, std::size_t count, std::size_t index,
                                  AxisScale scale);

} // namespace lambdascope::figures

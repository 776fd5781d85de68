// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study_tables.h"
#include "ui/charts/figure.h"

#include <QStringList>

#include <optional>

namespace lambdascope {

/// What can be drawn of a study: the axes besides that of seeds, by the name of their first field, the measures, and
/// the lanes.
[[nodiscard]] QStringList studyAxisNames(const Study& study);
[[nodiscard]] QStringList studyMeasureKeys(const StudyResults& results);
[[nodiscard]] QStringList studyLaneNames(const StudyResults& results);
/// A measure for people: "CPU time, solving and screening (s)" for "cpu".
[[nodiscard]] QString studyMeasureText(const QString& key);

/// A measure against one axis: mean over the seeds, with the 95 % interval of the mean as a band; a curve per lane and
/// per combination of the other axes' values. Of one lane where `lane` is not empty. A study without such an axis has
/// its lanes side by side. Where the axis has words, points stand alone, without intervals. It is logarithmic where its
/// values are positive and span a factor of 100.
[[nodiscard]] CurveFigure studyCurves(const StudyResults& results, const QString& measure, int axis,
                                      const QString& lane = {});

/// A measure of one lane over two axes, as colours: the mean over the seeds and over the values of further axes. A
/// place where a cell is missing or has failed is empty.
[[nodiscard]] HeatmapFigure studyHeatmap(const StudyResults& results, const QString& measure, int xAxis, int yAxis,
                                         const QString& lane);

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/study/study_tables.h"
#include "ui/charts/figure.h"

#include <QStringList>

#include <optional>

namespace lambdascope {

/// What can be drawn of a study: the axes besides that of seeds, by the key of their first field and as forms call it,
/// the measures, and the lanes.
[[nodiscard]] QStringList studyAxisNames(const Study& study);
[[nodiscard]] QStringList studyAxisTitles(const Study& study);
[[nodiscard]] QStringList studyMeasureKeys(const StudyResults& results);
[[nodiscard]] QStringList studyLaneNames(const StudyResults& results);
/// A measure for people: "CPU time, solving and screening (s)" for "cpu".
[[nodiscard]] QString studyMeasureText(const QString& key);

/// A measure against one axis: mean over the seeds, with the 95 % interval of the mean as a band; a curve per lane and
/// per combination of the other axes' values. Of one lane where `lane` is not empty. A study without such an axis has
/// its lanes side by side. Where the axis has words, points stand alone, without intervals. Both axes are logarithmic
/// where their values are positive and span a factor of 100.
[[nodiscard]] CurveFigure studyCurves(const StudyResults& results, const QString& measure, int axis,
                                      const QString& lane = {});

/// Small multiples: the same for each value of another axis, `by`, with one range of the measure for all. None when
/// that is no axis, or the same one.
[[nodiscard]] QList<CurveFigure> studyPanels(const StudyResults& results, const QString& measure, int axis, int by,
                                             const QString& lane = {});

/// What a first look at a study shows: along its first axis of numbers, with a chart for each value of its first axis
/// of words, where it has both and those are not too many. Numbers of axes; −1 for none.
struct StudyLayout {
    int along = -1;
    int by = -1;
};
[[nodiscard]] StudyLayout firstLayout(const Study& study, int mostPanels);

/// A measure of one lane over two axes, as colours: the mean over the seeds and over the values of further axes. A
/// place where a cell is missing or has failed is empty.
[[nodiscard]] HeatmapFigure studyHeatmap(const StudyResults& results, const QString& measure, int xAxis, int yAxis,
                                         const QString& lane);

/// Names of a study's figures: MEASURE:AXIS (MEASURE where the study has no axis but seeds), MEASURE:AXIS:by:AXIS with
/// a panel for each value of the second axis. MEASURE:AXIS:AXIS:LANE, colours over two axes, names a figure too, but of
/// those there are too many for a list.
[[nodiscard]] QStringList studyFigureNames(const StudyResults& results);
/// One figure, or the panels of small multiples. Errors: BadUsage when the study has no such figure.
[[nodiscard]] Result<QList<Figure>> studyFiguresCalled(const StudyResults& results, const QString& name);

/// How the window for exporting calls such a figure, or one of its panels; what such a name says is told by the other
/// two: the name of the figure, empty for names of other figures, and the number of the panel.
[[nodiscard]] QString studyPanelName(const QString& figure, int panel);
[[nodiscard]] QString studyFigureOfPanel(const QString& name);
[[nodiscard]] int studyPanelNumber(const QString& name);

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "ui/charts/figure.h"

#include <QString>
#include <QStringList>

namespace lambdascope {

struct StudyResults;

/// Figures of a study by name: MEASURE:AXIS (MEASURE where the study has no axis but seeds), MEASURE:AXIS:by:AXIS with
/// a panel for each value of the second axis, or MEASURE:AXIS:AXIS:LANE for colours over two axes.

/// All but those with colours, of which there are too many.
[[nodiscard]] QStringList studyFigureNames(const StudyResults& results);
/// One figure, or the panels of small multiples. Errors: BadUsage when the study has no such figure.
[[nodiscard]] Result<QList<Figure>> studyFiguresCalled(const StudyResults& results, const QString& name);

/// How the window for exporting calls such a figure, or one of its panels; what such a name says is told by the other
/// two: the name of the figure, empty for names of other figures, and the number of the panel.
[[nodiscard]] QString studyPanelName(const QString& figure, int panel);
[[nodiscard]] QString studyFigureOfPanel(const QString& name);
[[nodiscard]] int studyPanelNumber(const QString& name);

} // namespace lambdascope

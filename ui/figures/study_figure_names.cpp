// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/study_figures.h"

namespace lambdascope {

namespace {

const QString panelMark = QStringLiteral("study:");

} // namespace

QStringList studyFigureNames(const StudyResults& results) {
    QStringList names;
    for (const QString& measure : studyMeasureKeys(results)) {
        const QStringList axes = studyAxisNames(results.study);
        for (const QString& axis : axes) {
            names << measure + ':' + axis;
            for (const QString& by : axes) {
                if (by != axis) {
                    names << measure + ':' + axis + ":by:" + by;
                }
            }
        }
        if (axes.isEmpty()) {
            names << measure;
        }
    }
    return names;
}

Result<QList<Figure>> studyFiguresCalled(const StudyResults& results, const QString& name) {
    const QStringList parts = name.split(':');
    const QStringList axes = studyAxisNames(results.study);
    const auto place = [&](int part) { return static_cast<int>(axes.indexOf(parts.value(part))); };
    const bool isMeasure = studyMeasureKeys(results).contains(parts.value(0));
    const bool isAxis = parts.size() == 1 ? axes.isEmpty() : place(1) >= 0;
    if (isMeasure && isAxis && parts.size() <= 2) {
        return QList<Figure>{studyCurves(results, parts[0], place(1))};
    }
    if (isMeasure && isAxis && parts.size() == 4 && parts[2] == QLatin1String("by") && place(3) >= 0 &&
        place(1) != place(3)) {
        QList<Figure> panels;
        for (const CurveFigure& panel : studyPanels(results, parts[0], place(1), place(3))) {
            panels.append(Figure(panel));
        }
        return panels;
    }
    if (isMeasure && isAxis && parts.size() == 4 && place(2) >= 0 && place(1) != place(2) &&
        studyLaneNames(results).contains(parts[3])) {
        return QList<Figure>{studyHeatmap(results, parts[0], place(1), place(2), parts[3])};
    }
    return Failure{singleFault(ErrorCode::BadUsage, {"figure",
                                                     "The study has no figure '" + name.toStdString() + "'.",
                                                     "--figure list names them; MEASURE:AXIS:AXIS:LANE has colours, "
                                                     "MEASURE:AXIS:by:AXIS a panel for each value.",
                                                     {}})};
}

QString studyPanelName(const QString& figure, int panel) {
    return panelMark + figure + QLatin1Char('#') + QString::number(panel);
}

QString studyFigureOfPanel(const QString& name) {
    return name.startsWith(panelMark) ? name.mid(panelMark.size()).section(QLatin1Char('#'), 0, -2) : QString();
}

int studyPanelNumber(const QString& name) {
    return name.section(QLatin1Char('#'), -1).toInt();
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/axis_mapping.h"
#include "ui/charts/figure.h"

#include <QPointF>
#include <QVector>

namespace lambdascope {

/// Axis coordinates at which values ≤ 0 are drawn on a log axis.
struct CurveFloors {
    double x = 0;
    double y = 0;

    bool operator==(const CurveFloors&) const = default;
};

/// One curve made ready for drawing, in axis coordinates.
struct PreparedCurve {
    struct Vertex {
        QPointF at;   ///< axis coordinates
        int source;   ///< index into the curve's points
        bool clamped; ///< stands at a floor: the true value has no logarithm
    };
    QVector<QVector<Vertex>> pieces; ///< separated by gaps
    int inView = 0;                  ///< finite points in the shown x range
    int drawn = 0;                   ///< vertices in the shown x range
    int clamped = 0;                 ///< points at a floor, over the whole curve
    bool thinned = false;
};

/// Below the smallest positive value by a fifth of a decade, rounded down to a fifth: stable while data arrive. 0
/// when nothing is positive.
[[nodiscard]] CurveFloors curveFloors(const QVector<Curve>& curves);

/// Extremes of the visible curves in axis coordinates, floors included where they are needed; {0, 1} without data.
[[nodiscard]] ValueRange dataRangeX(const QVector<Curve>& curves, AxisScale scale, const CurveFloors& floors);
[[nodiscard]] ValueRange dataRangeY(const QVector<Curve>& curves, AxisScale scale, const CurveFloors& floors);

/// Splits at gaps, clamps to the floors, and, when `columns` > 0 and more than two points per column are in view, keeps
/// of each pixel column of the shown x range only the lowest and the highest point (in their order), so that no extreme
/// disappears. Points outside of the shown range are left out but for one neighbour on each side. O(points).
[[nodiscard]] PreparedCurve prepareCurve(const QVector<QPointF>& points, AxisScale xScale, AxisScale yScale,
                                         const CurveFloors& floors, const ValueRange& shownX, int columns);

/// Whether all values along an axis are whole numbers and its range is theirs: ticks between them would mean nothing.
[[nodiscard]] bool areCountsX(const CurveFigure& figure);
[[nodiscard]] bool areCountsY(const CurveFigure& figure);

} // namespace lambdascope

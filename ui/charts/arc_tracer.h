// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QVector>

namespace lambdascope {

/// Lines of circles as cubic Bézier pieces, in canvas units: what a view shows of them and little beside it, so that a
/// circle far larger than the view is drawn where it is, within a thousandth of a unit. Internal to this room.
class ArcTracer {
  public:
    /// `view`: what is shown, with room for the pen. `aspect`: of the axes, as PlotFrame tells it; balls, which look
    /// the same from both sides, need only its size.
    ArcTracer(const QRectF& view, double aspect);

    /// A circle by the box round it.
    void addBall(const QRectF& place);
    /// An arc by its ends and the tangent of a quarter of its angle, which is positive; 0 for a straight line.
    void addArc(const QPointF& from, const QPointF& to, double bulge);

    /// What was added, arcs that follow each other in one path, as FigureCanvas::drawCubics takes it.
    [[nodiscard]] QVector<QVector<QPointF>> paths() const;

  private:
    /// From the middle of the view, with the vertical scale of the horizontal one.
    [[nodiscard]] QPointF levelled(const QPointF& place) const;
    void append(const QVector<QPointF>& pieces);

    QPointF m_middle;
    double m_aspect;
    double m_reach; ///< of the view from its middle
    QVector<QVector<QPointF>> m_paths;
};

} // namespace lambdascope

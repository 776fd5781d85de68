// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/cell_painter.h"

#include "ui/charts/hatching.h"

#include <algorithm>
#include <cmath>

namespace lambdascope {

namespace {

constexpr float kFadedGroup = 0.35F; ///< of groups beside the emphasized one

QColor cellColour(const ShapeFigure& figure, int group, const ChartTheme& theme, int emphasized) {
    QColor colour = groupStyle(figure.groups[group], theme).colour;
    if (emphasized >= 0 && emphasized != group) {
        colour.setAlphaF(kFadedGroup);
    }
    return colour;
}

QImage cellImage(const ShapeFigure& figure, const PlotFrame& frame, const ChartTheme& theme, int emphasized) {
    const ShapeCells& cells = figure.cells;
    QVector<QRgb> colours;
    for (int group = 0; group < figure.groups.size(); ++group) {
        const QColor colour = groundColour(cellColour(figure, group, theme, emphasized));
        colours << (figure.groups[group].visible ? colour.rgba() : qRgba(0, 0, 0, 0));
    }
    QImage image(cells.columns, cells.rows, QImage::Format_ARGB32);
    for (int row = 0; row < cells.rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(frame.y.mapping.reversed() ? row : cells.rows - 1 - row));
        for (int column = 0; column < cells.columns; ++column) {
            const qint8 group = cells.groups[qsizetype(row) * cells.columns + column];
            line[frame.x.mapping.reversed() ? cells.columns - 1 - column : column] =
                group >= 0 ? colours.value(group) : qRgba(0, 0, 0, 0);
        }
    }
    return image;
}

/// Walks along the lines of a hatch and keeps what lies in cells of groups that have lines in that direction.
class HatchWalker {
  public:
    HatchWalker(const CellPlaces& places, const QRectF& area, const ShapeFigure& figure)
        : m_places(places), m_area(area), m_figure(figure), m_lines(figure.groups.size()) {}

    void walk(HatchWay way) {
        const auto isOfWay = [way](const ShapeGroup& group) { return group.visible && hasWay(group.hatch, way); };
        if (!std::any_of(m_figure.groups.begin(), m_figure.groups.end(), isOfWay)) {
            return;
        }
        // Lines at multiples of the distance on the canvas, as in boxes.
        if (way == HatchWay::Level || way == HatchWay::Upright) {
            const bool level = way == HatchWay::Level;
            const double end = level ? m_area.bottom() : m_area.right();
            const double start = level ? m_area.top() : m_area.left();
            for (double c = std::ceil(start / kHatchDistance) * kHatchDistance; c < end; c += kHatchDistance) {
                follow(level ? QPointF(m_area.left(), c) : QPointF(c, m_area.top()),
                       level ? QPointF(1, 0) : QPointF(0, 1), way);
            }
            return;
        }
        const bool rising = way == HatchWay::Rising;
        const double distance = kHatchDistance * std::sqrt(2.0); // as far apart as the others
        const double high = m_area.height();
        const double first = std::floor(-high / distance) * distance;
        for (double c = first; c < m_area.width(); c += distance) {
            const QPointF start(m_area.left() + c, rising ? m_area.bottom() : m_area.top());
            follow(start, QPointF(1, rising ? -1 : 1), way);
        }
    }

    [[nodiscard]] const QVector<QLineF>& linesOf(int group) const { return m_lines[group]; }

  private:
    void follow(const QPointF& start, const QPointF& step, HatchWay way) {
        const double length = std::max(m_area.width(), m_area.height()) + std::abs(start.x() - m_area.left());
        int current = -1;
        QPointF since;
        QPointF at = start;
        for (double t = 0; t <= length; t += 1) {
            at = start + t * step;
            const int group = m_area.contains(at) ? m_places.groupAt(at) : -1;
            const bool hasLine =
                group >= 0 && m_figure.groups[group].visible && hasWay(m_figure.groups[group].hatch, way);
            const int now = hasLine ? group : -1;
            if (now != current) {
                close(current, since, at);
                since = at;
                current = now;
            }
        }
        close(current, since, at);
    }

    void close(int group, const QPointF& from, const QPointF& to) {
        if (group >= 0) {
            m_lines[group].append({from, to});
        }
    }

    const CellPlaces& m_places;
    QRectF m_area;
    const ShapeFigure& m_figure;
    QVector<QVector<QLineF>> m_lines;
};

} // namespace

CellPlaces::CellPlaces(const PlotFrame& frame, const ShapeCells& cells)
    : m_cells(cells),
      m_area(QRectF(frame.placeValue({cells.x.low, cells.y.low}), frame.placeValue({cells.x.high, cells.y.high}))
                 .normalized()),
      m_isMirrored(frame.x.mapping.reversed()), m_isTurned(frame.y.mapping.reversed()) {}

int CellPlaces::groupAt(const QPointF& place) const {
    if (!m_area.contains(place)) {
        return -1;
    }
    const double right = (place.x() - m_area.left()) / m_area.width();
    const double up = (m_area.bottom() - place.y()) / m_area.height();
    const int column = std::min(int((m_isMirrored ? 1 - right : right) * m_cells.columns), m_cells.columns - 1);
    const int row = std::min(int((m_isTurned ? 1 - up : up) * m_cells.rows), m_cells.rows - 1);
    return m_cells.groups[qsizetype(row) * m_cells.columns + column];
}

void drawCells(FigureCanvas& canvas, const PlotFrame& frame, const ShapeFigure& figure, const ChartTheme& theme,
               const ShapeScale& scale) {
    const ShapeCells& cells = figure.cells;
    if (cells.groups.isEmpty() || cells.groups.size() != qsizetype(cells.columns) * cells.rows) {
        return;
    }
    const CellPlaces places(frame, cells);
    canvas.drawImage(places.area(), cellImage(figure, frame, theme, scale.emphasized));
    HatchWalker walker(places, places.area() & frame.plot, figure);
    for (const HatchWay way : {HatchWay::Rising, HatchWay::Falling, HatchWay::Level, HatchWay::Upright}) {
        walker.walk(way);
    }
    for (int group = 0; group < figure.groups.size(); ++group) {
        if (!walker.linesOf(group).isEmpty()) {
            canvas.drawLines(walker.linesOf(group),
                             {groundInk(cellColour(figure, group, theme, scale.emphasized)), 0.9 * scale.line});
        }
    }
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/shape_painter.h"

namespace lambdascope {

/// Where the cells of a figure lie, in canvas units, the y axis upwards. Internal to this room.
class CellPlaces {
  public:
    CellPlaces(const PlotFrame& frame, const ShapeCells& cells);

    [[nodiscard]] const QRectF& area() const { return m_area; }
    /// Group of the cell there; −1 for none and outside of the cells.
    [[nodiscard]] int groupAt(const QPointF& place) const;

  private:
    const ShapeCells& m_cells;
    QRectF m_area;
    bool m_isMirrored; ///< x falls to the right
    bool m_isTurned;   ///< y falls upwards
};

/// The cells of visible groups in their pale colours and hatched: one image, and the lines of each group in one object.
void drawCells(FigureCanvas& canvas, const PlotFrame& frame, const ShapeFigure& figure, const ChartTheme& theme,
               const ShapeScale& scale);

} // namespace lambdascope

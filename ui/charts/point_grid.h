// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/figure.h"

#include <functional>

namespace lambdascope {

/// Answers "which point is near here" without looking at all points: a regular grid over the bounding box with about
/// two points per cell. Building: O(points); asking: O(points in reach). Points with NaN are in no cell.
class PointGrid {
  public:
    PointGrid() = default;
    explicit PointGrid(const QVector<CloudPoint>& points);

    /// The accepted point with the least distance ‖((x − at.x) / scale.x, (y − at.y) / scale.y)‖ ≤ 1, or −1. `reach`
    /// holds the two scales: how far one may be away on each axis.
    [[nodiscard]] int nearest(const QPointF& at, const QPointF& reach, const std::function<bool(int)>& accept) const;

  private:
    [[nodiscard]] int cellX(double x) const;
    [[nodiscard]] int cellY(double y) const;

    QVector<CloudPoint> m_points;
    QVector<int> m_begin; ///< first place in m_order per cell, and one more
    QVector<int> m_order; ///< point numbers by cell
    ValueRange m_x;
    ValueRange m_y;
    int m_side = 0;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/point_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

bool isFinite(const CloudPoint& point) {
    return std::isfinite(point.x) && std::isfinite(point.y);
}

int cellOf(double value, const ValueRange& range, int side) {
    const double length = range.high - range.low;
    const double place = length > 0 ? (value - range.low) / length * side : 0;
    return int(std::clamp(std::floor(place), 0.0, double(side - 1)));
}

} // namespace

PointGrid::PointGrid(const QVector<CloudPoint>& points) : m_points(points) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    m_x = m_y = {kInfinity, -kInfinity};
    int finite = 0;
    for (const CloudPoint& point : points) {
        if (isFinite(point)) {
            ++finite;
            m_x = {std::min(m_x.low, double(point.x)), std::max(m_x.high, double(point.x))};
            m_y = {std::min(m_y.low, double(point.y)), std::max(m_y.high, double(point.y))};
        }
    }
    if (finite == 0) {
        return;
    }
    m_side = std::clamp(int(std::sqrt(finite / 2.0)), 1, 1000);
    // Counting sort by cell.
    m_begin.fill(0, m_side * m_side + 1);
    const auto cell = [this](const CloudPoint& point) { return cellY(point.y) * m_side + cellX(point.x); };
    for (const CloudPoint& point : points) {
        if (isFinite(point)) {
            ++m_begin[cell(point) + 1];
        }
    }
    for (qsizetype index = 1; index < m_begin.size(); ++index) {
        m_begin[index] += m_begin[index - 1];
    }
    m_order.resize(finite);
    QVector<int> next = m_begin;
    for (int index = 0; index < points.size(); ++index) {
        if (isFinite(points[index])) {
            m_order[next[cell(points[index])]++] = index;
        }
    }
}

int PointGrid::nearest(const QPointF& at, const QPointF& reach, const std::function<bool(int)>& accept) const {
    int best = -1;
    double least = 1;
    if (m_side == 0) {
        return best;
    }
    for (int row = cellY(at.y() - reach.y()); row <= cellY(at.y() + reach.y()); ++row) {
        for (int column = cellX(at.x() - reach.x()); column <= cellX(at.x() + reach.x()); ++column) {
            const int cell = row * m_side + column;
            for (int place = m_begin[cell]; place < m_begin[cell + 1]; ++place) {
                const int point = m_order[place];
                const double dx = (double(m_points[point].x) - at.x()) / reach.x();
                const double dy = (double(m_points[point].y) - at.y()) / reach.y();
                const double distance = dx * dx + dy * dy;
                if (distance <= least && accept(point)) {
                    least = distance;
                    best = point;
                }
            }
        }
    }
    return best;
}

int PointGrid::cellX(double x) const {
    return cellOf(x, m_x, m_side);
}

int PointGrid::cellY(double y) const {
    return cellOf(y, m_y, m_side);
}

} // namespace lambdascope

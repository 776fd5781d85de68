// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

using Vertex = PreparedCurve::Vertex;
using Piece = QVector<Vertex>;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

double floorBelow(double smallest) {
    return std::isfinite(smallest) ? std::floor(std::log10(smallest) * 5 - 1e-9) / 5 - 0.2 : 0;
}

/// The axis coordinate, or the floor for a value without logarithm; NaN only for NaN and infinities.
double clampedAxis(double value, AxisScale scale, double floor, bool* clamped) {
    if (scale == AxisScale::Log && std::isfinite(value) && value <= 0) {
        *clamped = true;
        return floor;
    }
    return AxisMapping::toAxis(value, scale);
}

/// Values that differ by rounding alone are equal: a range that shows their noise is widened.
ValueRange withoutNoise(const ValueRange& range, AxisScale scale) {
    constexpr double kNoise = 1e-9;
    constexpr double kRoom = 1e-3;
    const double size = scale == AxisScale::Log ? 1 : std::max(std::abs(range.low), std::abs(range.high));
    if (range.low == range.high || range.high - range.low >= kNoise * size) {
        return range; // equal values are widened by whoever pads the range
    }
    const double middle = range.low + (range.high - range.low) / 2;
    return {middle - kRoom * size, middle + kRoom * size};
}

template <class Pick>
ValueRange dataRange(const QVector<Curve>& curves, AxisScale scale, double floor, Pick pick) {
    ValueRange range{kUnbounded, -kUnbounded};
    for (const Curve& curve : curves) {
        for (const QPointF& point : curve.points) {
            bool clamped = false;
            const double at = clampedAxis(pick(point), scale, floor, &clamped);
            if (curve.visible && std::isfinite(at) && std::isfinite(point.x()) && std::isfinite(point.y())) {
                range.low = std::min(range.low, at);
                range.high = std::max(range.high, at);
            }
        }
        for (const BandPoint& point : curve.band) {
            for (const double edge : {point.low, point.high}) {
                bool clamped = false;
                const double at = clampedAxis(pick({point.x, edge}), scale, floor, &clamped);
                if (curve.visible && std::isfinite(at) && std::isfinite(point.x) && std::isfinite(edge)) {
                    range.low = std::min(range.low, at);
                    range.high = std::max(range.high, at);
                }
            }
        }
    }
    return range.low <= range.high ? withoutNoise(range, scale) : ValueRange{0, 1};
}

QVector<Piece> splitAtGaps(const QVector<QPointF>& points, AxisScale xScale, AxisScale yScale,
                           const CurveFloors& floors, PreparedCurve& result) {
    QVector<Piece> pieces;
    bool open = false;
    for (int index = 0; index < points.size(); ++index) {
        bool clamped = false;
        const double x = clampedAxis(points[index].x(), xScale, floors.x, &clamped);
        const double y = clampedAxis(points[index].y(), yScale, floors.y, &clamped);
        if (!std::isfinite(x) || !std::isfinite(y)) {
            open = false;
            continue;
        }
        result.clamped += clamped ? 1 : 0;
        if (!open) {
            pieces.append(Piece());
            open = true;
        }
        pieces.last().append({{x, y}, index, clamped});
    }
    return pieces;
}

/// Leaves out what lies to one side of the shown range, but for the vertex next to it (its line enters the plot).
Piece trimmed(const Piece& piece, const ValueRange& shown) {
    const auto side = [&shown](const Vertex& vertex) {
        return vertex.at.x() < shown.low ? -1 : vertex.at.x() > shown.high ? 1 : 0;
    };
    Piece kept;
    for (int index = 0; index < piece.size(); ++index) {
        const int here = side(piece[index]);
        const bool alone = here != 0 && (index == 0 || side(piece[index - 1]) == here) &&
                           (index + 1 == piece.size() || side(piece[index + 1]) == here);
        if (!alone) {
            kept.append(piece[index]);
        }
    }
    return kept;
}

void appendExtremes(const Piece& piece, int begin, int end, Piece& kept) {
    int low = begin;
    int high = begin;
    for (int index = begin; index < end; ++index) {
        low = piece[index].at.y() < piece[low].at.y() ? index : low;
        high = piece[index].at.y() > piece[high].at.y() ? index : high;
    }
    kept.append(piece[std::min(low, high)]);
    if (low != high) {
        kept.append(piece[std::max(low, high)]);
    }
}

/// Runs of vertices in one pixel column become their two extremes. A curve that goes to and fro has short runs; it is
/// cut into `columns` runs of equal count instead.
Piece thinned(const Piece& piece, const ValueRange& shown, int columns) {
    const double perColumn = (shown.high - shown.low) / columns;
    const auto column = [&](int index) { return std::floor((piece[index].at.x() - shown.low) / perColumn); };
    const auto build = [&](const auto& sameRun) {
        Piece kept;
        for (int begin = 0; begin < piece.size();) {
            int end = begin + 1;
            while (end < piece.size() && sameRun(begin, end)) {
                ++end;
            }
            appendExtremes(piece, begin, end, kept);
            begin = end;
        }
        return kept;
    };
    Piece kept = build([&](int begin, int end) { return column(begin) == column(end); });
    if (kept.size() > 2 * columns + 4) {
        const int run = int((piece.size() + columns - 1) / columns);
        kept = build([run](int begin, int end) { return end - begin < run; });
    }
    return kept;
}

/// Joins pieces whose gap is too narrow to be seen, so that a curve full of holes does not become thousands of lines.
QVector<Piece> withoutNarrowGaps(const QVector<Piece>& pieces, const ValueRange& shown, int columns) {
    constexpr int kMany = 60;
    if (pieces.size() <= kMany || columns <= 0) {
        return pieces;
    }
    const double narrow = (shown.high - shown.low) / kMany;
    QVector<Piece> joined;
    for (const Piece& piece : pieces) {
        if (!joined.isEmpty() && std::abs(piece.first().at.x() - joined.last().last().at.x()) < narrow) {
            joined.last() += piece;
        } else {
            joined.append(piece);
        }
    }
    return joined;
}

} // namespace

CurveFloors curveFloors(const QVector<Curve>& curves) {
    double smallestX = kUnbounded;
    double smallestY = kUnbounded;
    for (const Curve& curve : curves) {
        for (const QPointF& point : curve.points) {
            if (std::isfinite(point.x()) && point.x() > 0) {
                smallestX = std::min(smallestX, point.x());
            }
            if (std::isfinite(point.y()) && point.y() > 0) {
                smallestY = std::min(smallestY, point.y());
            }
        }
    }
    return {floorBelow(smallestX), floorBelow(smallestY)};
}

ValueRange dataRangeX(const QVector<Curve>& curves, AxisScale scale, const CurveFloors& floors) {
    return dataRange(curves, scale, floors.x, [](const QPointF& point) { return point.x(); });
}

ValueRange dataRangeY(const QVector<Curve>& curves, AxisScale scale, const CurveFloors& floors) {
    return dataRange(curves, scale, floors.y, [](const QPointF& point) { return point.y(); });
}

PreparedCurve prepareCurve(const QVector<QPointF>& points, AxisScale xScale, AxisScale yScale,
                           const CurveFloors& floors, const ValueRange& shownX, int columns) {
    PreparedCurve result;
    QVector<Piece> pieces;
    for (const Piece& piece : splitAtGaps(points, xScale, yScale, floors, result)) {
        const Piece kept = trimmed(piece, shownX);
        if (!kept.isEmpty()) {
            pieces.append(kept);
        }
    }
    const auto inside = [&shownX](const Piece& piece) {
        return int(std::count_if(piece.begin(), piece.end(), [&shownX](const Vertex& vertex) {
            return vertex.at.x() >= shownX.low && vertex.at.x() <= shownX.high;
        }));
    };
    for (const Piece& piece : pieces) {
        result.inView += inside(piece);
    }
    if (columns > 0 && result.inView > 2 * columns) {
        result.thinned = true;
        pieces = withoutNarrowGaps(pieces, shownX, columns);
        for (Piece& piece : pieces) {
            piece = thinned(piece, shownX, columns);
        }
    }
    for (const Piece& piece : pieces) {
        result.drawn += inside(piece);
    }
    result.pieces = pieces;
    return result;
}

namespace {

template <class Part>
bool areWhole(const QVector<Curve>& curves, Part part) {
    return std::all_of(curves.begin(), curves.end(), [&](const Curve& curve) {
        return std::all_of(curve.points.begin(), curve.points.end(), [&](const QPointF& point) {
            const double value = part(point);
            return !std::isfinite(value) || value == std::round(value);
        });
    });
}

} // namespace

bool areCountsX(const CurveFigure& figure) {
    return !figure.xRange && areWhole(figure.curves, [](const QPointF& point) { return point.x(); });
}

bool areCountsY(const CurveFigure& figure) {
    return !figure.yRange && areWhole(figure.curves, [](const QPointF& point) { return point.y(); });
}

} // namespace lambdascope

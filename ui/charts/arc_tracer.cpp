// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/arc_tracer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lambdascope {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kFlaw = 1e-3;  ///< canvas units that a piece may lie beside its circle
constexpr double kJoint = 0.01; ///< canvas units within which the end of one line is the start of the next

QPointF turned(const QPointF& vector) {
    return {-vector.y(), vector.x()};
}

/// A circle, by angles from its place nearest to the origin. Places near the origin come from small numbers, whatever
/// the radius.
class SeenCircle {
  public:
    SeenCircle(const QPointF& centre, double radius)
        : m_radius(radius), m_distance(std::hypot(centre.x(), centre.y())),
          m_outwards(m_distance > 0 ? -centre / m_distance : QPointF(1, 0)) {}

    /// Up to which angle on both sides the rim lies within `reach` of the origin; 0 when nowhere.
    [[nodiscard]] double seenAngle(double reach) const {
        const double nearest = m_radius - m_distance;
        const double square = (reach - nearest) * (reach + nearest);
        // |place|² = nearest² + 4 r d sin²(angle / 2)
        const double whole = 4 * m_radius * m_distance;
        return square <= 0 ? 0 : square >= whole ? kPi : 2 * std::asin(std::sqrt(square / whole));
    }

    [[nodiscard]] double angleOf(const QPointF& place) const {
        return std::atan2(QPointF::dotProduct(place, turned(m_outwards)),
                          QPointF::dotProduct(place, m_outwards) + m_distance);
    }

    [[nodiscard]] QVector<QPointF> pieces(double from, double to) const {
        constexpr double kQuarterFlaw = 2.73e-4; // of a quarter of a circle of radius 1; falls with the 6th power
        const double longest = kPi / 2 * std::min(1.0, std::pow(kFlaw / (kQuarterFlaw * m_radius), 1.0 / 6));
        const int count = std::max(1, int(std::ceil((to - from) / longest)));
        const double step = (to - from) / count;
        const double reach = 4.0 / 3 * std::tan(step / 4) * m_radius; // of control places along the tangent
        QVector<QPointF> places{at(from)};
        for (int piece = 0; piece < count; ++piece) {
            const double start = from + step * piece;
            const double end = piece + 1 == count ? to : start + step;
            places << places.last() + reach * ahead(start) << at(end) - reach * ahead(end) << at(end);
        }
        return places;
    }

  private:
    [[nodiscard]] QPointF at(double angle) const {
        const double half = std::sin(angle / 2);
        return (m_radius - m_distance - 2 * m_radius * half * half) * m_outwards +
               m_radius * std::sin(angle) * turned(m_outwards);
    }
    [[nodiscard]] QPointF ahead(double angle) const {
        return std::cos(angle) * turned(m_outwards) - std::sin(angle) * m_outwards;
    }

    double m_radius;
    double m_distance; ///< of the centre from the origin
    QPointF m_outwards;
};

/// What of a straight line lies within `reach` of the origin, as one piece; empty when nothing does.
QVector<QPointF> straightPiece(const QPointF& from, const QPointF& to, double reach) {
    const QPointF way = to - from;
    const double square = QPointF::dotProduct(way, way);
    const double foot = square > 0 ? -QPointF::dotProduct(from, way) / square : 0;
    const QPointF nearest = from + foot * way;
    const double room = reach * reach - QPointF::dotProduct(nearest, nearest);
    if (!(square > 0) || room <= 0) {
        return {};
    }
    const double start = std::max(0.0, foot - std::sqrt(room / square));
    const double end = std::min(1.0, foot + std::sqrt(room / square));
    if (start >= end) {
        return {};
    }
    const QPointF first = from + start * way;
    const QPointF third = (end - start) / 3 * way;
    return {first, first + third, first + 2 * third, first + 3 * third};
}

} // namespace

ArcTracer::ArcTracer(const QRectF& view, double aspect)
    : m_middle(view.center()), m_aspect(aspect), m_reach(std::hypot(view.width() / 2, view.height() / 2 * aspect)) {}

QPointF ArcTracer::levelled(const QPointF& place) const {
    return {place.x() - m_middle.x(), (place.y() - m_middle.y()) * m_aspect};
}

void ArcTracer::append(const QVector<QPointF>& pieces) {
    if (pieces.isEmpty()) {
        return;
    }
    const bool goesOn = !m_paths.isEmpty() && (m_paths.last().last() - pieces.first()).manhattanLength() < kJoint;
    if (goesOn) {
        m_paths.last() += pieces.mid(1);
    } else {
        m_paths.append(pieces);
    }
}

void ArcTracer::addBall(const QRectF& place) {
    if (!(place.width() > 0) || !(place.height() > 0)) {
        return;
    }
    const SeenCircle circle(levelled(place.center()), place.width() / 2);
    if (const double seen = circle.seenAngle(m_reach); seen > 0) {
        append(circle.pieces(-seen, seen));
    }
}

void ArcTracer::addArc(const QPointF& from, const QPointF& to, double bulge) {
    const QPointF start = levelled(from);
    const QPointF chord = levelled(to) - start;
    const double length = std::hypot(chord.x(), chord.y());
    if (!(bulge * length / 2 > kFlaw)) { // how far the arc leaves its chord
        append(straightPiece(start, start + chord, m_reach));
        return;
    }
    const QPointF centre = start + chord / 2 + (1 - bulge * bulge) / (4 * bulge) * turned(chord);
    const SeenCircle circle(centre, (1 + bulge * bulge) / (4 * bulge) * length);
    const double seen = circle.seenAngle(m_reach);
    const double first = circle.angleOf(start);
    const double last = first + 4 * std::atan(bulge);
    for (const double turn : {0.0, 2 * kPi}) { // the arc may go on past the far side
        const double low = std::max(first - turn, -seen);
        const double high = std::min(last - turn, seen);
        if (low < high) {
            append(circle.pieces(low, high));
        }
    }
}

QVector<QVector<QPointF>> ArcTracer::paths() const {
    QVector<QVector<QPointF>> paths = m_paths;
    for (QVector<QPointF>& path : paths) {
        for (QPointF& place : path) {
            place = {m_middle.x() + place.x(), m_middle.y() + place.y() / m_aspect};
        }
    }
    return paths;
}

} // namespace lambdascope

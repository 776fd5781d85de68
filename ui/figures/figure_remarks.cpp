// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/figure_remarks.h"

#include "core/common/number_text.h"
#include "ui/figures/figure_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace lambdascope {

using figures::number;
using figures::text;

QString levelText(const CurveFigure& figure, double share) {
    std::optional<QPointF> first;
    bool isPath = false;
    for (const Curve& curve : figure.curves) {
        for (const QPointF& point : curve.points) {
            if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
                continue;
            }
            first = first ? first : point;
            isPath = isPath || point.x() != first->x();
            if (!(std::abs(point.y() - first->y()) <= share * std::abs(first->y()))) {
                return {};
            }
        }
    }
    if (!isPath) {
        return {};
    }
    const bool isCount = std::abs(first->y()) < 1e15 && first->y() == std::round(first->y());
    const QString level =
        isCount ? QString::fromStdString(groupedText(static_cast<std::int64_t>(first->y()))) : number(first->y());
    return text("%1 is %2 at every %3").arg(figure.y.title, level, figure.x.title);
}

namespace {

/// "GB and PGB", "GB, PGB and DGB"; of more "all lanes here": a lane that screens nothing has no curve among rates.
QString whoText(const QStringList& names) {
    constexpr qsizetype kMostNamed = 3;
    return names.size() > kMostNamed
               ? text("all lanes here")
               : text("%1 and %2").arg(names.mid(0, names.size() - 1).join(QLatin1String(", ")), names.last());
}

} // namespace

QString samenessText(const CurveFigure& figure) {
    if (QString level = levelText(figure); !level.isEmpty()) {
        return level;
    }
    const auto isLeft = [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); };
    std::vector<QPointF> points; // of all curves, by x
    QStringList names;
    for (const Curve& curve : figure.curves) {
        const auto own = static_cast<std::ptrdiff_t>(points.size());
        std::copy_if(curve.points.begin(), curve.points.end(), std::back_inserter(points),
                     [](const QPointF& point) { return std::isfinite(point.x()) && std::isfinite(point.y()); });
        if (static_cast<std::size_t>(own) < points.size()) {
            names << curve.name;
        }
        if (!std::is_sorted(points.begin() + own, points.end(), isLeft)) {
            std::sort(points.begin() + own, points.end(), isLeft);
        }
        std::inplace_merge(points.begin(), points.begin() + own, points.end(), isLeft);
    }
    if (points.empty() || points.front().x() == points.back().x()) {
        return {};
    }
    // Curves that share no place lie on nothing.
    bool doMeet = false;
    bool areAlike = true;
    for (std::size_t i = 1; i < points.size() && areAlike; ++i) {
        const bool isSamePlace = points[i].x() == points[i - 1].x();
        doMeet = doMeet || isSamePlace;
        areAlike = !isSamePlace || points[i].y() == points[i - 1].y();
    }
    QString name = figure.y.title;
    if (name.size() > 1 && name[1].isLower()) {
        name[0] = name[0].toLower();
    }
    return names.size() > 1 && areAlike && doMeet
               ? figures::capitalized(text("%1 have the same %2").arg(whoText(names), name))
               : QString();
}

namespace {

/// What the heights of a picture tell apart: about a line's width of a chart.
class Heights {
  public:
    explicit Heights(const CurveFigure& figure) : m_isLog(figure.y.scale == AxisScale::Log) {
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        for (const Curve& curve : figure.curves) {
            for (const QPointF& point : curve.points) {
                const double y = point.y();
                const bool isDrawn = std::isfinite(y) && (!m_isLog || y > 0);
                low = isDrawn ? std::min(low, y) : low;
                high = isDrawn ? std::max(high, y) : high;
            }
        }
        m_least = low < high ? 0.003 * (at(high) - at(low)) : 0;
    }
    [[nodiscard]] double at(double y) const { return m_isLog ? std::log10(y) : y; }
    /// `a` and `b` as at() gives them.
    [[nodiscard]] bool areApart(double a, double b) const { return a != b && !(std::abs(a - b) <= m_least); }

  private:
    bool m_isLog;
    double m_least = 0;
};

/// Whether each point of the curve with fewer points lies on the line of the other one, as far as that goes. The points
/// of curves that were thinned stand at different places.
bool lieOnEachOther(const Curve& first, const Curve& second, const Heights& heights) {
    const bool isShorter = first.points.size() < second.points.size();
    const QVector<QPointF>& few = (isShorter ? first : second).points;
    const QVector<QPointF>& many = (isShorter ? second : first).points;
    if (many.size() < 2) {
        return false;
    }
    const double way = many.back().x() < many.front().x() ? -1 : 1; // a path of λ falls
    qsizetype right = 1;
    int shared = 0;
    for (const QPointF& point : few) {
        if (!std::isfinite(point.y())) {
            continue; // a gap
        }
        const double x = way * point.x();
        while (right + 1 < many.size() && way * many[right].x() < x) {
            ++right;
        }
        const double from = way * many[right - 1].x();
        const double to = way * many[right].x();
        if (!(x >= from && x <= to)) {
            continue; // before or beyond the line
        }
        const double low = heights.at(many[right - 1].y());
        const double high = heights.at(many[right].y());
        const double share = to > from ? (x - from) / (to - from) : 0;
        const double line = x == to ? high : x == from ? low : low + share * (high - low);
        if (heights.areApart(heights.at(point.y()), line)) {
            return false;
        }
        ++shared;
    }
    return shared > 1;
}

} // namespace

QString remarkText(const CurveFigure& figure) {
    if (QString same = samenessText(figure); !same.isEmpty()) {
        return same;
    }
    const Heights heights(figure);
    QStringList zeros;
    QList<QStringList> groups; // names of curves that lie on each other
    QList<const Curve*> leaders;
    for (const Curve& curve : figure.curves) {
        if (curve.points.size() > 1 && std::all_of(curve.points.begin(), curve.points.end(),
                                                   [](const QPointF& point) { return point.y() == 0; })) {
            zeros << curve.name;
            continue;
        }
        const auto on = std::find_if(leaders.begin(), leaders.end(),
                                     [&](const Curve* leader) { return lieOnEachOther(*leader, curve, heights); });
        if (on != leaders.end()) {
            groups[on - leaders.begin()] << curve.name;
        } else if (!curve.points.isEmpty()) {
            leaders << &curve;
            groups << QStringList{curve.name};
        }
    }
    QStringList parts;
    for (const QStringList& names : groups) {
        if (names.size() == 2) {
            parts << text("%1 coincides with %2").arg(names[1], names[0]);
        } else if (names.size() == figure.curves.size() && names.size() > 2) {
            parts << figures::capitalized(text("%1 coincide").arg(whoText(names)));
        } else if (names.size() > 2) {
            parts << text("%1 coincide").arg(names.join(QLatin1String(", ")));
        }
    }
    if (!zeros.isEmpty()) {
        parts << (zeros.size() == 1 ? text("%1 is 0 at every %2") : text("%1 are 0 at every %2"))
                     .arg(zeros.join(QLatin1String(", ")), figure.x.title);
    }
    return parts.join(QStringLiteral(" · "));
}

QString gapsText(const CurveFigure& rates, ScreeningStage stage) {
    const bool isArrival = stage == ScreeningStage::OnArrival;
    QStringList unlooked;
    bool hasGaps = false;
    for (const Curve& curve : rates.curves) {
        const auto gaps = std::count_if(curve.points.begin(), curve.points.end(),
                                        [](const QPointF& point) { return !std::isfinite(point.y()); });
        if (gaps > 0 && gaps == curve.points.size()) {
            unlooked << curve.name;
        } else {
            hasGaps = hasGaps || gaps > 0;
        }
    }
    QStringList parts;
    if (hasGaps) {
        parts << (isArrival ? text("gaps: no look on arrival, which would not have paid")
                            : text("gaps: no look, which would not have paid"));
    }
    if (!unlooked.isEmpty()) {
        parts << (isArrival ? text("%1: no look on arrival") : text("%1: no look at all"))
                     .arg(unlooked.join(QLatin1String(", ")));
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace lambdascope

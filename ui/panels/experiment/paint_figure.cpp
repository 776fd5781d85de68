// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/experiment/paint_figure.h"

#include "core/common/number_text.h"
#include "ui/figures/plane_figure.h"

#include <QObject>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace lambdascope {

namespace {

constexpr int kGrey = 7;
const QString kCircle = QStringLiteral("circle");
constexpr double kReachOfCircle = 0.15; ///< shorter half axis of the metric's circle, in extents of the prepared data

/// From prepared coordinates along an axis to those of the source.
class Unscaled {
  public:
    Unscaled(const FeatureScaling& scaling, std::int32_t feature) {
        const auto place = static_cast<std::size_t>(feature);
        if (place < scaling.centre.size()) {
            m_centre = scaling.centre[place];
            m_spread = scaling.spread[place];
        }
    }
    double operator()(double value) const { return m_centre + m_spread * value; }
    [[nodiscard]] double prepared(double value) const { return m_spread > 0 ? (value - m_centre) / m_spread : 0; }
    /// Far closer than two rows can be told apart by eye, and wider than scaling there and back rounds.
    [[nodiscard]] static std::int64_t key(double value) { return std::llround(1e7 * value); }

  private:
    double m_centre = 0;
    double m_spread = 1;
};

DecisionPlane unscaled(DecisionPlane plane, const Unscaled& x, const Unscaled& y) {
    for (double* end : {&plane.xLow, &plane.xHigh}) {
        *end = x(*end);
    }
    for (double* end : {&plane.yLow, &plane.yHigh}) {
        *end = y(*end);
    }
    for (DecisionPlane::Level& level : plane.levels) {
        for (auto& line : level.lines) {
            for (DecisionPlane::Place& place : line) {
                place = {x(place.x), y(place.y)};
            }
        }
    }
    plane.items.clear();
    return plane;
}

MarkerShape markerOf(std::size_t classPlace) {
    static constexpr std::array kMarkers{MarkerShape::Circle, MarkerShape::Square, MarkerShape::TriangleUp,
                                         MarkerShape::Diamond, MarkerShape::TriangleDown};
    return kMarkers[classPlace % kMarkers.size()];
}

class PaintFigureBuilder {
  public:
    explicit PaintFigureBuilder(const PaintedPlane& painted)
        : m_painted(painted), m_rows(*painted.editor),
          m_x(painted.plane != nullptr ? painted.plane->scaling : FeatureScaling(), painted.axes.x),
          m_y(painted.plane != nullptr ? painted.plane->scaling : FeatureScaling(), painted.axes.y) {}

    ShapeFigure build() {
        if (hasPlane()) {
            addGround();
            findSides();
        } else if (m_painted.path != nullptr && m_painted.plane != nullptr && m_rows.features() == 2) {
            addCircle();
        }
        nameGroups();
        addMoves();
        for (std::int64_t row = 0; row < m_rows.rows(); ++row) {
            addRow(row);
        }
        nameRowsFirst();
        m_figure.title = title();
        m_figure.x.title = m_rows.featureName(m_painted.axes.x);
        m_figure.y.title = m_rows.featureName(m_painted.axes.y);
        m_figure.xRange = m_painted.x;
        m_figure.yRange = m_painted.y;
        m_figure.table.numberColumns = {QObject::tr("Row"), m_figure.x.title, m_figure.y.title};
        m_figure.table.textColumns = {QObject::tr("Class")};
        return std::move(m_figure);
    }

  private:
    [[nodiscard]] bool hasPlane() const {
        return m_painted.path != nullptr && m_painted.plane != nullptr && m_painted.plane->drawn.columns > 0;
    }

    /// In the legend, which may have no room for all.
    void nameRowsFirst() {
        const auto all = static_cast<int>(m_figure.groups.size());
        std::rotate(m_figure.groups.begin(), m_figure.groups.begin() + m_groupsOfPlane, m_figure.groups.end());
        const auto place = [&](int group) { return (group + all - m_groupsOfPlane) % all; };
        for (Shape& shape : m_figure.shapes) {
            shape.group = place(shape.group);
        }
        for (qint8& group : m_figure.cells.groups) {
            group = group < 0 ? group : static_cast<qint8>(place(group));
        }
    }

    [[nodiscard]] QString title() const {
        const bool showsSolution = hasPlane() || m_groups.contains(kCircle);
        const PointRecord* point = showsSolution && m_painted.path != nullptr && m_painted.plane != nullptr
                                       ? m_painted.path->record.finishedPoint(m_painted.plane->point)
                                       : nullptr;
        return point == nullptr ? QObject::tr("The rows")
                                : QObject::tr("The rows, and the solution at %1 = %2")
                                      .arg(QString::fromStdString(m_painted.path->record.start().axisLabel),
                                           QString::fromStdString(shortText(point->axisValue)));
    }

    void addGround() {
        const LivePath::Plane& plane = *m_painted.plane;
        const ShownRun run{&m_painted.path->record, nullptr, QStringLiteral("live"),
                           QString::fromStdString(m_painted.path->record.start().laneName)};
        m_figure = planeFigure(run, plane.point, unscaled(plane.drawn, m_x, m_y), true);
        m_figure.table = {};
        m_groupsOfPlane = static_cast<int>(m_figure.groups.size());
    }

    /// What the plane says of the rows, by where they lay when it was drawn: about which of them bounds were certain,
    /// and on which of its sides most of a class are.
    void findSides() {
        const DecisionPlane& drawn = m_painted.plane->drawn;
        std::map<std::pair<std::int64_t, std::int64_t>, const DecisionPlane::Item*> items;
        for (const DecisionPlane::Item& item : drawn.items) {
            items[{Unscaled::key(item.x), Unscaled::key(item.y)}] = &item;
        }
        const auto then = m_rows.editsOf(m_painted.plane->edits);
        const std::int64_t read = m_rows.rows() - static_cast<std::int64_t>(m_rows.edits().added.size());
        m_isCertain.assign(static_cast<std::size_t>(m_rows.rows()), false);
        std::map<std::string, int> balance; // rows of the first side, less those of others
        for (std::int64_t row = 0; then && row < m_rows.rows(); ++row) {
            if (row - read >= static_cast<std::int64_t>(then->added.size())) {
                break;
            }
            const double x = m_rows.valueIn(*then, row, m_painted.axes.x);
            const double y = m_rows.valueIn(*then, row, m_painted.axes.y);
            const auto found = items.find({Unscaled::key(m_x.prepared(x)), Unscaled::key(m_y.prepared(y))});
            if (found != items.end()) {
                m_isCertain[static_cast<std::size_t>(row)] = found->second->state < drawn.screenedStates;
                balance[m_rows.className(row)] += found->second->side == 0 ? 1 : -1;
            }
        }
        for (const auto& [name, excess] : balance) {
            m_sideOf[name] = excess > 0 ? 0 : 1;
        }
    }

    /// Where the learned metric has the same distance from the middle.
    void addCircle() {
        const PointRecord* point = m_painted.path->record.finishedPoint(m_painted.plane->point);
        const NamedMatrix* metric = nullptr;
        for (const NamedMatrix& matrix : point != nullptr && point->solution ? *point->solution : Solution()) {
            metric = matrix.name == "M" && matrix.values.rows() == 2 && matrix.values.cols() == 2 ? &matrix : metric;
            if (metric != nullptr) {
                addCircle(metric->values);
                return;
            }
        }
    }

    void addCircle(const MatrixValues& metric) {
        const double half = 0.5 * (metric(0, 0) - metric(1, 1));
        const double spread = std::hypot(half, metric(0, 1));
        const double middle = 0.5 * (metric(0, 0) + metric(1, 1));
        const double large = middle + spread;
        if (!(large > 0)) {
            return;
        }
        const double small = std::max(middle - spread, 1e-4 * large);
        const double angle = 0.5 * std::atan2(metric(0, 1), half); // of the axis of `large`
        const double extent = std::max(std::abs(m_x.prepared(m_painted.x.high) - m_x.prepared(m_painted.x.low)),
                                       std::abs(m_y.prepared(m_painted.y.high) - m_y.prepared(m_painted.y.low)));
        const double across = kReachOfCircle * extent;
        const double along = across * std::sqrt(large / small);
        const double centreX = m_x.prepared(0.5 * (m_painted.x.low + m_painted.x.high));
        const double centreY = m_y.prepared(0.5 * (m_painted.y.low + m_painted.y.high));
        QVector<QPointF> outline;
        constexpr int kCorners = 180;
        for (int k = 0; k <= kCorners; ++k) {
            const double turn = 2 * 3.14159265358979323846 * k / kCorners;
            const double u = across * std::cos(turn);
            const double v = along * std::sin(turn);
            outline << QPointF(m_x(centreX + u * std::cos(angle) - v * std::sin(angle)),
                               m_y(centreY + u * std::sin(angle) + v * std::cos(angle)));
        }
        addLine(outline, group(kCircle, [](ShapeGroup& look) {
                    look.name = QObject::tr("equally far from the middle, by the learned metric");
                    look.colourIndex = kGrey;
                    look.dash = DashStyle::Solid;
                }));
    }

    void addLine(const QVector<QPointF>& corners, int lineGroup) {
        Shape line;
        line.kind = Shape::Kind::Outline;
        line.group = lineGroup;
        line.x = {corners.front().x(), corners.front().x()};
        line.y = {corners.front().y(), corners.front().y()};
        for (const QPointF& corner : corners) {
            line.x = {std::min(line.x.low, corner.x()), std::max(line.x.high, corner.x())};
            line.y = {std::min(line.y.low, corner.y()), std::max(line.y.high, corner.y())};
        }
        line.outline = corners;
        line.text = m_figure.groups[lineGroup].name;
        m_figure.shapes.append(line);
    }

    /// All that rows may be in, so that the legend keeps its size while they change.
    void nameGroups() {
        if (!m_rows.isPainted()) {
            movedGroup();
            omittedGroup();
        }
        for (const std::string& name : m_rows.classes()) {
            classGroup(name, false);
            if (hasPlane()) {
                classGroup(name, true);
            }
        }
    }

    void addMoves() {
        for (const auto& [row, edit] : m_rows.edits().changed) {
            const QPointF before(m_rows.valueIn({}, row, m_painted.axes.x), m_rows.valueIn({}, row, m_painted.axes.y));
            const QPointF now(m_rows.value(row, m_painted.axes.x), m_rows.value(row, m_painted.axes.y));
            if (!edit.isOmitted && before != now && std::isfinite(before.x()) && std::isfinite(before.y())) {
                addLine({before, now}, movedGroup());
            }
        }
    }

    void addRow(std::int64_t row) {
        const double x = m_rows.value(row, m_painted.axes.x);
        const double y = m_rows.value(row, m_painted.axes.y);
        if (!std::isfinite(x) || !std::isfinite(y)) {
            return;
        }
        const std::string name = m_rows.className(row);
        Shape point;
        point.kind = Shape::Kind::Point;
        point.x = {x, x};
        point.y = {y, y};
        point.item = row;
        point.isFaint = m_rows.isOmitted(row);
        point.group = m_rows.isOmitted(row) ? omittedGroup() : classGroup(name, isCertain(row));
        point.text = QObject::tr("row %1").arg(row) + '\n' + m_figure.groups[point.group].name +
                     QStringLiteral("\n%1 = %2, %3 = %4")
                         .arg(m_rows.featureName(m_painted.axes.x), QString::fromStdString(shortText(x)),
                              m_rows.featureName(m_painted.axes.y), QString::fromStdString(shortText(y)));
        m_figure.shapes.append(point);
        m_figure.table.numbers << static_cast<double>(row) << x << y;
        m_figure.table.texts << (m_rows.isOmitted(row) ? QObject::tr("omitted") : QString::fromStdString(name));
    }

    [[nodiscard]] bool isCertain(std::int64_t row) const {
        const auto place = static_cast<std::size_t>(row);
        return place < m_isCertain.size() && m_isCertain[place];
    }

    template <class Make>
    int group(const QString& id, Make make) {
        const auto known = m_groups.find(id);
        if (known != m_groups.end()) {
            return known->second;
        }
        ShapeGroup look;
        look.id = id;
        make(look);
        m_figure.groups.append(look);
        return m_groups[id] = static_cast<int>(m_figure.groups.size()) - 1;
    }

    int movedGroup() {
        return group(QStringLiteral("moved"), [](ShapeGroup& look) {
            look.name = QObject::tr("moved");
            look.colourIndex = kGrey;
            look.dash = DashStyle::Dot;
            look.lineWidth = 1;
        });
    }

    int omittedGroup() {
        return group(QStringLiteral("omitted"), [](ShapeGroup& look) {
            look.name = QObject::tr("omitted");
            look.colourIndex = kGrey;
            look.marker = MarkerShape::Cross;
        });
    }

    int classGroup(const std::string& name, bool isSettled) {
        const auto& classes = m_rows.classes();
        const auto place = static_cast<std::size_t>(std::find(classes.begin(), classes.end(), name) - classes.begin());
        return group(QStringLiteral("class %1 %2").arg(place).arg(isSettled), [&](ShapeGroup& look) {
            const QString shown = name.empty() ? QObject::tr("no label") : QString::fromStdString(name);
            look.name = isSettled ? QObject::tr("%1, certain").arg(shown) : shown;
            look.colourIndex = colourOf(name, place);
            look.marker = markerOf(place);
            look.isHollow = isSettled;
        });
    }

    /// That of the side of the plane that a class is on, so that places and rows look alike.
    [[nodiscard]] int colourOf(const std::string& name, std::size_t place) const {
        const auto side = m_sideOf.find(name);
        return side != m_sideOf.end() ? side->second : static_cast<int>(place);
    }

    const PaintedPlane& m_painted;
    const PointEditor& m_rows;
    Unscaled m_x;
    Unscaled m_y;
    ShapeFigure m_figure;
    int m_groupsOfPlane = 0; ///< which come before those of rows
    std::map<QString, int> m_groups;
    std::vector<bool> m_isCertain;
    std::map<std::string, int> m_sideOf; ///< 0: the first one of the plane
};

} // namespace

ShapeFigure paintFigure(const PaintedPlane& painted) {
    return PaintFigureBuilder(painted).build();
}

} // namespace lambdascope

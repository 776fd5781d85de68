// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/plane_figure.h"

#include "core/common/number_text.h"
#include "ui/figures/figure_parts.h"

#include <algorithm>
#include <array>

namespace lambdascope {

using namespace figures;

namespace {

constexpr int kBothSides = 2; ///< colour of what holds for both classes
constexpr int kLineColour = 7;
constexpr int kBeyond = 3; ///< of samples beyond a tube

QString words(const std::string& text) {
    return QString::fromStdString(text);
}

Hatch hatchOf(const DecisionPlane::Area& area) {
    if (area.side < 0) {
        return Hatch::Crossed;
    }
    if (area.isSettled) {
        return area.side == 0 ? Hatch::Rising : Hatch::Falling;
    }
    return area.side == 0 ? Hatch::Level : Hatch::Upright;
}

struct SampleLook {
    MarkerShape marker = MarkerShape::Circle;
    bool isHollow = false;
    int colourIndex = 0;
};

/// Whether samples are of no class, as those of a regression.
bool hasClasses(const DecisionPlane& plane) {
    return plane.sides.size() != 1 || !plane.sides.front().empty();
}

/// Samples of no class are told apart by what is known of them: a decision of the rules is filled, what the solution
/// says instead has its colour and marker, hollow, and those on an edge stand out.
SampleLook lookWithoutClass(const DecisionPlane& plane, std::int32_t state) {
    static constexpr std::array<SampleLook, 2> kClasslessLooks{SampleLook{MarkerShape::Circle, false, kBothSides},
                                                               SampleLook{MarkerShape::Square, false, kBeyond}};
    const std::int32_t screened = plane.screenedStates;
    if (state >= 2 * screened || screened > static_cast<std::int32_t>(kClasslessLooks.size())) {
        return {MarkerShape::Diamond, false, kLineColour};
    }
    SampleLook look = kClasslessLooks[static_cast<std::size_t>(state % screened)];
    look.isHollow = state >= screened;
    return look;
}

/// Markers by state. The first ones have an inside, which tells the classes apart; where a lens has more states,
/// classes have strokes of their own.
SampleLook lookOf(const DecisionPlane& plane, std::int32_t state, std::int32_t side) {
    if (!hasClasses(plane)) {
        return lookWithoutClass(plane, state);
    }
    static constexpr std::array kAreas{MarkerShape::Circle, MarkerShape::Square, MarkerShape::TriangleUp,
                                       MarkerShape::TriangleDown, MarkerShape::Diamond};
    static constexpr std::array kStrokes{MarkerShape::Cross, MarkerShape::Plus, MarkerShape::Star};
    const auto place = static_cast<std::size_t>(state);
    if (place < kAreas.size()) {
        return {kAreas[place], side > 0, side};
    }
    return {kStrokes[(2 * (place - kAreas.size()) + static_cast<std::size_t>(side)) % kStrokes.size()], false, side};
}

/// Appends a group and gives its number.
int addGroup(ShapeFigure& figure, ShapeGroup group) {
    figure.groups.append(std::move(group));
    return static_cast<int>(figure.groups.size()) - 1;
}

void addGround(ShapeFigure& figure, const DecisionPlane& plane, bool namesAll) {
    std::vector<qint8> groupOf(plane.areas.size(), -1);
    for (std::size_t k = 0; k < plane.areas.size(); ++k) {
        if (!namesAll &&
            std::find(plane.cells.begin(), plane.cells.end(), static_cast<std::int8_t>(k)) == plane.cells.end()) {
            continue;
        }
        ShapeGroup group;
        group.id = QStringLiteral("area %1").arg(k);
        group.name = text("certainly %1").arg(words(plane.areas[k].name));
        group.colourIndex = plane.areas[k].side < 0 ? kBothSides : plane.areas[k].side;
        group.hatch = hatchOf(plane.areas[k]);
        group.isPale = true;
        groupOf[k] = static_cast<qint8>(addGroup(figure, group));
    }
    figure.cells = {
        {plane.xLow, plane.xHigh}, {plane.yLow, plane.yHigh}, static_cast<int>(plane.columns), plane.rows, {}};
    figure.cells.groups.reserve(static_cast<qsizetype>(plane.cells.size()));
    for (const std::int8_t area : plane.cells) {
        figure.cells.groups << (area < 0 ? qint8(-1) : groupOf[static_cast<std::size_t>(area)]);
    }
}

void addSamples(ShapeFigure& figure, const DecisionPlane& plane) {
    figure.table.numberColumns = {text("Item"), figure.x.title, figure.y.title, words(plane.valueLabel)};
    figure.table.textColumns =
        hasClasses(plane) ? QStringList{text("Class"), text("State")} : QStringList{text("State")};
    for (std::size_t state = 0; state < plane.states.size(); ++state) {
        for (std::size_t side = 0; side < plane.sides.size(); ++side) {
            int group = -1;
            for (const DecisionPlane::Item& item : plane.items) {
                if (item.state != static_cast<std::int32_t>(state) || item.side != static_cast<std::int32_t>(side)) {
                    continue;
                }
                if (group < 0) {
                    ShapeGroup look;
                    look.id = QStringLiteral("state %1 %2").arg(state).arg(side);
                    look.name = hasClasses(plane)
                                    ? QStringLiteral("%1: %2").arg(words(plane.sides[side]), words(plane.states[state]))
                                    : words(plane.states[state]);
                    const SampleLook marker = lookOf(plane, item.state, item.side);
                    look.colourIndex = marker.colourIndex;
                    look.marker = marker.marker;
                    look.isHollow = marker.isHollow;
                    group = addGroup(figure, look);
                }
                Shape point;
                point.kind = Shape::Kind::Point;
                point.group = group;
                point.x = {item.x, item.x};
                point.y = {item.y, item.y};
                point.item = item.item;
                point.text = QStringLiteral("%1\n%2\n%3 = %4, %5 = %6\n%7 = %8")
                                 .arg(words(item.title), figure.groups[group].name, figure.x.title, number(item.x),
                                      figure.y.title, number(item.y), words(plane.valueLabel), number(item.value));
                figure.shapes.append(point);
                figure.table.numbers << static_cast<double>(item.item) << item.x << item.y << item.value;
                figure.table.texts += hasClasses(plane)
                                          ? QStringList{words(plane.sides[side]), words(plane.states[state])}
                                          : QStringList{words(plane.states[state])};
            }
        }
    }
}

void addLevels(ShapeFigure& figure, const DecisionPlane& plane, bool namesAll) {
    for (std::size_t k = 0; k < plane.levels.size(); ++k) {
        const DecisionPlane::Level& level = plane.levels[k];
        if (!namesAll && level.lines.empty()) {
            continue;
        }
        ShapeGroup look;
        look.id = QStringLiteral("level %1").arg(k);
        look.name = words(level.name);
        look.colourIndex = kLineColour;
        // Several lines of equal values, round after round of dashes; beside a boundary there is but one other kind.
        static constexpr std::array kDashes{DashStyle::Dash, DashStyle::Dot, DashStyle::DashDot, DashStyle::DashDotDot,
                                            DashStyle::Solid};
        const bool isAlone = !plane.levels.front().isBoundary;
        look.dash = level.isBoundary ? DashStyle::Solid : isAlone ? kDashes[k % kDashes.size()] : DashStyle::Dash;
        const int group = addGroup(figure, look);
        for (const auto& line : level.lines) {
            Shape shape = outlineOf(line);
            shape.group = group;
            shape.text = look.name;
            figure.shapes.append(shape);
        }
    }
}

} // namespace

ShapeFigure planeFigure(const ShownRun& run, int index, const DecisionPlane& plane, bool namesAll) {
    ShapeFigure figure;
    const PointRecord* point = pointAt(*run.record, index);
    figure.title = point == nullptr ? text("Plane of %1").arg(run.name)
                                    : text("Plane of %1 at %2").arg(run.name, placeText(*run.record, *point));
    if (const auto shown = static_cast<std::int64_t>(plane.items.size()); shown < plane.total) {
        figure.title += text(", %1 of %2 %3")
                            .arg(words(groupedText(shown)), words(groupedText(plane.total)),
                                 hasClasses(plane) ? words(run.record->start().itemNoun) : text("rows"));
    }
    if (plane.features.size() > 2) {
        figure.title += text(", other features at their means");
    }
    figure.x.title = words(plane.xLabel);
    figure.y.title = words(plane.yLabel);
    figure.xRange = ValueRange{plane.xLow, plane.xHigh};
    figure.yRange = ValueRange{plane.yLow, plane.yHigh};
    figure.recipe = recipeOf(*run.record);
    addGround(figure, plane, namesAll);
    addSamples(figure, plane);
    addLevels(figure, plane, namesAll);
    return figure;
}

} // namespace lambdascope

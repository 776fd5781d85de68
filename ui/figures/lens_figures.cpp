// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/lens_figures.h"

#include "core/common/number_text.h"
#include "ui/figures/figure_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace lambdascope {

using namespace figures;

namespace {

QString grouped(std::int64_t count) {
    return QString::fromStdString(groupedText(count));
}

/// Finite ends that hold all finite, positive bounds of the intervals and the reference.
ValueRange finiteRange(const Lifetimes& lifetimes) {
    ValueRange range{std::numeric_limits<double>::infinity(), 0};
    const auto include = [&range](double value) {
        if (std::isfinite(value) && value > 0) {
            range = {std::min(range.low, value), std::max(range.high, value)};
        }
    };
    include(lifetimes.reference);
    for (const Lifetimes::Interval& interval : lifetimes.intervals) {
        include(interval.low);
        include(interval.high);
    }
    return range.low < range.high ? range : ValueRange{range.high / 2, range.high * 2};
}

/// Position of `name` among the groups, which gets it when it is new.
int groupOf(ShapeFigure& figure, const QString& name) {
    for (int group = 0; group < figure.groups.size(); ++group) {
        if (figure.groups[group].name == name) {
            return group;
        }
    }
    const int group = static_cast<int>(figure.groups.size());
    figure.groups.append({name, name, group, Hatch::None, true});
    return group;
}

/// "λ₀". Not a part of a translated text: there, Qt would read the subscript as a digit of the argument's number.
QString referenceName(const QString& axis) {
    return axis + QChar(0x2080);
}

/// The axis of what solutions decide elsewhere: the path parameter, or what a lens says that it is a share of.
QString axisOf(const ShownRun& run, const std::string& told) {
    return QString::fromStdString(told.empty() ? run.record->start().axisLabel : told);
}

QString boundTitle(const std::string& bound, bool isUsed) {
    const QString name = QString::fromStdString(bound);
    return isUsed ? name : text("%1 (not used)").arg(name);
}

constexpr double kPartWidth = 3.5;

Shape partShape(const std::vector<BallSlice::Corner>& corners) {
    std::vector<DecisionPlane::Place> places;
    QVector<double> bulges;
    for (const BallSlice::Corner& corner : corners) {
        places.push_back({corner.x, corner.y});
        bulges.append(corner.bulge);
    }
    places.push_back(places.front());
    Shape shape = outlineOf(places);
    shape.bulges = bulges;
    return shape;
}

/// The newest check up to `check` (a negative one: of all) of each bound among balls or parts.
template <typename Region>
std::map<std::string, std::int32_t> newestOf(const std::vector<Region>& regions, int check) {
    std::map<std::string, std::int32_t> newest;
    for (const Region& region : regions) {
        if (check < 0 || region.check <= check) {
            newest[region.name] = std::max(newest[region.name], region.check);
        }
    }
    return newest;
}

QString partText(const ShapeFigure& figure, int group, const BallSlice::Part& part) {
    const QString what =
        part.text.empty() ? text("no ball: what it leaves of the plane") : QString::fromStdString(part.text);
    return text("%1\n%2\ncheck %3 at iteration %4")
        .arg(figure.groups[group].name, what)
        .arg(part.check)
        .arg(part.iteration);
}

/// Outlines of what bounds know that is no ball, of the checks up to `check`.
void addParts(ShapeFigure& figure, const BallSlice& slice, int check, bool withRivals) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const std::map<std::string, std::int32_t> newest = newestOf(slice.parts, check);
    for (const BallSlice::Part& part : slice.parts) {
        if (!part.isUsed && !withRivals) {
            continue;
        }
        const int group = groupOf(figure, boundTitle(part.name, part.isUsed));
        // What is left in common is the answer, balls are the way there; and dashes would hide how small it is.
        figure.groups[group].dash = DashStyle::Solid;
        figure.groups[group].lineWidth = kPartWidth;
        if (check >= 0 && part.check > check) {
            continue;
        }
        if (part.outline.empty()) { // the plane misses it
            figure.table.numbers << part.check << static_cast<double>(part.iteration) << kNone << kNone << kNone
                                 << kNone;
            figure.table.texts << figure.groups[group].name;
            continue;
        }
        Shape shape = partShape(part.outline);
        shape.group = group;
        shape.text = partText(figure, group, part);
        shape.isFaint = part.check < newest.at(part.name);
        const bool isBox = part.isBracketed; // which has a middle and a width as a ball has
        figure.table.numbers << part.check << static_cast<double>(part.iteration)
                             << (isBox ? 0.5 * (shape.x.low + shape.x.high) : kNone)
                             << (isBox ? 0.5 * (shape.y.low + shape.y.high) : kNone)
                             << (isBox ? 0.5 * (shape.x.high - shape.x.low) : kNone) << kNone;
        figure.table.texts << figure.groups[group].name;
        const bool isNarrower =
            figure.marks.isEmpty() || shape.x.high - shape.x.low < figure.marks[1].value - figure.marks[0].value;
        if (isBox && !shape.isFaint && isNarrower) { // of the smallest one: it alone says where w is
            figure.marks = {{Qt::Vertical, shape.x.low, {}},
                            {Qt::Vertical, shape.x.high, text("the ball alone: all between")}};
        }
        figure.shapes.append(shape);
    }
}

/// What balls have in common may be tiny beside the largest of them, and so may the newest part beside those of
/// earlier checks: then the figure shows the place round it; the wheel shows the rest.
void focusOnParts(ShapeFigure& figure, const BallSlice& slice) {
    constexpr double kDwarfed = 5; // times smaller than the largest ball or part
    constexpr double kRoom = 1.2;  // on each side, as a share of the part's size
    ValueRange x{slice.optimumX, slice.optimumX};
    ValueRange y{slice.optimumY, slice.optimumY};
    double largest = 0;
    for (const Shape& shape : figure.shapes) {
        largest = std::max({largest, shape.x.high - shape.x.low, shape.y.high - shape.y.low});
        if (shape.kind == Shape::Kind::Outline && !shape.isFaint) {
            x = {std::min(x.low, shape.x.low), std::max(x.high, shape.x.high)};
            y = {std::min(y.low, shape.y.low), std::max(y.high, shape.y.high)};
        }
    }
    const double size = std::max(x.high - x.low, y.high - y.low);
    if (size > 0 && largest > kDwarfed * size) {
        figure.xRange = ValueRange{x.low - kRoom * size, x.high + kRoom * size};
        figure.yRange = ValueRange{y.low - kRoom * size, y.high + kRoom * size};
    }
}

QString nounOf(const RunRecord& record) {
    return record.start().itemNoun.empty() ? text("items") : QString::fromStdString(record.start().itemNoun);
}

} // namespace

HeatmapFigure rangeFigure(const ShownRun& run, const RangeGrid& grid) {
    HeatmapFigure figure;
    const QString axis = axisOf(run, grid.axisLabel);
    figure.title = text("Range-based screening of %1").arg(run.name);
    figure.x.title = axis;
    figure.y.title = text("Reference %1").arg(referenceName(axis));
    figure.valueTitle = text("Rate of the range rule");
    figure.range = ValueRange{0, 1};
    figure.recipe = recipeOf(*run.record);
    figure.xValues = QVector<double>(grid.targets.begin(), grid.targets.end());
    figure.yValues = QVector<double>(grid.references.begin(), grid.references.end());
    figure.values.reserve(static_cast<qsizetype>(grid.rates.size()));
    for (std::int64_t row = 0; row < grid.rates.rows(); ++row) {
        for (std::int64_t column = 0; column < grid.rates.cols(); ++column) {
            figure.values << grid.rates(row, column);
        }
    }
    return figure;
}

std::vector<SliceCheck> sliceChecks(const BallSlice& slice) {
    std::vector<SliceCheck> checks;
    const auto note = [&checks](const auto& region) {
        if (checks.empty() || checks.back().check < region.check) {
            checks.push_back({region.check, region.iteration});
        }
    };
    std::for_each(slice.balls.begin(), slice.balls.end(), note);
    if (checks.empty()) { // there are no others
        std::for_each(slice.parts.begin(), slice.parts.end(), note);
    }
    return checks;
}

ShapeFigure sliceFigure(const ShownRun& run, int index, const BallSlice& slice, int check, bool withRivals) {
    ShapeFigure figure;
    const PointRecord* point = pointAt(*run.record, index);
    const QString what = slice.balls.empty() && !slice.parts.empty() ? text("Balls and brackets of %1").arg(run.name)
                                                                     : text("Balls of %1").arg(run.name);
    figure.title = point == nullptr ? what : text("%1 at %2").arg(what, placeText(*run.record, *point));
    figure.x.title = slice.xLabel.empty() ? text("first direction") : QString::fromStdString(slice.xLabel);
    figure.y.title = slice.yLabel.empty() ? text("second direction") : QString::fromStdString(slice.yLabel);
    figure.equalAspect = true;
    figure.recipe = recipeOf(*run.record);
    figure.table.numberColumns = {text("Check"),    text("Iteration"),         text("Centre x"),
                                  text("Centre y"), text("Radius of the cut"), text("Radius")};
    figure.table.textColumns = {text("Bound")};
    const auto isPast = [check](const BallSlice::Ball& ball) { return check < 0 || ball.check <= check; };
    const std::map<std::string, std::int32_t> newest = newestOf(slice.balls, check);
    for (const BallSlice::Ball& ball : slice.balls) {
        if (!ball.isUsed && !withRivals) {
            continue;
        }
        // Bounds of later checks too: looks stay while balls come.
        const int group = groupOf(figure, boundTitle(ball.name, ball.isUsed));
        if (!isPast(ball)) {
            continue;
        }
        figure.table.numbers << ball.check << static_cast<double>(ball.iteration) << ball.x << ball.y << ball.radius
                             << ball.fullRadius;
        figure.table.texts << figure.groups[group].name;
        if (!(ball.radius > 0) || !std::isfinite(ball.radius)) {
            continue; // the plane misses it
        }
        Shape shape;
        shape.kind = Shape::Kind::Ball;
        shape.group = group;
        shape.x = {ball.x - ball.radius, ball.x + ball.radius};
        shape.y = {ball.y - ball.radius, ball.y + ball.radius};
        shape.text = text("%1\ncheck %2 at iteration %3\nradius %4, of the cut %5")
                         .arg(figure.groups[group].name)
                         .arg(ball.check)
                         .arg(ball.iteration)
                         .arg(number(ball.fullRadius), number(ball.radius));
        shape.isFaint = ball.check < newest.at(ball.name);
        figure.shapes.append(shape);
    }
    addParts(figure, slice, check, withRivals);
    focusOnParts(figure, slice);
    Curve optimum;
    optimum.id = QStringLiteral("optimum");
    optimum.name = text("optimum");
    optimum.style = {7, {}, DashStyle::NoLine, MarkerShape::Star, 1.6};
    optimum.points = {{slice.optimumX, slice.optimumY}};
    figure.curves.append(optimum);
    return figure;
}

ShapeFigure lifetimesFigure(const ShownRun& run, const Lifetimes& lifetimes) {
    ShapeFigure figure;
    const RunStarted& start = run.record->start();
    const QString axis = axisOf(run, lifetimes.axisLabel);
    const QString noun = nounOf(*run.record);
    const auto shown = static_cast<std::int64_t>(lifetimes.intervals.size());
    const QString found = grouped(lifetimes.total);
    figure.title = text("Removal guaranteed by %1 = %2: ").arg(referenceName(axis), number(lifetimes.reference)) +
                   (lifetimes.sampled < lifetimes.items
                        ? text("%1 of %2 %3 looked at").arg(found, grouped(lifetimes.sampled), noun)
                        : text("%1 %2").arg(found, noun));
    if (shown < lifetimes.total) { // there is room for so many bars: that says nothing of the reference
        figure.title += text(", %1 of them shown").arg(grouped(shown));
    }
    figure.x = {axis, {}, AxisScale::Log, start.axisFalls};
    figure.y = {capitalized(noun), {}, AxisScale::Linear, true};
    figure.recipe = recipeOf(*run.record);
    figure.groups = {{QStringLiteral("low"), text("fixed in %1").arg(QString::fromStdString(start.fixedLowName)), 0,
                      Hatch::None, true},
                     {QStringLiteral("high"), text("fixed in %1").arg(QString::fromStdString(start.fixedHighName)), 1,
                      Hatch::Rising, true}};
    figure.table.numberColumns = {text("Item"), text("From %1").arg(axis), text("To %1").arg(axis)};
    figure.table.textColumns = {text("Set")};
    std::vector<Lifetimes::Interval> sorted = lifetimes.intervals;
    const ValueRange ends = finiteRange(lifetimes);
    const auto clamped = [&ends](double value) { return std::clamp(value, ends.low, ends.high); };
    const auto length = [&](const Lifetimes::Interval& interval) {
        return std::log(clamped(interval.high)) - std::log(clamped(interval.low));
    };
    std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return length(a) > length(b); });
    for (std::size_t rank = 0; rank < sorted.size(); ++rank) {
        const Lifetimes::Interval& interval = sorted[rank];
        const std::string& set = interval.isHighSet ? start.fixedHighName : start.fixedLowName;
        Shape bar;
        bar.group = interval.isHighSet ? 1 : 0;
        bar.x = {clamped(interval.low), clamped(interval.high)};
        bar.y = {static_cast<double>(rank), static_cast<double>(rank + 1)};
        bar.item = interval.item;
        bar.text = text("Number %2 of the %1\nin %3 for %4 from %5 to %6")
                       .arg(noun, grouped(interval.item), QString::fromStdString(set), axis, number(interval.low),
                            number(interval.high));
        figure.shapes.append(bar);
        figure.table.numbers << static_cast<double>(interval.item) << interval.low << interval.high;
        figure.table.texts << QString::fromStdString(set);
    }
    if (!sorted.empty()) {
        figure.marks.append({Qt::Vertical, lifetimes.reference, text("reference")});
    }
    return figure;
}

} // namespace lambdascope

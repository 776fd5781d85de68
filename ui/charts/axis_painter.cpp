// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis_painter.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

// Distances in units of the font size.
constexpr double kTick = 0.45;
constexpr double kMinorTick = 0.25;
constexpr double kGap = 0.35;
constexpr double kLabelLineHeight = 1.2;
constexpr double kBarWidth = 1.1;
constexpr int kLongestName = 10; ///< letters of a cell's name that an axis shows, and more where there is room
/// Names stand in so many rows below each other before they are turned.
constexpr int kMostRows = 4;
constexpr int kLongestTurned = 16;    ///< letters of a turned name
constexpr double kTurnedWidth = 1.35; ///< of a turned name, in font sizes
constexpr double kLetterWidth = 0.62; ///< about that of most letters, in font sizes

TextStyle labelStyle(double font, const QColor& colour, Qt::Alignment alignment) {
    TextStyle style;
    style.size = font;
    style.colour = colour;
    style.alignment = alignment;
    return style;
}

double widestLabel(const FigureCanvas& canvas, const DrawnAxis& axis, double font) {
    double widest = 0;
    for (const AxisTick& tick : axis.ticks) {
        widest = std::max(widest, canvas.textWidth(tick.label, labelStyle(font, {}, {})));
    }
    return widest;
}

/// How far the labels of a bottom axis reach below its ticks.
double labelDepth(const FigureCanvas& canvas, const DrawnAxis& axis, double font) {
    return axis.areLabelsTurned ? widestLabel(canvas, axis, font) : font * axis.labelRows * kLabelLineHeight;
}

/// Whole numbers as they are, others with three digits; powers of ten only far from one.
QString cellLabel(double value) {
    const double size = std::abs(value);
    if (value == 0 || (size >= 1e-3 && size < 1e6)) {
        const bool whole = value == std::round(value);
        const int digits = whole ? 0 : std::clamp(2 - int(std::floor(std::log10(size))), 0, 5);
        return QString::number(value, 'f', digits).replace('-', QChar(0x2212));
    }
    return tickLabel(value, std::pow(10, std::floor(std::log10(size))) / 10);
}

/// Long names would leave no room for the cells; hovering and tables say them whole.
QString shortName(const QString& name, int letters = kLongestName) {
    return name.size() > letters ? name.left(letters - 1) + QChar(0x2026) : name;
}

struct AxisRoom {
    double length;
    double font;
    Qt::Orientation orientation;
};

/// Ticks in the middle of cells [i, i + 1], as many as have room.
template <class Label, class Width>
QVector<AxisTick> cellTicks(const ValueRange& range, int count, const Label& label, const Width& width,
                            const AxisRoom& axis) {
    const int first = std::max(0, int(std::floor(range.low)));
    const int last = std::min(count - 1, int(std::ceil(range.high)) - 1);
    double widest = 0;
    for (int index = first; index <= last; index += std::max(1, (last - first) / 64)) {
        widest = std::max(widest, width(label(index)));
    }
    const double room = axis.orientation == Qt::Horizontal ? widest + axis.font : axis.font * 1.7;
    const double cell = axis.length / (range.high - range.low);
    const int needed = std::max(1, int(std::min(std::ceil(room / std::max(cell, 1e-9)), double(count))));
    // Strides such as 1, 2, 5, 10 give labels at familiar places.
    int stride = 1;
    for (const int candidate : {1, 2, 3, 4, 5, 10, 15, 20, 25, 50, 100, 150, 200, 250, 500, 1000, 2000, 5000}) {
        stride = candidate;
        if (candidate >= needed) {
            break;
        }
    }
    stride = std::max(stride, needed);
    QVector<AxisTick> ticks;
    for (int index = first; index <= last; ++index) {
        if (index % stride == 0) {
            ticks.append({index + 0.5, label(index)});
        }
    }
    return ticks;
}

/// Whether values run in one direction over two decades or more: a path of λ, say.
bool isWideAndGeometric(const QVector<double>& values) {
    constexpr double kWide = 100;
    if (values.size() < 4 || !(values.first() > 0) || !(values.last() > 0)) {
        return false;
    }
    const bool falls = values.last() < values.first();
    const bool isMonotone =
        std::is_sorted(values.begin(), values.end(), [falls](double a, double b) { return falls ? a > b : a < b; });
    return isMonotone && std::max(values.first() / values.last(), values.last() / values.first()) >= kWide;
}

/// Ticks at powers of ten, between the middles of the cells whose values are around them.
QVector<AxisTick> powerTicks(const QVector<double>& values, const ValueRange& shown, int majorLimit) {
    const qsizetype last = values.size() - 1;
    const auto logAt = [&](double cell) { // value at a place along the cells
        const double place = std::clamp(cell - 0.5, 0.0, double(last));
        const auto left = std::min(qsizetype(place), last - 1);
        const double share = place - double(left);
        return (1 - share) * std::log10(values[left]) + share * std::log10(values[left + 1]);
    };
    const double from = logAt(shown.low);
    const double to = logAt(shown.high);
    QVector<AxisTick> ticks;
    for (const AxisTick& tick : axisTicks({std::min(from, to), std::max(from, to)}, AxisScale::Log, majorLimit)) {
        // Values run in one direction: the first cell at or beyond the tick is found by halving.
        const bool falls = values.last() < values.first();
        const auto beyond = std::partition_point(values.begin() + 1, values.end() - 1, [&](double value) {
            return falls ? std::log10(value) > tick.coordinate : std::log10(value) < tick.coordinate;
        });
        const qsizetype left = beyond - values.begin() - 1;
        const double a = std::log10(values[left]);
        const double b = std::log10(values[left + 1]);
        if (a != b && (tick.coordinate - a) * (tick.coordinate - b) <= 0) {
            ticks.append({double(left) + 0.5 + (tick.coordinate - a) / (b - a), tick.label});
        }
    }
    return ticks;
}

/// Ticks that lie inside of the shown range, at their places along the axis.
QVector<std::pair<double, AxisTick>> placedTicks(const DrawnAxis& axis, double from, double to) {
    QVector<std::pair<double, AxisTick>> placed;
    for (const AxisTick& tick : axis.ticks) {
        const double fraction = axis.mapping.fractionOfAxis(tick.coordinate);
        if (fraction > -1e-6 && fraction < 1 + 1e-6) {
            placed.append({from + fraction * (to - from), tick});
        }
    }
    return placed;
}

void drawBottomAxis(FigureCanvas& canvas, const PlotFrame& frame, const ChartTheme& theme) {
    const double bottom = frame.plot.bottom();
    QVector<QLineF> ticks;
    QVector<double> lastRight(std::max(frame.x.labelRows, 1), -1e9); // of each row
    int row = 0;
    QVector<std::pair<double, AxisTick>> placed = placedTicks(frame.x, frame.plot.left(), frame.plot.right());
    std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [at, tick] : placed) {
        ticks.append({at, bottom, at, bottom + frame.font * (tick.isMajor() ? kTick : kMinorTick)});
        if (frame.x.areLabelsTurned) {
            TextStyle turned = labelStyle(frame.font, theme.text, Qt::AlignRight | Qt::AlignVCenter);
            turned.upwards = true;
            canvas.drawText({at, bottom + frame.font * (kTick + kGap * 0.5)}, tick.label, turned);
            continue;
        }
        const TextStyle style = labelStyle(frame.font, theme.text, Qt::AlignHCenter | Qt::AlignTop);
        const double half = canvas.textWidth(tick.label, style) / 2;
        if (tick.isMajor() && at - half > lastRight[row] + frame.font * 0.4) {
            canvas.drawText({at, bottom + frame.font * (kTick + kGap * 0.5 + row * kLabelLineHeight)}, tick.label,
                            style);
            lastRight[row] = at + half;
            row = (row + 1) % frame.x.labelRows;
        }
    }
    canvas.drawLines(ticks, {theme.axis, frame.lineWidth});
    const double titleTop = bottom + frame.font * (kTick + kGap) + labelDepth(canvas, frame.x, frame.font);
    canvas.drawText({frame.plot.center().x(), titleTop}, frame.x.label,
                    labelStyle(frame.font, theme.text, Qt::AlignHCenter | Qt::AlignTop));
}

void drawLeftAxis(FigureCanvas& canvas, const PlotFrame& frame, const ChartTheme& theme) {
    const double left = frame.plot.left();
    QVector<QLineF> ticks;
    for (const auto& [at, tick] : placedTicks(frame.y, frame.plot.bottom(), frame.plot.top())) {
        ticks.append({left, at, left - frame.font * (tick.isMajor() ? kTick : kMinorTick), at});
        if (tick.isMajor()) {
            canvas.drawText({left - frame.font * (kTick + kGap), at}, tick.label,
                            labelStyle(frame.font, theme.text, Qt::AlignRight | Qt::AlignVCenter));
        }
    }
    canvas.drawLines(ticks, {theme.axis, frame.lineWidth});
    TextStyle title = labelStyle(frame.font, theme.text, Qt::AlignHCenter | Qt::AlignBottom);
    title.upwards = true;
    const double labels = widestLabel(canvas, frame.y, frame.font);
    canvas.drawText({left - frame.font * (kTick + 2 * kGap) - labels, frame.plot.center().y()}, frame.y.label, title);
}

} // namespace

QPointF PlotFrame::place(const QPointF& axis) const {
    return {plot.left() + x.mapping.fractionOfAxis(axis.x()) * plot.width(),
            plot.bottom() - y.mapping.fractionOfAxis(axis.y()) * plot.height()};
}

QPointF PlotFrame::placeValue(const QPointF& value) const {
    return place(
        {AxisMapping::toAxis(value.x(), x.mapping.scale()), AxisMapping::toAxis(value.y(), y.mapping.scale())});
}

double PlotFrame::aspect() const {
    const auto perUnit = [](double length, const AxisMapping& mapping) {
        return (mapping.reversed() ? -length : length) / (mapping.range().high - mapping.range().low);
    };
    return perUnit(plot.width(), x.mapping) / -perUnit(plot.height(), y.mapping);
}

QPointF PlotFrame::valueAt(const QPointF& place) const {
    return {x.mapping.valueAt((place.x() - plot.left()) / std::max(plot.width(), 1e-9)),
            y.mapping.valueAt((plot.bottom() - place.y()) / std::max(plot.height(), 1e-9))};
}

int tickLimit(double length, double font, Qt::Orientation orientation) {
    const double room = font * (orientation == Qt::Horizontal ? 4.6 : 2.3);
    return std::clamp(int(length / room), 2, 11);
}

DrawnAxis drawnAxis(const AxisSpec& spec, const AxisMapping& mapping, double length, double font,
                    Qt::Orientation orientation, bool areWhole) {
    if (!spec.names.isEmpty()) {
        const double letter = kLetterWidth * font;
        const double cell = orientation == Qt::Vertical ? 0 : length / (mapping.range().high - mapping.range().low);
        const auto isShorter = [](const QString& a, const QString& b) { return a.size() < b.size(); };
        const auto longest = std::max_element(spec.names.begin(), spec.names.end(), isShorter)->size();
        const double room =
            letter * double(std::min(longest, qsizetype{2} * kLongestName)) / std::max(cell - font, 1.0);
        const double needed = cell > 0 ? std::ceil(room) : 1;
        const bool areTurned = needed > kMostRows;
        const int rows = areTurned ? 1 : int(needed);
        const int letters = areTurned ? kLongestTurned : std::max(kLongestName, int(rows * (cell - font) / letter));
        const auto name = [&](int index) { return shortName(spec.names[index], letters); };
        const auto width = [&](const QString& label) { // without the font size that is kept free beside it
            return areTurned ? (kTurnedWidth - 1) * font : letter * double(label.size()) / rows;
        };
        return {mapping, cellTicks(mapping.range(), int(spec.names.size()), name, width, {length, font, orientation}),
                spec.label(), rows, areTurned};
    }
    return {mapping, axisTicks(mapping.range(), mapping.scale(), tickLimit(length, font, orientation), areWhole),
            spec.label()};
}

DrawnAxis cellAxis(const FigureCanvas& canvas, const AxisSpec& spec, const QVector<double>& values,
                   const QStringList& names, const AxisMapping& mapping, double length, double font,
                   Qt::Orientation orientation) {
    if (names.isEmpty() && isWideAndGeometric(values)) {
        return {mapping, powerTicks(values, mapping.range(), tickLimit(length, font, orientation)), spec.label()};
    }
    const auto label = [&](int index) {
        return names.isEmpty() ? cellLabel(values[index]) : shortName(names.value(index));
    };
    const auto width = [&](const QString& text) { return canvas.textWidth(text, labelStyle(font, {}, {})); };
    return {mapping, cellTicks(mapping.range(), int(values.size()), label, width, {length, font, orientation}),
            spec.label()};
}

QMarginsF axisMargins(const FigureCanvas& canvas, const DrawnAxis& x, const DrawnAxis& y, double font) {
    const double title = y.label.isEmpty() ? 0 : kLabelLineHeight + kGap;
    const double left = widestLabel(canvas, y, font) + font * (kTick + kGap + title);
    const double bottom =
        font * (kTick + kGap + (x.label.isEmpty() ? 0 : kLabelLineHeight + kGap * 0.5)) + labelDepth(canvas, x, font);
    const double beside = x.areLabelsTurned ? 0 : widestLabel(canvas, x, font) / 2;
    return {left, font * 0.6, std::max(font * 0.6, beside), bottom};
}

void drawGrid(FigureCanvas& canvas, const PlotFrame& frame, const ChartTheme& theme) {
    QVector<QLineF> major;
    QVector<QLineF> minor;
    for (const auto& [at, tick] : placedTicks(frame.x, frame.plot.left(), frame.plot.right())) {
        if (tick.isMajor() || frame.x.mapping.scale() == AxisScale::Log) {
            (tick.isMajor() ? major : minor).append({at, frame.plot.top(), at, frame.plot.bottom()});
        }
    }
    for (const auto& [at, tick] : placedTicks(frame.y, frame.plot.bottom(), frame.plot.top())) {
        if (tick.isMajor() || frame.y.mapping.scale() == AxisScale::Log) {
            (tick.isMajor() ? major : minor).append({frame.plot.left(), at, frame.plot.right(), at});
        }
    }
    canvas.drawLines(minor, {theme.minorGrid, frame.lineWidth * 0.8});
    canvas.drawLines(major, {theme.grid, frame.lineWidth * 0.8});
}

void drawAxes(FigureCanvas& canvas, const PlotFrame& frame, const ChartTheme& theme) {
    const LineStyle line{theme.axis, frame.lineWidth};
    canvas.drawLines(
        {{frame.plot.topLeft(), frame.plot.bottomLeft()}, {frame.plot.bottomLeft(), frame.plot.bottomRight()}}, line);
    drawBottomAxis(canvas, frame, theme);
    drawLeftAxis(canvas, frame, theme);
}

double colourBarRoom(const FigureCanvas& canvas, const ValueRange& range, const QString& title, double height,
                     double font) {
    const AxisMapping mapping(range, AxisScale::Linear, false);
    const DrawnAxis axis = drawnAxis({}, mapping, height, font, Qt::Vertical);
    return font * (1.2 + kBarWidth + kTick + 2 * kGap + (title.isEmpty() ? 0 : kLabelLineHeight + kGap)) +
           widestLabel(canvas, axis, font);
}

void drawColourBar(FigureCanvas& canvas, const QRectF& bar, const HeatmapFigure& figure, double font, double lineWidth,
                   const ChartTheme& theme) {
    QImage ramp(1, 256, QImage::Format_RGB32);
    for (int row = 0; row < 256; ++row) {
        ramp.setPixel(0, 255 - row, colourTable(figure.colours)[row]);
    }
    canvas.drawImage(bar, ramp);
    const LineStyle line{theme.axis, lineWidth};
    canvas.drawRect(bar, {}, &line);
    const AxisMapping mapping(figure.shownRange(), AxisScale::Linear, false);
    const DrawnAxis axis = drawnAxis({}, mapping, bar.height(), font, Qt::Vertical);
    QVector<QLineF> ticks;
    for (const auto& [at, tick] : placedTicks(axis, bar.bottom(), bar.top())) {
        if (tick.isMajor()) {
            ticks.append({bar.right(), at, bar.right() + font * kTick, at});
            canvas.drawText({bar.right() + font * (kTick + kGap), at}, tick.label,
                            labelStyle(font, theme.text, Qt::AlignLeft | Qt::AlignVCenter));
        }
    }
    canvas.drawLines(ticks, line);
    TextStyle style = labelStyle(font, theme.text, Qt::AlignHCenter | Qt::AlignTop);
    style.upwards = true;
    canvas.drawText({bar.right() + font * (kTick + 2 * kGap) + widestLabel(canvas, axis, font), bar.center().y()},
                    figure.valueTitle, style);
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>
#include <variant>

/// Plain values that describe a picture. Widgets show them, the figure writer exports them; nothing here draws and
/// nothing here knows what the numbers mean.
namespace lambdascope {

enum class AxisScale { Linear, Log };

struct AxisSpec {
    QString title;
    QString unit; ///< shown in parentheses behind the title; may be empty
    AxisScale scale = AxisScale::Linear;
    bool reversed = false;  ///< values fall from left to right (bottom to top): a path of falling λ
    QStringList names = {}; ///< of [0, 1], [1, 2], … on a linear axis; empty: its numbers are shown

    bool operator==(const AxisSpec&) const = default;

    /// "title (unit)".
    [[nodiscard]] QString label() const;
};

struct ValueRange {
    double low = 0;
    double high = 1;

    bool operator==(const ValueRange&) const = default;
};

/// Automatic picks from the place of the curve in the figure, so that neighbours differ in colour, dash and marker.
enum class DashStyle { Automatic, Solid, Dash, Dot, DashDot, DashDotDot, NoLine };
enum class MarkerShape {
    Automatic,
    None,
    Circle,
    Square,
    TriangleUp,
    Diamond,
    Cross,
    Plus,
    TriangleDown,
    Star,
};

struct CurveStyle {
    int colourIndex = -1; ///< into the palette of the theme (wraps round); −1: by the place in the figure
    QColor colour;        ///< if valid, used instead of the palette
    DashStyle dash = DashStyle::Automatic;
    MarkerShape marker = MarkerShape::Automatic;
    double width = 1.6; ///< line width in points (1/72 inch) in exports, in logical pixels on the screen

    bool operator==(const CurveStyle&) const = default;
};

/// Between which values something lies at a place: quartiles round a median, say.
struct BandPoint {
    double x = 0;
    double low = 0;
    double high = 0;

    bool operator==(const BandPoint&) const = default;
};

/// One line of a figure. Points in drawing order; a point with a NaN or infinite coordinate is a gap. On a log axis
/// a value ≤ 0 is drawn at a floor below all positive values and marked; tables and CSV keep the true number.
struct Curve {
    QString id;   ///< stable name that updates refer to; unique in the figure
    QString name; ///< legend text
    QVector<QPointF> points;
    CurveStyle style;
    bool visible = true;
    QVector<BandPoint> band = {}; ///< filled below the line, pale; empty for none
    QString bandName = {};        ///< what it is, for tables: "quartile"

    bool operator==(const Curve&) const = default;
};

/// A thin labelled line across the plot: the λ cursor (vertical), a ratio of 1 (horizontal).
struct AxisMark {
    Qt::Orientation orientation = Qt::Vertical;
    double value = 0;
    QString label;

    bool operator==(const AxisMark&) const = default;
};

struct CurveFigure {
    QString title;
    AxisSpec x;
    AxisSpec y;
    QVector<Curve> curves;
    std::optional<ValueRange> xRange; ///< nothing: as the data need
    std::optional<ValueRange> yRange;
    QVector<AxisMark> marks;
    QByteArray recipe; ///< what recomputes this figure (the experiment as JSON); travels in exported files

    bool operator==(const CurveFigure&) const = default;
};

/// Sequential for amounts, Diverging for values on both sides of zero: its middle stands for the middle of the range.
enum class ColourMap { Sequential, Diverging };

/// Cells of equal size, one per (x value, y value), whatever the distances of the values (a path of λ, say).
struct HeatmapFigure {
    QString title;
    AxisSpec x; ///< `scale` plays no role: cells are equal; `reversed` flips the order of drawing
    AxisSpec y;
    QVector<double> xValues; ///< one per column, drawn left to right
    QVector<double> yValues; ///< one per row, drawn bottom to top
    QStringList xNames;      ///< shown for xValues; empty: the numbers
    QStringList yNames;
    QVector<double> values;          ///< row-major: values[row * xValues.size() + column]; NaN = absent
    std::optional<ValueRange> range; ///< of the colour bar; nothing: from the data
    QString valueTitle;              ///< of the colour bar
    ColourMap colours = ColourMap::Sequential;
    QByteArray recipe;
    /// Absent cells above the last value of their column take its colour, paler: there it stays. Tables leave them out.
    bool staysAbove = false;

    bool operator==(const HeatmapFigure&) const = default;

    [[nodiscard]] int columns() const { return int(xValues.size()); }
    [[nodiscard]] int rows() const { return int(yValues.size()); }
    /// Name of a column or row, else its number.
    [[nodiscard]] QString xText(int column) const;
    [[nodiscard]] QString yText(int row) const;
    /// NaN outside of the grid.
    [[nodiscard]] double value(int row, int column) const;
    /// `range`, or the finite extremes of the data, or {0, 1} when there are none.
    [[nodiscard]] ValueRange shownRange() const;
};

struct CloudPoint {
    float x = 0;
    float y = 0;

    bool operator==(const CloudPoint&) const = default;
};

/// Lines between places of a cloud that look alike, with one entry in the legend.
struct LinkGroup {
    QString id; ///< unique in the figure
    QString name;
    int colourIndex = 0;
    DashStyle dash = DashStyle::Solid;
    bool isCurved = false; ///< arcs, all bent to the left
    bool visible = true;
    bool isPale = false; ///< stays behind the others: what is as it should be

    bool operator==(const LinkGroup&) const = default;
};
struct CloudLink {
    CloudPoint from;
    CloudPoint to;
    int group = 0; ///< index into CloudFigure::linkGroups

    bool operator==(const CloudLink&) const = default;
};

/// Points in the plane, coloured by class, drawn with equal scales on both axes.
struct CloudFigure {
    QString title;
    AxisSpec x;
    AxisSpec y;
    QVector<CloudPoint> points;
    QVector<int> classes; ///< index into classNames, one per point; empty: all in one class
    QStringList classNames;
    QStringList pointLabels; ///< hover text per point; empty: the number of the point
    bool equalAspect = true;
    QByteArray recipe;
    QVector<LinkGroup> linkGroups = {};
    QVector<CloudLink> links = {};    ///< below the points
    QVector<CloudPoint> shadows = {}; ///< another place of each point, hollow and joined to it by a thin line; or none
    QString pointsName = {};          ///< what the points are, where there are no classes but shadows
    QString shadowsName = {};         ///< legend text
    bool showsShadows = true;

    bool operator==(const CloudFigure&) const = default;
};

/// Values of a picture that are no curve, grid or cloud: columns of numbers, then columns of texts.
struct FigureTable {
    QStringList numberColumns;
    QStringList textColumns;
    QVector<double> numbers; ///< row-major; NaN: no value there
    QStringList texts;       ///< row-major

    bool operator==(const FigureTable&) const = default;

    [[nodiscard]] int rows() const { return numberColumns.isEmpty() ? 0 : int(numbers.size() / numberColumns.size()); }
};

/// Lines over a filled shape, so that groups differ in more than colour.
enum class Hatch { None, Rising, Falling, Crossed, Level, Upright };

/// Shapes of one look, with one entry in the legend.
struct ShapeGroup {
    QString id; ///< unique in the figure, among curves too
    QString name;
    int colourIndex = 0;
    Hatch hatch = Hatch::None; ///< of boxes and cells
    bool visible = true;
    bool isPale = false;                    ///< boxes and cells: a ground that other shapes lie on
    MarkerShape marker = MarkerShape::None; ///< of points
    bool isHollow = false;                  ///< points: only the outline of the marker
    DashStyle dash = DashStyle::Automatic;  ///< of balls and outlines
    double lineWidth = 2;                   ///< of balls and outlines, in logical pixels on the screen

    bool operator==(const ShapeGroup&) const = default;
};

/// A filled box, the outline of a ball, any line or a point, by its extent in values.
struct Shape {
    enum class Kind { Box, Ball, Outline, Point };
    Kind kind = Kind::Box;
    int group = 0;
    ValueRange x;
    ValueRange y;
    QString text;                  ///< what hovering says, line by line; the first one is a title
    bool isFaint = false;          ///< of the past: drawn thin and pale
    qint64 item = -1;              ///< number of what it stands for, for who made the figure
    QVector<QPointF> outline = {}; ///< of an Outline: its corners in drawing order
    /// Of an Outline on axes of one scale, where it has arcs: for each corner but the last, tan of a quarter of the
    /// angle of the arc to the next one, counter-clockwise as values go; 0 when that is straight.
    QVector<double> bulges = {};

    bool operator==(const Shape&) const = default;
};

/// The ground of a figure with linear axes: cells of equal size, each of one group or of none.
struct ShapeCells {
    ValueRange x;
    ValueRange y;
    int columns = 0;
    int rows = 0;
    QVector<qint8> groups; ///< row by row from below, each from left to right; −1: none

    bool operator==(const ShapeCells&) const = default;
};

/// Boxes, balls, lines and points over two axes, with curves on top: stacked bars, intervals, slices through balls,
/// a plane with what is known about its places.
struct ShapeFigure {
    QString title;
    AxisSpec x;
    AxisSpec y;
    QVector<ShapeGroup> groups;
    ShapeCells cells;      ///< below all shapes
    QVector<Shape> shapes; ///< later ones lie on top
    QVector<Curve> curves;
    QVector<AxisMark> marks;
    bool equalAspect = false;
    std::optional<ValueRange> xRange; ///< nothing: as the shapes and curves need
    std::optional<ValueRange> yRange;
    FigureTable table; ///< the same values, for the table twin and CSV
    QByteArray recipe;

    bool operator==(const ShapeFigure&) const = default;
};

using Figure = std::variant<CurveFigure, HeatmapFigure, CloudFigure, ShapeFigure>;

/// "lower quartile" or "upper quartile", for a band of quartiles.
[[nodiscard]] QString bandEdgeName(const Curve& curve, bool isLow);

[[nodiscard]] QString figureTitle(const Figure& figure);
[[nodiscard]] QByteArray figureRecipe(const Figure& figure);
void setFigureRecipe(Figure& figure, const QByteArray& recipe);

/// Whether there is anything to draw.
[[nodiscard]] bool isEmpty(const Figure& figure);

/// One or two sentences for screen readers: kind, title, axes, number of curves and points, extremes.
[[nodiscard]] QString describeFigure(const Figure& figure);

} // namespace lambdascope

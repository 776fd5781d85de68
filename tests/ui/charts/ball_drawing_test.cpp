// SPDX-License-Identifier: GPL-3.0-or-later
// Balls and outlines of arcs, as they are drawn.
#include "tests/ui/charts/figures_for_tests.h"
#include "tests/ui/charts/recording_canvas.h"
#include "ui/charts/figure_writer.h"
#include "ui/charts/painter_canvas.h"
#include "ui/charts/shape_painter.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QXmlStreamReader>

#include <cmath>
#include <numbers>
#include <random>

namespace lambdascope {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kAsDrawn = 0.03; ///< canvas units that a line may be off; files round to a hundredth

/// A ball in the coordinates of a figure, and a view onto it.
struct Scene {
    long double x = 0;
    long double y = 0;
    long double radius = 0;
    QPointF optimum; ///< inside of the ball, perhaps by next to nothing
    PlotFrame frame;
    ShapeFigure figure;

    /// How far inside of the ball a place of the canvas lies, in canvas units.
    [[nodiscard]] double depthAt(const QPointF& place) const {
        const long double perUnit = frame.plot.width() / (range(frame.x).high - (long double)(range(frame.x).low));
        return double(
            (radius - std::hypot(valueOf(frame.x, place.x(), frame.plot.left(), frame.plot.width()) - x,
                                 valueOf(frame.y, frame.plot.bottom() - place.y(), 0, frame.plot.height()) - y)) *
            perUnit);
    }

  private:
    static const ValueRange& range(const DrawnAxis& axis) { return axis.mapping.range(); }
    static long double valueOf(const DrawnAxis& axis, long double place, long double start, long double length) {
        long double share = (place - start) / length;
        share = axis.mapping.reversed() ? 1 - share : share;
        return range(axis).low + share * (range(axis).high - (long double)(range(axis).low));
    }
};

void setView(Scene& scene, const QRectF& plot, const QPointF& corner, double unitsAcross, bool falls, bool isTurned) {
    const double unitsUp = unitsAcross * plot.height() / plot.width();
    scene.figure.xRange = ValueRange{corner.x(), corner.x() + unitsAcross};
    scene.figure.yRange = ValueRange{corner.y(), corner.y() + unitsUp};
    scene.figure.x.reversed = falls;
    scene.figure.y.reversed = isTurned;
    scene.frame.plot = plot;
    scene.frame.x.mapping = AxisMapping(*scene.figure.xRange, AxisScale::Linear, falls);
    scene.frame.y.mapping = AxisMapping(*scene.figure.yRange, AxisScale::Linear, isTurned);
}

ShapeFigure figureWithBall(const Scene& scene) {
    ShapeFigure figure = scene.figure;
    figure.equalAspect = true;
    figure.groups = {{QStringLiteral("ball"), QStringLiteral("ball"), 0, Hatch::None, true}};
    figure.shapes << Shape{Shape::Kind::Ball,
                           0,
                           {double(scene.x - scene.radius), double(scene.x + scene.radius)},
                           {double(scene.y - scene.radius), double(scene.y + scene.radius)},
                           QStringLiteral("ball")};
    Curve optimum;
    optimum.id = optimum.name = QStringLiteral("optimum");
    optimum.style.dash = DashStyle::NoLine;
    optimum.style.marker = MarkerShape::Star;
    optimum.points = {scene.optimum};
    figure.curves << optimum;
    return figure;
}

/// Radii from a hundredth of a view to 10⁸ views, the centre in any direction, the optimum in the view and near the
/// rim.
Scene randomScene(std::mt19937_64& random) {
    std::uniform_real_distribution<double> share(0, 1);
    const auto sign = [&] { return share(random) < 0.5; };
    Scene scene;
    const double size = std::pow(10, 6 * share(random) - 3); // units across the view
    scene.radius = size * std::pow(10, 10 * share(random) - 2);
    const double inside = share(random) < 0.2 ? 0 : share(random) * double(std::min(scene.radius, size * 1.0L));
    const double angle = 2 * kPi * share(random);
    scene.x = double((scene.radius - inside) * std::cos(angle)); // the optimum is the origin, as in slices
    scene.y = double((scene.radius - inside) * std::sin(angle));
    const QRectF plot(100 * share(random), 100 * share(random), 60 + 1500 * share(random), 60 + 900 * share(random));
    const double up = size * plot.height() / plot.width();
    setView(scene, plot, {-size * share(random), -up * share(random)}, size, sign(), sign());
    scene.figure = figureWithBall(scene);
    return scene;
}

QPainterPath pathOf(const QVector<QPointF>& cubics) {
    QPainterPath path(cubics.value(0));
    for (qsizetype end = 3; end < cubics.size(); end += 3) {
        path.cubicTo(cubics[end - 2], cubics[end - 1], cubics[end]);
    }
    return path;
}

/// What a rim, drawn or left out because it lies beyond the view, separates from the rest of the view: closed on the
/// side of the centre by a wide way round the view.
QPainterPath insideOf(const QVector<QPointF>& cubics, const PlotFrame& frame, const QPointF& centre) {
    QPainterPath path = pathOf(cubics);
    const QPointF middle = frame.plot.center();
    if ((cubics.last() - cubics.first()).manhattanLength() < kAsDrawn) {
        path.closeSubpath();
        return path;
    }
    const auto angleOf = [&middle](const QPointF& place) {
        return std::atan2(place.y() - middle.y(), place.x() - middle.x());
    };
    const double toCentre = angleOf(centre);
    const auto fromCentre = [&](const QPointF& end) { return std::remainder(angleOf(end) - toCentre, 2 * kPi); };
    const double start = fromCentre(cubics.last()), end = fromCentre(cubics.first());
    for (int step = 0; step <= 400; ++step) {
        const double angle = toCentre + start + (end - start) * step / 400;
        path.lineTo(middle + 4000 * QPointF(std::cos(angle), std::sin(angle)));
    }
    path.closeSubpath();
    return path;
}

/// Whether the drawn line says of places in the view what the ball does, wherever that can be seen.
void expectDrawnAsItIs(const Scene& scene, const QVector<QVector<QPointF>>& drawn, std::mt19937_64& random) {
    ASSERT_LE(drawn.size(), 1);
    const QRectF& plot = scene.frame.plot;
    const QPointF centre = scene.frame.placeValue({double(scene.x), double(scene.y)});
    const QPainterPath inside = drawn.isEmpty() ? QPainterPath() : insideOf(drawn[0], scene.frame, centre);
    std::uniform_real_distribution<double> share(0, 1);
    double first = 0;
    for (int sample = 0; sample < 25; ++sample) {
        const QPointF place =
            sample == 0 ? scene.frame.placeValue(scene.optimum)
                        : plot.topLeft() + QPointF(plot.width() * share(random), plot.height() * share(random));
        const double depth = scene.depthAt(place);
        if (std::abs(depth) < kAsDrawn) {
            continue;
        }
        if (drawn.isEmpty()) { // all of the view on one side
            first = first != 0 ? first : depth;
            EXPECT_GT(depth * first, 0);
        } else {
            EXPECT_EQ(inside.contains(place), depth > 0) << "radius " << double(scene.radius) << ", depth " << depth;
        }
    }
    for (const QPointF& place : drawn.value(0)) { // no huge numbers for painters and viewers
        EXPECT_LT((place - plot.center()).manhattanLength(), 2 * (plot.width() + plot.height()) + 100);
    }
}

QVector<QVector<QPointF>> rimsDrawn(const PlotFrame& frame, const ShapeFigure& figure) {
    LineRecorder recorder;
    drawShapes(recorder, frame, figure, ChartTheme::light(), {});
    return recorder.cubics;
}

/// A safe ball of radius 827 was drawn as a polygon of 96 corners, whose chord left the optimum outside.
TEST(BallDrawing, HoldsWhatTheBallHoldsOverTenDecadesOfRadiiInAllViews) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 3000; ++round) {
        const Scene scene = randomScene(random);
        expectDrawnAsItIs(scene, rimsDrawn(scene.frame, scene.figure), random);
    }
}

TEST(BallDrawing, APolygonOf96CornersWouldLeaveTheOptimumOutside) {
    Scene scene;
    scene.radius = 827;
    const double angle = 0.1; // between two corners
    scene.x = 826.9 * std::cos(angle);
    scene.y = 826.9 * std::sin(angle);
    setView(scene, {0, 0, 500, 400}, {-1, -0.8}, 2, false, false);
    scene.figure = figureWithBall(scene);
    QPolygonF polygon;
    for (int corner = 0; corner < 96; ++corner) {
        const double turn = 2 * kPi * corner / 96;
        polygon << scene.frame.placeValue(
            {double(scene.x) + 827 * std::cos(turn), double(scene.y) + 827 * std::sin(turn)});
    }
    const QPointF optimum = scene.frame.placeValue(scene.optimum);
    EXPECT_NEAR(scene.depthAt(optimum), 25, 0.1);
    EXPECT_FALSE(polygon.containsPoint(optimum, Qt::OddEvenFill));
    const auto drawn = rimsDrawn(scene.frame, scene.figure);
    ASSERT_EQ(drawn.size(), 1);
    const QPointF centre = scene.frame.placeValue({double(scene.x), double(scene.y)});
    EXPECT_TRUE(insideOf(drawn[0], scene.frame, centre).contains(optimum));
}

/// The same lines in a file: the paths with curves in it.
QVector<QVector<QPointF>> curvesOf(const QByteArray& svg) {
    QVector<QVector<QPointF>> curves;
    QXmlStreamReader reader(svg);
    static const QRegularExpression place(QStringLiteral("(-?[0-9.]+),(-?[0-9.]+)"));
    while (!reader.atEnd()) {
        const QString data = reader.readNext() == QXmlStreamReader::StartElement
                                 ? reader.attributes().value(QLatin1String("d")).toString()
                                 : QString();
        if (data.contains('C')) {
            curves.append(QVector<QPointF>());
            for (auto match = place.globalMatch(data); match.hasNext();) {
                const auto found = match.next();
                curves.last() << QPointF(found.captured(1).toDouble(), found.captured(2).toDouble());
            }
        }
    }
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    return curves;
}

/// Where the markers of a file stand, in its order.
QVector<QPointF> markersOf(const QByteArray& svg) {
    static const QRegularExpression use(QStringLiteral("<use [^>]*x=\"(-?[0-9.]+)\" y=\"(-?[0-9.]+)\""));
    QVector<QPointF> places;
    for (auto match = use.globalMatch(QString::fromUtf8(svg)); match.hasNext();) {
        const auto found = match.next();
        places << QPointF(found.captured(1).toDouble(), found.captured(2).toDouble());
    }
    return places;
}
/// The plot that the shapes of a file are clipped to.
QRectF clippedPlot(const QByteArray& svg) {
    static const QRegularExpression clip(QStringLiteral("<clipPath id=\"c0\"><rect x=\"([0-9.]+)\" y=\"([0-9.]+)\" "
                                                        "width=\"([0-9.]+)\" height=\"([0-9.]+)\""));
    const auto match = clip.match(QString::fromUtf8(svg));
    EXPECT_TRUE(match.hasMatch());
    return {match.captured(1).toDouble(), match.captured(2).toDouble(), match.captured(3).toDouble(),
            match.captured(4).toDouble()};
}

/// The range of an axis whose values `low` and `high` are drawn at two places, from one end of the plot to the other.
ValueRange rangeAcross(const ValueRange& marked, double low, double high, double start, double end) {
    const double perUnit = (high - low) / (marked.high - marked.low);
    const double first = marked.low + (start - low) / perUnit, last = marked.low + (end - low) / perUnit;
    return {std::min(first, last), std::max(first, last)};
}

TEST(BallDrawing, HoldsTheOptimumInAnSvgFile) {
    std::mt19937_64 random(2);
    int rims = 0;
    for (int round = 0; round < 300; ++round) {
        Scene scene = randomScene(random);
        Curve corners = scene.figure.curves[0]; // which tell where values lie in the file
        corners.id = QStringLiteral("corners");
        const ValueRange x = *scene.figure.xRange, y = *scene.figure.yRange;
        corners.points = {{x.low, y.low}, {x.high, y.high}};
        scene.figure.curves.prepend(corners);
        const auto svg = renderFigure(scene.figure, FigureFormat::Svg, {});
        ASSERT_TRUE(svg);
        const auto curves = curvesOf(*svg);
        rims += int(curves.size());
        const QVector<QPointF> marks = markersOf(*svg);
        ASSERT_GE(marks.size(), 3);
        const QPointF low = marks[marks.size() - 3], high = marks[marks.size() - 2];
        const QRectF plot = clippedPlot(*svg);
        scene.frame.plot = plot;
        scene.frame.x.mapping = AxisMapping(rangeAcross(x, low.x(), high.x(), plot.left(), plot.right()),
                                            AxisScale::Linear, scene.figure.x.reversed);
        scene.frame.y.mapping = AxisMapping(rangeAcross(y, low.y(), high.y(), plot.bottom(), plot.top()),
                                            AxisScale::Linear, scene.figure.y.reversed);
        const QPointF off = marks.last() - scene.frame.placeValue(scene.optimum);
        EXPECT_LT(off.manhattanLength(), 2 * kAsDrawn);
        expectDrawnAsItIs(scene, curves, random);
    }
    EXPECT_GT(rims, 200);
}

/// The painter flattens curves in its own way: what arrives in a picture is looked at pixel by pixel.
TEST(BallDrawing, PaintsTheRimWhereItIs) {
    std::mt19937_64 random(3);
    int looked = 0;
    for (int round = 0; round < 120; ++round) {
        Scene scene = randomScene(random);
        scene.figure.groups[0].lineWidth = 3;
        scene.figure.groups[0].dash = DashStyle::Solid;
        scene.figure.curves.clear();
        const QRectF plot = scene.frame.plot;
        QImage image(plot.toAlignedRect().adjusted(0, 0, 1, 1).bottomRight().x() + 2, plot.toAlignedRect().bottom() + 2,
                     QImage::Format_RGB32);
        image.fill(Qt::white);
        {
            QPainter painter(&image);
            PainterCanvas canvas(painter, QFont(), PainterCanvas::Fonts::Hinted);
            canvas.beginClip(plot);
            drawShapes(canvas, scene.frame, scene.figure, ChartTheme::light(), {});
            canvas.endClip();
        }
        const double pixels = scene.radius > 0 ? double(scene.radius) * plot.width() /
                                                     (scene.figure.xRange->high - scene.figure.xRange->low)
                                               : 0;
        if (pixels < 10) {
            continue; // smaller than its pen
        }
        for (int y = int(plot.top()) + 2; y < int(plot.bottom()) - 2; y += 3) {
            for (int x = int(plot.left()) + 2; x < int(plot.right()) - 2; x += 3) {
                const double off = std::abs(scene.depthAt({x + 0.5, y + 0.5}));
                const bool isWhite = image.pixelColor(x, y) == QColor(Qt::white);
                if (off < 0.7) { // wholly under a pen of width 3
                    EXPECT_FALSE(isWhite) << off;
                    ++looked;
                } else if (off > 2.6) {
                    EXPECT_TRUE(isWhite) << off;
                }
            }
        }
    }
    EXPECT_GT(looked, 1000);
}

/// The outline of a lens of two balls, closed.
Shape lensOf(double bulge, double size) {
    Shape lens;
    lens.kind = Shape::Kind::Outline;
    lens.x = {-size * bulge, size * bulge};
    lens.y = {-size, size};
    lens.outline = {{0, -size}, {0, size}, {0, -size}};
    lens.bulges = {bulge, bulge};
    return lens;
}

TEST(BallDrawing, DrawsArcsOfOutlinesWhereTheyAreInAllViews) {
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> share(0, 1);
    for (int round = 0; round < 2000; ++round) {
        const double size = std::pow(10, 8 * share(random) - 1);
        const double bulge = std::max(std::pow(10, -9 * share(random)), size * 1e-9); // radii up to 10⁹
        Scene scene;
        setView(scene, {10, 20, 600, 400}, {-3 * share(random), -2 * share(random)}, 3, share(random) < 0.5,
                share(random) < 0.5);
        ShapeFigure figure = scene.figure;
        figure.equalAspect = true;
        figure.groups = {{QStringLiteral("lens"), QStringLiteral("lens"), 0, Hatch::None, true}};
        figure.shapes << lensOf(bulge, size);
        // The right arc leaves its chord by `bulge` · size; its circle by the theorem of crossing chords.
        const long double b = bulge, radius = size * (1 + b * b) / (2 * b);
        for (const QVector<QPointF>& path : rimsDrawn(scene.frame, figure)) {
            const QPainterPath line = pathOf(path);
            for (int step = 0; step <= 50; ++step) {
                const QPointF value = scene.frame.valueAt(line.pointAtPercent(step / 50.0));
                const long double centre = size * b - radius; // of the right arc; the left one is its mirror image
                const long double off = std::hypot(std::abs((long double)(value.x())) - centre, value.y()) - radius;
                EXPECT_LT(std::abs(double(off)) * 200, kAsDrawn) << bulge << ' ' << size;
            }
        }
        if (std::abs(bulge * size) < 1 && size < 1) { // in view at least in part: its middle is the origin
            EXPECT_FALSE(rimsDrawn(scene.frame, figure).isEmpty());
        }
    }
}

} // namespace
} // namespace lambdascope

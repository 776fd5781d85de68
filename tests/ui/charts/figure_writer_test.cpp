// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "tests/ui/charts/figures_for_tests.h"
#include "ui/charts/figure_writer.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lambdascope {
namespace {

QVector<Figure> allFigures() {
    return {curveFigureForTests(3, 40), heatmapFigureForTests(12, 5), cloudFigureForTests(60), shapeFigureForTests(8),
            ballFigureForTests()};
}

QByteArray rendered(const Figure& figure, FigureFormat format, const FigureStyle& style = {}) {
    const auto bytes = renderFigure(figure, format, style);
    EXPECT_TRUE(bytes) << (bytes ? std::string() : bytes.error().describe());
    return bytes ? *bytes : QByteArray();
}

/// Texts of the text elements of an SVG; fails the test when the XML is not well-formed.
QStringList svgTexts(const QByteArray& svg) {
    QStringList texts;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text")) {
            texts << reader.readElementText();
        }
    }
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    return texts;
}

TEST(FigureWriter, PdfHasSearchableTextTheRightPageAndNoPageSizeImage) {
    for (const Figure& figure : allFigures()) {
        const QByteArray pdf = rendered(figure, FigureFormat::Pdf);
        EXPECT_TRUE(pdf.startsWith("%PDF-1.6"));
        EXPECT_TRUE(pdf.contains("/ToUnicode"));
        EXPECT_TRUE(pdf.contains("/FontFile2"));
        // 88 x 62 mm in points.
        const auto box = QRegularExpression("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]").match(QString::fromLatin1(pdf));
        ASSERT_TRUE(box.hasMatch());
        EXPECT_NEAR(box.captured(1).toDouble(), 88 / 25.4 * 72, 1);
        EXPECT_NEAR(box.captured(2).toDouble(), 62 / 25.4 * 72, 1);
        auto images = QRegularExpression("/Width (\\d+)\\s+/Height (\\d+)").globalMatch(QString::fromLatin1(pdf));
        while (images.hasNext()) {
            const auto image = images.next();
            EXPECT_LE(image.captured(1).toInt() * image.captured(2).toInt(), 1000) << "cells and colour bar only";
        }
        EXPECT_FALSE(pdf.contains("/DCTDecode")) << "cells must not be blurred by JPEG coding";
    }
}

TEST(FigureWriter, SvgIsWellFormedAndItsTextStaysText) {
    for (const Figure& figure : allFigures()) {
        const QStringList texts = svgTexts(rendered(figure, FigureFormat::Svg));
        EXPECT_TRUE(texts.contains(figureTitle(figure))) << texts.join("|").toStdString();
        EXPECT_GE(texts.size(), 6);
    }
    const QStringList curves = svgTexts(rendered(curveFigureForTests(3, 40), FigureFormat::Svg));
    for (const char* expected : {"A", "B", "C", "Rate (%)"}) {
        EXPECT_TRUE(curves.contains(expected)) << expected;
    }
}

TEST(FigureWriter, PointsWithNamesHaveThemBesideThem) {
    CloudFigure figure;
    for (const auto& [name, x, y] :
         {std::tuple{"Athens", 0.0F, 0.0F}, {"Rome", -3.0F, 1.0F}, {"Lyons", -5.0F, 4.0F}, {"Oslo", -4.0F, 9.0F}}) {
        figure.points << CloudPoint{x, y};
        figure.pointLabels << QString::fromLatin1(name);
    }
    const QStringList texts = svgTexts(rendered(figure, FigureFormat::Svg));
    for (const QString& name : figure.pointLabels) {
        EXPECT_EQ(texts.count(name), 1) << name.toStdString();
    }
}

TEST(FigureWriter, LabelsOfMarksThatLieCloseDoNotCoverEachOther) {
    CurveFigure figure = curveFigureForTests(2, 20);
    figure.y.scale = AxisScale::Log;
    figure.yRange = ValueRange{1e-9, 1};
    for (const double factor : {1.0, 1.3, 1.7}) {
        figure.marks.append({Qt::Horizontal, 1e-4 * factor, QStringLiteral("tolerance of %1").arg(factor)});
    }
    QVector<QRectF> places;
    QXmlStreamReader reader(rendered(figure, FigureFormat::Svg));
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text")) {
            const QXmlStreamAttributes at = reader.attributes();
            const double size = at.value(QLatin1String("font-size")).toDouble();
            if (reader.readElementText().startsWith(QLatin1String("tolerance"))) {
                places.append({at.value(QLatin1String("x")).toDouble(), at.value(QLatin1String("y")).toDouble(),
                               5 * size, 0.8 * size});
            }
        }
    }
    ASSERT_EQ(places.size(), 3);
    EXPECT_FALSE(places[0].intersects(places[1]));
    EXPECT_FALSE(places[0].intersects(places[2]));
    EXPECT_FALSE(places[1].intersects(places[2]));
}

TEST(FigureWriter, MarksOverAreasHaveAGroundOfTheirOwn) {
    ShapeFigure figure; // grey words stood on bars of any colour
    figure.groups = {{QStringLiteral("all"), QStringLiteral("all"), 0, Hatch::None, true}};
    Shape bar;
    bar.x = {0, 10};
    bar.y = {0, 1};
    figure.shapes.append(bar);
    figure.marks.append({Qt::Vertical, 5, QStringLiteral("reference")});
    QXmlStreamReader reader(rendered(figure, FigureFormat::Svg));
    QRectF ground;
    QString fill;
    bool isFound = false;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        const QXmlStreamAttributes at = reader.attributes();
        const auto numberOf = [&at](const char* key) { return at.value(QLatin1String(key)).toDouble(); };
        if (reader.name() == QLatin1String("rect")) {
            ground = QRectF(numberOf("x"), numberOf("y"), numberOf("width"), numberOf("height"));
            fill = at.value(QLatin1String("fill")).toString();
        } else if (reader.name() == QLatin1String("text")) {
            const QPointF begin(numberOf("x"), numberOf("y"));
            const double size = numberOf("font-size");
            if (reader.readElementText() == QLatin1String("reference")) {
                isFound = true;
                EXPECT_EQ(fill, QStringLiteral("#ffffff"));
                EXPECT_TRUE(ground.contains(begin + QPointF(1, -size / 3)) && ground.width() > 3 * size);
            }
        }
    }
    EXPECT_TRUE(isFound);
}

TEST(FigureWriter, NamesThatWouldCoverEachOtherAreLeftOut) {
    CloudFigure figure;
    for (int i = 0; i < 30; ++i) { // all but one at the same place
        figure.points << CloudPoint{i == 0 ? 5.0F : 0.0F, 0};
        figure.pointLabels << QStringLiteral("city %1").arg(i);
    }
    const QStringList texts = svgTexts(rendered(figure, FigureFormat::Svg));
    const auto named = std::count_if(texts.begin(), texts.end(), [](const QString& t) { return t.startsWith("city"); });
    EXPECT_GE(named, 2);
    EXPECT_LE(named, 5);
}

TEST(FigureWriter, SvgWithFiveHundredMarkedPointsIsSmall) {
    CurveFigure figure = curveFigureForTests(1, 500);
    figure.curves[0].style.dash = DashStyle::NoLine; // every point has its marker
    const QByteArray svg = rendered(figure, FigureFormat::Svg);
    EXPECT_EQ(svg.count("<use "), 500);
    EXPECT_LT(svg.size(), 60000);
}

TEST(FigureWriter, SvgHasOnePathPerSeriesWithEveryPoint) {
    CurveFigure figure = curveFigureForTests(1, 3000);
    const QByteArray svg = rendered(figure, FigureFormat::Svg);
    int longest = 0;
    for (const QByteArray& line : svg.split('\n')) {
        longest = std::max(longest, int(line.startsWith("<path") ? line.count(' ') : 0));
    }
    EXPECT_GE(longest, 3000) << "exports are never thinned";
}

TEST(FigureWriter, PngHasTheExactSizeAndResolution) {
    FigureStyle style = FigureStyle::doubleColumn();
    style.dpi = 150;
    const QImage image = QImage::fromData(rendered(curveFigureForTests(2, 20), FigureFormat::Png, style), "PNG");
    EXPECT_EQ(image.width(), int(std::lround(180 / 25.4 * 150)));
    EXPECT_EQ(image.height(), int(std::lround(90 / 25.4 * 150)));
    EXPECT_NEAR(image.dotsPerMeterX() * 0.0254, 150, 0.1);
}

TEST(FigureWriter, FiguresAreLightUnlessAsked) {
    FigureStyle style;
    const auto corner = [&] {
        return QImage::fromData(rendered(curveFigureForTests(2, 20), FigureFormat::Png, style)).pixelColor(2, 2);
    };
    EXPECT_GT(corner().lightness(), 240);
    style.dark = true;
    EXPECT_LT(corner().lightness(), 60);
}

TEST(FigureWriter, CurvesAndHeatAreReallyDrawn) {
    const QImage curves = QImage::fromData(rendered(curveFigureForTests(1, 50), FigureFormat::Png));
    const QImage heat = QImage::fromData(rendered(heatmapFigureForTests(6, 5), FigureFormat::Png));
    int blue = 0;
    int yellow = 0;
    for (int y = 0; y < curves.height(); ++y) {
        for (int x = 0; x < curves.width(); ++x) {
            const QColor a = curves.pixelColor(x, y);
            const QColor b = heat.pixelColor(x, y);
            blue += a.blue() > 150 && a.red() < 40 ? 1 : 0;
            yellow += b.red() > 200 && b.green() > 180 && b.blue() < 110 ? 1 : 0;
        }
    }
    EXPECT_GT(blue, 1000);
    EXPECT_GT(yellow, 5000);
}

TEST(FigureWriter, CsvRoundTripsEveryNumber) {
    CurveFigure figure = curveFigureForTests(2, 5000);
    figure.curves[1].name = "with, comma and \"quotes\"";
    const QList<QByteArray> lines = figureCsv(figure).split('\n');
    EXPECT_EQ(lines[0], QByteArray("curve,\xCE\xBB,Rate (%)"));
    ASSERT_EQ(lines.size(), 10002); // header, points, nothing behind the last line break
    for (int index = 0; index < 5000; ++index) {
        const QList<QByteArray> fields = lines[1 + index].split(',');
        ASSERT_EQ(fields.size(), 3);
        EXPECT_EQ(*parseNumber(fields[1].toStdString()), figure.curves[0].points[index].x());
        EXPECT_EQ(*parseNumber(fields[2].toStdString()), figure.curves[0].points[index].y());
    }
    EXPECT_TRUE(lines[5001].startsWith("\"with, comma and \"\"quotes\"\"\","));
}

TEST(FigureWriter, CsvOfAHeatmapLeavesOutAbsentCells) {
    EXPECT_EQ(figureCsv(heatmapFigureForTests(4, 3)).count('\n'), 1 + 11);
    EXPECT_EQ(figureCsv(cloudFigureForTests(9)).count('\n'), 1 + 9);
}

TEST(FigureWriter, RecipeComesBackByteForByte) {
    QTemporaryDir folder;
    const CurveFigure figure = curveFigureForTests(2, 20);
    for (const char* ending : {"pdf", "svg", "png"}) {
        const QString path = folder.filePath(QStringLiteral("figure.") + ending);
        const auto written = writeFigure(figure, path);
        ASSERT_TRUE(written) << written.error().describe();
        const auto recipe = readRecipe(path);
        ASSERT_TRUE(recipe) << ending << ": " << recipe.error().describe();
        EXPECT_EQ(*recipe, figure.recipe) << ending;
    }
}

TEST(FigureWriter, LongRecipeSurvivesInAllFormats) {
    QTemporaryDir folder;
    CurveFigure figure = curveFigureForTests(1, 5);
    figure.recipe = "{\n";
    for (int line = 0; line < 20000; ++line) {
        figure.recipe += "  \"key " + QByteArray::number(line) + "\": " + QByteArray::number(line * line) + ",\n";
    }
    figure.recipe += "}";
    for (const char* ending : {"pdf", "svg", "png"}) {
        const QString path = folder.filePath(QStringLiteral("figure.") + ending);
        ASSERT_TRUE(writeFigure(figure, path));
        const auto recipe = readRecipe(path);
        ASSERT_TRUE(recipe) << ending << ": " << recipe.error().describe();
        EXPECT_EQ(*recipe, figure.recipe) << ending;
    }
}

TEST(FigureWriter, ReadingARecipeExplainsWhatIsWrong) {
    QTemporaryDir folder;
    CurveFigure figure = curveFigureForTests(1, 5);
    figure.recipe.clear();
    const QString bare = folder.filePath("bare.svg");
    ASSERT_TRUE(writeFigure(figure, bare));
    EXPECT_EQ(readRecipe(bare).error().code, ErrorCode::InvalidData);
    EXPECT_EQ(readRecipe(folder.filePath("absent.pdf")).error().code, ErrorCode::FileNotFound);
    EXPECT_EQ(readRecipe(folder.filePath("table.csv")).error().code, ErrorCode::UnsupportedFormat);
    for (const char* ending : {"pdf", "svg", "png"}) {
        QFile broken(folder.filePath(QStringLiteral("broken.") + ending));
        ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
        broken.write("%PDF-1.6\n/F (recipe.json)\n/EF <</F 12 0 R>>\n<svg");
        broken.close();
        EXPECT_EQ(readRecipe(broken.fileName()).error().code, ErrorCode::InvalidData) << ending;
    }
}

TEST(FigureWriter, UnwritablePlaceIsAnErrorWithFileAndRemedy) {
    QTemporaryDir folder;
    const QString path = folder.filePath("no/such/folder/figure.pdf");
    const auto written = writeFigure(curveFigureForTests(1, 5), path);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::FileUnwritable);
    ASSERT_EQ(written.error().faults.size(), 1U);
    EXPECT_EQ(written.error().faults[0].place.file, path.toStdString());
    EXPECT_FALSE(written.error().faults[0].remedy.empty());
    EXPECT_TRUE(QDir(folder.path()).isEmpty()) << "nothing may be left behind";
}

TEST(FigureWriter, UnknownEndingAndImpossibleSizeAreErrors) {
    QTemporaryDir folder;
    EXPECT_EQ(writeFigure(curveFigureForTests(1, 5), folder.filePath("figure.bmp")).error().code,
              ErrorCode::UnsupportedFormat);
    FigureStyle style;
    style.widthMm = 0;
    EXPECT_EQ(writeFigure(curveFigureForTests(1, 5), folder.filePath("figure.png"), style).error().code,
              ErrorCode::BadUsage);
    style.widthMm = style.heightMm = 2000;
    style.dpi = 2400;
    EXPECT_EQ(writeFigure(curveFigureForTests(1, 5), folder.filePath("figure.png"), style).error().code,
              ErrorCode::BadUsage);
}

TEST(FigureWriter, EmptyFiguresAndStrangeValuesAreDrawnWithoutHarm) {
    CurveFigure strange = curveFigureForTests(2, 3);
    strange.y.scale = AxisScale::Log;
    strange.curves[0].points = {{1, 0}, {2, -1}, {NAN, 1}, {3, INFINITY}, {1e300, 1e-300}};
    CloudFigure cloud = cloudFigureForTests(4);
    cloud.points[1].x = NAN;
    cloud.classes[2] = 17;
    HeatmapFigure flat = heatmapFigureForTests(1, 1);
    flat.range = ValueRange{0.5, 0.5};
    for (const Figure& figure : QVector<Figure>{CurveFigure(), HeatmapFigure(), CloudFigure(), strange, cloud, flat}) {
        for (const FigureFormat format : {FigureFormat::Pdf, FigureFormat::Svg, FigureFormat::Png, FigureFormat::Csv}) {
            EXPECT_FALSE(rendered(figure, format).isEmpty());
        }
        svgTexts(rendered(figure, FigureFormat::Svg));
    }
}

} // namespace
} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/figures_for_tests.h"
#include "tests/ui/ui_test_main.h"
#include "ui/charts/figure_painter.h"
#include "ui/charts/figure_sheet.h"
#include "ui/charts/plot_view.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <algorithm>
#include <cmath>

namespace lambdascope {
namespace {

struct SvgText {
    QString text;
    double x = 0;
    double y = 0;
};

QVector<SvgText> textsOf(const QByteArray& svg) {
    QVector<SvgText> texts;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text")) {
            const auto attributes = reader.attributes();
            texts.append({{}, attributes.value("x").toDouble(), attributes.value("y").toDouble()});
            texts.last().text = reader.readElementText();
        }
    }
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    return texts;
}

int countOf(const QVector<SvgText>& texts, const QString& word) {
    return int(std::count_if(texts.begin(), texts.end(), [&word](const SvgText& text) { return text.text == word; }));
}

QByteArray sheetAs(const FigureSheet& sheet, FigureFormat format, const FigureStyle& style) {
    const auto bytes = renderSheet(sheet, format, style);
    EXPECT_TRUE(bytes) << (bytes ? std::string() : bytes.error().describe());
    return bytes ? *bytes : QByteArray();
}

/// All numbers of paths, markers, boxes and words: where things are, whatever their colour.
QStringList geometryOf(const QByteArray& svg) {
    QStringList places;
    static const QRegularExpression attribute(
        QStringLiteral(" (d|x|y|width|height|points|transform|stroke-width|font-size)=\"([^\"]*)\""));
    auto found = attribute.globalMatch(QString::fromUtf8(svg));
    while (found.hasNext()) {
        places << found.next().captured(0);
    }
    return places;
}

QVector<Figure> figuresOfEachKind() {
    return {curveFigureForTests(3, 40), heatmapFigureForTests(12, 5), cloudFigureForTests(60), shapeFigureForTests(8),
            ballFigureForTests()};
}

TEST(FigureSheet, PanelsAreLetteredRowByRowAndShareOneLegend) {
    const FigureSheet sheet{{curveFigureForTests(3, 40), curveFigureForTests(2, 20), curveFigureForTests(3, 30)}, 2};
    EXPECT_EQ(sheet.rows(), 2);
    const auto texts = textsOf(sheetAs(sheet, FigureFormat::Svg, FigureStyle::doubleColumn()));
    for (const char* letter : {"(a)", "(b)", "(c)"}) {
        EXPECT_EQ(countOf(texts, letter), 1) << letter;
    }
    EXPECT_EQ(countOf(texts, "(d)"), 0);
    for (const char* name : {"A", "B", "C"}) {
        EXPECT_EQ(countOf(texts, name), 1) << "one legend for all: " << name;
    }
    const auto at = [&texts](const QString& word) {
        return *std::find_if(texts.begin(), texts.end(), [&word](const SvgText& text) { return text.text == word; });
    };
    EXPECT_EQ(at("(a)").y, at("(b)").y);
    EXPECT_LT(at("(a)").x, at("(b)").x);
    EXPECT_EQ(at("(a)").x, at("(c)").x);
    EXPECT_LT(at("(a)").y, at("(c)").y);
    EXPECT_GT(at("A").y, at("(c)").y) << "the legend is below";
}

TEST(FigureSheet, AWordWithTwoLooksKeepsTheLegendsApart) {
    CurveFigure other = curveFigureForTests(3, 20);
    other.curves[0].style.colourIndex = 5;
    const auto texts =
        textsOf(sheetAs({{curveFigureForTests(3, 40), other}, 2}, FigureFormat::Svg, FigureStyle::doubleColumn()));
    EXPECT_EQ(countOf(texts, "A"), 2);
}

TEST(FigureSheet, OnePanelIsTheFigureAlone) {
    for (const Figure& figure : figuresOfEachKind()) {
        EXPECT_EQ(sheetAs({{figure}, 2}, FigureFormat::Svg, {}), *renderFigure(figure, FigureFormat::Svg));
    }
}

TEST(FigureSheet, WordsOfASheetAreTextInPdfToo) {
    const FigureSheet sheet{{curveFigureForTests(3, 40), cloudFigureForTests(60)}, 2};
    const QByteArray pdf = sheetAs(sheet, FigureFormat::Pdf, {});
    EXPECT_TRUE(pdf.contains("/ToUnicode"));
    EXPECT_TRUE(pdf.contains("/FontFile2"));
    const QByteArray csv = sheetAs(sheet, FigureFormat::Csv, {});
    EXPECT_EQ(csv.count("\n\n"), 1);
    EXPECT_TRUE(csv.contains("first,second,class"));
    const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
    if (tool.isEmpty()) {
        GTEST_SKIP() << "pdftotext is not installed";
    }
    const QTemporaryDir folder;
    ASSERT_TRUE(writeSheet(sheet, folder.filePath("sheet.pdf"), FigureStyle::doubleColumn()));
    QProcess process;
    process.start(tool, {folder.filePath("sheet.pdf"), QStringLiteral("-")});
    ASSERT_TRUE(process.waitForFinished());
    const QString words = QString::fromUtf8(process.readAllStandardOutput());
    for (const char* word : {"(a)", "(b)", "Rate (%)", "λ", "second", "three"}) {
        EXPECT_TRUE(words.contains(QString::fromUtf8(word))) << word << " in " << words.toStdString();
    }
}

TEST(FigureSheet, LightDarkAndGreyShowTheSameGeometry) {
    FigureStyle dark;
    dark.dark = true;
    FigureStyle grey;
    grey.grey = true;
    for (const Figure& figure : figuresOfEachKind()) {
        const QByteArray light = *renderFigure(figure, FigureFormat::Svg);
        EXPECT_GT(geometryOf(light).size(), 20);
        EXPECT_EQ(geometryOf(light), geometryOf(*renderFigure(figure, FigureFormat::Svg, dark)));
        EXPECT_EQ(geometryOf(light), geometryOf(*renderFigure(figure, FigureFormat::Svg, grey)));
        EXPECT_NE(light, *renderFigure(figure, FigureFormat::Svg, dark));
    }
}

/// The longest path of a drawing.
QVector<QPointF> longestPath(const QByteArray& svg) {
    QVector<QPointF> longest;
    auto paths = QRegularExpression(" d=\"([^\"]*)\"").globalMatch(QString::fromUtf8(svg));
    while (paths.hasNext()) {
        QVector<QPointF> path;
        auto places = QRegularExpression("(-?[0-9.]+)[ ,](-?[0-9.]+)").globalMatch(paths.next().captured(1));
        while (places.hasNext()) {
            const auto place = places.next();
            path << QPointF(place.captured(1).toDouble(), place.captured(2).toDouble());
        }
        longest = path.size() > longest.size() ? path : longest;
    }
    return longest;
}

/// Expects `paper` to be `screen` moved and stretched along the axes: the first and the widest apart points fix how.
void expectSamePlaces(const QVector<QPointF>& screen, const QVector<QPointF>& paper) {
    ASSERT_EQ(screen.size(), paper.size());
    ASSERT_GE(screen.size(), 20);
    const auto low = [](const QVector<QPointF>& places, auto coordinate) {
        return std::minmax_element(places.begin(), places.end(),
                                   [&](const QPointF& a, const QPointF& b) { return coordinate(a) < coordinate(b); });
    };
    for (const bool isX : {true, false}) {
        const auto coordinate = [isX](const QPointF& place) { return isX ? place.x() : place.y(); };
        const auto [screenLow, screenHigh] = low(screen, coordinate);
        const double from = coordinate(paper[screenLow - screen.begin()]);
        const double to = coordinate(paper[screenHigh - screen.begin()]);
        EXPECT_GT(std::abs(to - from), 20) << "units of the page";
        for (qsizetype i = 0; i < screen.size(); ++i) {
            const double share =
                (coordinate(screen[i]) - coordinate(*screenLow)) / (coordinate(*screenHigh) - coordinate(*screenLow));
            EXPECT_NEAR(coordinate(paper[i]), from + share * (to - from), 0.02) << i << (isX ? " x" : " y");
        }
    }
}

TEST(FigureSheet, ScreenAndPaperShowTheSamePlaces) {
    const CurveFigure curves = curveFigureForTests(1, 400);
    PlotView plot;
    plot.resize(900, 500);
    plot.setFigure(curves);
    plot.show();
    settleEvents();
    for (const bool dark : {false, true}) {
        FigureStyle style = dark ? FigureStyle::slide() : FigureStyle();
        style.dark = dark;
        QVector<QPointF> places;
        for (const QPointF& point : curves.curves[0].points) {
            places << plot.toPixel(point);
        }
        expectSamePlaces(places, longestPath(*renderFigure(curves, FigureFormat::Svg, style)));
    }
}

TEST(FigureSheet, GreysHaveNoColourAndStayApart) {
    FigureStyle style;
    style.grey = true;
    const ChartTheme theme = printTheme(style);
    for (int i = 0; i < theme.series.size(); ++i) {
        EXPECT_EQ(theme.series[i].saturation(), 0);
        for (int k = 0; k < i; ++k) {
            EXPECT_GE(std::abs(theme.series[i].lightness() - theme.series[k].lightness()), 16) << i << ", " << k;
        }
    }
    const QByteArray svg = *renderFigure(curveFigureForTests(8, 20), FigureFormat::Svg, style);
    auto colours =
        QRegularExpression("\"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\"").globalMatch(QString::fromUtf8(svg));
    EXPECT_TRUE(colours.hasNext());
    while (colours.hasNext()) {
        const auto colour = colours.next();
        EXPECT_EQ(colour.captured(1), colour.captured(2));
        EXPECT_EQ(colour.captured(2), colour.captured(3));
    }
}

TEST(FigureTex, CurvesAreAxesOfPgfplotsWithTheirValues) {
    CurveFigure figure = curveFigureForTests(2, 5);
    figure.curves[1].points[2].setY(std::nan(""));
    figure.marks.append({Qt::Vertical, 500, QStringLiteral("λ₀")});
    const QByteArray tex = figureTex(figure, {});
    for (const char* part : {"\\begin{axis}[", "width=88mm,height=62mm", "xmode=log", "x dir=reverse",
                             "xlabel={$\\lambda$}", "ylabel={Rate (\\%)}", "\\addlegendentry{A}", "1000 0.5\\\\",
                             "nan\\\\", "extra x ticks={500}", "\\end{axis}"}) {
        EXPECT_TRUE(tex.contains(part)) << part << " in\n" << tex.toStdString();
    }
    EXPECT_EQ(tex.count("\\addplot["), 2);
    EXPECT_EQ(figureTex(cloudFigureForTests(60), {}).count("only marks"), 3);
    EXPECT_FALSE(figureTex(heatmapFigureForTests(12, 5), {}).contains("axis"));
}

TEST(FigureTex, CompilesWhereLaTeXIsInstalled) {
    const QString latex = QStandardPaths::findExecutable(QStringLiteral("pdflatex"));
    if (latex.isEmpty()) {
        GTEST_SKIP() << "pdflatex is not installed";
    }
    const QTemporaryDir folder;
    QByteArray pictures;
    for (const Figure& figure : figuresOfEachKind()) {
        pictures += figureTex(figure, {}) + "\n\n";
    }
    pictures += sheetAs({{curveFigureForTests(3, 40), heatmapFigureForTests(12, 5)}, 2}, FigureFormat::Tex, {});
    QFile file(folder.filePath("all.tex"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("\\documentclass{article}\\usepackage{pgfplots}\\pgfplotsset{compat=1.16}\\begin{document}\n" +
               pictures + "\\end{document}\n");
    file.close();
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(latex, {QStringLiteral("-interaction=nonstopmode"), QStringLiteral("-halt-on-error"),
                          QStringLiteral("all.tex")});
    ASSERT_TRUE(process.waitForFinished(120'000));
    if (process.exitCode() != 0 && process.readAllStandardOutput().contains("pgfplots.sty' not found")) {
        GTEST_SKIP() << "pgfplots is not installed";
    }
    QFile log(folder.filePath("all.log"));
    ASSERT_TRUE(log.open(QIODevice::ReadOnly));
    EXPECT_EQ(process.exitCode(), 0) << log.readAll().right(3000).toStdString();
    EXPECT_TRUE(QFile::exists(folder.filePath("all.pdf")));
}

} // namespace
} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_writer.h"

#include "core/common/number_text.h"
#include "ui/charts/figure_painter.h"
#include "ui/charts/figure_recipe.h"
#include "ui/charts/figure_sheet.h"
#include "ui/charts/painter_canvas.h"
#include "ui/charts/svg_canvas.h"
#include "ui/charts/tikz_canvas.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>

#include <cmath>
#include <functional>

namespace lambdascope {

namespace {

constexpr double kPointsPerMm = 72 / 25.4;
constexpr int kPdfDpi = 600;

QSizeF sizeInPoints(const FigureStyle& style) {
    return QSizeF(style.widthMm, style.heightMm) * kPointsPerMm;
}

QFont figureFont() {
    QFont font;
    font.setFamilies(figureFontFamilies());
    return font;
}

Failure unwritable(const QString& path, const QString& why) {
    Fault fault;
    fault.message = "cannot write the figure: " + why.toStdString();
    fault.remedy = "Choose a folder that exists and that you may write to";
    fault.place.file = path.toStdString();
    return Failure{singleFault(ErrorCode::FileUnwritable, std::move(fault))};
}

Failure badSize(const QString& message) {
    Fault fault;
    fault.key = "figure.size";
    fault.message = message.toStdString();
    fault.remedy = "Take a width and height between 10 and 2000 mm and a picture of at most 400 million pixels";
    return Failure{singleFault(ErrorCode::BadUsage, std::move(fault))};
}

/// What is written to a file: a figure or a sheet of some.
struct Printed {
    QString title;
    QByteArray recipe;
    std::function<void(FigureCanvas& canvas, const QSizeF& size)> paint;
    std::function<QByteArray()> csv;
    std::function<QByteArray()> tex;
};

Result<QByteArray> renderPdf(const Printed& figure, const FigureStyle& style) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setPdfVersion(QPagedPaintDevice::PdfVersion_1_6);
        writer.setResolution(kPdfDpi);
        writer.setPageSize(
            QPageSize(QSizeF(style.widthMm, style.heightMm), QPageSize::Millimeter, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        writer.setTitle(figure.title);
        writer.setCreator(QStringLiteral("Lambdascope"));
        const QByteArray& recipe = figure.recipe;
        if (!recipe.isEmpty()) {
            writer.addFileAttachment(QString::fromLatin1(kRecipeFileName), recipe, QStringLiteral("application/json"));
        }
        QPainter painter(&writer);
        if (!painter.isActive()) {
            return Failure{plainError(ErrorCode::Internal, "the PDF page could not be opened for drawing")};
        }
        painter.scale(kPdfDpi / 72.0, kPdfDpi / 72.0);
        PainterCanvas canvas(painter, figureFont(), PainterCanvas::Fonts::Scalable);
        figure.paint(canvas, sizeInPoints(style));
    }
    return bytes;
}

Result<QByteArray> renderPng(const Printed& figure, const FigureStyle& style) {
    const QSize pixels(int(std::lround(style.widthMm / 25.4 * style.dpi)),
                       int(std::lround(style.heightMm / 25.4 * style.dpi)));
    if (pixels.isEmpty() || double(pixels.width()) * pixels.height() > 4e8) {
        return badSize(
            QStringLiteral("a PNG of %1 x %2 pixels is impossible").arg(pixels.width()).arg(pixels.height()));
    }
    QImage image(pixels, QImage::Format_RGB32);
    if (image.isNull()) {
        return Failure{plainError(ErrorCode::OutOfMemory, "there is not enough memory for the picture")};
    }
    const int dotsPerMeter = int(std::lround(style.dpi / 0.0254));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    image.fill(Qt::white);
    {
        QPainter painter(&image);
        const QSizeF points = sizeInPoints(style);
        painter.scale(pixels.width() / points.width(), pixels.height() / points.height());
        PainterCanvas canvas(painter, figureFont(), PainterCanvas::Fonts::Scalable);
        figure.paint(canvas, points);
    }
    const QByteArray& recipe = figure.recipe;
    if (!recipe.isEmpty()) {
        image.setText(QString::fromLatin1(kRecipePngKey), QString::fromUtf8(recipe));
    }
    image.setText(QStringLiteral("Title"), figure.title);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) {
        return Failure{plainError(ErrorCode::Internal, "the PNG encoder failed")};
    }
    return bytes;
}

Result<QByteArray> renderSvg(const Printed& figure, const FigureStyle& style) {
    const QSizeF points = sizeInPoints(style);
    SvgCanvas canvas(points, figure.title, figure.recipe);
    figure.paint(canvas, points);
    return canvas.document();
}

} // namespace

FigureStyle FigureStyle::singleColumn() {
    return {};
}

FigureStyle FigureStyle::doubleColumn() {
    FigureStyle style;
    style.widthMm = 180;
    style.heightMm = 90;
    return style;
}

FigureStyle FigureStyle::textWidth() {
    FigureStyle style;
    style.widthMm = 122;
    style.heightMm = 76;
    style.fontPt = 9;
    return style;
}

FigureStyle FigureStyle::slide() {
    FigureStyle style;
    style.widthMm = 254;
    style.heightMm = 143;
    style.fontPt = 16;
    style.lineScale = 2;
    style.dpi = 192;
    return style;
}

Result<FigureFormat> figureFormat(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == "pdf") {
        return FigureFormat::Pdf;
    }
    if (ending == "svg") {
        return FigureFormat::Svg;
    }
    if (ending == "png") {
        return FigureFormat::Png;
    }
    if (ending == "csv") {
        return FigureFormat::Csv;
    }
    if (ending == "tex") {
        return FigureFormat::Tex;
    }
    Fault fault;
    fault.message = ending.isEmpty() ? "the figure's file name has no ending"
                                     : "figures cannot be written as ." + ending.toStdString();
    fault.remedy = "End the file name with .pdf, .svg, .png, .csv or .tex";
    fault.place.file = path.toStdString();
    return Failure{singleFault(ErrorCode::UnsupportedFormat, std::move(fault))};
}

QStringList figureFileFilters() {
    const auto text = [](const char* source) {
        return QCoreApplication::translate("lambdascope::FigureWriter", source);
    };
    return {text("PDF figure (*.pdf)"), text("SVG figure (*.svg)"), text("PNG picture (*.png)"),
            text("CSV values (*.csv)"), text("LaTeX picture (*.tex)")};
}

namespace {

Result<QByteArray> render(const Printed& figure, FigureFormat format, const FigureStyle& style) {
    const auto sensible = [](double millimetres) { return millimetres >= 10 && millimetres <= 2000; };
    if (format != FigureFormat::Csv && (!sensible(style.widthMm) || !sensible(style.heightMm) || !(style.fontPt > 0))) {
        return badSize(QStringLiteral("a figure of %1 x %2 mm with type of %3 pt is impossible")
                           .arg(style.widthMm)
                           .arg(style.heightMm)
                           .arg(style.fontPt));
    }
    switch (format) {
    case FigureFormat::Pdf: return renderPdf(figure, style);
    case FigureFormat::Svg: return renderSvg(figure, style);
    case FigureFormat::Png: return renderPng(figure, style);
    case FigureFormat::Tex: return figure.tex();
    case FigureFormat::Csv: break;
    }
    return figure.csv();
}

Result<void> write(const Printed& figure, const QString& path, const FigureStyle& style) {
    const Result<FigureFormat> format = figureFormat(path);
    if (!format) {
        return Failure{format.error()};
    }
    const Result<QByteArray> bytes = render(figure, *format, style);
    if (!bytes) {
        return Failure{bytes.error()};
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(*bytes) != bytes->size() || !file.commit()) {
        return unwritable(path, file.errorString());
    }
    return {};
}

Printed printed(const Figure& figure, const FigureStyle& style) {
    return {figureTitle(figure), figureRecipe(figure),
            [&](FigureCanvas& canvas, const QSizeF& size) { paintFigure(canvas, size, figure, style); },
            [&] { return figureCsv(figure); }, [&] { return figureTex(figure, style); }};
}

Printed printed(const FigureSheet& sheet, const FigureStyle& style) {
    if (sheet.panels.size() == 1) {
        return printed(sheet.panels.first(), style);
    }
    QStringList titles;
    QByteArray csv;
    for (const Figure& panel : sheet.panels) {
        titles << figureTitle(panel);
        csv += (csv.isEmpty() ? "" : "\n") + figureCsv(panel);
    }
    const auto paint = [&](FigureCanvas& canvas, const QSizeF& size) { paintSheet(canvas, size, sheet, style); };
    return {titles.join(QStringLiteral(" · ")),
            sheet.panels.isEmpty() ? QByteArray() : figureRecipe(sheet.panels.first()), paint, [csv] { return csv; },
            [&style, paint] {
                TikzCanvas canvas;
                paint(canvas, sizeInPoints(style));
                return canvas.document();
            }};
}

} // namespace

Result<QByteArray> renderFigure(const Figure& figure, FigureFormat format, const FigureStyle& style) {
    return render(printed(figure, style), format, style);
}

Result<void> writeFigure(const Figure& figure, const QString& path, const FigureStyle& style) {
    return write(printed(figure, style), path, style);
}

Result<QByteArray> renderSheet(const FigureSheet& sheet, FigureFormat format, const FigureStyle& style) {
    return render(printed(sheet, style), format, style);
}

Result<void> writeSheet(const FigureSheet& sheet, const QString& path, const FigureStyle& style) {
    return write(printed(sheet, style), path, style);
}

} // namespace lambdascope

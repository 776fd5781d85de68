// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_recipe.h"

#include "ui/charts/figure_writer.h"

#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QXmlStreamReader>

#include <cctype>
#include <cstdint>
#include <optional>

namespace lambdascope {

namespace {

constexpr qint64 kFigureBytes = 256 << 20;
constexpr qsizetype kPackedBytes = 1 << 20; ///< of a recipe, which can grow a thousandfold when it is unpacked

Failure failure(ErrorCode code, const QString& path, std::string message, std::string remedy) {
    Fault fault;
    fault.message = std::move(message);
    fault.remedy = std::move(remedy);
    fault.place.file = path.toStdString();
    return Failure{singleFault(code, std::move(fault))};
}

std::optional<QByteArray> svgRecipe(const QByteArray& bytes) {
    QXmlStreamReader reader(bytes);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("desc")) {
            return reader.readElementText().toUtf8();
        }
    }
    return std::nullopt;
}

std::optional<QByteArray> pngRecipe(const QString& path) {
    // The decoded image keeps line breaks; QImageReader::text would fold them.
    const QString text = QImageReader(path).read().text(QString::fromLatin1(kRecipePngKey));
    return text.isEmpty() ? std::nullopt : std::optional(text.toUtf8());
}

/// zlib data of unknown size; qUncompress wants a guess of the size in front.
QByteArray inflated(const QByteArray& stream) {
    constexpr std::uint32_t kGuess = 1 << 16;
    QByteArray framed(4, '\0');
    for (int byte = 0; byte < 4; ++byte) {
        framed[byte] = char((kGuess >> (24 - 8 * byte)) & 0xFF);
    }
    return qUncompress(framed + stream);
}

/// Digits right after `key`, from `from` on: the number of the object that a PDF reference names.
QByteArray digitsAfter(const QByteArray& bytes, const QByteArray& key, qsizetype from) {
    qsizetype at = bytes.indexOf(key, from);
    QByteArray digits;
    for (at = at < 0 ? bytes.size() : at + key.size(); at < bytes.size() && std::isdigit(bytes[at]); ++at) {
        digits += bytes[at];
    }
    return digits;
}

/// The attachment of our own PDFs: a file specification with our name refers to the object with the bytes, a stream
/// that is plain or Flate-coded.
std::optional<QByteArray> pdfRecipe(const QByteArray& bytes) {
    const qsizetype specification = bytes.lastIndexOf(QByteArray("/F (") + kRecipeFileName + ')');
    const QByteArray number = digitsAfter(bytes, "/EF <</F ", specification);
    if (specification < 0 || number.isEmpty()) {
        return std::nullopt;
    }
    const qsizetype object = bytes.indexOf("\n" + number + " 0 obj\n");
    const qsizetype keyword = bytes.indexOf("stream\n", object);
    const qsizetype end = bytes.indexOf("\nendstream", keyword);
    if (object < 0 || keyword < 0 || end < 0) {
        return std::nullopt;
    }
    const QByteArray dictionary = bytes.mid(object, keyword - object);
    const qsizetype begin = keyword + qsizetype(sizeof("stream\n")) - 1;
    const QByteArray stream = bytes.mid(begin, end - begin);
    if (!dictionary.contains("/FlateDecode")) {
        return stream;
    }
    if (stream.size() > kPackedBytes) {
        return std::nullopt;
    }
    const QByteArray plain = inflated(stream);
    return plain.isEmpty() ? std::nullopt : std::optional(plain);
}

} // namespace

Result<QByteArray> readRecipe(const QString& path) {
    const Result<FigureFormat> format = figureFormat(path);
    if (!format || *format == FigureFormat::Csv) {
        return failure(ErrorCode::UnsupportedFormat, path, "this kind of file carries no recipe",
                       "Drop a PDF, SVG or PNG figure that Lambdascope exported");
    }
    QFile file(path);
    if (!file.exists()) {
        return failure(ErrorCode::FileNotFound, path, "the figure does not exist", "Check the file name");
    }
    if (!QFileInfo(path).isFile() || file.size() > kFigureBytes) { // a device or a pipe may have no end
        return failure(ErrorCode::FileUnreadable, path, "this is no file of at most 256 MB, as figures are",
                       "Drop a figure that Lambdascope exported");
    }
    if (!file.open(QIODevice::ReadOnly)) {
        return failure(ErrorCode::FileUnreadable, path,
                       "the figure cannot be read: " + file.errorString().toStdString(), "Check its permissions");
    }
    std::optional<QByteArray> recipe;
    switch (*format) {
    case FigureFormat::Pdf: recipe = pdfRecipe(file.readAll()); break;
    case FigureFormat::Svg: recipe = svgRecipe(file.readAll()); break;
    case FigureFormat::Png: recipe = pngRecipe(path); break;
    case FigureFormat::Csv:
    case FigureFormat::Tex: break;
    }
    if (!recipe || recipe->isEmpty()) {
        return failure(ErrorCode::InvalidData, path, "the figure carries no recipe",
                       "Open the experiment file or the run folder instead");
    }
    return *recipe;
}

} // namespace lambdascope

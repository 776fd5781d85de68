// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/model_file.h"

#include "core/common/csv_text.h"
#include "core/common/number_text.h"
#include "core/record/event_json.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace lambdascope {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

/// Bytes of numbers, lowest first.
template <class Number>
void append(std::string& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void appendDoubles(std::string& bytes, const double* values, std::size_t count) {
    bytes.append(reinterpret_cast<const char*>(values), count * sizeof(double));
}

/// The characters of a text in UTF-8; broken ones become U+FFFD.
std::u32string charactersOf(const std::string& text) {
    std::u32string characters;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t length = first < 0x80        ? 1
                                   : first >> 5U == 6  ? 2
                                   : first >> 4U == 14 ? 3
                                   : first >> 3U == 30 ? 4
                                                       : 0;
        char32_t character = length == 1 ? first : first & (0xFFU >> (length + 1));
        bool isWhole = length > 0 && i + length <= text.size();
        for (std::size_t k = 1; isWhole && k < length; ++k) {
            const auto byte = static_cast<unsigned char>(text[i + k]);
            isWhole = byte >> 6U == 2;
            character = (character << 6U) | (byte & 0x3FU);
        }
        characters += isWhole ? character : U'\uFFFD';
        i += isWhole ? length : 1;
    }
    return characters;
}

// ── NumPy ──

/// An array in NumPy's format 1.0; `shape` as Python writes a tuple.
std::string npy(const std::string& type, const std::string& shape, const std::string& data) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': True, 'shape': " + shape + ", }";
    constexpr std::size_t kPrefix = 10;
    constexpr std::size_t kAlignment = 64;
    header.append((kAlignment - (kPrefix + header.size() + 1) % kAlignment) % kAlignment, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    append(bytes, static_cast<std::uint16_t>(header.size()));
    return bytes + header + data;
}

std::string npyOfTexts(const std::vector<std::string>& texts, bool isList) {
    std::vector<std::u32string> all;
    std::size_t longest = 1;
    for (const std::string& text : texts) {
        all.push_back(charactersOf(text));
        longest = std::max(longest, all.back().size());
    }
    std::string data;
    for (std::u32string& characters : all) {
        characters.resize(longest);
        data.append(reinterpret_cast<const char*>(characters.data()), longest * sizeof(char32_t));
    }
    const std::string shape = isList ? "(" + std::to_string(texts.size()) + ",)" : "()";
    return npy("<U" + std::to_string(longest), shape, data);
}

std::string npyOf(const MatrixValues& matrix) {
    std::string data;
    appendDoubles(data, matrix.data(), static_cast<std::size_t>(matrix.size()));
    const std::string rows = std::to_string(matrix.rows());
    return npy("<f8", matrix.cols() == 1 ? "(" + rows + ",)" : "(" + rows + ", " + std::to_string(matrix.cols()) + ")",
               data);
}

/// A ZIP archive of files that are stored as they are [APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.16].
class ZipArchive {
  public:
    void add(const std::string& name, const std::string& data) {
        const auto offset = static_cast<std::uint32_t>(m_files.size());
        const auto size = static_cast<std::uint32_t>(data.size());
        uLong sum = ::crc32(0, nullptr, 0);
        for (std::size_t at = 0; at < data.size(); at += kPiece) {
            sum = ::crc32(sum, reinterpret_cast<const Bytef*>(data.data()) + at,
                          static_cast<uInt>(std::min(kPiece, data.size() - at)));
        }
        std::string facts;
        append(facts, std::uint16_t{20}); // version that is needed
        append(facts, std::uint16_t{0});  // flags
        append(facts, std::uint16_t{0});  // stored
        append(facts, std::uint16_t{0});  // time and date: always the same, so that files are
        append(facts, std::uint16_t{0x21});
        append(facts, static_cast<std::uint32_t>(sum));
        append(facts, size);
        append(facts, size);
        append(facts, static_cast<std::uint16_t>(name.size()));
        append(facts, std::uint16_t{0});
        m_files += "PK\x03\x04" + facts + name + data;
        m_directory += "PK\x01\x02";
        append(m_directory, std::uint16_t{20});
        m_directory += facts;
        m_directory.append(10, '\0'); // comment, disk, attributes
        append(m_directory, offset);
        m_directory += name;
        ++m_count;
    }
    [[nodiscard]] std::string bytes() const {
        std::string end = "PK\x05\x06";
        end.append(4, '\0');
        append(end, m_count);
        append(end, m_count);
        append(end, static_cast<std::uint32_t>(m_directory.size()));
        append(end, static_cast<std::uint32_t>(m_files.size()));
        append(end, std::uint16_t{0});
        return m_files + m_directory + end;
    }

  private:
    static constexpr std::size_t kPiece = std::size_t{1} << 30U;
    std::string m_files;
    std::string m_directory;
    std::uint16_t m_count = 0;
};

std::string npzFile(const LearnedModel& model) {
    ZipArchive archive;
    for (const NamedMatrix& array : model.arrays) {
        archive.add(array.name + ".npy", npyOf(array.values));
    }
    for (const auto& [name, number] : model.numbers) {
        std::string data;
        append(data, number);
        archive.add(name + ".npy", npy("<f8", "()", data));
    }
    for (const auto& [name, text] : model.texts) {
        archive.add(name + ".npy", npyOfTexts({text}, false));
    }
    for (const auto& [name, list] : model.lists) {
        archive.add(name + ".npy", npyOfTexts(list, true));
    }
    return archive.bytes();
}

// ── MATLAB: "MAT-file format", level 5 ──

enum class MatType : std::uint32_t { Int8 = 1, UInt16 = 4, Int32 = 5, UInt32 = 6, Double = 9, Matrix = 14 };
enum class MatClass : std::uint32_t { Cell = 1, Char = 4, Double = 6 };

std::string matElement(MatType type, const std::string& data) {
    std::string bytes;
    append(bytes, static_cast<std::uint32_t>(type));
    append(bytes, static_cast<std::uint32_t>(data.size()));
    bytes += data;
    bytes.append((8 - data.size() % 8) % 8, '\0');
    return bytes;
}

std::string matArray(MatClass kind, const std::string& name, std::int64_t rows, std::int64_t columns,
                     const std::string& contents) {
    std::string flags;
    append(flags, static_cast<std::uint32_t>(kind));
    append(flags, std::uint32_t{0});
    std::string shape;
    append(shape, static_cast<std::int32_t>(rows));
    append(shape, static_cast<std::int32_t>(columns));
    return matElement(MatType::Matrix, matElement(MatType::UInt32, flags) + matElement(MatType::Int32, shape) +
                                           matElement(MatType::Int8, name) + contents);
}

std::string matMatrix(const std::string& name, const MatrixValues& matrix) {
    std::string data;
    appendDoubles(data, matrix.data(), static_cast<std::size_t>(matrix.size()));
    return matArray(MatClass::Double, name, matrix.rows(), matrix.cols(), matElement(MatType::Double, data));
}

std::string matText(const std::string& name, const std::string& text) {
    std::string data;
    for (const char32_t character : charactersOf(text)) {
        if (character > 0xFFFF) { // as a pair of surrogates [RFC 2781]
            append(data, static_cast<std::uint16_t>(0xD800 + ((character - 0x10000) >> 10U)));
            append(data, static_cast<std::uint16_t>(0xDC00 + ((character - 0x10000) & 0x3FFU)));
        } else {
            append(data, static_cast<std::uint16_t>(character));
        }
    }
    const auto length = static_cast<std::int64_t>(data.size() / 2);
    return matArray(MatClass::Char, name, length > 0 ? 1 : 0, length, matElement(MatType::UInt16, data));
}

std::string matFile(const LearnedModel& model) {
    std::string bytes = "MATLAB 5.0 MAT-file, written by lambdascope";
    bytes.resize(116, ' ');
    bytes.append(8, '\0');
    append(bytes, std::uint16_t{0x0100});
    bytes += "IM";
    for (const NamedMatrix& array : model.arrays) {
        bytes += matMatrix(array.name, array.values);
    }
    for (const auto& [name, number] : model.numbers) {
        bytes += matMatrix(name, MatrixValues(1, 1, number));
    }
    for (const auto& [name, text] : model.texts) {
        bytes += matText(name, text);
    }
    for (const auto& [name, list] : model.lists) {
        std::string cells;
        for (const std::string& text : list) {
            cells += matText("", text);
        }
        bytes += matArray(MatClass::Cell, name, static_cast<std::int64_t>(list.size()), 1, cells);
    }
    return bytes;
}

// ── Text ──

std::string csvFile(const LearnedModel& model) {
    std::string text;
    const auto begin = [&text](const std::string& name, std::int64_t rows, std::int64_t columns) {
        text += "# " + name + " " + std::to_string(rows) + " " + std::to_string(columns) + "\n";
    };
    for (const auto& [name, value] : model.texts) {
        begin(name, 1, 1);
        text += csvRow({value});
    }
    for (const auto& [name, number] : model.numbers) {
        begin(name, 1, 1);
        text += csvRow({exactText(number)});
    }
    for (const auto& [name, list] : model.lists) {
        begin(name, static_cast<std::int64_t>(list.size()), 1);
        for (const std::string& value : list) {
            text += csvRow({value});
        }
    }
    for (const NamedMatrix& array : model.arrays) {
        begin(array.name, array.values.rows(), array.values.cols());
        for (std::int64_t row = 0; row < array.values.rows(); ++row) {
            std::vector<std::string> cells;
            for (std::int64_t column = 0; column < array.values.cols(); ++column) {
                cells.push_back(exactText(array.values(row, column)));
            }
            text += csvRow(cells);
        }
    }
    return text;
}

std::string jsonFile(const LearnedModel& model) {
    Json document = Json::object();
    for (const auto& [name, text] : model.texts) {
        document[name] = text;
    }
    for (const auto& [name, number] : model.numbers) {
        document[name] = numberToJson(number);
    }
    for (const auto& [name, list] : model.lists) {
        document[name] = list;
    }
    for (const NamedMatrix& array : model.arrays) {
        Json rows = Json::array();
        for (std::int64_t row = 0; row < array.values.rows(); ++row) {
            Json cells = Json::array();
            for (std::int64_t column = 0; column < array.values.cols(); ++column) {
                cells.push_back(numberToJson(array.values(row, column)));
            }
            rows.push_back(array.values.cols() == 1 ? cells.front() : cells);
        }
        document[array.name] = std::move(rows);
    }
    return document.dump(-1, Json::BadUtf8::Replace) + "\n";
}

} // namespace

std::optional<ModelFormat> modelFormat(std::string_view word) {
    return word == "npz"    ? std::optional(ModelFormat::Npz)
           : word == "csv"  ? std::optional(ModelFormat::Csv)
           : word == "json" ? std::optional(ModelFormat::Json)
           : word == "mat"  ? std::optional(ModelFormat::Mat)
                            : std::nullopt;
}

Result<std::string> modelFile(const LearnedModel& model, ModelFormat format) {
    double bytes = 0;
    for (const NamedMatrix& array : model.arrays) {
        bytes += 8.0 * static_cast<double>(array.values.size());
    }
    const double most = format == ModelFormat::Npz ? 4e9 : format == ModelFormat::Mat ? 2e9 : 1e12;
    if (bytes > most) {
        return Failure{
            plainError(ErrorCode::OutOfMemory, "the model has " + byteText(bytes) + ", more than the format can hold")};
    }
    switch (format) {
    case ModelFormat::Npz: return npzFile(model);
    case ModelFormat::Mat: return matFile(model);
    case ModelFormat::Json: return jsonFile(model);
    default: return csvFile(model);
    }
}

} // namespace lambdascope

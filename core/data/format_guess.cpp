// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/format_guess.h"

#include "core/common/number_text.h"
#include "core/common/trimmed_text.h"
#include "core/data/delimited_text.h"
#include "core/data/fault_list.h"
#include "core/data/line_source.h"
#include "core/data/text_encoding.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lambdascope {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kHdf5Magic = "\x89HDF\r\n\x1a\n";

struct ForeignFormat {
    std::string_view magic;
    std::string_view name;
    std::string_view remedy;
};
constexpr std::array kForeign = {
    ForeignFormat{"MATLAB 5.0"sv, "a MAT file of version 5 to 7", "Save it in MATLAB with save(…, '-v7.3')."},
    ForeignFormat{"PK\x03\x04"sv, "a ZIP archive (such as .npz or .xlsx)", "Unpack it, or export the table as CSV."},
    ForeignFormat{"\xFD"
                  "7zXZ"sv,
                  "an xz archive", "Unpack it with xz -d first."},
    ForeignFormat{"\x28\xB5\x2F\xFD"sv, "a Zstandard archive", "Unpack it with zstd -d first."},
    ForeignFormat{"%PDF"sv, "a PDF document", "Name the data file instead."},
    ForeignFormat{"PAR1"sv, "a Parquet file", "Export the table as CSV."},
    ForeignFormat{"\xFF\xFE"sv, "text in UTF-16", "Save it as UTF-8."},
    ForeignFormat{"\xFE\xFF"sv, "text in UTF-16", "Save it as UTF-8."},
    ForeignFormat{"SQLite format 3"sv, "an SQLite database", "Export the table as CSV."}};

std::optional<DataFormat> binaryFormat(std::string_view head) {
    if (head.starts_with("\x93NUMPY"sv)) {
        return DataFormat::Npy;
    }
    if (head.starts_with(kHdf5Magic)) {
        return DataFormat::Hdf5;
    }
    // HDF5 lets a program put its own block in front, at powers of two from 512; MATLAB takes the first of these.
    for (std::size_t at = 512; at + kHdf5Magic.size() <= head.size(); at *= 2) {
        if (head.substr(at).starts_with(kHdf5Magic)) {
            return head.starts_with("MATLAB") ? DataFormat::Mat73 : DataFormat::Hdf5;
        }
    }
    return std::nullopt;
}

bool isPair(std::string_view token) {
    const std::size_t colon = token.find(':');
    return colon != std::string_view::npos && parseInteger(token.substr(0, colon)) &&
           parseNumber(token.substr(colon + 1));
}

/// Over the first lines with content: fields between blanks that are numbers, pairs, or neither.
struct BlankSeparated {
    std::size_t lines = 0;
    std::size_t fields = 0;
    std::size_t numbers = 0;
    std::size_t pairs = 0;
    std::size_t numberLines = 0; ///< lines of at least two fields, all numbers but perhaps the first
};

BlankSeparated countFields(std::string_view head, bool headIsAll) {
    constexpr std::size_t kLines = 20;
    BlankSeparated count;
    TextLines lines(head, headIsAll);
    RecordReader records(lines, {' ', "", false});
    std::vector<TextField> fields;
    for (; count.lines < kLines && records.next(fields); ++count.lines) {
        std::size_t numbers = 0;
        for (const TextField& field : fields) {
            numbers += &field != &fields.front() && (parseNumber(field.text) || field.text == "?") ? 1 : 0;
            count.pairs += isPair(field.text) ? 1 : 0;
        }
        count.fields += fields.size();
        count.numbers += numbers;
        count.numberLines += fields.size() > 1 && numbers + 1 == fields.size() ? 1 : 0;
    }
    return count;
}

bool isArff(std::string_view head, bool headIsAll) {
    TextLines lines(head, headIsAll);
    std::string_view line;
    while (lines.nextLine(line)) {
        const std::string_view content = trimmed(line);
        if (content.empty() || content.front() == '%') {
            continue;
        }
        const std::string word = lowerCase(content.substr(0, 11));
        return word.starts_with("@relation") || word.starts_with("@attribute") || word.starts_with("@data");
    }
    return false;
}

} // namespace

Result<DataFormat> guessFormat(std::string_view head, bool headIsAll, const std::string& file) {
    if (const auto format = binaryFormat(head)) {
        return *format;
    }
    for (const ForeignFormat& foreign : kForeign) {
        if (head.starts_with(foreign.magic)) {
            return fileFailure(ErrorCode::UnsupportedFormat, file, "is " + std::string(foreign.name),
                               std::string(foreign.remedy));
        }
    }
    if (head.find('\0') != std::string_view::npos) {
        return fileFailure(ErrorCode::UnsupportedFormat, file, "is binary data of an unknown format",
                           "Give LIBSVM, CSV, TSV, ARFF, NPY, HDF5, MAT v7.3 or dense text.");
    }
    if (isArff(head, headIsAll)) {
        return DataFormat::Arff;
    }
    const BlankSeparated count = countFields(head, headIsAll);
    if (count.lines == 0) {
        return fileFailure(ErrorCode::InvalidData, file, "the file is empty", "Add a line for each sample.");
    }
    const std::size_t afterLabels = count.fields - std::min(count.fields, count.lines);
    if (count.pairs > 0 && 2 * count.pairs >= afterLabels) {
        return DataFormat::Libsvm;
    }
    const bool hasTabs = head.substr(0, head.find('\n')).find('\t') != std::string_view::npos;
    if (2 * count.numberLines > count.lines && !hasTabs) {
        return DataFormat::DenseText;
    }
    return DataFormat::Csv;
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/table_sniffer.h"

#include "core/common/number_text.h"
#include "core/data/line_source.h"
#include "core/data/text_encoding.h"

#include <algorithm>
#include <set>

namespace lambdascope {

namespace {

constexpr std::size_t kMostRecords = 1000;

struct Column {
    std::size_t numbers = 0;
    std::size_t words = 0;
    bool repeatsFirst = false; ///< a word of the first record stands below it, too
};

/// How many of the first lines have as many fields as the first, when that is more than one.
std::size_t agreement(std::string_view head, bool headIsAll, char delimiter) {
    constexpr std::size_t kLines = 50;
    TextLines lines(head, headIsAll);
    RecordReader records(lines, {delimiter, "\"", false});
    std::vector<TextField> fields;
    std::size_t width = 0;
    std::size_t agreeing = 0;
    for (std::size_t i = 0; i < kLines && records.next(fields); ++i) {
        width = i == 0 ? fields.size() : width;
        agreeing += fields.size() == width && width > 1 ? 1 : 0;
    }
    return agreeing;
}

bool isHeader(const std::vector<TextField>& first, const std::vector<Column>& columns, std::size_t recordCount) {
    std::size_t strangers = 0;
    bool headsNumbers = false;
    for (std::size_t c = 0; c < first.size(); ++c) {
        if (parseNumber(first[c].text)) {
            return false;
        }
        headsNumbers = headsNumbers || columns[c].numbers > columns[c].words;
        strangers += columns[c].repeatsFirst ? 0 : 1;
    }
    return headsNumbers || recordCount == 1 || 2 * strangers > first.size();
}

} // namespace

char sniffDelimiter(std::string_view head, bool headIsAll) {
    char best = ',';
    std::size_t most = 0;
    for (const char delimiter : {'\t', ';', ',', '|'}) { // a comma may be a decimal one
        const std::size_t agreeing = agreement(head, headIsAll, delimiter);
        if (agreeing > most) {
            most = agreeing;
            best = delimiter;
        }
    }
    return best;
}

TableShape sniffTable(std::string_view head, bool headIsAll, const FieldSyntax& syntax) {
    TableShape shape;
    TextLines lines(head, headIsAll);
    RecordReader records(lines, syntax);
    std::vector<TextField> fields;
    if (!records.next(fields)) {
        return shape;
    }
    shape.firstLine = records.line();
    shape.recordCount = 1;
    std::vector<std::string> texts; // the first record, kept while the reader goes on
    for (const TextField& field : fields) {
        texts.push_back(utf8Text(field.text));
    }
    std::vector<TextField> first(fields);
    std::vector<Column> columns(fields.size());
    for (; shape.recordCount < kMostRecords && records.next(fields); ++shape.recordCount) {
        for (std::size_t c = 0; c < std::min(fields.size(), columns.size()); ++c) {
            if (!fields[c].isMissing()) {
                ++(parseNumber(fields[c].text) ? columns[c].numbers : columns[c].words);
                columns[c].repeatsFirst = columns[c].repeatsFirst || fields[c].text == texts[c];
            }
        }
    }
    for (std::size_t c = 0; c < first.size(); ++c) {
        first[c].text = texts[c];
    }
    shape.hasHeader = syntax.delimiter != ' ' && isHeader(first, columns, shape.recordCount);
    for (std::size_t c = 0; c < first.size(); ++c) {
        if (!shape.hasHeader && !first[c].isMissing()) {
            ++(parseNumber(first[c].text) ? columns[c].numbers : columns[c].words);
        }
        shape.columns.push_back(
            {shape.hasHeader ? texts[c] : std::string(), columns[c].words > columns[c].numbers, false, {}});
    }
    return shape;
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/answer_rows.h"

#include "core/common/number_text.h"
#include "core/common/trimmed_text.h"
#include "core/data/delimited_text.h"
#include "core/data/loader.h"
#include "core/data/raw_data.h"
#include "core/data/text_encoding.h"

#include <algorithm>

namespace lambdascope::ordinal {

namespace {

constexpr std::string_view kNumpyMagic = "\x93NUMPY";

Result<AnswerRows> readArray(InputReader& input) {
    LoadOptions options;
    options.labels = "none";
    auto data = makeLoader(DataFormat::Npy)->load(input, options);
    if (!data) {
        return Failure(std::move(data).error());
    }
    AnswerRows rows;
    rows.isArray = true;
    rows.columns = static_cast<std::size_t>(data->dense.cols());
    rows.values.assign(data->dense.data(), data->dense.data() + data->dense.size());
    for (std::int64_t row = 0; row < data->dense.rows(); ++row) {
        rows.lines.push_back(static_cast<std::uint32_t>(row + 1));
    }
    return rows;
}

bool isHeader(const std::vector<TextField>& fields) {
    return std::none_of(fields.begin(), fields.end(),
                        [](const TextField& field) { return parseNumber(field.text).has_value(); });
}

class TextRows {
  public:
    TextRows(InputReader& input, FaultList& faults, char delimiter)
        : m_reader(input, FieldSyntax{.delimiter = delimiter}), m_faults(faults) {}

    AnswerRows read() {
        std::vector<TextField> fields;
        bool isFirst = true;
        while (!m_faults.isFull() && m_reader.next(fields)) {
            if (isFirst && isHeader(fields)) {
                for (const TextField& field : fields) {
                    m_rows.header.push_back(lowerCase(field.text));
                }
                m_rows.columns = fields.size();
            } else if (!(fields.size() == 1 && fields[0].text.empty()) && !fields[0].text.starts_with('#')) {
                take(fields);
            }
            isFirst = false;
        }
        if (const auto& problem = m_reader.problem()) {
            m_faults.add(problem->line, problem->column, problem->message, problem->remedy);
        }
        return std::move(m_rows);
    }

  private:
    void take(const std::vector<TextField>& fields) {
        if (m_rows.columns == 0) {
            m_rows.columns = fields.size();
        }
        if (fields.size() != m_rows.columns) {
            const std::string has = std::to_string(fields.size()) + (fields.size() == 1 ? " field" : " fields");
            m_faults.add(m_reader.line(), 0,
                         "the line has " + has + ", but those before have " + std::to_string(m_rows.columns),
                         fields.size() == m_rows.columns + 1
                             ? "Is this a quadruplet among triplets? Keep them in files of their own, or write every "
                               "triplet i j k as the quadruplet i j i k."
                             : "Give every line the same columns.");
            return;
        }
        const std::size_t before = m_rows.values.size();
        for (const TextField& field : fields) {
            const auto number = parseNumber(field.text);
            if (!number) {
                m_faults.add(m_reader.line(), field.column, excerpt(field.text) + " is no number",
                             "Give ids as whole numbers; names of objects go into a file of their own.");
                m_rows.values.resize(before);
                return;
            }
            m_rows.values.push_back(*number);
        }
        m_rows.lines.push_back(static_cast<std::uint32_t>(m_reader.line()));
    }

    RecordReader m_reader;
    FaultList& m_faults;
    AnswerRows m_rows;
};

} // namespace

char delimiterOf(std::string_view head) {
    while (!head.empty()) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        const std::string_view line = trimmed(head.substr(0, end));
        head.remove_prefix(std::min(end + 1, head.size()));
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        for (const char delimiter : {',', ';', '\t'}) {
            if (line.find(delimiter) != std::string_view::npos) {
                return delimiter;
            }
        }
        break;
    }
    return ' ';
}

Result<AnswerRows> readAnswerRows(InputReader& input, FaultList& faults) {
    const auto head = input.lookAhead();
    if (!head) {
        return Failure(head.error());
    }
    if (head->starts_with(kNumpyMagic)) {
        return readArray(input);
    }
    AnswerRows rows = TextRows(input, faults, delimiterOf(*head)).read();
    if (input.failure()) {
        return Failure(*input.failure());
    }
    return rows;
}

} // namespace lambdascope::ordinal

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/delimited_text.h"

#include "core/common/trimmed_text.h"
#include "core/data/text_encoding.h"

#include <algorithm>

namespace lambdascope {

namespace {

bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

} // namespace

bool TextField::isMissing() const {
    if (text.empty()) {
        return true;
    }
    if (wasQuoted || text.size() > 4) {
        return false;
    }
    const std::string word = lowerCase(text);
    return word == "?" || word == "nan" || word == "+nan" || word == "-nan" || text == "NA" || text == "N/A";
}

FieldSplitter::Status FieldSplitter::splitQuoted(std::string_view line, std::size_t& at, TextField& field) {
    const char quote = line[at];
    field.wasQuoted = true;
    const std::size_t begin = at + 1;
    std::size_t i = begin;
    std::string* copy = nullptr;
    const auto copyUpTo = [&](std::size_t end) {
        if (copy == nullptr) {
            copy = &m_unescaped.emplace_back(line.substr(begin, end - begin));
        }
    };
    for (; i < line.size(); ++i) {
        const bool isEscape = m_syntax.hasBackslash && line[i] == '\\' && i + 1 < line.size();
        const bool isDoubled = line[i] == quote && i + 1 < line.size() && line[i + 1] == quote;
        if (isEscape || (isDoubled && !m_syntax.hasBackslash)) {
            copyUpTo(i);
            copy->push_back(line[++i]);
        } else if (line[i] == quote) {
            break;
        } else if (copy != nullptr) {
            copy->push_back(line[i]);
        }
    }
    field.text = copy != nullptr ? std::string_view(*copy) : line.substr(begin, i - begin);
    if (i == line.size()) {
        at = i;
        return Status::OpenQuote;
    }
    at = i + 1;
    while (at < line.size() && isBlank(line[at]) && line[at] != m_syntax.delimiter) {
        ++at;
    }
    return at == line.size() || line[at] == m_syntax.delimiter ? Status::Complete : Status::TextAfterQuote;
}

void FieldSplitter::splitAtBlanks(std::string_view line, std::vector<TextField>& fields) {
    for (std::size_t at = 0;;) {
        while (at < line.size() && isBlank(line[at])) {
            ++at;
        }
        if (at == line.size()) {
            return;
        }
        std::size_t end = at;
        while (end < line.size() && !isBlank(line[end])) {
            ++end;
        }
        fields.push_back({line.substr(at, end - at), at + 1, false});
        at = end;
    }
}

FieldSplitter::Status FieldSplitter::split(std::string_view line, std::vector<TextField>& fields) {
    fields.clear();
    m_unescaped.clear();
    if (m_syntax.delimiter == ' ') {
        splitAtBlanks(line, fields);
        return Status::Complete;
    }
    for (std::size_t at = 0;; ++at) {
        while (at < line.size() && isBlank(line[at]) && line[at] != m_syntax.delimiter) {
            ++at;
        }
        TextField& field = fields.emplace_back();
        field.column = at + 1;
        if (at < line.size() && m_syntax.quotes.find(line[at]) != std::string_view::npos) {
            const Status status = splitQuoted(line, at, field);
            if (status != Status::Complete) {
                return status;
            }
        } else {
            const std::size_t end = std::min(line.find(m_syntax.delimiter, at), line.size());
            field.text = trimmed(line.substr(at, end - at));
            at = end;
        }
        if (at >= line.size()) {
            return Status::Complete;
        }
    }
}

bool RecordReader::finishOpenRecord(std::vector<TextField>& fields) {
    // A quote left open by mistake would swallow the rest of the file; no honest field is this long.
    constexpr std::size_t kLongestRecord = std::size_t{1} << 16;
    const std::size_t quoteColumn = fields.back().column;
    std::string_view more;
    while (m_joined.size() < kLongestRecord && m_input.nextLine(more)) {
        m_joined += '\n';
        m_joined += more;
        const auto status = m_splitter.split(m_joined, fields);
        if (status == FieldSplitter::Status::Complete) {
            return true;
        }
        if (status == FieldSplitter::Status::TextAfterQuote) {
            break;
        }
    }
    m_problem = {m_line, quoteColumn, "the quote that opens here is never closed",
                 "Close the quote; write a quote inside a quoted field twice."};
    return false;
}

bool RecordReader::next(std::vector<TextField>& fields) {
    std::string_view line;
    while (m_input.nextLine(line)) {
        const std::string_view content = trimmed(line);
        if (content.empty() || (!m_sawRecord && content.front() == '#')) {
            continue;
        }
        m_line = m_input.lineNumber();
        m_sawRecord = true;
        switch (m_splitter.split(line, fields)) {
        case FieldSplitter::Status::Complete: return true;
        case FieldSplitter::Status::OpenQuote: m_joined.assign(line); return finishOpenRecord(fields);
        case FieldSplitter::Status::TextAfterQuote:
            m_problem = {m_line, fields.back().column, "there is text after the closing quote of a field",
                         "Write a quote inside a quoted field twice."};
            return false;
        }
    }
    return false;
}

} // namespace lambdascope

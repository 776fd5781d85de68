// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/line_source.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// One value of a record.
struct TextField {
    std::string_view text;  ///< without surrounding blanks and quotes
    std::size_t column = 0; ///< where it begins in its line, from 1
    bool wasQuoted = false;

    /// Empty, ?, NA, N/A or NaN, and not in quotes (except for the empty text).
    [[nodiscard]] bool isMissing() const;
};

/// How records are cut into fields.
struct FieldSyntax {
    char delimiter = ',';           ///< ' ' stands for any run of blanks and tabs
    std::string_view quotes = "\""; ///< characters that may open a quoted field
    bool hasBackslash = false;      ///< a backslash takes the next character as it is, as in ARFF
};

/// Cuts lines into fields. A doubled quote inside a quoted field stands for one.
class FieldSplitter {
  public:
    enum class Status { Complete, OpenQuote, TextAfterQuote };

    explicit FieldSplitter(FieldSyntax syntax) : m_syntax(syntax) {}

    /// Fields of `line`, valid until the next call and as long as `line` is. After OpenQuote and TextAfterQuote the
    /// last field is the one at fault.
    Status split(std::string_view line, std::vector<TextField>& fields);

  private:
    Status splitQuoted(std::string_view line, std::size_t& at, TextField& field);
    void splitAtBlanks(std::string_view line, std::vector<TextField>& fields);

    FieldSyntax m_syntax;
    std::deque<std::string> m_unescaped; ///< fields that needed a copy
};

/// Records of a delimited file: a record goes on in the next line while a quote is open. Blank lines are skipped, and
/// lines that begin with '#' before the first record.
class RecordReader {
  public:
    RecordReader(LineSource& input, FieldSyntax syntax) : m_input(input), m_splitter(syntax), m_syntax(syntax) {}

    /// The next record; false at the end, after a failure of the input, or at a quote that is wrong: see problem().
    bool next(std::vector<TextField>& fields);
    /// Line of the record's beginning.
    [[nodiscard]] std::size_t line() const { return m_line; }

    struct Problem {
        std::size_t line = 0;
        std::size_t column = 0;
        std::string message;
        std::string remedy;
    };
    [[nodiscard]] const std::optional<Problem>& problem() const { return m_problem; }

  private:
    bool finishOpenRecord(std::vector<TextField>& fields);

    LineSource& m_input;
    FieldSplitter m_splitter;
    FieldSyntax m_syntax;
    std::string m_joined; ///< a record of several lines
    std::size_t m_line = 0;
    bool m_sawRecord = false;
    std::optional<Problem> m_problem;
};

} // namespace lambdascope

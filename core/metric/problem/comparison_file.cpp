// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/problem/comparison_file.h"

#include "core/common/number_text.h"
#include "core/config/field.h"
#include "core/data/fault_list.h"
#include "core/data/input_reader.h"
#include "core/data/text_encoding.h"

#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace lambdascope::metric {

namespace {

/// A statement takes some 200 bytes until all are paired and merged; more would not fit an ordinary memory.
constexpr std::size_t kMostStatements = 40'000'000;

enum class Form { Triplet, Quadruplet, Similar, Dissimilar, Target };

struct FormText {
    Form form;
    std::string_view word;
    std::size_t rows;       ///< fields that are row numbers
    std::size_t bounds;     ///< fields after them that are bounds
    std::string_view shape; ///< for remedies
};

constexpr std::array<FormText, 5> kForms = {{
    {Form::Triplet, "triplet", 3, 0, "triplet i j l [weight]"},
    {Form::Quadruplet, "quadruplet", 4, 0, "quadruplet i j l k [weight]"},
    {Form::Similar, "similar", 2, 1, "similar i j upper [weight]"},
    {Form::Dissimilar, "dissimilar", 2, 1, "dissimilar i j lower [weight]"},
    {Form::Target, "target", 2, 0, "target i j [weight]"},
}};

const FormText* findForm(std::string_view word) {
    for (const FormText& form : kForms) {
        if (form.word == word) {
            return &form;
        }
    }
    return nullptr;
}

struct Token {
    std::string_view text;
    std::size_t column = 0; ///< from 1
};

constexpr double kMostWeight = 1e30; ///< sums of squares of weights stay far from overflow
/// At most this many fields of a line are of interest: a word, four rows, a weight, and one that is too many.
constexpr std::size_t kMostTokens = 7;

/// A line without its comment, cut at blanks, tabs and commas.
class Tokens {
  public:
    explicit Tokens(std::string_view line) {
        const std::string_view text = line.substr(0, line.find('#'));
        std::size_t at = 0;
        while (m_count < kMostTokens) {
            at = text.find_first_not_of(kSeparators, at);
            if (at == std::string_view::npos) {
                return;
            }
            const std::size_t end = std::min(text.find_first_of(kSeparators, at), text.size());
            m_tokens[m_count++] = {text.substr(at, end - at), at + 1};
            at = end;
        }
    }
    [[nodiscard]] std::size_t count() const { return m_count; }
    [[nodiscard]] const Token& operator[](std::size_t at) const { return m_tokens[at]; }

  private:
    static constexpr std::string_view kSeparators = " \t\r,";

    std::array<Token, kMostTokens> m_tokens;
    std::size_t m_count = 0;
};

bool beginsNumber(std::string_view text) {
    const char c = text.front();
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
}

class ComparisonReader {
  public:
    ComparisonReader(InputReader& input, RowIndex rows) : m_input(input), m_faults(input.file()), m_rows(rows) {}

    Result<ComparisonList> read() {
        std::string_view line;
        while (!m_faults.isFull() && m_input.nextLine(line)) {
            const Tokens tokens(line);
            if (tokens.count() > 0) {
                readStatement(tokens);
            }
            if (m_list.comparisons.size() + m_list.targets.size() > kMostStatements) {
                return fileFailure(ErrorCode::OutOfMemory, m_input.file(),
                                   "the file has more than 40,000,000 statements", "Take a part of them.",
                                   m_input.lineNumber());
            }
        }
        if (m_input.failure()) {
            return Failure(*m_input.failure());
        }
        if (m_faults.isEmpty() && m_list.comparisons.empty()) {
            m_faults.add(0, 0, "the file has no comparison", "Add lines such as \"triplet 0 1 2\" after \"base 0\".");
        }
        if (!m_faults.isEmpty()) {
            return m_faults.failure();
        }
        return std::move(m_list);
    }

  private:
    void fault(const Token& token, std::string message, std::string remedy) {
        m_faults.add(m_input.lineNumber(), token.column, std::move(message), std::move(remedy));
    }

    void readStatement(const Tokens& tokens) {
        const Token& word = tokens[0];
        if (word.text == "base") {
            readBase(tokens);
        } else if (word.text == "form") {
            readForm(tokens);
        } else if (beginsNumber(word.text)) {
            if (m_form == nullptr) {
                fault(word, "the line begins with the number " + excerpt(word.text) + ", but no form was named",
                      "Put \"form triplet\" (or another form) before it, or begin the line with its form.");
                return;
            }
            readComparison(tokens, 0, *m_form);
        } else if (const FormText* form = findForm(word.text)) {
            readComparison(tokens, 1, *form);
        } else {
            const auto closest =
                closestWord(word.text, {"base", "form", "triplet", "quadruplet", "similar", "dissimilar", "target"});
            fault(word, "unknown word " + excerpt(word.text),
                  closest ? "Did you mean \"" + *closest + "\"?"
                          : "Begin the line with triplet, quadruplet, similar, dissimilar, target, base or form.");
        }
    }

    void readBase(const Tokens& tokens) {
        const std::string_view value = tokens.count() > 1 ? tokens[1].text : std::string_view();
        if (tokens.count() != 2 || (value != "0" && value != "1")) {
            fault(tokens[0], "\"base\" needs 0 or 1 and nothing else",
                  "Write \"base 0\" when the first row has number 0, \"base 1\" when it has number 1.");
            return;
        }
        const RowIndex base = value == "1" ? 1 : 0;
        if (m_base && (*m_base != base || m_sawRows)) {
            fault(tokens[0], "the base was set before", "Say once, before the first comparison, how rows are counted.");
            return;
        }
        m_base = base;
    }

    void readForm(const Tokens& tokens) {
        const FormText* form = tokens.count() == 2 ? findForm(tokens[1].text) : nullptr;
        if (form == nullptr) {
            fault(tokens[tokens.count() > 1 ? 1 : 0], "\"form\" needs the name of a form and nothing else",
                  "Choose triplet, quadruplet, similar, dissimilar or target.");
            return;
        }
        m_form = form;
    }

    /// The fields of `form` begin at token `at`.
    void readComparison(const Tokens& tokens, std::size_t at, const FormText& form) {
        const std::size_t needed = form.rows + form.bounds;
        const std::size_t given = tokens.count() - at;
        const std::string shape = "Write \"" + std::string(form.shape) + "\".";
        if (given < needed) {
            fault(tokens[tokens.count() - 1],
                  "a " + std::string(form.word) + " needs " + std::to_string(needed) + " numbers, this line has " +
                      std::to_string(given),
                  shape);
            return;
        }
        if (given > needed + 1) {
            fault(tokens[at + needed + 1], "the line goes on with " + excerpt(tokens[at + needed + 1].text), shape);
            return;
        }
        if (!m_base) {
            fault(tokens[0], "it is not said whether rows are counted from 0 or from 1",
                  "Put \"base 0\" or \"base 1\" before the first comparison.");
            m_base = 0; // one fault is enough
        }
        m_sawRows = true;
        std::array<RowIndex, 4> rows = {};
        for (std::size_t r = 0; r < form.rows; ++r) {
            if (!readRow(tokens[at + r], rows[r])) {
                return;
            }
        }
        double bound = 0;
        double weight = 1;
        if (form.bounds > 0 && !readBound(tokens[at + form.rows], form, bound)) {
            return;
        }
        if (given > needed && !readWeight(tokens[at + needed], weight)) {
            return;
        }
        add(tokens, at, form.form, rows, bound, weight);
    }

    bool readRow(const Token& token, RowIndex& row) {
        const auto number = parseInteger(token.text);
        if (!number) {
            fault(token, excerpt(token.text) + " is not a row number",
                  "Write a whole number; the first row is " + std::to_string(*m_base) + ".");
            return false;
        }
        const std::int64_t last = std::int64_t{m_rows} - 1 + *m_base;
        if (*number < *m_base || *number > last) {
            fault(token, "there is no row " + std::to_string(*number),
                  "The data have rows " + std::to_string(*m_base) + " to " + std::to_string(last) +
                      (*number == last + 1 && *m_base == 0 ? "; does the file count from 1 (\"base 1\")?" : "."));
            return false;
        }
        row = static_cast<RowIndex>(*number - *m_base);
        return true;
    }

    bool readBound(const Token& token, const FormText& form, double& bound) {
        const auto number = parseNumber(token.text);
        const bool isLower = form.form == Form::Dissimilar;
        if (!number || !std::isfinite(*number) || *number < 0 || (isLower && *number == 0)) {
            fault(token, excerpt(token.text) + " is no bound for a squared distance",
                  isLower ? "Write a number above 0." : "Write a number, 0 or more.");
            return false;
        }
        bound = *number;
        return true;
    }

    bool readWeight(const Token& token, double& weight) {
        const auto number = parseNumber(token.text);
        if (!number || !std::isfinite(*number) || !(*number > 0)) {
            fault(token, "the weight " + excerpt(token.text) + " is not a number above 0",
                  "Correct the weight, or leave out the line to leave out the comparison.");
            return false;
        }
        if (*number > kMostWeight) {
            fault(token, "the weight " + excerpt(token.text) + " is more than " + shortText(kMostWeight),
                  "Give weights as shares of their mean: λ carries what they have in common.");
            return false;
        }
        weight = *number;
        return true;
    }

    void add(const Tokens& tokens, std::size_t at, Form form, const std::array<RowIndex, 4>& rows, double bound,
             double weight) {
        const RowPair near{rows[0], rows[1]};
        const RowPair far = form == Form::Triplet ? RowPair{rows[0], rows[2]} : RowPair{rows[2], rows[3]};
        const bool comparesTwo = form == Form::Triplet || form == Form::Quadruplet;
        const std::size_t farEnd = form == Form::Triplet ? 2 : 3;
        if (near.a == near.b || (comparesTwo && far.a == far.b)) {
            fault(tokens[at + (near.a == near.b ? 1 : farEnd)], "a row is compared with itself",
                  "The two rows of a pair must differ.");
            return;
        }
        const bool isSame = (near.a == far.a && near.b == far.b) || (near.a == far.b && near.b == far.a);
        if (comparesTwo && isSame) {
            fault(tokens[at + farEnd], "a pair of rows is compared with itself", "The two pairs must differ.");
            return;
        }
        const auto line = static_cast<std::int64_t>(m_input.lineNumber());
        switch (form) {
        case Form::Triplet:
        case Form::Quadruplet: m_list.comparisons.push_back({far, near, 1, weight, line}); break;
        case Form::Similar: m_list.comparisons.push_back({std::nullopt, near, -bound, weight, line}); break;
        case Form::Dissimilar: m_list.comparisons.push_back({near, std::nullopt, bound, weight, line}); break;
        case Form::Target: m_list.targets.push_back({near, weight}); break;
        }
    }

    InputReader& m_input;
    FaultList m_faults;
    RowIndex m_rows;
    ComparisonList m_list;
    std::optional<RowIndex> m_base;
    const FormText* m_form = nullptr; ///< of lines that begin with a number
    bool m_sawRows = false;
};

} // namespace

Result<ComparisonList> readComparisons(const std::filesystem::path& file, RowIndex rows, const DataProgress& progress,
                                       std::stop_token stop) {
    auto source = ByteSource::open(file, progress, stop);
    if (!source) {
        return Failure(std::move(source).error());
    }
    InputReader input(std::move(*source));
    auto list = ComparisonReader(input, rows).read();
    if (!list) {
        return list;
    }
    auto hash = input.source().sha256();
    if (!hash) {
        return Failure(std::move(hash).error());
    }
    list->sha256 = std::move(*hash);
    list->name = utf8Text(file.filename().string());
    return list;
}

} // namespace lambdascope::metric

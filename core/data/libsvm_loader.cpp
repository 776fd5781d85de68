// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/libsvm_loader.h"

#include "core/common/number_text.h"
#include "core/data/label_column.h"
#include "core/data/raw_data.h"
#include "core/data/sparse_builder.h"
#include "core/data/text_encoding.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

/// Cuts a line at blanks and knows where it is.
class Tokens {
  public:
    explicit Tokens(std::string_view line) : m_line(line.substr(0, line.find('#'))) {}

    bool next(std::string_view& token) {
        while (m_at < m_line.size() && isBlank(m_line[m_at])) {
            ++m_at;
        }
        m_begin = m_at;
        while (m_at < m_line.size() && !isBlank(m_line[m_at])) {
            ++m_at;
        }
        token = m_line.substr(m_begin, m_at - m_begin);
        return !token.empty();
    }
    [[nodiscard]] std::size_t column() const { return m_begin + 1; }

  private:
    static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

    std::string_view m_line;
    std::size_t m_at = 0;
    std::size_t m_begin = 0;
};

class LibsvmReader {
  public:
    LibsvmReader(InputReader& input, const LoadOptions& options)
        : m_input(input), m_options(options), m_faults(input.file()),
          m_wish(LabelWish::from(options.labels, options.isTarget)) {}

    Result<RawData> read() {
        if (m_wish.kind == LabelWish::Kind::Last || m_wish.kind == LabelWish::Kind::Named) {
            m_faults.addForKey(m_wish.key(),
                               "LIBSVM files have their " + m_wish.noun() + " in front, not in " +
                                   excerpt(m_options.labels),
                               m_wish.isTarget ? "Set \"target\" to \"first\"."
                                               : "Set \"labels\" to \"auto\", \"first\" or \"none\".");
            return m_faults.failure();
        }
        std::string_view line;
        while (!m_faults.isFull() && m_input.nextLine(line)) {
            readLine(line);
        }
        if (m_input.failure()) {
            return Failure(*m_input.failure());
        }
        if (m_faults.isEmpty() && m_rows.rowCount() == 0) {
            m_faults.add(0, 0, "the file is empty", "Add a line \"label index:value …\" for each sample.");
        }
        return m_faults.isEmpty() ? finish() : Result<RawData>(m_faults.failure());
    }

  private:
    void fault(const Tokens& tokens, std::string message, std::string remedy) {
        m_faults.add(m_input.lineNumber(), tokens.column(), std::move(message), std::move(remedy));
    }

    void readLine(std::string_view line) {
        Tokens tokens(line);
        std::string_view token;
        if (!tokens.next(token)) {
            return;
        }
        m_lastIndex = 0;
        bool hasToken = true;
        if (token.find(':') == std::string_view::npos) {
            readLabel(tokens, token);
            hasToken = tokens.next(token);
        } else if (m_wish.kind != LabelWish::Kind::None) {
            fault(tokens, "the line has no label in front of " + excerpt(token),
                  "Begin the line with its label, or set \"labels\" to \"none\".");
        }
        for (; hasToken; hasToken = tokens.next(token)) {
            if (!readPair(tokens, token)) {
                return;
            }
        }
        m_rows.endRow();
    }

    void readLabel(const Tokens& tokens, std::string_view token) {
        const auto label = parseNumber(token);
        if (m_wish.kind == LabelWish::Kind::None) {
            return;
        }
        if (!label || !std::isfinite(*label)) {
            fault(tokens, "the label " + excerpt(token) + " is not a number",
                  m_wish.isTarget                             ? "Begin each line with its target."
                  : token.find(',') != std::string_view::npos ? "Give each sample one label only."
                                                              : "Number the classes, for instance from 1.");
            return;
        }
        m_labels.push_back(*label);
        m_counter.add(*label);
    }

    /// Index and value of "index:value" go to the current row. False at a fault.
    bool readPair(const Tokens& tokens, std::string_view token) {
        const std::size_t colon = token.find(':');
        if (colon == std::string_view::npos) {
            fault(tokens, excerpt(token) + " is not of the form index:value", "Write index:value pairs.");
            return false;
        }
        std::int64_t index = 0;
        const auto [end, status] = std::from_chars(token.data(), token.data() + colon, index);
        if (end != token.data() + colon || colon == 0 ||
            (status != std::errc{} && status != std::errc::result_out_of_range)) {
            fault(tokens, "the index in " + excerpt(token) + " is not a whole number",
                  token.starts_with("qid:") ? "Remove the qid fields: there is no ranking here."
                                            : "Write index:value pairs with indices from 1.");
            return false;
        }
        if (status == std::errc::result_out_of_range || index >= std::numeric_limits<std::int32_t>::max()) {
            fault(tokens, "the index in " + excerpt(token) + " is too large", "Number the features from 1.");
            return false;
        }
        return checkIndex(tokens, token, index) && readValue(tokens, token, colon, index);
    }

    bool checkIndex(const Tokens& tokens, std::string_view token, std::int64_t index) {
        if (index < 1) {
            fault(tokens, "the index in " + excerpt(token) + " is below 1", "Number the features from 1.");
            return false;
        }
        if (index <= m_lastIndex) {
            fault(tokens,
                  index == m_lastIndex
                      ? "the index " + std::to_string(index) + " stands twice in this line"
                      : "the index " + std::to_string(index) + " stands after " + std::to_string(m_lastIndex),
                  "Sort the indices of each line and give each once.");
            return false;
        }
        m_lastIndex = index;
        return true;
    }

    bool readValue(const Tokens& tokens, std::string_view token, std::size_t colon, std::int64_t index) {
        const auto value = parseNumber(token.substr(colon + 1));
        if (!value) {
            fault(tokens, "the value in " + excerpt(token) + " is not a number", "Correct the value.");
            return false;
        }
        if (!std::isfinite(*value) && m_options.missing == MissingPolicy::Fail) {
            fault(tokens, "the value in " + excerpt(token) + " is missing or not finite",
                  "Fill it in, or set data.missing to \"drop-rows\" or \"mean\".");
            return false;
        }
        m_rows.add(static_cast<std::int32_t>(index - 1), std::isfinite(*value) ? *value : std::nan(""));
        return true;
    }

    Result<RawData> finish() {
        RawData data;
        if (m_wish.kind == LabelWish::Kind::First || (m_wish.kind == LabelWish::Kind::Auto && holdsClasses())) {
            data.labels = labelsFromNumbers(m_labels);
        } else if (m_wish.kind == LabelWish::Kind::Auto) {
            data.notes.push_back("labels left out, " + std::to_string(m_counter.distinctCount()) +
                                 " distinct values look like measurements");
        }
        if (auto filled = m_rows.finish(data, m_options.storage, 1, m_faults); !filled) {
            return Failure(std::move(filled).error());
        }
        return data;
    }

    /// A LIBSVM label means a class even where all samples have one, or few samples one each.
    [[nodiscard]] bool holdsClasses() const { return m_counter.distinctCount() <= 10 || m_counter.looksLikeClasses(); }

    InputReader& m_input;
    const LoadOptions& m_options;
    FaultList m_faults;
    LabelWish m_wish;
    SparseBuilder m_rows;
    std::vector<double> m_labels;
    ValueCounter m_counter;
    std::int64_t m_lastIndex = 0;
};

} // namespace

Result<RawData> LibsvmLoader::load(InputReader& input, const LoadOptions& options) const {
    return LibsvmReader(input, options).read();
}

} // namespace lambdascope

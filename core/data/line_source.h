// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace lambdascope {

/// Gives lines one by one.
class LineSource {
  public:
    virtual ~LineSource() = default;

    /// The next line without its end, valid until the next call; false when there is none.
    virtual bool nextLine(std::string_view& line) = 0;
    /// Number of that line, from 1.
    [[nodiscard]] virtual std::size_t lineNumber() const = 0;
};

/// Lines of a text in memory, cut as InputReader cuts those of a file. A last line without its end counts only when
/// the text is `whole`.
class TextLines final : public LineSource {
  public:
    TextLines(std::string_view text, bool whole) : m_rest(text), m_isWhole(whole) {
        constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
        if (m_rest.starts_with(kByteOrderMark)) {
            m_rest.remove_prefix(kByteOrderMark.size());
        }
    }

    bool nextLine(std::string_view& line) override {
        const std::size_t end = m_rest.find('\n');
        if (m_rest.empty() || (end == std::string_view::npos && !m_isWhole)) {
            return false;
        }
        line = m_rest.substr(0, end);
        m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        ++m_lineNumber;
        return true;
    }
    [[nodiscard]] std::size_t lineNumber() const override { return m_lineNumber; }

  private:
    std::string_view m_rest;
    bool m_isWhole;
    std::size_t m_lineNumber = 0;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/byte_source.h"
#include "core/data/line_source.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// Lines or bytes of a file through one buffer of fixed size (it grows only for a line that is longer).
class InputReader final : public LineSource {
  public:
    /// What a look ahead shows at least, if the file is that long.
    static constexpr std::size_t kBlock = std::size_t{1} << 20;
    /// No sane text file has longer lines.
    static constexpr std::size_t kLongestLine = std::size_t{1} << 28;

    explicit InputReader(std::unique_ptr<ByteSource> source);

    /// The beginning of the file, without consuming it: kBlock bytes and at least two lines, or all of it.
    Result<std::string_view> lookAhead();
    /// After lookAhead(): the whole lines that it showed are all that there is.
    void endAfterLookAhead();
    /// Whether lookAhead() showed the whole file.
    [[nodiscard]] bool sawAll() const { return m_sourceEnded; }

    /// The next line without its end (LF or CRLF), valid until the next call; a byte-order mark is skipped. False at
    /// the end and after a failure, which failure() then tells.
    bool nextLine(std::string_view& line) override;
    [[nodiscard]] const std::optional<Error>& failure() const { return m_failure; }
    /// Number of the line that nextLine() gave, from 1.
    [[nodiscard]] std::size_t lineNumber() const override { return m_lineNumber; }

    /// Up to `count` bytes; fewer only at the end.
    Result<std::size_t> readBytes(char* to, std::size_t count);

    [[nodiscard]] const std::string& file() const { return m_source->file(); }
    [[nodiscard]] ByteSource& source() { return *m_source; }

  private:
    bool fill();
    bool failBinary(std::string_view line);

    std::unique_ptr<ByteSource> m_source;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    bool m_sourceEnded = false;
    bool m_maybeBinary = false; ///< a zero byte was seen
    std::size_t m_lineNumber = 0;
    std::optional<Error> m_failure;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/input_reader.h"

#include "core/common/number_text.h"
#include "core/data/fault_list.h"

#include <algorithm>
#include <cstring>

namespace lambdascope {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

} // namespace

InputReader::InputReader(std::unique_ptr<ByteSource> source) : m_source(std::move(source)), m_buffer(kBlock) {}

/// Moves what is left to the front, makes room if there is none, and reads on. False after a failure.
bool InputReader::fill() {
    if (m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
    }
    if (m_end == m_buffer.size()) {
        if (m_buffer.size() >= kLongestLine) {
            m_failure = fileFailure(ErrorCode::InvalidData, file(),
                                    "line " + std::to_string(m_lineNumber + 1) + " is longer than " +
                                        byteText(static_cast<double>(kLongestLine)),
                                    "Check that this is a text file with one sample per line.", m_lineNumber + 1)
                            .error;
            return false;
        }
        m_buffer.resize(2 * m_buffer.size());
    }
    const auto count = m_source->read(m_buffer.data() + m_end, m_buffer.size() - m_end);
    if (!count) {
        m_failure = count.error();
        return false;
    }
    m_maybeBinary = m_maybeBinary || std::memchr(m_buffer.data() + m_end, 0, *count) != nullptr;
    m_end += *count;
    m_sourceEnded = m_end < m_buffer.size();
    return true;
}

Result<std::string_view> InputReader::lookAhead() {
    const auto lineCount = [this] { return std::count(m_buffer.data() + m_begin, m_buffer.data() + m_end, '\n'); };
    while (!m_sourceEnded && (m_end - m_begin < kBlock || lineCount() < 2)) {
        if (m_end - m_begin >= kBlock && m_maybeBinary) {
            break; // lines mean nothing in binary data
        }
        if (!fill()) {
            return Failure(*m_failure);
        }
    }
    return std::string_view(m_buffer.data() + m_begin, m_end - m_begin);
}

void InputReader::endAfterLookAhead() {
    while (m_end > m_begin && m_buffer[m_end - 1] != '\n') {
        --m_end;
    }
    m_sourceEnded = true;
}

bool InputReader::failBinary(std::string_view line) {
    m_failure =
        fileFailure(ErrorCode::InvalidData, file(), "has a zero byte, so it is binary data rather than text",
                    "Check the format, and that text files are saved as UTF-8.", m_lineNumber, line.find('\0') + 1)
            .error;
    return false;
}

bool InputReader::nextLine(std::string_view& line) {
    if (m_failure) {
        return false;
    }
    std::size_t searched = 0; // bytes from m_begin that hold no line end
    while (true) {
        const char* from = m_buffer.data() + m_begin;
        const auto* end = static_cast<const char*>(std::memchr(from + searched, '\n', m_end - m_begin - searched));
        if (end == nullptr && !m_sourceEnded) {
            searched = m_end - m_begin;
            if (!fill()) {
                return false;
            }
            continue;
        }
        if (end == nullptr && m_begin == m_end) {
            return false;
        }
        const std::size_t length = end != nullptr ? static_cast<std::size_t>(end - from) : m_end - m_begin;
        line = {from, length};
        m_begin += length + (end != nullptr ? 1 : 0);
        ++m_lineNumber;
        if (m_lineNumber == 1 && line.starts_with(kByteOrderMark)) {
            line.remove_prefix(kByteOrderMark.size());
        }
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        return !m_maybeBinary || line.find('\0') == std::string_view::npos || failBinary(line);
    }
}

Result<std::size_t> InputReader::readBytes(char* to, std::size_t count) {
    const std::size_t buffered = std::min(count, m_end - m_begin);
    std::memcpy(to, m_buffer.data() + m_begin, buffered);
    m_begin += buffered;
    if (buffered == count || m_sourceEnded) {
        return buffered;
    }
    const auto more = m_source->read(to + buffered, count - buffered);
    if (!more) {
        return Failure(more.error());
    }
    return buffered + *more;
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/byte_source.h"

#include "core/data/fault_list.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lambdascope {

namespace {

/// Large enough to read at disk speed, small enough to ask the stop token every few milliseconds.
constexpr std::size_t kRawBytes = std::size_t{1} << 18;

} // namespace

ByteSource::ByteSource(const std::filesystem::path& path, DataProgress progress, std::stop_token stop)
    : m_file(path.string()), m_activity("Reading " + path.filename().string()), m_progress(std::move(progress)),
      m_stop(std::move(stop)), m_raw(kRawBytes) {}

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::filesystem::path& path, DataProgress progress,
                                                     std::stop_token stop) {
    std::unique_ptr<ByteSource> source(new ByteSource(path, std::move(progress), std::move(stop)));
    std::error_code status;
    const auto kind = std::filesystem::status(path, status).type();
    if (kind == std::filesystem::file_type::not_found) {
        return fileFailure(ErrorCode::FileNotFound, source->m_file, "there is no such file", "Check the path.");
    }
    if (kind == std::filesystem::file_type::directory) {
        return fileFailure(ErrorCode::FileUnreadable, source->m_file, "is a folder, not a file", "Name a file in it.");
    }
    if (kind != std::filesystem::file_type::regular) {
        return fileFailure(ErrorCode::FileUnreadable, source->m_file, "is not an ordinary file",
                           "Save its contents to a file first.");
    }
    source->m_handle.reset(std::fopen(path.c_str(), "rb"));
    if (!source->m_handle) {
        const std::string reason = std::strerror(errno);
        return fileFailure(ErrorCode::FileUnreadable, source->m_file, "cannot be opened: " + reason,
                           "Check who may read it.");
    }
    std::setvbuf(source->m_handle.get(), nullptr, _IONBF, 0); // m_raw is the buffer
    source->m_size = std::filesystem::file_size(path, status);
    if (auto filled = source->refill(); !filled) {
        return Failure(std::move(filled).error());
    }
    source->m_compression = compressionOf({source->m_raw.data(), source->m_rawEnd});
    source->m_decompressor = makeDecompressor(source->m_compression);
    return source;
}

Result<void> ByteSource::refill() {
    if (m_stop.stop_requested()) {
        return Failure(plainError(ErrorCode::Stopped, m_activity + " was stopped."));
    }
    errno = 0;
    m_rawBegin = 0;
    m_rawEnd = std::fread(m_raw.data(), 1, m_raw.size(), m_handle.get());
    if (m_rawEnd < m_raw.size() && std::ferror(m_handle.get()) != 0) {
        return fileFailure(ErrorCode::FileUnreadable, m_file, std::string("reading failed: ") + std::strerror(errno),
                           "Check the disk.");
    }
    m_atEnd = m_rawEnd == 0;
    m_hash.add(m_raw.data(), m_rawEnd);
    m_readOnDisk += m_rawEnd;
    if (m_progress && m_size > 0) {
        m_progress(std::min(1.0, static_cast<double>(m_readOnDisk) / static_cast<double>(m_size)), m_activity);
    }
    return {};
}

Result<std::size_t> ByteSource::read(char* to, std::size_t count) {
    if (m_stop.stop_requested()) { // refill() looks, too, but little of a well compressed file yields much
        return Failure(plainError(ErrorCode::Stopped, m_activity + " was stopped."));
    }
    return m_decompressor ? readDecompressed(to, count) : readRaw(to, count);
}

Result<std::size_t> ByteSource::readRaw(char* to, std::size_t count) {
    std::size_t done = 0;
    while (done < count && !m_atEnd) {
        if (m_rawBegin == m_rawEnd) {
            if (auto filled = refill(); !filled) {
                return Failure(std::move(filled).error());
            }
        }
        const std::size_t taken = std::min(count - done, m_rawEnd - m_rawBegin);
        std::memcpy(to + done, m_raw.data() + m_rawBegin, taken);
        m_rawBegin += taken;
        done += taken;
    }
    return done;
}

Failure ByteSource::damaged(const std::string& how) const {
    return fileFailure(ErrorCode::InvalidData, m_file,
                       how + " (" + std::to_string(m_readOnDisk - (m_rawEnd - m_rawBegin)) + " bytes were good)",
                       "Copy or download the file again.");
}

/// Makes sure that the decompressor has input, unless it still holds output of what it was given.
Result<bool> ByteSource::hasMoreToDecompress() {
    if (m_rawBegin < m_rawEnd || m_mayHoldOutput) {
        return true;
    }
    if (auto filled = refill(); !filled) {
        return Failure(std::move(filled).error());
    }
    if (m_atEnd && !m_isBetweenStreams) {
        return damaged("the " + std::string(compressionName(m_compression)) +
                       " file is cut off: it ends in the middle of its compressed data");
    }
    return !m_atEnd;
}

Result<std::size_t> ByteSource::readDecompressed(char* to, std::size_t count) {
    std::size_t done = 0;
    while (done < count && !m_atEnd) {
        if (auto more = hasMoreToDecompress(); !more) {
            return Failure(std::move(more).error());
        } else if (!*more) {
            break;
        }
        if (m_isBetweenStreams && m_raw[m_rawBegin] == '\0') {
            ++m_rawBegin; // padding, as tapes and some copying programs add
            continue;
        }
        const std::size_t offered = m_rawEnd - m_rawBegin;
        const auto step = m_decompressor->run({m_raw.data() + m_rawBegin, offered}, {to + done, count - done});
        m_rawBegin += step.consumed;
        done += step.produced;
        if (step.status == Decompressor::Status::Corrupt || (offered > 0 && step.consumed == 0 && step.produced == 0)) {
            return damaged("the " + std::string(compressionName(m_compression)) + " file is damaged");
        }
        m_isBetweenStreams = step.status == Decompressor::Status::Between;
        m_mayHoldOutput = !m_isBetweenStreams && done == count;
    }
    return done;
}

Result<std::string> ByteSource::sha256() {
    while (!m_atEnd) {
        if (auto filled = refill(); !filled) {
            return Failure(std::move(filled).error());
        }
    }
    Sha256 finished = m_hash;
    return finished.hexDigest();
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/decompressor.h"

#include <bzlib.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace lambdascope {

namespace {

template <class Size>
Size limited(std::size_t size) {
    return static_cast<Size>(std::min<std::size_t>(size, std::numeric_limits<Size>::max()));
}

class GzipDecompressor final : public Decompressor {
  public:
    GzipDecompressor() {
        constexpr int kWindowBitsForGzip = 15 + 16;
        m_isUsable = inflateInit2(&m_stream, kWindowBitsForGzip) == Z_OK;
    }
    GzipDecompressor(const GzipDecompressor&) = delete;
    GzipDecompressor& operator=(const GzipDecompressor&) = delete;
    ~GzipDecompressor() override { inflateEnd(&m_stream); }

    Step run(std::span<const char> input, std::span<char> output) override {
        if (!m_isUsable) {
            return {0, 0, Status::Corrupt};
        }
        if (m_isBetween && !input.empty()) {
            inflateReset(&m_stream);
            m_isBetween = false;
        }
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
        m_stream.avail_in = limited<uInt>(input.size());
        m_stream.next_out = reinterpret_cast<Bytef*>(output.data());
        m_stream.avail_out = limited<uInt>(output.size());
        const auto givenIn = m_stream.avail_in;
        const auto givenOut = m_stream.avail_out;
        const int status = inflate(&m_stream, Z_NO_FLUSH);
        m_isBetween = status == Z_STREAM_END;
        const bool isSound = status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR;
        return {givenIn - m_stream.avail_in, givenOut - m_stream.avail_out,
                !isSound      ? Status::Corrupt
                : m_isBetween ? Status::Between
                              : Status::Going};
    }

  private:
    z_stream m_stream{};
    bool m_isUsable = false;
    bool m_isBetween = false;
};

class Bzip2Decompressor final : public Decompressor {
  public:
    Bzip2Decompressor() { m_isUsable = BZ2_bzDecompressInit(&m_stream, 0, 0) == BZ_OK; }
    Bzip2Decompressor(const Bzip2Decompressor&) = delete;
    Bzip2Decompressor& operator=(const Bzip2Decompressor&) = delete;
    ~Bzip2Decompressor() override { BZ2_bzDecompressEnd(&m_stream); }

    Step run(std::span<const char> input, std::span<char> output) override {
        if (m_isBetween && !input.empty()) {
            BZ2_bzDecompressEnd(&m_stream);
            m_stream = {};
            m_isUsable = BZ2_bzDecompressInit(&m_stream, 0, 0) == BZ_OK;
            m_isBetween = false;
        }
        if (!m_isUsable) {
            return {0, 0, Status::Corrupt};
        }
        m_stream.next_in = const_cast<char*>(input.data());
        m_stream.avail_in = limited<unsigned>(input.size());
        m_stream.next_out = output.data();
        m_stream.avail_out = limited<unsigned>(output.size());
        const auto givenIn = m_stream.avail_in;
        const auto givenOut = m_stream.avail_out;
        const int status = BZ2_bzDecompress(&m_stream);
        m_isBetween = status == BZ_STREAM_END;
        return {givenIn - m_stream.avail_in, givenOut - m_stream.avail_out,
                m_isBetween       ? Status::Between
                : status == BZ_OK ? Status::Going
                                  : Status::Corrupt};
    }

  private:
    bz_stream m_stream{};
    bool m_isUsable = false;
    bool m_isBetween = false;
};

} // namespace

Compression compressionOf(std::string_view head) {
    if (head.starts_with("\x1f\x8b")) {
        return Compression::Gzip;
    }
    return head.starts_with("BZh") && head.size() > 3 && head[3] >= '1' && head[3] <= '9' &&
                   (head.substr(4).starts_with("1AY&SY") || head.substr(4).starts_with("\x17\x72\x45\x38\x50\x90") ||
                    head.size() < 10)
               ? Compression::Bzip2
               : Compression::None;
}

std::unique_ptr<Decompressor> makeDecompressor(Compression compression) {
    switch (compression) {
    case Compression::None: break;
    case Compression::Gzip: return std::make_unique<GzipDecompressor>();
    case Compression::Bzip2: return std::make_unique<Bzip2Decompressor>();
    }
    return nullptr;
}

std::string_view compressionName(Compression compression) {
    switch (compression) {
    case Compression::None: break;
    case Compression::Gzip: return "gzip";
    case Compression::Bzip2: return "bzip2";
    }
    return "uncompressed";
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_source.h"
#include "core/data/decompressor.h"
#include "core/data/sha256.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace lambdascope {

/// The bytes of a file in order, decompressed when it is a gzip or bzip2 file. Hashes what stands on disk, reports
/// the share read, and ends with ErrorCode::Stopped soon after a stop is asked for.
class ByteSource {
  public:
    /// Errors: FileNotFound; FileUnreadable for folders, pipes and files that may not be read.
    static Result<std::unique_ptr<ByteSource>> open(const std::filesystem::path& path, DataProgress progress = {},
                                                    std::stop_token stop = {});

    /// Up to `count` bytes into `to`; 0 only at the end. A compressed file that ends early or is damaged is an error.
    Result<std::size_t> read(char* to, std::size_t count);

    /// SHA-256 of the whole file as it stands on disk; reads what is left of it.
    Result<std::string> sha256();

    /// For loaders that read the file by other means.
    [[nodiscard]] const std::stop_token& stopToken() const { return m_stop; }
    void reportShare(double share) const {
        if (m_progress) {
            m_progress(share, m_activity);
        }
    }

    [[nodiscard]] const std::string& file() const { return m_file; }
    [[nodiscard]] Compression compression() const { return m_compression; }
    [[nodiscard]] std::uint64_t sizeOnDisk() const { return m_size; }

  private:
    ByteSource(const std::filesystem::path& path, DataProgress progress, std::stop_token stop);

    Result<std::size_t> readRaw(char* to, std::size_t count);
    Result<std::size_t> readDecompressed(char* to, std::size_t count);
    Result<void> refill();
    Result<bool> hasMoreToDecompress();
    Failure damaged(const std::string& how) const;

    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::string m_file;
    std::string m_activity;
    DataProgress m_progress;
    std::stop_token m_stop;
    std::unique_ptr<std::FILE, Closer> m_handle;
    std::uint64_t m_size = 0;
    std::uint64_t m_readOnDisk = 0;
    Sha256 m_hash;
    Compression m_compression = Compression::None;
    std::unique_ptr<Decompressor> m_decompressor;
    std::vector<char> m_raw; ///< bytes of the file not handed out yet: m_rawBegin … m_rawEnd
    std::size_t m_rawBegin = 0;
    std::size_t m_rawEnd = 0;
    bool m_atEnd = false;
    bool m_isBetweenStreams = false;
    bool m_mayHoldOutput = false; ///< the decompressor ran out of room rather than of input
};

} // namespace lambdascope

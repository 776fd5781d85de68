// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace lambdascope {

enum class Compression { None, Gzip, Bzip2 };

/// By the first bytes of a file.
[[nodiscard]] Compression compressionOf(std::string_view head);

/// Undoes a compression piece by piece. Several compressed streams in a row count as one, as gzip and bzip2 do.
class Decompressor {
  public:
    enum class Status {
        Going,   ///< needs more input or more room
        Between, ///< a stream is complete; the input may end here
        Corrupt, ///< the bytes are not what they should be
    };
    struct Step {
        std::size_t consumed = 0; ///< of the input
        std::size_t produced = 0; ///< in the output
        Status status = Status::Going;
    };

    virtual ~Decompressor() = default;
    virtual Step run(std::span<const char> input, std::span<char> output) = 0;
};

/// Nothing for Compression::None.
[[nodiscard]] std::unique_ptr<Decompressor> makeDecompressor(Compression compression);

[[nodiscard]] std::string_view compressionName(Compression compression);

} // namespace lambdascope

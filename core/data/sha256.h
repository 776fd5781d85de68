// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lambdascope {

/// SHA-256 of a stream of bytes [FIPS 180-4, section 6.2]. Identifies data sets; nothing secret hangs on it.
class Sha256 {
  public:
    Sha256();

    void add(std::span<const std::byte> bytes);
    void add(const void* bytes, std::size_t count) { add({static_cast<const std::byte*>(bytes), count}); }
    /// A number as eight bytes, lowest first, so that digests are the same on every machine.
    void addNumber(std::uint64_t number);

    /// The digest of all that was added, as 64 hexadecimal digits. Nothing may be added after it.
    [[nodiscard]] std::string hexDigest();

  private:
    void addBlock(const std::byte* block);

    std::array<std::uint32_t, 8> m_state;
    std::array<std::byte, 64> m_pending{};
    std::uint64_t m_byteCount = 0;
};

[[nodiscard]] std::string sha256OfText(std::string_view text);

} // namespace lambdascope

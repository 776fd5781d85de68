// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/state_archive.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace lambdascope {

/// What two processes of one build say to each other: the number of bytes (eight), then the bytes of a StateArchive.
template <class Content>
[[nodiscard]] std::string framedMessage(Content content) {
    StateArchive archive;
    archive(content);
    const std::string text = archive.take();
    const std::uint64_t size = text.size();
    return std::string(reinterpret_cast<const char*>(&size), sizeof size) + text;
}

/// What the bytes after their number say; nothing when they say no such thing.
template <class Content>
[[nodiscard]] std::optional<Content> readMessage(const std::string& bytes) {
    StateArchive archive(bytes);
    Content content;
    archive(content);
    return archive.isWhole() ? std::optional<Content>(std::move(content)) : std::nullopt;
}

} // namespace lambdascope

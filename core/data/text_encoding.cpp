// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/text_encoding.h"

#include <algorithm>

namespace lambdascope {

namespace {

/// Length of the UTF-8 sequence that `lead` begins; 0 when it begins none.
std::size_t sequenceLength(unsigned char lead) {
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead < 0xE0) {
        return 2;
    }
    if (lead >= 0xE0 && lead < 0xF0) {
        return 3;
    }
    return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

/// Rules out overlong forms, surrogates and what lies beyond U+10FFFF by the second byte.
bool isAllowedSecond(unsigned char lead, unsigned char second) {
    switch (lead) {
    case 0xE0: return second >= 0xA0;
    case 0xED: return second < 0xA0;
    case 0xF0: return second >= 0x90;
    case 0xF4: return second < 0x90;
    default: return true;
    }
}

} // namespace

bool isUtf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = sequenceLength(lead);
        if (length == 0 || at + length > text.size()) {
            return false;
        }
        for (std::size_t i = 1; i < length; ++i) {
            const auto follower = static_cast<unsigned char>(text[at + i]);
            if ((follower & 0xC0) != 0x80 || (i == 1 && !isAllowedSecond(lead, follower))) {
                return false;
            }
        }
        at += length;
    }
    return true;
}

std::string utf8Text(std::string_view text) {
    if (isUtf8(text)) {
        return std::string(text);
    }
    std::string converted;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            converted += c;
        } else {
            converted += static_cast<char>(0xC0 | (byte >> 6));
            converted += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return converted;
}

std::string excerpt(std::string_view text) {
    constexpr std::size_t kLongest = 40;
    std::string shown = utf8Text(text.substr(0, std::min(text.size(), 4 * kLongest)));
    bool isCut = text.size() > 4 * kLongest;
    if (shown.size() > kLongest) {
        std::size_t end = kLongest;
        while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0) == 0x80) {
            --end;
        }
        shown.resize(end);
        isCut = true;
    }
    std::string result = "\"";
    for (const char c : shown) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            result += "·";
        } else {
            result += c;
        }
    }
    return result + (isCut ? "…\"" : "\"");
}

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

} // namespace lambdascope

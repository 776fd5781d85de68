// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"

#include "core/common/trimmed_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace lambdascope {

namespace {

std::string fixedText(double value, int decimals) {
    std::array<char, 64> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

std::string twoDigits(std::int64_t value) {
    return (value < 10 ? "0" : "") + std::to_string(value);
}

} // namespace

std::string exactText(double value) {
    if (std::isnan(value)) {
        return "nan";
    }
    if (std::isinf(value)) {
        return value > 0 ? "inf" : "-inf";
    }
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end.ptr};
}

std::string shortText(double value, int digits) {
    if (!std::isfinite(value)) {
        return exactText(value);
    }
    std::array<char, 64> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits);
    return {buffer.data(), end.ptr};
}

std::string groupedText(std::int64_t value) {
    std::string digits = std::to_string(value);
    const std::size_t first = digits.front() == '-' ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string durationText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) {
        return "unknown";
    }
    if (seconds < 0.9995) {
        return fixedText(seconds * 1e3, seconds < 0.01 ? 1 : 0) + " ms";
    }
    if (seconds < 59.95) {
        return fixedText(seconds, 1) + " s";
    }
    const auto whole = static_cast<std::int64_t>(std::min(seconds + 0.5, 1e15));
    const std::int64_t hours = whole / 3600;
    const std::int64_t minutes = whole / 60 % 60;
    if (hours == 0) {
        return std::to_string(minutes) + ":" + twoDigits(whole % 60);
    }
    return std::to_string(hours) + ":" + twoDigits(minutes) + ":" + twoDigits(whole % 60);
}

std::string byteText(double bytes) {
    constexpr std::array<const char*, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
        bytes /= 1000;
        ++unit;
    }
    return (unit == 0 ? fixedText(bytes, 0) : shortText(bytes, 3)) + " " + kUnits[unit];
}

std::optional<double> parseNumber(std::string_view text) {
    text = trimmed(text);
    if (!text.empty() && text.front() == '+') {
        text.remove_prefix(1);
        if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
            return std::nullopt;
        }
    }
    if (text.empty()) {
        return std::nullopt;
    }
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) {
        return std::nullopt;
    }
    if (status == std::errc::result_out_of_range) {
        // from_chars leaves the value alone; tell overflow from underflow by the C library.
        return std::strtod(std::string(text).c_str(), nullptr);
    }
    if (status != std::errc{}) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
    text = trimmed(text);
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') {
        text.remove_prefix(1);
    }
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || status != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lambdascope {

/// Shortest decimal text that reads back as exactly `value`, independent of the locale. NaN and infinities are
/// written nan, inf, -inf.
[[nodiscard]] std::string exactText(double value);

/// Text for people: `digits` significant digits, no trailing zeros ("1.25", "3.1e+06").
[[nodiscard]] std::string shortText(double value, int digits = 4);

/// Decimal text with thousands separated by commas: "924,000".
[[nodiscard]] std::string groupedText(std::int64_t value);

/// A duration for people: "850 ms", "12.3 s", "4:05", "2:10:00".
[[nodiscard]] std::string durationText(double seconds);

/// A size for people: "512 B", "1.5 MB" (powers of 1000).
[[nodiscard]] std::string byteText(double bytes);

/// The whole of `text` (blanks around it allowed) as a number, in the C locale; also nan, inf, a leading plus.
/// Nothing when anything else stands there. Out-of-range magnitudes give ±inf or ±0.
[[nodiscard]] std::optional<double> parseNumber(std::string_view text);

/// The whole of `text` as a decimal integer.
[[nodiscard]] std::optional<std::int64_t> parseInteger(std::string_view text);

} // namespace lambdascope

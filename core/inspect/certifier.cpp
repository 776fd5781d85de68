// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/certifier.h"

#include "core/common/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lambdascope {

namespace {

constexpr int kDigits = 15; // a double keeps decimals of so many
/// More places than these no double needs.
constexpr int kMostPlaces = 300;

/// The double nearest to the decimal with so many places: its shortest text is that decimal.
Json decimal(double value, int places) {
    char text[kMostPlaces + 340];
    const int length = std::snprintf(text, sizeof text, "%.*f", places, value);
    const double rounded = parseNumber(std::string_view(text, static_cast<std::size_t>(length))).value_or(value);
    constexpr double kLargestWhole = 1e9;
    if (rounded == std::floor(rounded) && std::abs(rounded) <= kLargestWhole) {
        return Json(static_cast<std::int64_t>(rounded));
    }
    return Json(rounded);
}

} // namespace

std::optional<Certifier::Range> pointRange(std::string_view text) {
    Certifier::Range range;
    if (text.empty()) {
        return range;
    }
    const std::size_t dash = text.find('-');
    const auto first = parseInteger(text.substr(0, dash));
    const std::string_view rest = dash == std::string_view::npos ? text : text.substr(dash + 1);
    const auto last = rest.empty() ? std::optional<std::int64_t>(range.last) : parseInteger(rest);
    if (!first || !last || *first < 0 || *last < *first || *last > range.last) {
        return std::nullopt;
    }
    return Certifier::Range{static_cast<std::int32_t>(*first), static_cast<std::int32_t>(*last)};
}

Json decimalRows(const MatrixValues& matrix) {
    double largest = 0;
    for (std::int64_t k = 0; k < matrix.size(); ++k) {
        largest = std::max(largest, std::abs(matrix.data()[k]));
    }
    const int magnitude = largest > 0 ? static_cast<int>(std::floor(std::log10(largest))) + 1 : 0;
    const int places = std::clamp(kDigits - magnitude, 0, kMostPlaces);
    Json rows = Json::array();
    for (std::int64_t i = 0; i < matrix.rows(); ++i) {
        Json row = Json::array();
        for (std::int64_t k = 0; k < matrix.cols(); ++k) {
            row.push_back(decimal(matrix(i, k), places));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

Json decimalShare(long double value, int places) {
    constexpr int kMost = 40;
    places = std::min(places, kMost);
    if (value == std::floor(value)) {
        return Json(static_cast<std::int64_t>(value));
    }
    char text[2 * kMost];
    const int length = std::snprintf(text, sizeof text, "%.*Lf", places, value);
    std::string_view digits(text, static_cast<std::size_t>(length));
    digits.remove_suffix(digits.size() - 1 - digits.find_last_not_of('0'));
    if (digits.ends_with('.')) { // all its places are 0: it lies within half of the last one of a whole number
        digits.remove_suffix(1);
    }
    return Json(digits);
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/measure_series.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace lambdascope {

namespace {

// Quartiles of a column "error" are called "error_q1" and "error_q3".
constexpr std::string_view kLowerEnding = "_q1";
constexpr std::string_view kUpperEnding = "_q3";
// What it was to come near is "error_goal".
constexpr std::string_view kGoalEnding = "_goal";

bool isOfAnother(const std::string& key) {
    return key.ends_with(kLowerEnding) || key.ends_with(kUpperEnding) || key.ends_with(kGoalEnding);
}

bool canBeMeasure(const ColumnDescription& column, const std::string& axisKey) {
    switch (column.role) {
    case ColumnRole::Objective:
    case ColumnRole::Optimality:
    case ColumnRole::HeldOutError:
    case ColumnRole::HeldOutMeasure:
    case ColumnRole::CrossError:
    case ColumnRole::CrossMeasure:
    case ColumnRole::OtherMeasure: return true;
    case ColumnRole::Other: return column.unit != "s" && column.key != axisKey && !isOfAnother(column.key);
    default: return false;
    }
}

/// Two different values, none of which is NaN; while a run has but one point nobody can tell.
bool changes(const std::vector<double>& values) {
    double first = std::nan("");
    for (const double value : values) {
        if (std::isnan(value)) {
            continue;
        }
        if (!std::isnan(first) && value != first) {
            return true;
        }
        first = std::isnan(first) ? value : first;
    }
    return values.size() < 2 && !std::isnan(first);
}

} // namespace

std::vector<std::size_t> measureColumns(const RunRecord& record) {
    std::vector<std::size_t> found;
    const RunStarted& start = record.start();
    for (std::size_t k = 0; k < start.columns.size(); ++k) {
        if (canBeMeasure(start.columns[k], start.axisKey) && changes(columnValues(record, k))) {
            found.push_back(k);
        }
    }
    return found;
}

std::vector<double> elapsedSeconds(const RunRecord& record) {
    if (const auto counted = record.columnWithKey("seconds")) {
        return columnValues(record, *counted);
    }
    std::vector<double> seconds = columnByRole(record, ColumnRole::CpuSolve);
    const std::vector<double> screening = columnByRole(record, ColumnRole::CpuScreen);
    double sum = 0;
    for (std::size_t k = 0; k < seconds.size(); ++k) {
        sum += seconds[k] + (k < screening.size() ? screening[k] : 0);
        seconds[k] = sum;
    }
    return seconds;
}

std::optional<std::size_t> goalOf(const RunRecord& record, std::size_t column) {
    return record.columnWithKey(record.start().columns[column].key + std::string(kGoalEnding));
}

std::optional<QuartileColumns> quartilesOf(const RunRecord& record, std::size_t column) {
    const std::string& key = record.start().columns[column].key;
    const auto lower = record.columnWithKey(key + std::string(kLowerEnding));
    const auto upper = record.columnWithKey(key + std::string(kUpperEnding));
    return lower && upper ? std::optional(QuartileColumns{*lower, *upper}) : std::nullopt;
}

bool isOverSizes(const RunRecord& record) {
    const std::vector<double> sizes = columnByRole(record, ColumnRole::ItemsTotal);
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        if (sizes[k] != record.points()[k].axisValue) {
            return false;
        }
    }
    return sizes.size() > 1;
}

std::optional<PowerLaw> fitPowerLaw(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<std::pair<double, double>> points;
    double meanX = 0;
    double meanY = 0;
    for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
        if (x[k] > 0 && y[k] > 0 && std::isfinite(x[k]) && std::isfinite(y[k])) {
            points.emplace_back(std::log(x[k]), std::log(y[k]));
            meanX += points.back().first;
            meanY += points.back().second;
        }
    }
    const auto count = static_cast<double>(points.size());
    double squares = 0;
    double products = 0;
    for (const auto& [logX, logY] : points) {
        squares += (logX - meanX / count) * (logX - meanX / count);
        products += (logX - meanX / count) * (logY - meanY / count);
    }
    if (!(squares > 0)) {
        return std::nullopt;
    }
    const double exponent = products / squares;
    return PowerLaw{exponent, (meanY - exponent * meanX) / count, points.size()};
}

} // namespace lambdascope

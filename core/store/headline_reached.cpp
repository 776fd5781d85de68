// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/record/record_metrics.h"
#include "core/store/headline_parts.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

namespace lambdascope {

namespace {

using Lanes = std::vector<HeadlineLane>;

/// The value that a lane's path came to and the lane with it: "0.0448 by STE", since names may end in numbers; where
/// points are problems of their own rather than steps towards one solution, the least and where: "0.0448 by STE at
/// p = 2".
std::optional<std::pair<double, std::string>> reachedBy(const HeadlineLane& lane, std::size_t column, bool areSteps) {
    const std::vector<double> values = columnValues(*lane.record, column);
    const auto isLess = [](double a, double b) { return !std::isnan(a) && (std::isnan(b) || a < b); };
    const auto at = values.empty() || areSteps ? values.end() - (values.empty() ? 0 : 1)
                                               : std::min_element(values.begin(), values.end(), isLess);
    if (at == values.end() || !std::isfinite(*at)) {
        return std::nullopt;
    }
    std::string words = shortText(*at, 3) + " by " + lane.name;
    if (!areSteps) {
        const PointRecord& point = lane.record->points()[static_cast<std::size_t>(at - values.begin())];
        words += " at " + lane.record->start().axisLabel + " = " + shortText(point.axisValue, 3);
    }
    return std::pair(*at, words);
}

/// The column of that role that is worth a sentence; a measure of which more is better only where the experiment's own
/// view is on it: "quality/recall".
std::optional<std::size_t> columnToTell(const RunRecord& record, ColumnRole role) {
    if (role != ColumnRole::HeldOutMeasure) {
        return record.columnWithRole(role);
    }
    const Json& experiment = record.start().experiment;
    const std::string view = experiment.isObject() ? experiment.value("view", std::string()) : std::string();
    const std::size_t slash = view.find('/');
    const std::string viewed = slash == std::string::npos ? std::string() : view.substr(slash + 1);
    const auto column = viewed == "test-measure" ? record.columnWithRole(role) : record.columnWithKey(viewed);
    const bool isOfRole = column && record.start().columns[*column].role == role;
    return isOfRole && record.start().axisKey == "epoch" ? column : std::nullopt;
}

/// " and 2 more", where not all of so many are named.
std::string moreText(std::size_t all) {
    return all > kMostNamed ? " and " + std::to_string(all - kMostNamed) + " more" : std::string();
}

/// Where the path ends at an error that is wanted, what lanes had at their ends says nothing, but how far it was:
/// "Error on held-out comparisons down to 0.15: after 4 epochs by SBB-1, 9 by SBB0".
std::string wantedErrorPart(const Lanes& lanes) {
    const Json& experiment = lanes.front().record->start().experiment;
    const Json path = experiment.isObject() ? experiment.value("path", Json()) : Json();
    const Json stopError = path.isObject() ? path.value("stop_error", Json()) : Json();
    if (!stopError.isNumber()) {
        return {};
    }
    const double wanted = stopError.get<double>();
    std::vector<std::pair<double, std::string>> reached;
    std::string label;
    for (const HeadlineLane& lane : lanes) {
        const auto column = lane.record->columnWithRole(ColumnRole::HeldOutError);
        const std::vector<double> values = column ? columnValues(*lane.record, *column) : std::vector<double>();
        if (!values.empty() && values.back() <= wanted) {
            reached.emplace_back(lane.record->points()[values.size() - 1].axisValue, lane.name);
            label = lane.record->start().columns[*column].label;
        }
    }
    std::stable_sort(reached.begin(), reached.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string text = label + " down to " + shortText(wanted, 3) + ":";
    for (std::size_t i = 0; i < std::min(reached.size(), kMostNamed); ++i) {
        text += (i == 0 ? " after " : ", ") + shortText(reached[i].first, 3) + (i == 0 ? " epochs by " : " by ") +
                reached[i].second;
    }
    return reached.empty() ? std::string() : text + moreText(reached.size());
}

} // namespace

std::string reachedPart(const Lanes& lanes, bool isRunning, bool isFirst) {
    if (std::string wanted = wantedErrorPart(lanes); !wanted.empty()) {
        return wanted;
    }
    for (const ColumnRole role : {ColumnRole::HeldOutMeasure, ColumnRole::HeldOutError, ColumnRole::Objective}) {
        std::vector<std::pair<double, std::string>> reached;
        std::string label;
        const bool areSteps = role == ColumnRole::Objective || lanes.front().record->start().axisKey == "epoch";
        for (const HeadlineLane& lane : lanes) {
            const auto column = columnToTell(*lane.record, role);
            if (auto own = column ? reachedBy(lane, *column, areSteps) : std::nullopt) {
                reached.push_back(std::move(*own));
                label = lane.record->start().columns[*column].label;
            }
        }
        if (reached.empty()) {
            continue;
        }
        const bool isLargerBetter = role == ColumnRole::HeldOutMeasure;
        std::stable_sort(reached.begin(), reached.end(), [isLargerBetter](const auto& a, const auto& b) {
            return isLargerBetter ? a.first > b.first : a.first < b.first;
        });
        if ((!areSteps || !isFirst) && std::islower(static_cast<unsigned char>(label[1])) != 0) { // not of "MAP"
            label.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(label.front())));
        }
        const char* least = isFirst ? "Least " : "least ";
        std::string text = areSteps ? label + (isRunning ? " so far:" : " at the end:") : least + label + ":";
        if (areSteps && reached.size() > 1 && reached.front().first == reached.back().first) {
            return text + " " + shortText(reached.front().first, 3) + " in all " + std::to_string(reached.size()) +
                   " lanes";
        }
        for (std::size_t i = 0; i < std::min(reached.size(), kMostNamed); ++i) {
            text += (i == 0 ? " " : ", ") + reached[i].second;
        }
        return text + moreText(reached.size());
    }
    return {};
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/record/record_metrics.h"
#include "core/store/headline_parts.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace lambdascope {

namespace {

using Lanes = std::vector<HeadlineLane>;

/// What the path of one lane or of several came to: "0.0448 by STE", since names may end in numbers; where points are
/// problems of their own rather than steps towards one solution, the best and where: "0.0448 by STE at p = 2", or
/// "first at" where later ones are as good.
struct Reached {
    double value = 0;
    std::string told;  ///< the value
    std::string place; ///< " at p = 2"
    Lanes lanes;
};

std::optional<Reached> reachedBy(const HeadlineLane& lane, std::size_t column, bool areSteps, bool isLargerBetter) {
    const std::vector<double> values = columnValues(*lane.record, column);
    const auto isBetter = [isLargerBetter](double a, double b) {
        return !std::isnan(a) && (std::isnan(b) || (isLargerBetter ? a > b : a < b));
    };
    const auto at = values.empty() || areSteps ? values.end() - (values.empty() ? 0 : 1)
                                               : std::min_element(values.begin(), values.end(), isBetter);
    if (at == values.end() || !std::isfinite(*at)) {
        return std::nullopt;
    }
    Reached reached{*at, shortText(*at, 3), {}, {lane}};
    if (!areSteps) {
        const PointRecord& point = lane.record->points()[static_cast<std::size_t>(at - values.begin())];
        const bool isAgain = std::count(values.begin(), values.end(), *at) > 1;
        reached.place =
            (isAgain ? " first at " : " at ") + lane.record->start().axisLabel + " = " + shortText(point.axisValue, 3);
    }
    return reached;
}

/// The best first; lanes that came to the same at the same place are one.
std::vector<Reached> ranked(std::vector<Reached> reached, bool isLargerBetter) {
    std::stable_sort(reached.begin(), reached.end(), [isLargerBetter](const Reached& a, const Reached& b) {
        return isLargerBetter ? a.value > b.value : a.value < b.value;
    });
    std::vector<Reached> groups;
    for (Reached& one : reached) {
        const auto same = std::find_if(groups.begin(), groups.end(), [&one](const Reached& group) {
            return group.told == one.told && group.place == one.place;
        });
        if (same == groups.end()) {
            groups.push_back(std::move(one));
        } else {
            same->lanes.push_back(one.lanes.front());
        }
    }
    return groups;
}

/// "0.0448 by STE and CKL at p = 2, 0.0483 by SOE at p = 4 and 2 more".
std::string rankingText(const std::vector<Reached>& groups) {
    std::string text;
    std::size_t left = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Reached& group = groups[i];
        if (i < kMostNamed) {
            text += (i == 0 ? "" : ", ") + group.told + " by " + namesOf(group.lanes) + group.place;
        } else {
            left += group.lanes.size();
        }
    }
    return left > 0 ? text + " and " + std::to_string(left) + " more" : text;
}

/// The column that the experiment's own view is on, "quality/f_measure" or "quality/test-error", and whether more of it
/// is better; nothing where it is not on one, or where neither way is.
struct ViewedMeasure {
    std::size_t column = 0;
    bool isLargerBetter = false;
};

std::string viewedKey(const RunRecord& record) {
    const Json& experiment = record.start().experiment;
    const std::string view = experiment.isObject() ? experiment.value("view", std::string()) : std::string();
    const std::size_t slash = view.find('/');
    return slash == std::string::npos ? std::string() : view.substr(slash + 1);
}

std::optional<ViewedMeasure> viewedMeasure(const RunRecord& record) {
    constexpr std::pair<std::string_view, ColumnRole> kOfViews[] = {
        {"test-error", ColumnRole::HeldOutError},    {"both-errors", ColumnRole::HeldOutError},
        {"cross-error", ColumnRole::CrossError},     {"test-measure", ColumnRole::HeldOutMeasure},
        {"cross-measure", ColumnRole::CrossMeasure}, {"both-measures", ColumnRole::HeldOutMeasure}};
    const std::string key = viewedKey(record);
    const auto named =
        std::find_if(std::begin(kOfViews), std::end(kOfViews), [&key](const auto& view) { return view.first == key; });
    const auto column = named != std::end(kOfViews) ? record.columnWithRole(named->second) : record.columnWithKey(key);
    if (!column) {
        return std::nullopt;
    }
    switch (record.start().columns[*column].role) {
    case ColumnRole::HeldOutError:
    case ColumnRole::CrossError: return ViewedMeasure{*column, false};
    case ColumnRole::HeldOutMeasure:
    case ColumnRole::CrossMeasure: return ViewedMeasure{*column, true};
    default: return key == "f_measure" ? std::optional(ViewedMeasure{*column, true}) : std::nullopt;
    }
}

/// The column of that role that is worth a sentence; a measure of which more is better only where the experiment's own
/// view is on it: "quality/recall".
std::optional<std::size_t> columnToTell(const RunRecord& record, ColumnRole role) {
    if (role != ColumnRole::HeldOutMeasure) {
        return record.columnWithRole(role);
    }
    const std::string viewed = viewedKey(record);
    const auto column = viewed == "test-measure" ? record.columnWithRole(role) : record.columnWithKey(viewed);
    const bool isOfRole = column && record.start().columns[*column].role == role;
    return isOfRole && record.start().axisKey == "epoch" ? column : std::nullopt;
}

/// A label that begins a sentence, or stands within one.
std::string inSentence(std::string label, bool isFirst) {
    if (!isFirst && label.size() > 1 && std::islower(static_cast<unsigned char>(label[1])) != 0) { // not of "MAP"
        label.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(label.front())));
    }
    return label;
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

std::string viewedPart(const Lanes& lanes, bool isRunning, bool isFirst) {
    std::vector<Reached> reached;
    std::string label;
    bool isLargerBetter = false;
    for (const HeadlineLane& lane : lanes) {
        const auto viewed = viewedMeasure(*lane.record);
        const bool areSteps = lane.record->start().axisKey == "epoch";
        if (auto own = viewed ? reachedBy(lane, viewed->column, areSteps, viewed->isLargerBetter) : std::nullopt) {
            reached.push_back(std::move(*own));
            label = lane.record->start().columns[viewed->column].label;
            isLargerBetter = viewed->isLargerBetter;
        }
    }
    if (reached.empty()) {
        return {};
    }
    std::string text =
        (isLargerBetter ? "best " : "least ") + inSentence(label, false) + (isRunning ? " so far: " : ": ");
    if (isFirst) {
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    }
    return text + rankingText(ranked(std::move(reached), isLargerBetter));
}

std::string reachedPart(const Lanes& lanes, bool isRunning, bool isFirst) {
    if (std::string wanted = wantedErrorPart(lanes); !wanted.empty()) {
        return wanted;
    }
    for (const ColumnRole role : {ColumnRole::HeldOutMeasure, ColumnRole::HeldOutError, ColumnRole::Objective}) {
        std::vector<Reached> reached;
        std::string label;
        const bool areSteps = role == ColumnRole::Objective || lanes.front().record->start().axisKey == "epoch";
        const bool isLargerBetter = role == ColumnRole::HeldOutMeasure;
        for (const HeadlineLane& lane : lanes) {
            const auto column = columnToTell(*lane.record, role);
            if (auto own = column ? reachedBy(lane, *column, areSteps, isLargerBetter) : std::nullopt) {
                reached.push_back(std::move(*own));
                label = lane.record->start().columns[*column].label;
            }
        }
        if (reached.empty()) {
            continue;
        }
        label = inSentence(label, areSteps && isFirst);
        const char* least = isFirst ? "Least " : "least ";
        const std::string text = areSteps ? label + (isRunning ? " so far:" : " at the end:") : least + label + ":";
        const std::vector<Reached> groups = ranked(reached, isLargerBetter);
        if (areSteps && reached.size() > 1 && groups.front().value == groups.back().value && groups.size() == 1) {
            return text + " " + groups.front().told + " in all " + std::to_string(reached.size()) + " lanes";
        }
        return text + " " + rankingText(groups);
    }
    return {};
}

} // namespace lambdascope

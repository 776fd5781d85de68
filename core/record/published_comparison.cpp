// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/published_comparison.h"

#include "core/record/time_comparison.h"

#include <algorithm>
#include <numeric>

namespace lambdascope {

namespace {

std::optional<double> ofColumn(const RunRecord& lane, const PublishedNumber& number) {
    const auto column = lane.columnWithKey(number.key);
    const std::vector<double> values = column ? columnValues(lane, *column) : std::vector<double>();
    if (values.empty()) {
        return std::nullopt;
    }
    switch (number.measure) {
    case PublishedMeasure::First: return values.front();
    case PublishedMeasure::Last: return values.back();
    case PublishedMeasure::Least: return *std::min_element(values.begin(), values.end());
    case PublishedMeasure::Largest: return *std::max_element(values.begin(), values.end());
    default: break;
    }
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return number.measure == PublishedMeasure::Sum ? sum : sum / static_cast<double>(values.size());
}

using Lanes = std::vector<const RunRecord*>;

Lanes::const_iterator laneOf(const PublishedNumber& number, const Lanes& lanes) {
    return std::find_if(lanes.begin(), lanes.end(), [&](const RunRecord* record) {
        return number.lane.empty() || record->start().laneName == number.lane;
    });
}

const char* whyMissing(const PublishedNumber& number, const Lanes& lanes) {
    const auto lane = laneOf(number, lanes);
    if (lane == lanes.end()) {
        return "not run";
    }
    const RunRecord* baseline = baselineOf(**lane, lanes);
    const bool isTooShort = number.measure == PublishedMeasure::CpuRatio && baseline != nullptr &&
                            totalCpuRatio(**lane, *baseline) && !tellingCpuRatio(**lane, *baseline);
    return isTooShort ? kTooShort : "";
}

std::optional<double> measuredFor(const PublishedNumber& number, const Lanes& lanes) {
    const auto lane = laneOf(number, lanes);
    if (lane == lanes.end()) {
        return std::nullopt;
    }
    switch (number.measure) {
    case PublishedMeasure::Fact: {
        const Json& facts = (*lane)->start().facts;
        const auto fact = facts.find(number.key);
        return fact != facts.end() && fact->isNumber() ? std::optional(fact->get<double>()) : std::nullopt;
    }
    case PublishedMeasure::CpuTotal:
        return (*lane)->finishedPointCount() > 0 ? std::optional((*lane)->cpuSolve() + (*lane)->cpuScreen())
                                                 : std::nullopt;
    case PublishedMeasure::CpuRatio: {
        const RunRecord* baseline = baselineOf(**lane, lanes);
        return baseline != nullptr ? tellingCpuRatio(**lane, *baseline) : std::nullopt;
    }
    default: return ofColumn(**lane, number);
    }
}

} // namespace

std::vector<PublishedComparison> comparePublished(const std::vector<const RunRecord*>& lanes) {
    std::vector<PublishedComparison> comparisons;
    if (lanes.empty() || !lanes.front()->start().experiment.isObject()) {
        return comparisons;
    }
    const Json& experiment = lanes.front()->start().experiment;
    const auto list = experiment.find("published");
    std::vector<Fault> faults; // the experiment was checked when it was run; a foreign file may lack numbers
    for (PublishedNumber& number : readPublished(list == experiment.end() ? Json() : *list, faults)) {
        const auto measured = measuredFor(number, lanes);
        const char* missing = measured ? "" : whyMissing(number, lanes);
        comparisons.push_back({std::move(number), measured, missing});
    }
    return faults.empty() ? comparisons : std::vector<PublishedComparison>();
}

} // namespace lambdascope

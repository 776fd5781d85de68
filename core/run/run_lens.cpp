// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_lens.h"

#include "core/run/audit_report.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope {

void arrange(Lifetimes& lifetimes, std::size_t count) {
    auto& intervals = lifetimes.intervals;
    lifetimes.total = static_cast<std::int64_t>(intervals.size());
    const auto length = [](const Lifetimes::Interval& interval) { return interval.high / interval.low; };
    std::sort(intervals.begin(), intervals.end(), [&](const auto& a, const auto& b) {
        return length(a) != length(b) ? length(a) > length(b) : a.item < b.item;
    });
    if (count > 0 && intervals.size() > count) {
        std::vector<Lifetimes::Interval> few;
        for (std::size_t k = 0; k < count; ++k) {
            few.push_back(intervals[k * intervals.size() / count]);
        }
        intervals = std::move(few);
    }
}

namespace {

Failure nothingToSay(std::string why) {
    return Failure{singleFault(ErrorCode::BadUsage, {{}, std::move(why), "Choose another run.", {}})};
}

constexpr const char* kNoItems = "runs of this family screen nothing that could be explained";
constexpr const char* kNoRelations = "nothing relates the points of this family's embeddings";

} // namespace

Result<std::vector<NotableItem>> RunLens::notableItems(std::int32_t, std::size_t, std::stop_token) {
    return nothingToSay(kNoItems);
}

Result<std::vector<NotableItem>> RunLens::itemsOfSample(std::int64_t, std::int32_t, std::size_t, std::stop_token) {
    return nothingToSay(kNoItems);
}

Result<std::int64_t> RunLens::findItem(const std::string&) const {
    return nothingToSay(kNoItems);
}

Result<ItemExplanation> RunLens::explain(std::int64_t, std::int32_t, std::stop_token) {
    return nothingToSay(kNoItems);
}

Result<AuditReport> RunLens::audit(std::int32_t, const Progress&, std::stop_token) {
    return nothingToSay(kNoItems);
}

Result<RangeGrid> RunLens::ranges(const Progress&, std::stop_token) {
    return nothingToSay(regionsObstacle());
}

Result<Lifetimes> RunLens::lifetimes(std::int32_t, std::size_t, std::stop_token) {
    return nothingToSay(regionsObstacle());
}

Result<BallSlice> RunLens::slice(std::int32_t, std::stop_token) {
    return nothingToSay(regionsObstacle());
}

Result<PointRelations> RunLens::relations(std::int64_t, std::int32_t, std::size_t, std::stop_token) {
    return nothingToSay(kNoRelations);
}

Result<PointRelations> RunLens::relationsIn(const Solution&, std::int64_t, std::size_t, std::stop_token) {
    return nothingToSay(kNoRelations);
}

Result<DecisionPlane> RunLens::plane(std::int32_t /*point*/, const PlaneAxes& /*axes*/, std::stop_token /*stop*/) {
    return Failure{plainError(ErrorCode::BadUsage, planeObstacle())};
}

Result<std::string> RunLens::exportModel(std::int32_t /*point*/, std::stop_token /*stop*/) {
    return Failure{plainError(ErrorCode::BadUsage, "no other program reads the models of this family")};
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_lens.h"

#include "core/common/number_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lambdascope {

bool DecisionAudit::count(std::int64_t item, double slack, double doubt) {
    ++decided;
    if (slack < smallestSlack) {
        smallestSlack = slack;
        closest = item;
    }
    if (slack < -doubt) {
        ++wrong;
        return examples.size() < kMostExamples;
    }
    doubtful += slack > doubt ? 0 : 1; // also where either is no number
    return false;
}

void AuditReport::add(const DecisionAudit& audit, std::int32_t point) {
    if (audit.decided > 0 && (decisions == 0 || audit.smallestSlack < smallestSlack)) {
        smallestSlack = audit.smallestSlack;
        closestItem = audit.closest;
        closestPoint = point;
    }
    decisions += audit.decided;
    wrong += audit.wrong;
    undecided += audit.doubtful;
    const std::size_t room = DecisionAudit::kMostExamples - std::min(DecisionAudit::kMostExamples, examples.size());
    examples.insert(examples.end(), audit.examples.begin(),
                    audit.examples.begin() + static_cast<std::ptrdiff_t>(std::min(room, audit.examples.size())));
}

void AuditReport::noteGap(double gap) {
    largestGap = gap <= largestGap ? largestGap : std::isnan(gap) ? std::numeric_limits<double>::max() : gap;
}

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

std::string auditText(const AuditReport& report) {
    if (report.decisions == 0) {
        return "no decisions to check";
    }
    std::string text = groupedText(report.wrong) + " of " + groupedText(report.decisions) +
                       " decisions wrong, smallest slack " + shortText(report.smallestSlack, 3);
    if (report.undecided > 0) {
        text += ", " + groupedText(report.undecided) + " too near the edge to tell";
    }
    constexpr double kWorthSaying = 1.5e-10; // what is asked for is 1e-10
    if (!(report.largestGap <= kWorthSaying)) {
        text += ", by solutions that are exact to a relative gap of " + shortText(report.largestGap, 2) + " only";
    }
    return text;
}

} // namespace lambdascope

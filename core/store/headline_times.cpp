// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/time_comparison.h"
#include "core/store/headline_parts.h"

#include <algorithm>
#include <iterator>

namespace lambdascope {

namespace {

using Lanes = std::vector<HeadlineLane>;

/// A lane beside the one that all are compared with.
struct Compared {
    HeadlineLane lane;
    TimeComparison time;
};

std::vector<Compared> comparedTo(const HeadlineLane& reference, const Lanes& lanes) {
    std::vector<Compared> compared;
    for (const HeadlineLane& lane : lanes) {
        if (lane.record != reference.record) {
            compared.push_back({lane, compareTimes(*lane.record, *reference.record)});
        }
    }
    return compared;
}

std::vector<Compared> withVerdict(const std::vector<Compared>& compared, TimeVerdict verdict) {
    std::vector<Compared> found;
    std::copy_if(compared.begin(), compared.end(), std::back_inserter(found),
                 [&](const Compared& one) { return one.time.verdict == verdict; });
    return found;
}

Lanes lanesOf(const std::vector<Compared>& compared) {
    Lanes lanes;
    std::transform(compared.begin(), compared.end(), std::back_inserter(lanes),
                   [](const Compared& one) { return one.lane; });
    return lanes;
}

std::vector<Compared> fastestOf(const std::vector<Compared>& compared, const HeadlineLane& reference) {
    std::vector<const RunRecord*> records;
    for (const Compared& one : compared) {
        records.push_back(one.lane.record);
    }
    std::vector<Compared> fastest;
    for (const std::size_t i : fastestLanes(records, *reference.record)) {
        fastest.push_back(compared[i]);
    }
    return fastest;
}

/// "3.4 × faster", "3.1 to 3.4 × faster".
std::string factorsText(const std::vector<Compared>& group) {
    const auto [low, high] = std::minmax_element(
        group.begin(), group.end(), [](const Compared& a, const Compared& b) { return a.time.factor < b.time.factor; });
    const std::string most = timeText(high->time);
    std::string least = timeText(low->time);
    if (most == least || low->time.isAtLeast || high->time.isAtLeast) {
        return least;
    }
    return least.substr(0, least.find(' ')) + " to " + most;
}

/// " (medians of 5 times)" where all these lanes were timed several times.
std::string repeatsText(const HeadlineLane& reference, const std::vector<Compared>& compared) {
    std::int64_t fewest = timingRepeats(*reference.record);
    for (const Compared& one : compared) {
        fewest = std::min(fewest, timingRepeats(*one.lane.record));
    }
    return fewest > 1 ? " (medians of " + std::to_string(fewest) + " times)" : std::string();
}

const std::string& groupOf(const HeadlineLane& lane) {
    return lane.record->start().laneGroup;
}

Lanes lanesOfGroup(const std::string& name, const Lanes& lanes) {
    Lanes group;
    std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(group),
                 [&](const HeadlineLane& lane) { return groupOf(lane) == name; });
    return group;
}

TimesTold timesOfGroup(const HeadlineLane& reference, const Lanes& lanes) {
    TimesTold told;
    const std::vector<Compared> compared = comparedTo(reference, lanes);
    const std::string repeats = repeatsText(reference, compared);
    const std::string than = " than " + reference.name + repeats;
    if (const std::vector<Compared> fastest = fastestOf(compared, reference); !fastest.empty()) {
        told.fastest = lanesOf(fastest);
        told.named = namesOf(told.fastest);
        told.isAnyTold = true;
        told.parts.push_back(told.named + ": " + factorsText(fastest) + than);
    }
    if (const auto slower = withVerdict(compared, TimeVerdict::Slower); !slower.empty()) {
        const std::string names = namesOf(lanesOf(slower));
        const bool isFirst = told.parts.empty();
        told.named = isFirst ? names : told.named;
        told.isAnyTold = true;
        told.parts.push_back(names + (isFirst ? ": " : " ") + factorsText(slower) + (isFirst ? than : std::string()));
    }
    const bool isClose = !withVerdict(compared, TimeVerdict::TooClose).empty();
    const bool isShort = !withVerdict(compared, TimeVerdict::TooShort).empty();
    if (told.parts.empty() && (isClose || isShort)) {
        const std::string why = !isShort ? "close" : !isClose ? "short" : "close or too short";
        told.parts.push_back("CPU times against " + reference.name + " too " + why + " to tell" + repeats);
    }
    return told;
}

/// What is said across groups: the lane of `last` that is fastest beside the reference of `first`; empty when that
/// cannot be told.
std::string acrossText(const Lanes& first, const Lanes& last) {
    const HeadlineLane& reference = referenceOf(first.front(), first);
    const std::vector<Compared> faster = withVerdict(comparedTo(reference, last), TimeVerdict::Faster);
    const auto best = std::max_element(faster.begin(), faster.end(), [](const Compared& a, const Compared& b) {
        return a.time.factor < b.time.factor;
    });
    return best == faster.end() ? std::string()
                                : best->lane.name + " is " + timeText(best->time) + " than " + reference.name;
}

} // namespace

std::string namesOf(const Lanes& lanes) {
    if (lanes.size() > kMostNamed) {
        return std::to_string(lanes.size()) + " lanes";
    }
    std::string names;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        names += (i == 0 ? "" : i + 1 == lanes.size() ? " and " : ", ") + lanes[i].name;
    }
    return names;
}

const HeadlineLane& referenceOf(const HeadlineLane& lane, const Lanes& lanes) {
    const HeadlineLane* slowest = nullptr;
    const auto cpu = [](const HeadlineLane& one) { return one.record->cpuSolve() + one.record->cpuScreen(); };
    for (const HeadlineLane& other : lanes) {
        if (groupOf(other) != groupOf(lane)) {
            continue;
        }
        if (other.record->start().isBaseline) {
            return other;
        }
        slowest = slowest == nullptr || cpu(*slowest) < cpu(other) ? &other : slowest;
    }
    return slowest != nullptr ? *slowest : lane;
}

TimesTold timesTold(const Lanes& lanes) {
    std::vector<Lanes> groups;
    for (const HeadlineLane& lane : lanes) {
        const bool isKnown = std::any_of(groups.begin(), groups.end(),
                                         [&](const Lanes& group) { return groupOf(group.front()) == groupOf(lane); });
        if (!isKnown) {
            groups.push_back(lanesOfGroup(groupOf(lane), lanes));
        }
    }
    if (groups.size() == 1) {
        return timesOfGroup(referenceOf(lanes.front(), lanes), lanes);
    }
    TimesTold told;
    for (const Lanes& group : groups) {
        const TimesTold own = timesOfGroup(referenceOf(group.front(), group), group);
        std::string text;
        for (const std::string& part : own.parts) {
            text += (text.empty() ? "" : ", ") + part;
        }
        if (!text.empty()) {
            const std::string& name = groupOf(group.front());
            told.parts.push_back((name.empty() ? "no group" : name) + ": " + text);
        }
        told.fastest = own.fastest;
        told.isAnyTold = told.isAnyTold || own.isAnyTold;
    }
    told.parts.push_back(acrossText(groups.front(), groups.back()));
    told.isAnyTold = told.isAnyTold || !told.parts.back().empty();
    return told;
}

} // namespace lambdascope

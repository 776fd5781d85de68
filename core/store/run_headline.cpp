// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_headline.h"

#include "core/common/number_text.h"
#include "core/data/data_edits.h"
#include "core/record/path_length.h"
#include "core/record/time_comparison.h"
#include "core/run/screening_columns.h"
#include "core/store/headline_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lambdascope {

namespace {

using Lanes = std::vector<HeadlineLane>;
using State = RunRecord::State;

template <class Test>
Lanes lanesWhere(const Lanes& lanes, Test test) {
    Lanes found;
    std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(found), test);
    return found;
}

std::string pointsText(std::size_t count) {
    return groupedText(static_cast<std::int64_t>(count)) + (count == 1 ? " point" : " points");
}

/// "27 of 48 points" of the lane that is least far; "about" where the number of all is a guess.
std::string doneText(const Lanes& behind, const Lanes& all) {
    std::vector<LanePlace> places;
    std::transform(all.begin(), all.end(), std::back_inserter(places),
                   [](const HeadlineLane& lane) { return placeOf(*lane.record); });
    std::size_t done = std::numeric_limits<std::size_t>::max();
    for (const HeadlineLane& lane : behind) {
        done = std::min(done, lane.record->finishedPointCount());
    }
    const PathLength length = pathLength(places);
    const auto total = static_cast<std::size_t>(length.points);
    if (total <= done) {
        return pointsText(done);
    }
    return groupedText(static_cast<std::int64_t>(done)) + (length.isKnown ? " of " : " of about ") + pointsText(total);
}

/// What comes before everything else: "after 12 of about 40 points", "stopped at 27 of 48 points"; a lane that failed.
std::vector<std::string> progressParts(const Lanes& lanes) {
    std::vector<std::string> parts;
    const auto add = [&](State state, const std::string& words) {
        const Lanes found =
            lanesWhere(lanes, [state](const HeadlineLane& lane) { return lane.record->state() == state; });
        if (!found.empty()) {
            std::string text = words + doneText(found, lanes);
            if (found.size() < lanes.size()) {
                text = namesOf(found) + " " + text;
            } else {
                text.front() = static_cast<char>(text.front() - 'a' + 'A'); // our own words begin the sentence
            }
            parts.push_back(std::move(text));
        }
    };
    const bool isTimeLimit = std::any_of(lanes.begin(), lanes.end(), [](const HeadlineLane& lane) {
        return lane.record->termination() == Termination::TimeLimit;
    });
    add(State::Running, "after ");
    add(State::Stopped, isTimeLimit ? "out of time at " : "stopped at ");
    add(State::Interrupted, "interrupted at ");
    for (const HeadlineLane& lane : lanes) {
        if (lane.record->state() == State::Failed) {
            const std::string& failure = lane.record->failure();
            parts.push_back(lane.name + " failed after " + pointsText(lane.record->finishedPointCount()) + " (" +
                            failure.substr(0, failure.find('\n')) + ")");
        }
    }
    return parts;
}

/// Mean along the path; nothing where no point has one.
std::optional<double> meanRate(const RunRecord& record, ColumnRole role) {
    double sum = 0;
    int count = 0;
    for (const double rate : columnByRole(record, role)) {
        sum += std::isfinite(rate) ? rate : 0;
        count += std::isfinite(rate) ? 1 : 0;
    }
    return count > 0 ? std::optional(sum / count) : std::nullopt;
}

/// "99.3 %"; what is not all is never called 100 %, what is not nothing never 0 %.
std::string percentText(double share) {
    if (share > 0.9995 && share < 1) {
        return "over 99.9 %";
    }
    return share > 0 && share < 0.0005 ? std::string("under 0.1 %") : shortText(std::round(1000 * share) / 10) + " %";
}

/// "85.5 %", or "85.5 to 90.8 %" for several lanes; empty where none has the column.
std::string ratesText(const Lanes& lanes, ColumnRole role) {
    double low = 2;
    double high = -1;
    for (const HeadlineLane& lane : lanes) {
        if (const auto mean = meanRate(*lane.record, role)) {
            low = std::min(low, *mean);
            high = std::max(high, *mean);
        }
    }
    if (high < 0) {
        return {};
    }
    const std::string least = percentText(low);
    const std::string most = percentText(high);
    return least == most ? most : least.substr(0, least.rfind(' ')) + " to " + most;
}

/// Lanes that decided nothing before a point was solved, which is not all that they do to save work.
std::string nothingPart(const Lanes& shown, const std::string& items) {
    const bool haveActiveStart = std::all_of(shown.begin(), shown.end(), [](const HeadlineLane& lane) {
        const Json& facts = lane.record->start().facts;
        return facts.isObject() && facts.contains(kActiveStartFact);
    });
    const bool haveLooked =
        std::any_of(shown.begin(), shown.end(), [](const HeadlineLane& lane) { return hasChecks(*lane.record); });
    const std::string nothing = haveLooked ? "screened none of the decidable " + items : "screened nothing";
    const std::string& axis = shown.front().record->start().axisLabel;
    return !haveActiveStart ? nothing + (haveLooked ? "" : ", since no look was likely to pay")
                            : nothing + ", but began each " + axis + " with the " + items +
                                  " that the last one left open, where that paid";
}

std::string screeningPart(const Lanes& shown) {
    const std::string arrival = ratesText(shown, ColumnRole::PathRate);
    const std::string solved = ratesText(shown, ColumnRole::FinalRate);
    if (arrival.empty() || solved.empty()) {
        return {};
    }
    const std::string& noun = shown.front().record->start().itemNoun;
    const std::string items = noun.empty() ? "items" : noun;
    if (arrival == "0 %" && solved == "0 %") {
        return nothingPart(shown, items);
    }
    // Charts and tables have the rate of one point as well.
    const bool isMean = shown.front().record->finishedPointCount() > 1;
    const std::string screened =
        std::string("screened ") + (isMean ? "on average " : "") + arrival + " of the decidable " + items;
    return screened + (arrival == solved ? ", all on arrival" : " on arrival, " + solved + " before solved");
}

/// What two lanes are best at: "IT screened on average 35 % of the decidable samples on arrival, GAP 66 % before
/// solved"; empty where one is about best at both.
std::string dividedPart(const Lanes& onArrival, const Lanes& beforeSolved) {
    constexpr double kLeastLead = 0.05;
    const auto arrivalOf = [](const Lanes& lanes) {
        return lanes.empty() ? 0.0 : meanRate(*lanes.front().record, ColumnRole::PathRate).value_or(0);
    };
    if (beforeSolved.empty() || arrivalOf(onArrival) < arrivalOf(beforeSolved) + kLeastLead) {
        return {};
    }
    const std::string arrival = ratesText(onArrival, ColumnRole::PathRate);
    const std::string& noun = onArrival.front().record->start().itemNoun;
    const bool isMean = onArrival.front().record->finishedPointCount() > 1;
    return namesOf(onArrival) + " screened " + (isMean ? "on average " : "") + arrival + " of the decidable " + noun +
           " on arrival, " + namesOf(beforeSolved) + " " + ratesText(beforeSolved, ColumnRole::FinalRate) +
           " before solved";
}

/// The lanes that screen most, which the sentence is about when times tell nothing: several where its words could not
/// tell them apart.
Lanes mostScreening(const Lanes& lanes, ColumnRole role = ColumnRole::FinalRate) {
    const HeadlineLane* best = nullptr;
    double most = -1;
    for (const HeadlineLane& lane : lanes) {
        const auto rate = screens(*lane.record) ? meanRate(*lane.record, role) : std::nullopt;
        if (rate && *rate > most) {
            most = *rate;
            best = &lane;
        }
    }
    if (best == nullptr) {
        return {};
    }
    return lanesWhere(lanes, [best](const HeadlineLane& lane) {
        return screens(*lane.record) && lane.record->start().itemNoun == best->record->start().itemNoun &&
               ratesText({lane}, ColumnRole::PathRate) == ratesText({*best}, ColumnRole::PathRate) &&
               ratesText({lane}, ColumnRole::FinalRate) == ratesText({*best}, ColumnRole::FinalRate);
    });
}

/// How long lanes took beside each other and what they screened; the times first, unless they tell nothing.
std::vector<std::string> comparedParts(const Lanes& lanes, const Lanes& shownLanes) {
    const TimesTold times = timesTold(lanes);
    Lanes shown = mostScreening(lanes);
    const Lanes fastest = lanesWhere(times.fastest, [](const HeadlineLane& lane) { return screens(*lane.record); });
    shown = fastest.empty() ? shown : fastest; // a faster solver alone screens nothing
    std::vector<std::string> ofTimes = times.parts;
    for (const HeadlineLane& lane : shownLanes) {
        ofTimes.push_back(limitText(*lane.record, *referenceOf(lane, shownLanes).record));
    }
    if (shown.empty()) {
        return ofTimes;
    }
    std::string screening =
        fastest.empty() ? dividedPart(mostScreening(lanes, ColumnRole::PathRate), shown) : std::string();
    if (screening.empty()) {
        screening = screeningPart(shown);
        const bool isNamed = times.isAnyTold && times.named == namesOf(shown);
        screening = isNamed || screening.empty() ? screening : namesOf(shown) + " " + screening;
    }
    ofTimes.insert(times.isAnyTold ? ofTimes.end() : ofTimes.begin(), screening);
    return ofTimes;
}

bool hasBounds(const RunRecord& record) {
    const Json& experiment = record.start().experiment;
    for (const Json& lane : experiment.isObject() ? experiment.value("lanes", Json::array()) : Json::array()) {
        if (lane.isObject() && lane.value("name", std::string()) == record.start().laneName) {
            const Json bounds = lane.value("bounds", Json());
            return bounds.isArray() && bounds.size() > 0;
        }
    }
    return false;
}

/// Lanes that had bounds and finished without asking them, as schedule "auto" may.
std::string unaskedPart(const Lanes& lanes) {
    const Lanes unasked = lanesWhere(lanes, [](const HeadlineLane& lane) {
        const RunRecord& record = *lane.record;
        return record.state() == State::Finished && record.finishedPointCount() > 0 && !screens(record) &&
               hasBounds(record);
    });
    return unasked.empty() ? std::string() : namesOf(unasked) + " screened nothing, since no look was likely to pay";
}

std::string convergencePart(const Lanes& lanes) {
    std::int64_t open = 0;
    std::int64_t all = 0;
    bool isOnlyUnproven = true;
    const Lanes loose = lanesWhere(lanes, [&](const HeadlineLane& lane) {
        const auto& points = lane.record->points();
        const auto count = std::count_if(points.begin(), points.end(), [](const PointRecord& point) {
            return point.isFinished && point.termination != Termination::Converged;
        });
        isOnlyUnproven = isOnlyUnproven && std::all_of(points.begin(), points.end(), [](const PointRecord& point) {
                             return !point.isFinished || point.termination == Termination::Converged ||
                                    point.termination == Termination::NotProven;
                         });
        open += count;
        all += count > 0 ? static_cast<std::int64_t>(lane.record->finishedPointCount()) : 0;
        return count > 0;
    });
    return open == 0 ? std::string()
                     : groupedText(open) + " of " + groupedText(all) + " points of " + namesOf(loose) +
                           (isOnlyUnproven ? " not proven within the tolerance" : " not converged");
}

std::string wrongPart(const Lanes& lanes) {
    for (const HeadlineLane& lane : lanes) {
        if (lane.audit != nullptr && judgementOf(*lane.audit).verdict == Verdict::Wrong) {
            return "WRONG: " + judgementOf(*lane.audit).reasons.front() + " in " + lane.name;
        }
    }
    return {};
}

/// That the data are not as they were read: "What if: 3 moved, 1 omitted".
std::string whatIfPart(const Lanes& lanes) {
    for (const HeadlineLane& lane : lanes) {
        const Json& experiment = lane.record->start().experiment;
        const Json data = experiment.isObject() ? experiment.value("data", Json()) : Json();
        std::string words = whatIfText(data);
        if (!words.empty()) {
            words.front() = 'W';
            return words;
        }
    }
    return {};
}

bool isUnsafe(const HeadlineLane& lane) {
    const Json& facts = lane.record->start().facts;
    return (lane.audit != nullptr && !lane.audit->unsafeReason.empty()) ||
           (facts.isObject() && facts.value("unsafe", false));
}

/// Whether the decisions are verified; what is wrong has been said first.
std::vector<std::string> verdictParts(const Lanes& lanes) {
    std::vector<std::string> parts;
    const Lanes judged = lanesWhere(lanes, [](const HeadlineLane& lane) { return screens(*lane.record); });
    if (const Lanes unsafe = lanesWhere(judged, isUnsafe); !unsafe.empty()) {
        parts.push_back(namesOf(unsafe) + " not safe by theory");
    }
    std::int64_t decisions = 0;
    const Lanes proven = lanesWhere(judged, [&](const HeadlineLane& lane) {
        const bool isProven = lane.audit != nullptr && judgementOf(*lane.audit).verdict == Verdict::Proven;
        decisions += isProven ? lane.audit->report.decisions : 0;
        return isProven;
    });
    const Lanes open = lanesWhere(judged, [](const HeadlineLane& lane) { return lane.audit == nullptr; });
    for (const HeadlineLane& lane : judged) {
        if (lane.audit != nullptr && judgementOf(*lane.audit).verdict == Verdict::NotProven) {
            parts.push_back(lane.name + " not proven: " + judgementOf(*lane.audit).reasons.front());
        }
    }
    if (!proven.empty()) {
        parts.push_back((proven.size() == judged.size() ? "all " : namesOf(proven) + " proven: all ") +
                        groupedText(decisions) + " decisions " + (proven.size() == judged.size() ? "proven" : "right"));
    }
    if (!open.empty()) {
        parts.push_back((open.size() == judged.size() ? std::string() : namesOf(open) + " ") + "not verified");
    }
    return parts;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string sentence;
    for (const std::string& part : parts) {
        sentence += (part.empty() || sentence.empty() ? "" : "; ") + part;
    }
    return sentence.empty() ? sentence : sentence + ".";
}

} // namespace

std::string headlineOf(const std::vector<HeadlineLane>& all) {
    const Lanes shownLanes = lanesWhere(all, [](const HeadlineLane& lane) { return lane.record != nullptr; });
    if (shownLanes.empty()) {
        return {};
    }
    Lanes lanes = lanesWhere(shownLanes, [](const HeadlineLane& lane) { return oracleSource(*lane.record).empty(); });
    lanes = lanes.empty() ? shownLanes : lanes; // oracle lanes are no competitors, unless there are no others
    std::vector<std::string> parts = {wrongPart(shownLanes), whatIfPart(shownLanes)};
    const std::vector<std::string> progress = progressParts(shownLanes);
    parts.insert(parts.end(), progress.begin(), progress.end());
    const bool isRunning = std::any_of(shownLanes.begin(), shownLanes.end(),
                                       [](const HeadlineLane& lane) { return !lane.record->hasEnded(); });
    const bool hasItems = std::any_of(lanes.begin(), lanes.end(),
                                      [](const HeadlineLane& lane) { return !lane.record->start().itemNoun.empty(); });
    if (hasItems) {
        parts.push_back(viewedPart(lanes, isRunning, joined(parts).empty()));
    }
    if (lanes.size() == 1 && !isRunning) {
        const RunRecord& only = *lanes.front().record;
        parts.push_back(lanes.front().name + ": " + pointsText(only.finishedPointCount()) + " in " +
                        durationText(only.cpuSolve() + only.cpuScreen()) + " of CPU, nothing to compare with");
        const bool isScreened = hasItems && !mostScreening(lanes).empty();
        parts.push_back(isScreened ? screeningPart(lanes)
                        : hasItems ? std::string()
                                   : reachedPart(lanes, false, false));
    } else if (hasItems) {
        const std::vector<std::string> compared = comparedParts(lanes, shownLanes);
        parts.insert(parts.end(), compared.begin(), compared.end());
    } else {
        parts.push_back(reachedPart(lanes, isRunning, joined(parts).empty()));
    }
    parts.push_back(unaskedPart(lanes));
    parts.push_back(convergencePart(shownLanes));
    if (!isRunning) {
        const std::vector<std::string> verdicts = verdictParts(shownLanes);
        parts.insert(parts.end(), verdicts.begin(), verdicts.end());
    }
    return joined(parts);
}

std::vector<HeadlineLane> headlineLanes(const std::vector<RunRecord>& records) {
    Lanes lanes;
    for (const RunRecord& record : records) {
        lanes.push_back({&record, record.start().laneName, nullptr});
    }
    return lanes;
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

struct LibraryExperiment;

/// A search of the run library: conditions that all have to hold, separated by blanks, as in
///
///     family:metric bound:PGB state:done since:week wine
///
/// A condition is KEY:VALUE or a free word; a leading - turns it round, quotes keep blanks and colons together, commas
/// separate values of which one is enough (state:failed,stopped). Upper and lower case are alike. Keys:
///
/// * family, bound, tag, state: begin with the value. State: running, finished or done (all lanes are), stopped,
///   interrupted, failed (some lane is);
/// * name, data, lane, note: contain it;
/// * since, before: when it was made, in UTC: today, yesterday, week, month, year (so long ago: 7, 30, 365 days), 12h,
///   3d, 2w, or a date such as 2031, 2031-04 or 2031-04-05;
/// * is: starred, tagged or noted.
///
/// A free word stands in any of these texts. A key without a value, as while it is being typed, asks for nothing.
class RunQuery {
  public:
    /// Of everything.
    RunQuery() = default;
    /// `now` in seconds since 1970. Error: BadUsage with all faults of the text, each with what could be meant.
    static Result<RunQuery> parse(std::string_view text, std::int64_t now);

    [[nodiscard]] bool accepts(const LibraryExperiment& experiment) const;
    [[nodiscard]] bool isOfEverything() const { return m_conditions.empty(); }
    /// What it knows, in a few lines for people.
    [[nodiscard]] static const char* help();

  private:
    enum class Key { Any, Family, Bound, Tag, State, Name, Data, Lane, Note, Since, Before, Is };
    struct Condition {
        Key key = Key::Any;
        bool isTurned = false;
        std::vector<std::string> values; ///< in lower case; of since and before, a time as in createdAt
    };
    class Parser;

    [[nodiscard]] static bool holds(const Condition& condition, const LibraryExperiment& experiment);

    std::vector<Condition> m_conditions;
};

} // namespace lambdascope

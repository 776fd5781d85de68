// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_config.h"

#include "core/config/field_table.h"

namespace lambdascope {

const FieldTable<RunConfig>& runFields() {
    static const FieldTable<RunConfig> table = [] {
        FieldTable<RunConfig> t("run", "Run", "How the lanes of the experiment are driven.");
        t.choice<LaneOrder>(
            &RunConfig::order,
            {"order", "Lane order", "", "In which order the lanes compute. CPU times are each lane's own in both."},
            {{LaneOrder::Interleaved,
              {"interleaved", "Point by point", "All lanes solve a point before any goes on to the next."}},
             {LaneOrder::Sequential, {"sequential", "Lane after lane", "Each lane solves its whole path in turn."}}});
        t.integer(&RunConfig::seed, {"seed", "Seed", "", "Seed of all random choices made while solving."},
                  Range::atLeast(0));
        t.advanced();
        t.real(
            &RunConfig::timeLimit,
            {"time_limit", "Time limit", "s", "Each lane stops after this long and keeps its points; 0 for no limit."},
            Range::atLeast(0));
        t.advanced();
        t.integer(&RunConfig::timingRepeats,
                  {"timing_repeats", "Timing repeats", "",
                   "How often each lane computes each point, lanes taking turns. The results are those of the first "
                   "time; times are medians, with quartiles, and take so many times as long to measure."},
                  Range::between(1, 99));
        t.advanced();
        return t;
    }();
    return table;
}

const FieldTable<LaneRunConfig>& laneRunFields() {
    static const FieldTable<LaneRunConfig> table = [] {
        FieldTable<LaneRunConfig> t("lane", "Lane", "How a lane takes part in its experiment.");
        t.text(&LaneRunConfig::group,
               {"group", "Group", "",
                "Lanes of one group are compared with the lane of their own group that does not screen: \"as "
                "published\" and \"today\", say."});
        t.advanced();
        t.boolean(&LaneRunConfig::enabled, {"enabled", "Compute this lane", "",
                                            "Off: the lane is kept, but is computed only when it is named."});
        t.advanced();
        t.text(&LaneRunConfig::note,
               {"note", "Note", "", "For readers: how long the lane takes, or what it stands for."});
        t.advanced();
        return t;
    }();
    return table;
}

} // namespace lambdascope

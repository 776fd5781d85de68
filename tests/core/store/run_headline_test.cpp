// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_headline.h"
#include "tests/core/store/headline_lanes.h"

#include <gtest/gtest.h>

#include <deque>
#include <limits>

namespace lambdascope {
namespace {

/// A table of lanes, what audits found about them, and the sentence that they make.
struct Case {
    const char* name;
    std::vector<LaneSpec> lanes;
    std::vector<std::optional<LaneAudit>> audits;
    const char* sentence;

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

const std::vector<Case> kCases = {
    {"Nothing", {}, {}, ""},
    {"BaselineAlone", {naive}, {}, "naive: 48 points in 48.0 s of CPU, nothing to compare with."},
    {"OneLaneAlone",
     {pgb},
     {},
     "PGB: 48 points in 13.9 s of CPU, nothing to compare with; screened on average 85.5 % of the decidable triplets "
     "on arrival, 99.3 % before solved; not verified."},
    {"Faster",
     {naive, pgb},
     {},
     "PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before "
     "solved; not verified."},
    {"TwoAsFast",
     {naive, pgb, rrpb},
     {},
     "PGB and RRPB: 3.3 to 3.4 × faster than naive; screened on average 85.5 to 90 % of the decidable triplets on "
     "arrival, 95 to 99.3 % before solved; not verified."},
    {"OthersAreTooClose",
     {naive, gb, pgb},
     {},
     "PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before "
     "solved; not verified."},
    {"OneSlower",
     {naive, pgb, with(gb, [](LaneSpec& lane) { lane.cpu = 1.5; })},
     {},
     "PGB: 3.4 × faster than naive; GB 1.5 × slower; screened on average 85.5 % of the decidable triplets on arrival, "
     "99.3 % before solved; not verified."},
    {"OneIsBestOnArrivalAnotherBeforeSolved", // the sentence named the worst curve of the chart beside it
     {brief(naive),
      brief(with(rrpb, [](LaneSpec& lane) { lane.name = "IT", lane.arrival = 0.35, lane.solved = 0.35; })),
      brief(with(gb, [](LaneSpec& lane) { lane.name = "GAP", lane.arrival = 0.09, lane.solved = 0.66; }))},
     {},
     "IT screened on average 35 % of the decidable triplets on arrival, GAP 66 % before solved; CPU times against "
     "naive too short to tell; not verified."},
    {"OnlySlower",
     {naive, with(gb, [](LaneSpec& lane) { lane.cpu = 1.5; })},
     {},
     "GB: 1.5 × slower than naive; screened on average 10 % of the decidable triplets on arrival, 20 % before solved; "
     "not verified."},
    {"TooClose",
     {naive, gb},
     {},
     "GB screened on average 10 % of the decidable triplets on arrival, 20 % before solved; CPU times against naive "
     "too close to tell; not verified."},
    {"TooShort",
     {brief(naive), brief(pgb)},
     {},
     "PGB screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before solved; CPU times against "
     "naive too short to tell; not verified."},
    {"AtLeast",
     {naive, brief(pgb)},
     {},
     "PGB: at least 480 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % "
     "before solved; not verified."},
    {"AnOracleIsALimitAndNoCompetitor",
     {naive, pgb, LaneSpec{.name = "oracle", .cpu = 0.1, .arrival = 1, .solved = 1, .oracle = "PGB"}},
     {},
     "PGB: 3.4 × faster than naive; the limit of PGB is 10 × faster; screened on average 85.5 % of the decidable "
     "triplets on arrival, 99.3 % before solved; not verified."},
    {"AnOracleTooCloseToTell",
     {naive, pgb, LaneSpec{.name = "oracle", .cpu = 0.9, .arrival = 1, .solved = 1, .oracle = "PGB"}},
     {},
     "PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before "
     "solved; not verified."},
    {"TooShortOfSeveral",
     {brief(naive), brief(gb), brief(pgb)},
     {},
     "PGB screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before solved; CPU times against "
     "naive too short to tell; not verified."},
    {"TooShortOfSeveralThatScreenAlike", // the first of them seemed to be the best
     {brief(naive), brief(pgb), brief(gb), brief(with(pgb, [](LaneSpec& lane) { lane.name = "RRPB+PGB"; }))},
     {},
     "PGB and RRPB+PGB screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before solved; CPU "
     "times against naive too short to tell; not verified."},
    {"TooCloseAndTooShort",
     {with(naive, [](LaneSpec& lane) { lane.cpu = 0.0024; }), with(gb, [](LaneSpec& lane) { lane.cpu = 0.0022; }),
      with(pgb, [](LaneSpec& lane) { lane.cpu = 0.0018; })},
     {},
     "PGB screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before solved; CPU times against "
     "naive too close or too short to tell; not verified."},
    {"QuartilesLieApart",
     {often(naive, 0.02), often(with(gb, [](LaneSpec& lane) { lane.cpu = 0.92; }), 0.02)},
     {},
     "GB: 1.1 × faster than naive (medians of 5 times); screened on average 10 % of the decidable triplets on arrival, "
     "20 % before solved; not verified."},
    {"QuartilesDoNot",
     {often(naive, 0.3), often(with(gb, [](LaneSpec& lane) { lane.cpu = 0.6; }), 0.3)},
     {},
     "GB screened on average 10 % of the decidable triplets on arrival, 20 % before solved; CPU times against naive "
     "too close to tell (medians of 5 times); not verified."},
    {"OneLaneTimedOnce", // is not told by the quartiles of the other
     {often(naive, 0.02), with(gb, [](LaneSpec& lane) { lane.cpu = 0.92; })},
     {},
     "GB screened on average 10 % of the decidable triplets on arrival, 20 % before solved; CPU times against naive "
     "too close to tell; not verified."},
    {"NoBaseline",
     {with(gb, [](LaneSpec& lane) { lane.cpu = 2; }), pgb},
     {},
     "PGB: 6.9 × faster than GB; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before "
     "solved; not verified."},
    {"FiveLanes",
     {naive, pgb, with(pgb, [](LaneSpec& lane) { lane.name = "a"; }),
      with(pgb, [](LaneSpec& lane) { lane.name = "b"; }), with(pgb, [](LaneSpec& lane) { lane.name = "c"; }),
      with(pgb, [](LaneSpec& lane) { lane.name = "d"; })},
     {},
     "5 lanes: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before "
     "solved; not verified."},
    {"FourLanes",
     {naive, pgb, with(pgb, [](LaneSpec& lane) { lane.name = "a"; }),
      with(pgb, [](LaneSpec& lane) { lane.name = "b"; }), with(pgb, [](LaneSpec& lane) { lane.name = "c"; })},
     {},
     "PGB, a, b and c: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 "
     "% before solved; not verified."},
    {"JustNotNearlyAll",
     {naive, with(pgb, [](LaneSpec& lane) { lane.arrival = 0.0006, lane.solved = 0.9994; })},
     {},
     "PGB: 3.4 × faster than naive; screened on average 0.1 % of the decidable triplets on arrival, 99.9 % before "
     "solved; not verified."},
    {"JustNearlyAll",
     {naive, with(pgb, [](LaneSpec& lane) { lane.arrival = 0.0004, lane.solved = 0.9996; })},
     {},
     "PGB: 3.4 × faster than naive; screened on average under 0.1 % of the decidable triplets on arrival, over 99.9 % "
     "before solved; not verified."},
    {"AllButNoise",
     {naive, with(gb, [](LaneSpec& lane) { lane.cpu = 0.81; })},
     {},
     "GB screened on average 10 % of the decidable triplets on arrival, 20 % before solved; CPU times against naive "
     "too close to tell; not verified."},
    {"JustFaster",
     {naive, with(gb, [](LaneSpec& lane) { lane.cpu = 0.79; })},
     {},
     "GB: 1.3 × faster than naive; screened on average 10 % of the decidable triplets on arrival, 20 % before solved; "
     "not verified."},
    {"Running",
     {running(naive), running(pgb)},
     {},
     "After 12 of about 48 points; PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets "
     "on arrival, 99.3 % before solved."},
    {"RunningWithOtherGuessesOfTheLength",
     {with(naive, [](LaneSpec& lane) { lane = running(lane), lane.points = 11, lane.planned = 192; }), running(pgb)},
     {},
     "After 11 of about 48 points; PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets "
     "on arrival, 99.3 % before solved."},
    {"RunningBehindALaneThatReachedItsTarget",
     {with(naive, [](LaneSpec& lane) { lane.points = 5, lane.planned = 151; }),
      with(pgb, [](LaneSpec& lane) { lane = running(lane), lane.points = 4, lane.planned = 151; })},
     {},
     "PGB after 4 of about 151 points; PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable "
     "triplets on arrival, 99.3 % before solved."},
    {"RunningBehindAnEndedLane",
     {naive, running(pgb)},
     {},
     "PGB after 12 of 48 points; PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on "
     "arrival, 99.3 % before solved."},
    {"RunningWithoutAPoint",
     {with(naive, [](LaneSpec& lane) { lane = running(lane), lane.points = 0; }),
      with(pgb, [](LaneSpec& lane) { lane = running(lane), lane.points = 0; })},
     {},
     "After 0 of about 48 points."},
    {"Stopped",
     {stopped(naive), stopped(pgb)},
     {},
     "Stopped at 27 of about 48 points; PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable "
     "triplets on arrival, 99.3 % before solved; not verified."},
    {"OneStopped",
     {naive, stopped(pgb)},
     {},
     "PGB stopped at 27 of 48 points; PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable "
     "triplets on arrival, 99.3 % before solved; not verified."},
    {"OutOfTime",
     {with(stopped(naive), [](LaneSpec& lane) { lane.end = LaneSpec::End::OutOfTime; }),
      with(stopped(pgb), [](LaneSpec& lane) { lane.end = LaneSpec::End::OutOfTime; })},
     {},
     "Out of time at 27 of about 48 points; PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable "
     "triplets on arrival, 99.3 % before solved; not verified."},
    {"Interrupted",
     {with(stopped(naive), [](LaneSpec& lane) { lane.end = LaneSpec::End::Interrupted; }),
      with(stopped(pgb), [](LaneSpec& lane) { lane.end = LaneSpec::End::Interrupted; })},
     {},
     "Interrupted at 27 of about 48 points; PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable "
     "triplets on arrival, 99.3 % before solved; not verified."},
    {"Failed",
     {naive, pgb, with(gb, [](LaneSpec& lane) { lane.points = 3, lane.end = LaneSpec::End::Failed; })},
     {},
     "GB failed after 3 points (it broke); PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable "
     "triplets on arrival, 99.3 % before solved; not verified."},
    {"NotConverged",
     {naive, with(pgb, [](LaneSpec& lane) { lane.notConverged = 3; })},
     {},
     "PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before "
     "solved; 3 of 48 points of PGB not converged; not verified."},
    {"NotProvenWithinTheTolerance",
     {naive, with(pgb, [](LaneSpec& lane) { lane.notConverged = 48, lane.openEnd = Termination::NotProven; })},
     {},
     "PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before "
     "solved; 48 of 48 points of PGB not proven within the tolerance; not verified."},
    {"Proven",
     {naive, pgb},
     {std::nullopt, proven(12345)},
     "PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before "
     "solved; all 12,345 decisions proven."},
    {"SomeProven",
     {naive, pgb, gb},
     {std::nullopt, proven(12345), std::nullopt},
     "PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before "
     "solved; PGB proven: all 12,345 decisions right; GB not verified."},
    {"NotProven",
     {naive, pgb},
     {std::nullopt, undecided(577, 3234)},
     "PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before "
     "solved; PGB not proven: 577 of 3,234 decisions are too near their threshold to tell."},
    {"Wrong",
     {naive, pgb},
     {std::nullopt, wrong(12, 3234)},
     "WRONG: 12 of 3,234 decisions are wrong in PGB; PGB: 3.4 × faster than naive; screened on average 85.5 % of the "
     "decidable triplets on arrival, 99.3 % before solved."},
    {"UnsafeButProven",
     {naive, pgb},
     {std::nullopt, unsafe(proven(12345))},
     "PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before "
     "solved; PGB not safe by theory; all 12,345 decisions proven."},
    {"NearlyAll",
     {naive, with(pgb, [](LaneSpec& lane) { lane.arrival = 0.0001, lane.solved = 0.99999; })},
     {},
     "PGB: 3.4 × faster than naive; screened on average under 0.1 % of the decidable triplets on arrival, over 99.9 % "
     "before solved; not verified."},
    {"AllOnArrival",
     {naive, with(pgb, [](LaneSpec& lane) { lane.solved = lane.arrival; })},
     {},
     "PGB: 3.4 × faster than naive; screened on average 85.5 % of the decidable triplets, all on arrival; not "
     "verified."},
    {"ScreenedNothing",
     {naive, with(pgb, [](LaneSpec& lane) { lane.arrival = lane.solved = 0, lane.cpu = 1.1; })},
     {},
     "PGB screened none of the decidable triplets; CPU times against naive too close to tell; not verified."},
    {"NeverLooked",
     {naive, with(pgb, [](LaneSpec& lane) { lane.bounds = {"PGB"}, lane.screen = lane.arrival = lane.solved = 0; }),
      with(naive, [](LaneSpec& lane) { lane.name = "faster", lane.isBaseline = false, lane.cpu = 0.29; })},
     {},
     "PGB and faster: 3.4 × faster than naive; PGB screened nothing, since no look was likely to pay."},
    {"FasterWithoutScreening", // the range of rates began at the 0 % of a lane that screens nothing
     {naive, with(pgb, [](LaneSpec& lane) { lane.name = "pairs, PGB"; }),
      with(naive, [](LaneSpec& lane) { lane.name = "pairs", lane.isBaseline = false, lane.cpu = 0.3; })},
     {},
     "pairs, PGB and pairs: 3.3 to 3.4 × faster than naive; pairs, PGB screened on average 85.5 % of the decidable "
     "triplets on arrival, 99.3 % before solved; not verified."},
    {"Groups", // each lane beside the one of its own group, and what became possible since
     {with(naive, [](LaneSpec& lane) { lane.group = "as published", lane.cpu = 40; }),
      with(pgb, [](LaneSpec& lane) { lane.group = "as published", lane.cpu = 10; }),
      with(naive, [](LaneSpec& lane) { lane.group = "today", lane.name = "plain"; }),
      with(pgb, [](LaneSpec& lane) { lane.group = "today", lane.name = "PGB, today"; })},
     {},
     "as published: PGB: 4 × faster than naive; today: PGB, today: 3.4 × faster than plain; PGB, today is 140 × faster "
     "than naive; PGB, today screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before solved; "
     "not "
     "verified."},
    {"Solvers",
     {with(naive, [](LaneSpec& lane) { lane.name = "SVRG", lane.noun = "", lane.objective = 0.0821; }),
      with(naive, [](LaneSpec& lane) { lane.name = "SGD", lane.noun = "", lane.objective = 0.0797, lane.cpu = 0.1; })},
     {},
     "Training loss at the end: 0.0797 by SGD, 0.0821 by SVRG."},
    {"SolversThatAllReachIt",
     {with(naive, [](LaneSpec& lane) { lane.name = "SVRG", lane.noun = "", lane.objective = 0; }),
      with(naive, [](LaneSpec& lane) { lane.name = "SGD", lane.noun = "", lane.objective = 0; })},
     {},
     "Training loss at the end: 0 in all 2 lanes."},
    {"SolversOnTheirWay",
     {running(with(naive, [](LaneSpec& lane) { lane.name = "SVRG", lane.noun = "", lane.objective = 0.0821; })),
      running(with(naive, [](LaneSpec& lane) { lane.name = "SGD", lane.noun = "", lane.objective = 0.0797; }))},
     {},
     "After 12 of about 48 points; training loss so far: 0.0797 by SGD, 0.0821 by SVRG."},
    {"ViewOnAMeasure", // the sentence was of an error that nobody looked at
     {with(naive, [](LaneSpec& lane) { lane.name = "SVRG", lane.noun = "", lane.measure = 0.3; }),
      running(with(naive, [](LaneSpec& lane) { lane.name = "SGD", lane.noun = "", lane.measure = 0.4; }))},
     {},
     "SGD after 12 of 48 points; MAP of held-out rows so far: 0.4 by SGD, 0.3 by SVRG."},
    {"ViewOnAnFMeasure", // nobody was told which solutions were best
     {with(naive,
           [](LaneSpec& lane) {
               lane.name = "Pairs", lane.points = lane.planned = 3, lane.fMeasures = {0.8, 0.95, 0.9};
           }),
      with(pgb,
           [](LaneSpec& lane) {
               lane.name = "Pairs+GAP", lane.points = lane.planned = 3, lane.fMeasures = {0.8, 0.95000001, 0.9};
           }),
      with(naive,
           [](LaneSpec& lane) {
               lane.name = "Ramp loss", lane.isBaseline = false, lane.points = lane.planned = 3;
               lane.fMeasures = {0.96, std::numeric_limits<double>::quiet_NaN(), 0.2};
           })},
     {},
     "Best F-measure (unlabeled): 0.96 by Ramp loss at λ = 100, 0.95 by Pairs+GAP and Pairs at λ = 50; Pairs+GAP: 3.4 "
     "× "
     "faster than Pairs; screened on average 85.5 % of the decidable triplets on arrival, 99.3 % before solved; not "
     "verified."},
    {"ViewOnAnFMeasureSoFar",
     {running(
         with(pgb, [](LaneSpec& lane) { lane.fMeasures = std::vector<double>(12, 0.5), lane.fMeasures[3] = 0.75; }))},
     {},
     "After 12 of about 48 points; best F-measure (unlabeled) so far: 0.75 by PGB at λ = 25; PGB screened on average "
     "85.5 % of the decidable triplets on arrival, 99.3 % before solved."},
    {"AsGoodAgain",
     {with(naive,
           [](LaneSpec& lane) {
               lane.name = "STE", lane.noun = "", lane.points = 3, lane.errors = {0.2, 0, 0};
           }),
      with(naive,
           [](LaneSpec& lane) {
               lane.name = "SOE", lane.noun = "", lane.points = 2, lane.errors = {0, 0.1};
           })},
     {},
     "Least error on held-out comparisons: 0 by STE first at p = 2, 0 by SOE at p = 1."},
    {"DimensionsThatTie",
     {with(naive,
           [](LaneSpec& lane) {
               lane.name = "STE", lane.noun = "", lane.points = 2, lane.errors = {0.19, 0.05};
           }),
      with(naive,
           [](LaneSpec& lane) {
               lane.name = "SOE", lane.noun = "", lane.points = 2, lane.errors = {0.32, 0.05};
           })},
     {},
     "Least error on held-out comparisons: 0.05 by STE and SOE at p = 2."},
    {"PathToAnError", // where all ended at what they were to reach, the sentence praised who overshot it
     {with(naive,
           [](LaneSpec& lane) {
               lane.name = "SVRG", lane.noun = "", lane.points = 4, lane.errors = {0.5, 0.3, 0.2, 0.149};
               lane.stopError = 0.15;
           }),
      with(naive,
           [](LaneSpec& lane) {
               lane.name = "SBB", lane.noun = "", lane.points = 2, lane.errors = {0.4, 0.15}, lane.stopError = 0.15;
           }),
      with(naive,
           [](LaneSpec& lane) {
               lane.name = "SBB0", lane.noun = "", lane.points = 4, lane.errors = {0.5, 0.1, 0.2, 0.3};
               lane.stopError = 0.15;
           })},
     {},
     "Error on held-out comparisons down to 0.15: after 2 epochs by SBB, 4 by SVRG."},
    {"PathOverDimensions", // the last of which is not the answer
     {with(naive,
           [](LaneSpec& lane) {
               lane.name = "STE", lane.noun = "", lane.points = 4, lane.errors = {0.19, 0.0448, 0.045, 0.06};
           }),
      with(naive,
           [](LaneSpec& lane) {
               lane.name = "SOE", lane.noun = "", lane.points = 4, lane.errors = {0.32, 0.05, 0.048, 0.055};
           })},
     {},
     "Least error on held-out comparisons: 0.0448 by STE at p = 2, 0.048 by SOE at p = 3."},
};

class RunHeadline : public testing::TestWithParam<Case> {};

TEST_P(RunHeadline, IsTheSentence) {
    const Case& one = GetParam();
    std::deque<RunRecord> records;
    std::vector<HeadlineLane> lanes;
    for (std::size_t i = 0; i < one.lanes.size(); ++i) {
        records.push_back(laneRecord(one.lanes[i]));
        const bool isAudited = i < one.audits.size() && one.audits[i];
        lanes.push_back({&records.back(), one.lanes[i].name, isAudited ? &*one.audits[i] : nullptr});
    }
    EXPECT_EQ(headlineOf(lanes), one.sentence);
}

INSTANTIATE_TEST_SUITE_P(Table, RunHeadline, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace lambdascope

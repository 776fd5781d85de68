// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_headline.h"
#include "tests/core/store/headline_lanes.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

const LaneSpec wherePays = with(pgb, [](LaneSpec& lane) {
    lane.name = "where it pays";
    lane.noun = "samples";
    lane.judgesAfterwards = true;
    lane.beginsWith = "the samples that the last λ left open, where that pays";
    lane.screen = lane.arrival = lane.solved = 0;
});
const LaneSpec pairs = with(naive, [](LaneSpec& lane) { lane.name = "Pairs", lane.noun = "samples"; });

std::string sentenceOf(const LaneSpec& lane) {
    return headlineOf(headlineLanes({laneRecord(pairs), laneRecord(lane)}));
}

// "Screened none of the decidable samples" was all that was said of a lane that took a third of the work.
TEST(HeadlineSavings, TellsOfALaneThatBeginsWithWhatWasLeftOpen) {
    EXPECT_EQ(
        sentenceOf(wherePays),
        "where it pays: 3.4 × faster than Pairs; screened nothing, but began each λ with the samples that the last "
        "one left open, where that paid; not verified.");
    EXPECT_EQ(sentenceOf(with(wherePays, [](LaneSpec& lane) { lane.screen = 1e-7; })),
              "where it pays: 3.4 × faster than Pairs; screened none of the decidable samples, but began each λ with "
              "the samples that the last one left open, where that paid; not verified.");
}

TEST(HeadlineSavings, SaysThatNoLookWasMadeWhereThatIsAllThatIsKnown) {
    EXPECT_EQ(
        sentenceOf(with(wherePays, [](LaneSpec& lane) { lane.beginsWith.clear(); })),
        "where it pays: 3.4 × faster than Pairs; screened nothing, since no look was likely to pay; not verified.");
}

TEST(HeadlineSavings, OfLanesThatScreenTheRatesAreTold) {
    EXPECT_EQ(sentenceOf(with(wherePays, [](LaneSpec& lane) { lane.arrival = 0.2, lane.solved = 0.4; })),
              "where it pays: 3.4 × faster than Pairs; screened on average 20 % of the decidable samples on arrival, "
              "40 % before solved; not verified.");
}

} // namespace
} // namespace lambdascope

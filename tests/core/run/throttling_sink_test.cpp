// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/throttling_sink.h"
#include "tests/core/run/toy_task.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

using Lines = std::vector<std::string>;

RunEvent iterated(RunId run, std::int64_t sequence, std::int64_t iteration) {
    Iterated body;
    body.iteration = iteration;
    return {run, sequence, body};
}

TEST(ThrottlingSink, MergesIteratedWithinTheInterval) {
    RecordingSink kept;
    double now = 0;
    ThrottlingSink sink(kept, 1.0, [&] { return now; });
    for (std::int64_t i = 0; i < 10; ++i) {
        now = 0.4 * static_cast<double>(i);
        sink.publish(iterated(RunId{1}, i, i));
    }
    // At 0, 1.2, 2.4, 3.6; the others were overtaken.
    EXPECT_EQ(toy::briefly(kept.events()), (Lines{"iterated 0:0", "iterated 0:3", "iterated 0:6", "iterated 0:9"}));
}

TEST(ThrottlingSink, DeliversTheNewestBeforeTheNextOtherEvent) {
    RecordingSink kept;
    ThrottlingSink sink(kept, 1.0, [] { return 0.0; });
    for (std::int64_t i = 0; i < 5; ++i) {
        sink.publish(iterated(RunId{1}, i, i));
    }
    sink.publish({RunId{1}, 5, PointFinished{}});
    sink.publish({RunId{1}, 6, PointStarted{}});
    EXPECT_EQ(toy::briefly(kept.events()),
              (Lines{"iterated 0:0", "iterated 0:4", "finished 0 converged", "point 0 at 0 of about 0"}));
}

TEST(ThrottlingSink, RunsDoNotThrottleEachOther) {
    RecordingSink kept;
    ThrottlingSink sink(kept, 1.0, [] { return 0.0; });
    sink.publish(iterated(RunId{1}, 0, 1));
    sink.publish(iterated(RunId{2}, 0, 1));
    EXPECT_EQ(kept.events().size(), 2U);
}

TEST(ThrottlingSink, LosesNothingButIterated) {
    RecordingSink kept;
    ThrottlingSink sink(kept, 1e9, [] { return 0.0; });
    std::vector<std::string> others;
    for (const RunEvent& event : toy::eventsOfRun(RunId{1})) {
        sink.publish(event);
        if (!std::holds_alternative<Iterated>(event.body)) {
            others.push_back(toy::briefly(event));
        }
    }
    std::vector<std::string> passed;
    for (const RunEvent& event : kept.events()) {
        if (!std::holds_alternative<Iterated>(event.body)) {
            passed.push_back(toy::briefly(event));
        }
    }
    EXPECT_EQ(passed, others);
}

} // namespace
} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/part_events.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

Iterated iterated(std::int64_t iteration, double objective, double gap) {
    Iterated event;
    event.iteration = iteration;
    event.objective = objective;
    event.optimality.value = gap;
    event.tolerance = 0.5;
    event.activeItems = 10;
    event.cpu = 1;
    return event;
}

Screened screened(std::int64_t iteration, std::int64_t low, std::int64_t high, double radius) {
    Screened event;
    event.iteration = iteration;
    event.fixedLow = low;
    event.fixedHigh = high;
    event.total = 20;
    event.optimality = 2;
    event.radius = radius;
    event.cpu = 1;
    return event;
}

template <class Event>
std::vector<Event> eventsOf(const RecordingSink& sink) {
    std::vector<Event> found;
    for (const RunEvent& event : sink.events()) {
        if (const auto* one = std::get_if<Event>(&event.body)) {
            found.push_back(*one);
        }
    }
    return found;
}

/// Three parts, the last of which is solved without an event.
RecordingSink toldOf() {
    RecordingSink sink;
    RunContext context(RunId{7}, sink);
    PartEvents events(3);
    const std::vector<std::vector<RunEventBody>> bodies = {
        {screened(0, 1, 2, 5), iterated(1, 100, 9), screened(4, 2, 2, 1), iterated(6, 90, 1)},
        {screened(0, 4, 0, 3), iterated(3, 50, 4)},
        {}};
    for (std::size_t p = 0; p < bodies.size(); ++p) {
        const RunContext::Diverted diverted(context, events.of(p));
        for (const RunEventBody& body : bodies[p]) {
            context.publish(body);
        }
    }
    EXPECT_TRUE(sink.events().empty());
    events.publish(4, {{90, 1, 20}, {50, 4, 20}, {7, 0.25, 5}}, context);
    return sink;
}

TEST(PartEvents, AfterACheckEveryPartIsWhereItIsAfterItsOwn) {
    const auto checks = eventsOf<Screened>(toldOf());
    ASSERT_EQ(checks.size(), 2U);
    EXPECT_EQ(checks[0].fixedLow, 5);
    EXPECT_EQ(checks[0].fixedHigh, 2);
    EXPECT_EQ(checks[0].iteration, 0);
    EXPECT_EQ(checks[0].radius, 3);
    EXPECT_EQ(checks[0].cpu, 2);
    EXPECT_EQ(checks[1].check, 1);
    EXPECT_EQ(checks[1].fixedLow, 6); // the second part stays as it was after its last check
    EXPECT_EQ(checks[1].iteration, 4);
    EXPECT_EQ(checks[1].cpu, 1);
    for (const Screened& check : checks) {
        EXPECT_EQ(check.pointIndex, 4);
        EXPECT_EQ(check.total, 45);
        EXPECT_EQ(check.optimality, 4.25);
    }
}

TEST(PartEvents, AfterAnIterationEveryPartIsWhereItIsAfterItsOwn) {
    const auto iterations = eventsOf<Iterated>(toldOf());
    ASSERT_EQ(iterations.size(), 3U);
    const double objectives[] = {157, 157, 147};
    const double gaps[] = {13.25, 13.25, 5.25};
    const std::int64_t numbers[] = {1, 3, 6};
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(iterations[k].iteration, numbers[k]);
        EXPECT_EQ(iterations[k].objective, objectives[k]);
        EXPECT_EQ(iterations[k].optimality.value, gaps[k]);
        EXPECT_EQ(iterations[k].tolerance, 1);
        EXPECT_EQ(iterations[k].activeItems, 20);
    }
}

TEST(PartEvents, NumbersOfEventsGoOnWithoutGaps) {
    const RecordingSink sink = toldOf();
    for (std::size_t k = 0; k < sink.events().size(); ++k) {
        EXPECT_EQ(sink.events()[k].sequence, static_cast<std::int64_t>(k));
        EXPECT_EQ(sink.events()[k].run, RunId{7});
    }
}

} // namespace
} // namespace lambdascope

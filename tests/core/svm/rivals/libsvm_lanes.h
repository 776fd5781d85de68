// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/svm/svm_document.h"
#include "tests/support/stopping_sink.h"

#include <gtest/gtest.h>

#include <vector>

namespace lambdascope::svm {

/// A lane as it came out.
struct LaneRun {
    LaneOutcome outcome;
    std::vector<ColumnDescription> columns;
    std::vector<PointFinished> points;

    [[nodiscard]] double at(std::size_t point, const char* key) const {
        return points.at(point).values.at(placeOfColumn(columns, key));
    }
};

inline std::vector<LaneRun> lanesOf(const Json& document, test::StoppingSink& sink, PauseGate* pause = nullptr) {
    std::vector<LaneRun> runs;
    auto experiment = validateExperiment(document, catalog());
    EXPECT_TRUE(experiment) << (experiment ? "" : experiment.error().describe());
    ExperimentRunner runner(std::move(*experiment), family(), {});
    const auto ready = runner.prepare();
    EXPECT_TRUE(ready) << (ready ? "" : ready.error().describe());
    const auto outcome = runner.run(sink, sink.token(), pause);
    EXPECT_TRUE(outcome);
    for (const LaneOutcome& lane : outcome ? outcome->lanes : std::vector<LaneOutcome>()) {
        LaneRun run{lane, {}, {}};
        for (const RunEvent& event : sink.events()) {
            if (event.run != lane.run) {
                continue;
            }
            if (const auto* started = std::get_if<RunStarted>(&event.body)) {
                run.columns = started->columns;
            } else if (const auto* point = std::get_if<PointFinished>(&event.body)) {
                run.points.push_back(*point);
            }
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

inline std::vector<LaneRun> lanesOf(const Json& document) {
    test::StoppingSink sink([](const RunEvent&) { return false; });
    return lanesOf(document, sink);
}

inline Json libsvmLane(const char* name, double tolerance, bool shrinks = true) {
    return {{"name", name}, {"shrink", shrinks}, {"solver", {{"method", "libsvm"}, {"tolerance", tolerance}}}};
}

} // namespace lambdascope::svm

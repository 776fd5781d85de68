// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/families.h"
#include "core/run/experiment_runner.h"
#include "tests/ui/session/tiny_family.h"
#include "ui/session/inspect/run_lens_session.h"
#include "ui/session/runs/path_cursor.h"
#include "ui/session/runs/run_collection.h"

#include <gtest/gtest.h>

namespace lambdascope {

/// Lanes "naive", "GB", "RRPB+PGB" of metric learning.
inline Json smallMetricExperiment() {
    return {{"family", "metric"},
            {"data", {{"source", "iris"}, {"subset", 0.4}}},
            {"problem", {{"k", 3}}},
            {"path", {{"max_points", 10}, {"ratio", 0.7}}},
            {"lanes",
             {{{"name", "naive"}},
              {{"name", "GB"}, {"bounds", {"GB"}}},
              {{"name", "RRPB+PGB"}, {"bounds", {"RRPB", "PGB"}}}}}};
}

/// Lanes "Full", "IT", "DT" of a support vector machine on the toy of two features, or of `features` features.
inline Json smallSvmExperiment(int features = 2) {
    const std::string source =
        features == 2 ? "toy:svm-figure1?n=120" : "toy:gaussian-classes?n=120&classes=2&d=" + std::to_string(features);
    return {{"family", "svm"},
            {"data", {{"source", source}, {"scale", "none"}}},
            {"problem", {{"kernel", "linear"}}},
            {"path", {{"kind", "list"}, {"values", {0.5, 0.7, 1, 1.5}}}},
            {"lanes",
             {{{"name", "Full"}},
              {{"name", "IT"}, {"bounds", {"IT"}}, {"schedule", "every"}},
              {{"name", "DT"}, {"bounds", {"DT"}}, {"schedule", "every"}}}}};
}

/// Lanes "Pairs", "Pairs+GAP" of positive and unlabeled samples.
inline Json smallPuExperiment() {
    return {
        {"family", "pu"},
        {"data", {{"source", "digits"}, {"scale", "minmax"}, {"subset", 0.15}, {"seed", 1}}},
        {"problem",
         {{"positive", "3"}, {"labelled_share", 0.3}, {"kernel", "rbf"}, {"gamma", 1}, {"gamma_unit", "per-feature"}}},
        {"solver", {{"method", "pairs"}, {"tolerance", 1e-6}}},
        {"path", {{"kind", "lambda"}, {"start", 0.1}, {"ratio", 0.5}, {"stop", 0.003}}},
        {"lanes",
         {{{"name", "Pairs"}, {"bounds", Json::array()}},
          {{"name", "Pairs+GAP"}, {"bounds", {"GAP"}}, {"schedule", "every"}}}}};
}

/// A small finished run of real lanes, as the window would hold it.
class FinishedRun {
  public:
    /// `isEnded` = false: the last event of each lane has not come yet.
    explicit FinishedRun(const Json& document = smallMetricExperiment(), const RunWishes& wishes = {},
                         bool isEnded = true) {
        const auto experiment = validateExperiment(document, builtInCatalog());
        EXPECT_TRUE(experiment);
        runner = std::make_unique<ExperimentRunner>(*experiment, *findFamily(document.at("family").get<std::string>()),
                                                    ExperimentOptions{wishes, {}, tinyPlaces()});
        EXPECT_TRUE(runner->prepare());
        RecordingSink sink;
        EXPECT_TRUE(runner->run(sink));
        std::vector<RunEvent> events = sink.events();
        std::erase_if(events, [isEnded](const RunEvent& event) {
            return !isEnded && std::holds_alternative<RunFinished>(event.body);
        });
        runs.apply(events);
        std::vector<double> axis;
        for (const PointRecord& point : runs.record(runs.ids().front())->points()) {
            axis.push_back(point.axisValue);
        }
        cursor.setAxis(axis);
    }

    [[nodiscard]] RunId lane(std::size_t position) const { return runs.ids()[position]; }
    /// The lens of a lane, asked directly: what the window must show.
    [[nodiscard]] std::unique_ptr<RunLens> direct(std::size_t position) const {
        auto made = runner->makeLens(position);
        EXPECT_TRUE(made->open(0, {}, {}));
        return made;
    }

    /// Shows a view with a lane chosen and the cursor at a point.
    template <class Tab>
    void show(Tab& tab, std::size_t position, int point) {
        tab.resize(900, 600);
        tab.show();
        tab.refreshNow(); // which offers the lanes
        tab.choose(lane(position));
        EXPECT_EQ(tab.chosenRun(), lane(position));
        cursor.moveTo(point);
        tab.refreshNow();
    }

    RunCollection runs;
    PathCursor cursor;
    RunLensSession lens{runs, {nullptr, {}, [] { return tinyPlaces(); }}};
    std::unique_ptr<ExperimentRunner> runner;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
// The window and the command line compute the same: an experiment through RunController and the same one through
// ExperimentRunner give equal path tables, but for times.
#include "core/families.h"
#include "core/record/run_record.h"
#include "core/run/experiment_runner.h"
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/session/runs/run_collection.h"
#include "ui/session/runs/run_controller.h"
#include "ui/session/runs/run_event_bridge.h"

#include <gtest/gtest.h>

#include <map>

namespace lambdascope {

namespace {

/// Lane → rows of values without those of columns that hold times.
using Tables = std::map<std::string, std::vector<std::vector<double>>>;

bool isTime(const ColumnDescription& column) {
    return column.role == ColumnRole::CpuSolve || column.role == ColumnRole::CpuScreen ||
           column.role == ColumnRole::Wall || column.unit == "s";
}

void addTable(Tables& tables, const RunRecord& record) {
    auto& rows = tables[record.start().laneName];
    for (std::size_t i = 0; i < record.finishedPointCount(); ++i) {
        std::vector<double> row;
        for (std::size_t column = 0; column < record.start().columns.size(); ++column) {
            if (!isTime(record.start().columns[column])) {
                row.push_back(record.points()[i].values[column]);
            }
        }
        rows.push_back(std::move(row));
    }
}

Tables throughRunner(const Validated<Experiment>& experiment, const Family& family) {
    RunWishes wishes;
    wishes.measures = true; // as the window wishes
    ExperimentRunner runner(experiment, family, {wishes, {}, tinyPlaces()});
    const auto ready = runner.prepare();
    EXPECT_TRUE(ready.has_value()) << (ready ? "" : ready.error().describe());
    RecordingSink sink;
    EXPECT_TRUE(runner.run(sink).has_value());
    Tables tables;
    for (const RunRecord& record : recordsOf(sink.events())) {
        addTable(tables, record);
    }
    return tables;
}

Tables throughController(const Validated<Experiment>& experiment,
                         std::function<const Family*(std::string_view)> findFamily) {
    RunEventBridge bridge;
    RunCollection runs;
    QObject::connect(&bridge, &RunEventBridge::eventsArrived, &runs, &RunCollection::apply);
    RunController controller(bridge, {.library = nullptr, .findFamily = std::move(findFamily)});
    controller.start({experiment, tinyPlaces(), {}, {}});
    EXPECT_TRUE(waitUntil([&] { return !controller.isBusy(); }, 120000));
    Tables tables;
    for (const RunId id : runs.ids()) {
        addTable(tables, *runs.record(id));
    }
    return tables;
}

} // namespace

TEST(SameResult, WindowAndCommandLineAgreeOnTheTinyFamily) {
    const auto experiment = tinyExperiment({{"points", 12}, {"iterations", 200}});
    const Tables direct = throughRunner(experiment, tinyFamily());
    ASSERT_EQ(direct.size(), 2U);
    EXPECT_EQ(throughController(experiment, findTinyFamily), direct);
}

TEST(SameResult, WindowAndCommandLineAgreeOnEveryBuiltInFamily) {
    const std::map<std::string, Json> shortPaths = {{"metric", {{"max_points", 4}}},
                                                    {"svm", {{"max_points", 4}}},
                                                    {"ordinal", {{"epochs", 4}}},
                                                    {"pu", {{"ratio", 0.1}}}};
    for (const Family& family : builtInFamilies()) {
        ASSERT_TRUE(shortPaths.contains(family.schema.id)) << family.schema.id;
        const Json document = {{"family", family.schema.id},
                               {"data", {{"source", "breast-cancer"}, {"subset", 0.3}}},
                               {"path", shortPaths.at(family.schema.id)}};
        const auto experiment = validateExperiment(document, builtInCatalog());
        ASSERT_TRUE(experiment.has_value()) << experiment.error().describe();
        const Tables direct = throughRunner(*experiment, family);
        ASSERT_FALSE(direct.empty());
        ASSERT_FALSE(direct.begin()->second.empty());
        EXPECT_EQ(throughController(*experiment, {}), direct) << family.schema.id;
    }
}

} // namespace lambdascope

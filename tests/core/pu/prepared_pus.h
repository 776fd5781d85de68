// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pu/family.h"
#include "core/pu/inspect/pu_lens.h"
#include "core/pu/path/prepared_pu.h"
#include "tests/core/pu/small_pus.h"

#include <gtest/gtest.h>

namespace lambdascope::pu {

/// An experiment prepared, with its lanes.
struct Prepared {
    explicit Prepared(const Json& overlay) {
        Json document = {{"family", "pu"},
                         {"name", "small"},
                         {"data", {{"source", "toy:svm-figure1?n=200"}, {"scale", "none"}, {"subset", 0.8}}},
                         {"problem", {{"kernel", "rbf"}, {"gamma", 0.3}}},
                         {"path", {{"values", {0.1, 0.03, 0.01}}}}};
        document.mergePatch(overlay);
        const SchemaCatalog catalog({family().schema});
        experiment = *validateExperiment(document, catalog).value();
        auto data = loadDataset(experiment.data, {});
        auto made = family().prepare(experiment, *data, {}, {}, {});
        EXPECT_TRUE(made) << (made ? "" : made.error().describe());
        problem = std::dynamic_pointer_cast<const PreparedPu>(*made);
    }
    std::vector<PointReport> walk(std::size_t lane) const {
        const auto task = problem->makeTask(lane);
        NullSink sink;
        RunContext context(RunId{0}, sink, {}, nullptr, {.measures = true});
        std::vector<PointReport> reports;
        std::shared_ptr<const WarmStart> last;
        for (const double value : task->schedule()) {
            const PathPoint point{static_cast<std::int32_t>(reports.size()), value};
            auto report = task->solvePoint(point, last, context);
            EXPECT_TRUE(report);
            last = report->warmStart;
            for (const MeasuredValue& measured : task->evaluate(point, *report, context).measures) {
                report->values.at(measured.column) = measured.value;
            }
            EXPECT_EQ(report->values.size(), task->describe().columns.size());
            reports.push_back(std::move(*report));
        }
        return reports;
    }
    static double at(const PathTask& task, const PointReport& report, std::string_view key) {
        return report.values.at(placeOfColumn(task.describe().columns, key));
    }
    Experiment experiment;
    std::shared_ptr<const PreparedPu> problem;
};

} // namespace lambdascope::pu

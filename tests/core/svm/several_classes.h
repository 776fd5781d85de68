// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/random_stream.h"
#include "core/svm/path/multiclass_task.h"
#include "core/svm/path/prepared_multiclass.h"
#include "tests/core/svm/svm_document.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace lambdascope::svm {

/// Rows whose coordinates are whole quarters, so that products of features have no rounding in whatever order they are
/// added up: `count` classes round as many centres. The last rows are held out.
inline std::shared_ptr<const Dataset> quarters(int count, int rowsPerClass, int heldOut, std::uint64_t seed) {
    RandomStream random(seed);
    const auto make = [&](int rows) {
        Dataset::Parts parts;
        parts.name = "quarters";
        parts.dense.resize(rows, 3);
        for (int i = 0; i < rows; ++i) {
            const int label = i % count;
            parts.labels.push_back(label);
            for (int f = 0; f < 3; ++f) {
                const double centre = ((label >> f) & 1) + 0.3 * label;
                parts.dense(i, f) = std::round(4 * (centre + random.normal())) / 4;
            }
        }
        for (int c = 0; c < count; ++c) {
            parts.classNames.push_back("c" + std::to_string(c));
        }
        return parts;
    };
    Dataset::Parts parts = make(count * rowsPerClass);
    if (heldOut > 0) {
        parts.heldOut = std::make_shared<const Dataset>(make(heldOut));
    }
    return std::make_shared<const Dataset>(std::move(parts));
}

inline std::shared_ptr<const PreparedProblem> preparedOn(const std::shared_ptr<const Dataset>& data,
                                                         const Json& overlay) {
    const auto experiment = validateExperiment(documentWith(overlay), catalog());
    EXPECT_TRUE(experiment) << (experiment ? "" : experiment.error().describe());
    auto made = family().prepare(**experiment, data, {}, {}, {});
    EXPECT_TRUE(made) << (made ? "" : made.error().describe());
    return made ? *made : nullptr;
}

/// What a lane did, with the values of its parts.
struct Walked {
    LaneDescription lane;
    std::vector<PointReport> points;
    std::vector<std::vector<double>> parts; ///< by point
    std::map<std::int32_t, std::vector<Screened>> checks;

    [[nodiscard]] double value(std::size_t point, std::string_view key) const {
        return points[point].values[placeOfColumn(lane.columns, key)];
    }
    [[nodiscard]] double part(std::size_t point, std::size_t number, std::string_view key) const {
        const std::size_t width = lane.parts.columns.size();
        return parts[point][number * width + placeOfColumn(lane.parts.columns, key)];
    }
};

inline Walked walk(const PreparedProblem& prepared, std::size_t lane = 0) {
    const auto task = prepared.makeTask(lane);
    RecordingSink sink;
    RunContext context(RunId{0}, sink, {}, nullptr, {.measures = true});
    Walked walked;
    walked.lane = task->describe();
    std::shared_ptr<const WarmStart> last;
    for (const double value : task->schedule()) {
        const PathPoint point{static_cast<std::int32_t>(walked.points.size()), value};
        auto report = task->solvePoint(point, last, context);
        EXPECT_TRUE(report);
        last = report->warmStart;
        for (const MeasuredValue& measured : task->evaluate(point, *report, context).measures) {
            report->values.at(measured.column) = measured.value;
        }
        walked.points.push_back(std::move(*report));
    }
    for (const RunEvent& event : sink.events()) {
        if (const auto* parts = std::get_if<PartsSolved>(&event.body)) {
            walked.parts.push_back(parts->values);
        } else if (const auto* check = std::get_if<Screened>(&event.body)) {
            walked.checks[check->pointIndex].push_back(*check);
        }
    }
    return walked;
}

inline bool isSame(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

} // namespace lambdascope::svm

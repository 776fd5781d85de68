// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/family.h"
#include "core/metric/inspect/metric_lens.h"
#include "tests/core/metric/small_experiments.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lambdascope::metric {

inline const SmallShape kLensShape{
    .name = "two_classes_overlapping", .classes = 2, .rowsPerClass = 14, .features = 5, .k = 4, .spread = 0.3};

inline Experiment lensExperiment(const Json& overlay = Json::object()) {
    Json document = {{"problem", {{"k", 4}}},
                     {"solver", {{"method", "projected-gradient"}}}, // small steps: many checks to look into
                     {"path", {{"ratio", 0.7}, {"max_points", 18}}}};
    document.mergePatch(overlay);
    return experimentFrom(document);
}

inline std::shared_ptr<const PreparedProblem> preparedLens(const Experiment& experiment,
                                                           const SmallShape& shape = kLensShape) {
    for (std::uint64_t seed = 1;; seed += 1000) {
        if (auto prepared = family().prepare(experiment, smallData(shape, seed), {}, {}, {})) {
            return *prepared;
        }
    }
}

inline std::size_t laneNamed(const Experiment& experiment, const std::string& name) {
    const std::vector<std::string>& names = experiment.laneNames;
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// A lane computed again.
inline LaneReplay replayOf(const PreparedMetric& prepared, const Lane& lane,
                           double memoryBudget = PathReplay::kMemoryBudget) {
    return LaneReplay([&prepared, &lane] { return std::make_unique<MetricTask>(prepared, lane); }, lane, memoryBudget);
}

/// The number of a decision with that symbol.
inline double term(const BoundDecision& decision, const std::string& symbol) {
    for (const NamedValue& value : decision.terms) {
        if (value.symbol == symbol) {
            return value.value;
        }
    }
    ADD_FAILURE() << "no term " << symbol;
    return 0;
}

/// The decision that the numbers of a decision make, computed from its terms alone.
inline std::string decisionFrom(const BoundDecision& decision, double gamma) {
    const double q = term(decision, "⟨H,Q⟩");
    const double reach = term(decision, "r") * term(decision, "‖H‖");
    const double padding = term(decision, "δ");
    if (q - reach - padding > 1) {
        return "R";
    }
    return q + reach + padding < 1 - gamma ? "L" : "";
}

/// A small problem with the default lanes, to be looked into.
class MetricLensTest : public testing::Test {
  protected:
    Experiment experiment = lensExperiment();
    std::shared_ptr<const PreparedProblem> prepared = preparedLens(experiment);
    double gamma = 0.05;

    std::unique_ptr<RunLens> opened(const std::string& lane, std::int32_t mostPoints = 0) const {
        auto lens = prepared->makeLens(laneNamed(experiment, lane));
        EXPECT_TRUE(lens->open(mostPoints, {}, {}));
        return lens;
    }
    [[nodiscard]] const TripletSet& triplets() const {
        return dynamic_cast<const PreparedMetric&>(*prepared).triplets();
    }
};

} // namespace lambdascope::metric

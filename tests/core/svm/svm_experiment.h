// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/experiment_runner.h"
#include "core/svm/family.h"
#include "core/svm/path/prepared_svm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace lambdascope::svm {

inline const SchemaCatalog& catalog() {
    static const SchemaCatalog only({family().schema});
    return only;
}

inline Json documentWith(const Json& overlay) {
    Json document = {{"family", "svm"},
                     {"name", "small"},
                     {"data", {{"source", "toy:svm-figure1?n=200"}, {"scale", "none"}, {"subset", 0.8}}},
                     {"problem", {{"kernel", "rbf"}}},
                     {"path", {{"kind", "grid"}, {"ratio", 4}, {"max_c", 100}}}};
    document.mergePatch(overlay);
    return document;
}

/// An experiment prepared, with its lanes.
struct Prepared {
    explicit Prepared(const Json& overlay) : experiment(*validateExperiment(documentWith(overlay), catalog()).value()) {
        auto data = loadDataset(experiment.data, {});
        auto made = family().prepare(experiment, *data, {}, {}, {});
        EXPECT_TRUE(made) << (made ? "" : made.error().describe());
        problem = std::dynamic_pointer_cast<const PreparedSvm>(*made);
    }
    /// Number of a lane.
    [[nodiscard]] std::size_t lane(std::string_view name) const {
        const std::vector<std::string>& names = experiment.laneNames;
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    }
    /// Of the whole path.
    [[nodiscard]] std::unique_ptr<RunLens> lensOf(std::string_view name) const {
        auto lens = problem->makeLens(lane(name));
        EXPECT_TRUE(lens->open(0, {}, {}));
        return lens;
    }
    Experiment experiment;
    std::shared_ptr<const PreparedSvm> problem;
};

} // namespace lambdascope::svm

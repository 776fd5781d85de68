// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/svm/path/prepared_svm.h"
#include "tests/core/svm/svm_document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace lambdascope::svm {

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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metric/family.h"
#include "core/metric/path/metric_task.h"
#include "core/metric/path/prepared_metric.h"
#include "tests/core/triplets/small_problems.h"

#include <stdexcept>

namespace lambdascope::metric {

/// A document with the family's defaults, overlaid by `overlay`; lanes that name no schedule screen at every λ.
[[nodiscard]] inline Experiment experimentFrom(const Json& overlay) {
    Json document = {{"family", "metric"}};
    document.mergePatch(overlay);
    const auto validated = [](const Json& complete) {
        const auto experiment = validateExperiment(complete, SchemaCatalog({family().schema}));
        if (!experiment) {
            throw std::logic_error(experiment.error().describe());
        }
        return **experiment;
    };
    document = validated(document).document;
    Json& lanes = document["lanes"];
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        if (!overlay.contains("lanes") || !overlay["lanes"][lane].contains("schedule")) {
            lanes[lane]["schedule"] = "every"; // small problems are solved before a look could pay
        }
    }
    return validated(document);
}

} // namespace lambdascope::metric

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/published_number.h"
#include "core/record/run_record.h"

#include <optional>
#include <vector>

namespace lambdascope {

/// A published number and what this run gave for it.
struct PublishedComparison {
    PublishedNumber published;
    std::optional<double> measured; ///< nothing when the lane, column or fact is not there (yet), or noise makes it
    std::string missing; ///< why there is no number of ours, "not run"; empty where there is one, or nobody can tell
};

/// Sets the numbers of the "published" list of the lanes' experiment beside the lanes' own. `lanes` are the records of
/// one experiment.
[[nodiscard]] std::vector<PublishedComparison> comparePublished(const std::vector<const RunRecord*>& lanes);

} // namespace lambdascope

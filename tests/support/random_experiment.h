// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/experiment.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace lambdascope::testing_support {

/// A small valid experiment of a family, drawn at random: the same for the same seed.
///
/// Fields come from the tables of the family, so that a new option takes part without a line here. A table of its own
/// names the values of those fields that decide how long a run takes, or whose default range would hardly ever be of
/// use. What the family's own checks refuse falls back to its default. Files that an experiment needs are written to
/// `folder`. Nothing for a seed whose draw cannot be mended.
///
/// `change` may have its own way with what was drawn, before it is mended.
[[nodiscard]] std::optional<Validated<Experiment>> randomExperiment(const std::string& family, std::uint64_t seed,
                                                                    const std::filesystem::path& folder,
                                                                    const std::function<void(Json&)>& change = {});

} // namespace lambdascope::testing_support

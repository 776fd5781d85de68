// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/family.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// All families that are built in. The one list that names every room; nothing else in core knows them all.
[[nodiscard]] const std::vector<Family>& builtInFamilies();

/// The schemas of data, run and every family: what experiment files are checked against.
[[nodiscard]] const SchemaCatalog& builtInCatalog();

[[nodiscard]] const Family* findFamily(std::string_view id);

/// Whether a family takes data as they are.
struct DataFit {
    std::string family; ///< id
    std::string title;
    std::optional<Fault> need; ///< what it lacks, with the field that can mend it; nothing: it takes them
};

/// Asks each family whether it takes `data`, as preparing an experiment would, but without the work that follows. The
/// family of `document` is asked with the settings there, the others with their defaults. Cost O(values).
[[nodiscard]] std::vector<DataFit> dataFits(const Json& document, const std::shared_ptr<const Dataset>& data,
                                            const DataPlaces& places);

} // namespace lambdascope

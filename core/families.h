// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/family.h"

#include <string_view>
#include <vector>

namespace lambdascope {

/// All families that are built in. The one list that names every room; nothing else in core knows them all.
[[nodiscard]] const std::vector<Family>& builtInFamilies();

/// The schemas of data, run and every family: what experiment files are checked against.
[[nodiscard]] const SchemaCatalog& builtInCatalog();

[[nodiscard]] const Family* findFamily(std::string_view id);

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_source.h"

#include <filesystem>

namespace lambdascope::test {

/// Where the bundled data sets lie.
inline DataPlaces places() {
    return {{}, std::filesystem::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "resources" / "datasets"};
}

} // namespace lambdascope::test

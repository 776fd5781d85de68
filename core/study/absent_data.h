// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <string>
#include <vector>

namespace lambdascope {

/// Takes out of the optional axes the values whose data file is in none of the study's folders: sets that cannot be
/// shipped, which others may have. Bundled and generated data are always there. Returns the files that were not found.
/// Error: InvalidConfiguration when nothing is left of an axis.
Result<std::vector<std::string>> leaveOutAbsentData(Study& study);

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json.h"

#include <string>
#include <vector>

namespace lambdascope {

/// What the last bits of a result may depend on besides the version: the build of this program and the processor it
/// runs on. A flat object of texts; run.json keeps it.
[[nodiscard]] Json buildFacts();

/// What differs in the build that `then` describes: "asserts: on in the run, off here". Empty when nothing does; says
/// so when `then` is no description, as in runs of earlier versions.
[[nodiscard]] std::vector<std::string> buildDifferences(const Json& then);

} // namespace lambdascope

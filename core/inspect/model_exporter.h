// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/capability.h"

#include <string>

namespace lambdascope {

/// A lens whose solutions other programs read.
class ModelExporter {
  public:
    static constexpr const char* kMissing = "no other program reads the models of this family";

    virtual ~ModelExporter() = default;

    /// The solution at a path point as a file. Errors: BadUsage when the format has no place for such a solution.
    virtual Result<std::string> exportModel(std::int32_t point, std::stop_token stop) = 0;
};

} // namespace lambdascope

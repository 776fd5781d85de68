// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/raw_data.h"

#include <string>

namespace lambdascope {

/// SHA-256 of shape, storage, values (bit patterns, lowest byte first), labels and class names.
[[nodiscard]] std::string contentSha256(const RawData& data);

} // namespace lambdascope

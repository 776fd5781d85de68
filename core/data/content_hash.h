// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <stop_token>
#include <string>

namespace lambdascope {

struct RawData;

/// SHA-256 of shape, storage, values (bit patterns, lowest byte first), labels, class names and targets. Error:
/// Stopped.
Result<std::string> contentSha256(const RawData& data, const std::stop_token& stop = {});

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"

namespace lambdascope {

/// The Error that stands for the exception being handled; call only inside a catch block. std::bad_alloc gives
/// OutOfMemory, everything else Internal with what() quoted. `activity` completes "… while <activity>".
[[nodiscard]] Error errorOfCurrentException(const std::string& activity);

} // namespace lambdascope

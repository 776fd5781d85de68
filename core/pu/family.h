// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/family.h"

namespace lambdascope::pu {

/// Positive-unlabeled learning with safe screening of samples.
[[nodiscard]] Family family();

} // namespace lambdascope::pu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/family.h"

namespace lambdascope::metric {

/// Metric learning with triplets and safe triplet screening [T].
[[nodiscard]] Family family();

} // namespace lambdascope::metric

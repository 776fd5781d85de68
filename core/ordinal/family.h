// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/family.h"

namespace lambdascope::ordinal {

/// Ordinal embedding by SVRG-SBB and its rivals [O].
[[nodiscard]] Family family();

} // namespace lambdascope::ordinal

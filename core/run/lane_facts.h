// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lambdascope {

/// Fact of a lane (LaneDescription::facts) that begins a point, where that pays, without what the solution before had
/// decided, and proves the result on all items: in words, what it begins with. That saves work and is no screening.
inline constexpr const char* kActiveStartFact = "begins_with";

} // namespace lambdascope

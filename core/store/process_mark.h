// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace lambdascope {

/// A text that names this process on this machine until it is shut down (boot id, process id, start time), to be kept
/// with a run that is being written.
[[nodiscard]] std::string ownProcessMark();

/// Whether the process that made `mark` still runs. False for marks of an earlier boot or another machine.
[[nodiscard]] bool isProcessAlive(std::string_view mark);

} // namespace lambdascope

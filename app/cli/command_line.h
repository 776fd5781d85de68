// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/exit_status.h"

namespace lambdascope::cli {

/// Reads the arguments and runs the command they name.
ExitStatus runCommandLine(int argumentCount, const char* const* arguments);

} // namespace lambdascope::cli

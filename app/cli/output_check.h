// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/exit_status.h"

namespace lambdascope::cli {

/// Sends what is left of standard output on its way, at the end of the program. When some of it was lost, says so on
/// standard error, and a program that was done has failed. A reader that went away (… | head) is no loss.
ExitStatus withOutputChecked(ExitStatus status);

} // namespace lambdascope::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/stop_check.h"

#include <functional>

namespace lambdascope {

/// Makes a call that cannot be interrupted, such as a factorization by LAPACK, in a thread of its own, and waits for
/// its end, asking `stopCheck` every few milliseconds. True when the call has ended; what it threw is thrown here.
///
/// When `stopCheck` says stop it returns false at once and abandons the call, which runs on to its end unheard: it must
/// own everything that it touches. While two abandoned calls run, further ones wait for one of them to end, asking
/// `stopCheck` meanwhile, so that they cannot pile up. CPU time of the call is credited to the calling thread, up to
/// its abandoning. A process that ends by std::exit() waits for abandoned calls.
[[nodiscard]] bool callAbandonably(std::function<void()> call, StopCheck& stopCheck);

/// Ends the process with `status`: at once, without static destructors, where an abandoned call is still running.
[[noreturn]] void exitWithoutAbandonedCalls(int status);

} // namespace lambdascope

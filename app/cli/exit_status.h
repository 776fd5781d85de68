// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"

namespace lambdascope::cli {

/// What the program returns, as the manual promises.
enum class ExitStatus {
    Done = 0,
    Failed = 1,        ///< the computation failed
    BadInput = 2,      ///< usage, configuration, data or places to write to
    NotProven = 3,     ///< verify: nothing is wrong, but not everything could be told
    CannotWrite = 73,  ///< a cell's process to the one that started it: there is no place for results
    Interrupted = 130, ///< finished points are kept
};

[[nodiscard]] inline ExitStatus statusOf(const Error& error) {
    switch (error.code) {
    case ErrorCode::Internal:
    case ErrorCode::OutOfMemory: return ExitStatus::Failed;
    case ErrorCode::Stopped: return ExitStatus::Interrupted;
    default: return ExitStatus::BadInput;
    }
}

/// Prints the error on standard error and says which status it stands for.
ExitStatus report(const Error& error);

} // namespace lambdascope::cli

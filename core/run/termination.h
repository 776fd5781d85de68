// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace lambdascope {

/// Why a solve or a path ended without an error, and what its solution then holds.
enum class Termination {
    Converged,        ///< the tolerance was met; the solution is within it
    ConvergedLoosely, ///< rounding stopped progress near the tolerance; the best solution so far, its optimality is
                      ///< stated
    NotProven,        ///< no step helps any more, and no bound says that the solution is within the tolerance; its
                      ///< optimality is stated
    PathEnded,        ///< a path met its stop rule; all its points are converged
    IterationLimit,   ///< the best solution so far
    TimeLimit,        ///< the best solution so far; finished points are whole
    StoppedByUser,    ///< the best solution so far; finished points are whole
    NumericalTrouble, ///< the last solution without trouble; never a half-written one
};

/// The user or the time limit ended it.
[[nodiscard]] constexpr bool isInterruption(Termination termination) {
    return termination == Termination::StoppedByUser || termination == Termination::TimeLimit;
}

/// Which of two spoils the promise of Converged, or of PathEnded, more; `first` where neither does.
[[nodiscard]] Termination worse(Termination first, Termination second);

/// "converged", "stopped by user", …: for people and for files.
[[nodiscard]] std::string_view terminationName(Termination termination);
[[nodiscard]] std::optional<Termination> terminationFromName(std::string_view name);

} // namespace lambdascope

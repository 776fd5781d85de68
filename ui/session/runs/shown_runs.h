// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/path_length.h"
#include "ui/session/runs/run_collection.h"

namespace lambdascope {

/// The name of a run wherever it is named. Of ticked runs with equal names each says what it has else than the others:
/// "PGB · k 10", "PGB · k 20"; those with the same settings get a number in the order in which they came: "PGB (2)".
[[nodiscard]] QString runLabel(const RunCollection& runs, RunId id);

/// Ticked runs by what they have in common across: λ and C do not share an axis.
struct RunsByAxis {
    std::vector<RunId> drawn;   ///< those with the path parameter of the newest one
    std::vector<RunId> leftOut; ///< the others
};
[[nodiscard]] RunsByAxis runsByAxis(const RunCollection& runs);

/// How a run ended, with the reason where its family knows one: "path ended: no sample lies at its bound …".
[[nodiscard]] QString endText(const RunRecord& record);
[[nodiscard]] QString endText(Termination termination, const QString& reason);
/// Why a path ends before its planned end; empty when it does not.
[[nodiscard]] QString pathEndReason(const RunStarted& start);

/// How many points the path of a run has, as the lanes of its start tell; those that it has finished when it has ended.
[[nodiscard]] PathLength pathLengthOf(const RunCollection& runs, RunId id);

} // namespace lambdascope

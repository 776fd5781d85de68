// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <QString>

#include <vector>

namespace lambdascope {

class RunLibrary;

/// An experiment that the run library keeps.
struct EarlierRun {
    qint64 id = 0;
    QString title; ///< when, name and number of lanes
};

/// The newest ones, at most `limit`; none without a library.
[[nodiscard]] Result<std::vector<EarlierRun>> earlierRuns(const RunLibrary* library, int limit);

} // namespace lambdascope

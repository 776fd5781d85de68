// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/data/data_source.h"
#include "core/pu/problem/pu_config.h"

#include <memory>
#include <stop_token>

namespace lambdascope::pu {

/// The rows of `labelled`, of class "labelled", with those of the problem's unlabeled file below them, of class
/// "unlabeled", scaled together as the problem says. `reading` tells how missing values and columns of labels are
/// taken. Errors: those of reading the file, with its lines; InvalidData when the numbers of features differ; Stopped.
Result<std::shared_ptr<const Dataset>> withUnlabeledFile(const Dataset& labelled, const ProblemConfig& config,
                                                         const DataConfig& reading, const DataProgress& progress,
                                                         std::stop_token stop);

} // namespace lambdascope::pu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

#include <memory>

namespace lambdascope::metric {

/// The data set with all values times `factor`, and every tenth row once more, `shift` times its largest value away:
/// scales and near duplicates on which careless rounding shows.
[[nodiscard]] std::shared_ptr<const Dataset> distorted(const Dataset& data, double factor, double shift);

} // namespace lambdascope::metric

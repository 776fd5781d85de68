// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/plane_axes.h"
#include "core/svm/prepared_svm.h"

namespace lambdascope::svm {

/// `axes` with what they leave open chosen. Errors: BadUsage when they are not two different features of the data.
[[nodiscard]] Result<PlaneAxes> chosenAxes(const PreparedSvm& prepared, const PlaneAxes& axes);

/// Why no plane can be drawn, in words; empty when one can.
[[nodiscard]] std::string planeObstacle(const PreparedSvm& prepared);

} // namespace lambdascope::svm

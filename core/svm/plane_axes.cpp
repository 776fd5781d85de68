// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/svm/plane_axes.h"

namespace lambdascope::svm {

Result<PlaneAxes> chosenAxes(const PreparedSvm& prepared, const PlaneAxes& axes) {
    return lambdascope::chosenAxes(prepared.data(), prepared.problem().y(), axes);
}

std::string planeObstacle(const PreparedSvm& prepared) {
    return lambdascope::planeObstacle(prepared.data(), prepared.config().kernel == KernelKind::Precomputed);
}

} // namespace lambdascope::svm

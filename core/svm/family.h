// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/family.h"

namespace lambdascope::svm {

/// SVM without bias and safe sample screening [S].
[[nodiscard]] Family family();

} // namespace lambdascope::svm

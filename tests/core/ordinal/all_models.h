// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ordinal/problem/loss_model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lambdascope::ordinal {

/// All five models with the parameters of p dimensions.
[[nodiscard]] std::vector<ModelSpec> allModels(std::int64_t p);
[[nodiscard]] std::string modelName(ModelKind kind);

} // namespace lambdascope::ordinal

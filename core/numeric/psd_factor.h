// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/matrix_values.h"

#include <optional>

namespace lambdascope {

/// L with M = LᵀL of a symmetric positive semidefinite matrix, by its eigen-decomposition: a row per eigenvalue that
/// rounding cannot have made of 0, the largest first, of norm √eigenvalue; the largest entry of each row is positive.
/// Nothing when the decomposition fails. Cost O(d³).
[[nodiscard]] std::optional<MatrixValues> psdFactor(const MatrixValues& matrix);

} // namespace lambdascope

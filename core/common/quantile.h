// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace lambdascope {

/// The value below which a share of `values` lies, by linear interpolation between neighbours; NaN among them are left
/// out. NaN for none.
[[nodiscard]] double quantile(std::vector<double> values, double share);

} // namespace lambdascope

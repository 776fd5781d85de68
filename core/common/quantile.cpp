// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace lambdascope {

double quantile(std::vector<double> values, double share) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double part = place - static_cast<double>(below);
    // No difference of infinities.
    return part == 0 || values[below] == values[above] ? values[below]
                                                       : (1 - part) * values[below] + part * values[above];
}

} // namespace lambdascope

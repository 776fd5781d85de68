// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace lambdascope {

/// A cell of a CSV file [RFC 4180]: quoted when a separator, a quote or a line break is inside.
[[nodiscard]] std::string csvCell(const std::string& text);

/// A line of such cells, with its end.
[[nodiscard]] std::string csvRow(const std::vector<std::string>& cells);

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace lambdascope {

/// Whether rows × features doubles, and the machine's memory, allow a dense matrix. Overflow counts as not fitting.
[[nodiscard]] bool fitsInMemory(std::uint64_t rows, std::uint64_t features);

} // namespace lambdascope

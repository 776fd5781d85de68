// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/memory_limit.h"

#include <unistd.h>

#include <limits>

namespace lambdascope {

bool fitsInMemory(std::uint64_t rows, std::uint64_t features) {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageSize = sysconf(_SC_PAGE_SIZE);
    const std::uint64_t bytes = pages > 0 && pageSize > 0
                                    ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageSize)
                                    : std::numeric_limits<std::uint64_t>::max() / 16;
    // Eigen counts in signed 64-bit numbers; rows and features are checked apart so that their product cannot wrap.
    const std::uint64_t most = bytes / sizeof(double);
    return rows <= most && features <= most && (features == 0 || rows <= most / features);
}

} // namespace lambdascope

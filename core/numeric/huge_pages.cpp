// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace lambdascope {

void preferHugePages(void* begin, std::size_t bytes) {
    constexpr std::uintptr_t kHuge = std::uintptr_t{1} << 21;
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t from = (first + kHuge - 1) / kHuge * kHuge;
    const std::uintptr_t end = (first + bytes) / kHuge * kHuge;
    if (from < end) {
        (void)madvise(static_cast<char*>(begin) + (from - first), end - from, MADV_HUGEPAGE);
    }
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/memory_pages.h"

#include <malloc.h>
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

void keepFreedMemory() {
    (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 128 << 20);
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/large_buffer.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <cstdlib>
#include <new>

namespace lambdascope {

void LargeBufferFree::operator()(double* values) const {
    std::free(values);
}

LargeBuffer makeLargeBuffer(std::size_t count) {
    constexpr std::size_t kPage = std::size_t{1} << 21;
    const std::size_t bytes = count * sizeof(double);
    const std::size_t alignment = bytes >= kPage ? kPage : 64;
    const std::size_t rounded = (bytes / alignment + 1) * alignment; // as aligned_alloc wants it
    void* room = std::aligned_alloc(alignment, rounded);
    if (room == nullptr) {
        throw std::bad_alloc();
    }
#ifdef __linux__
    if (bytes >= kPage) {
        (void)madvise(room, rounded, MADV_HUGEPAGE); // a wish; without it all is as before, but slower
    }
#endif
    return LargeBuffer(static_cast<double*>(room));
}

} // namespace lambdascope

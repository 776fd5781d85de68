// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace lambdascope {

/// Bytes a vector holds, used or not.
template <class T>
[[nodiscard]] std::size_t bytesOf(const std::vector<T>& values) {
    return values.capacity() * sizeof(T);
}

} // namespace lambdascope

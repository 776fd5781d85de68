// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace lambdascope {

/// Asks the system to back a large piece of memory that nobody has touched yet with large pages: it is then cleared in
/// far fewer steps, and found in memory with fewer lookups. Changes no content; where the system declines, nothing.
void preferHugePages(void* begin, std::size_t bytes);

} // namespace lambdascope

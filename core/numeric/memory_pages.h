// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace lambdascope {

/// Asks the system to back a large piece of memory that nobody has touched yet with large pages: it is then cleared in
/// far fewer steps, and found in memory with fewer lookups. Changes no content; where the system declines, nothing.
void preferHugePages(void* begin, std::size_t bytes);

/// Keeps the memory of arrays of up to 32 MB that are no longer used for those to come, up to 128 MB of it: the system
/// would clear each of its pages again, which takes as long as what Newton steps and looks do with them. To be called
/// early in main(); where the library declines, nothing changes.
void keepFreedMemory();

} // namespace lambdascope

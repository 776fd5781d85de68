// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lambdascope::test {

/// Something of the program that reads what others may have written.
struct Reader {
    std::string_view name; ///< its corpus is tests/fuzz/corpus/NAME
    /// Has the bytes read. Empty when they are taken or refused as they should; else what is wrong with that.
    std::string (*read)(std::string_view bytes);
};

[[nodiscard]] std::span<const Reader> readers();
/// Null when there is none of that name.
[[nodiscard]] const Reader* findReader(std::string_view name);

} // namespace lambdascope::test

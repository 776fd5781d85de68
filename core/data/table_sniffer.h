// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/delimited_text.h"
#include "core/data/table_builder.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lambdascope {

/// What the beginning of a delimited file tells of the whole.
struct TableShape {
    bool hasHeader = false;
    std::size_t firstLine = 0; ///< of the first record
    std::vector<TableColumn> columns;
    std::size_t recordCount = 0; ///< records looked at, with the header
};

/// The delimiter (tab, semicolon, comma or bar) that cuts the first lines into most equal counts of fields; ',' when
/// none cuts them.
[[nodiscard]] char sniffDelimiter(std::string_view head, bool headIsAll);

/// Looks at up to 1,000 records. A column holds words when fewer than half of its values are numbers. The first record
/// is a header when none of it is a number and it fits its columns less than it would fit as a name: some column
/// below holds numbers, or most of its words do not occur below.
[[nodiscard]] TableShape sniffTable(std::string_view head, bool headIsAll, const FieldSyntax& syntax);

} // namespace lambdascope

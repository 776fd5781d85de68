// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/inspect/item_explanation.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lambdascope {

/// Appends the `count` (at least one) items of one set that were nearest to another decision, titled by `titleOf`:
/// those of the smallest slack; of items that stayed undecided those of the largest, which a smaller region would have
/// decided first. Ties go by number.
void addMostNotable(std::vector<NotableItem> ofOneSet, bool areUndecided, std::size_t count,
                    const std::function<std::string(std::int64_t item)>& titleOf, std::vector<NotableItem>& result);

/// The number of an item out of `items`, called `noun` in the message otherwise.
[[nodiscard]] Result<std::int64_t> itemNumber(const std::string& text, std::int64_t items, const std::string& noun);

} // namespace lambdascope

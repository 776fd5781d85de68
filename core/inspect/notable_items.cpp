// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/notable_items.h"

#include "core/common/number_text.h"

#include <algorithm>
#include <utility>

namespace lambdascope {

void addMostNotable(std::vector<NotableItem> ofOneSet, bool areUndecided, std::size_t count,
                    const std::function<std::string(std::int64_t item)>& titleOf, std::vector<NotableItem>& result) {
    const double sign = areUndecided ? -1 : 1;
    const auto kept = std::min(ofOneSet.size(), std::max<std::size_t>(1, count));
    std::partial_sort(ofOneSet.begin(), ofOneSet.begin() + static_cast<std::ptrdiff_t>(kept), ofOneSet.end(),
                      [sign](const NotableItem& a, const NotableItem& b) {
                          return sign * a.slack < sign * b.slack || (a.slack == b.slack && a.item < b.item);
                      });
    for (std::size_t k = 0; k < kept; ++k) {
        ofOneSet[k].title = titleOf(ofOneSet[k].item);
        result.push_back(std::move(ofOneSet[k]));
    }
}

Result<std::int64_t> itemNumber(const std::string& text, std::int64_t items, const std::string& noun) {
    const auto number = parseInteger(text);
    if (!number || *number < 0 || *number >= items) {
        return Failure{plainError(ErrorCode::BadUsage,
                                  "write the number of " + noun + ", from 0 to " + std::to_string(items - 1))};
    }
    return *number;
}

} // namespace lambdascope

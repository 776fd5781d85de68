// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/capability.h"
#include "core/inspect/item_explanation.h"

#include <cstddef>
#include <string>

namespace lambdascope {

/// A lens that explains why items of the problem were, or were not, taken out of it.
class ItemExplainer {
  public:
    static constexpr const char* kMissing = "runs of this family screen nothing that could be explained";

    virtual ~ItemExplainer() = default;

    [[nodiscard]] virtual std::int64_t items() const = 0;
    /// The items that are worth a look at a point: fixed ones and kept ones, nearest to the edge first.
    virtual Result<std::vector<NotableItem>> notableItems(std::int32_t point, std::size_t count,
                                                          std::stop_token stop) = 0;
    /// The same among the items that begin at a sample, a point of the lane's embeddings. Errors: BadUsage for none.
    virtual Result<std::vector<NotableItem>> itemsOfSample(std::int64_t sample, std::int32_t point, std::size_t count,
                                                           std::stop_token stop) = 0;
    /// Reads "4, 9, 71" as people write an item; an error says what is expected.
    [[nodiscard]] virtual Result<std::int64_t> findItem(const std::string& text) = 0;
    virtual Result<ItemExplanation> explain(std::int64_t item, std::int32_t point, std::stop_token stop) = 0;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/split.h"

#include "core/common/random_stream.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace lambdascope {

Split stratifiedSplit(std::size_t rows, std::span<const std::int32_t> labels, double share, std::uint64_t seed,
                      bool leavesRest) {
    assert(labels.empty() || labels.size() == rows);
    assert(share > 0 && share <= 1);
    std::vector<std::vector<std::size_t>> classes(1);
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t label = labels.empty() ? 0 : static_cast<std::size_t>(labels[i]);
        classes.resize(std::max(classes.size(), label + 1));
        classes[label].push_back(i);
    }
    RandomStream random(seed, "stratified split");
    Split split;
    for (std::vector<std::size_t>& members : classes) {
        if (members.empty()) {
            continue;
        }
        random.shuffle(members);
        const auto wished = static_cast<std::size_t>(std::floor(share * static_cast<double>(members.size()) + 0.5));
        const std::size_t most = leavesRest && members.size() >= 2 ? members.size() - 1 : members.size();
        const auto middle = members.begin() + static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(wished, 1, most));
        split.first.insert(split.first.end(), members.begin(), middle);
        split.second.insert(split.second.end(), middle, members.end());
    }
    std::sort(split.first.begin(), split.first.end());
    std::sort(split.second.begin(), split.second.end());
    return split;
}

} // namespace lambdascope

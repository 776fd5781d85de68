// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/region_slicer.h"

#include <algorithm>
#include <utility>

namespace lambdascope {

void arrange(Lifetimes& lifetimes, std::size_t count) {
    auto& intervals = lifetimes.intervals;
    lifetimes.total = static_cast<std::int64_t>(intervals.size());
    const auto length = [](const Lifetimes::Interval& interval) { return interval.high / interval.low; };
    std::sort(intervals.begin(), intervals.end(), [&](const auto& a, const auto& b) {
        return length(a) != length(b) ? length(a) > length(b) : a.item < b.item;
    });
    if (count > 0 && intervals.size() > count) {
        std::vector<Lifetimes::Interval> few;
        for (std::size_t k = 0; k < count; ++k) {
            few.push_back(intervals[k * intervals.size() / count]);
        }
        intervals = std::move(few);
    }
}

} // namespace lambdascope

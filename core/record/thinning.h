// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lambdascope {

/// Keeps a bounded, evenly spaced part of a growing series: the first and the newest element always, and between them
/// every stride-th, where the stride doubles whenever `capacity` is reached. Amortized O(1) per element.
struct ThinningState {
    std::int64_t stride = 1;
    std::int64_t seen = 0;
};

/// Appends `value` to `kept`. `capacity` must be at least 4.
template <class T>
void appendThinned(std::vector<T>& kept, T value, ThinningState& state, std::size_t capacity) {
    // kept[i] is element number i·stride, but for the last one, which may stand between two multiples.
    const bool lastIsProvisional = !kept.empty() && (state.seen - 1) % state.stride != 0;
    if (lastIsProvisional) {
        kept.pop_back();
    }
    if (kept.size() >= capacity - 1) {
        std::size_t target = 0;
        for (std::size_t i = 0; i < kept.size(); i += 2) {
            kept[target++] = std::move(kept[i]);
        }
        kept.resize(target);
        state.stride *= 2;
    }
    kept.push_back(std::move(value));
    ++state.seen;
}

} // namespace lambdascope

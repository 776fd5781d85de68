// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace lambdascope {

/// A list that grows by blocks, so that growing copies nothing, and that is taken apart block by block, so that a
/// copy of its values never stands beside the whole of it: the peak is one list and one block.
template <class T>
class BlockedArray {
  public:
    /// Blocks double from 64 KiB to this many bytes: just more than what glibc's allocator may keep for itself when it
    /// is freed (32 MiB), so that large blocks go back to the system.
    static constexpr std::size_t kLargestBlockBytes = std::size_t{34} << 20;

    void append(T value) { append(std::span<const T>(&value, 1)); }

    /// Appends values that shall stand in one block.
    void append(std::span<const T> values) {
        if (m_blocks.empty() || m_blocks.back().capacity - m_blocks.back().used < values.size()) {
            addBlock(values.size());
        }
        Block& block = m_blocks.back();
        std::copy(values.begin(), values.end(), block.values.get() + block.used);
        block.used += values.size();
        m_size += values.size();
    }

    [[nodiscard]] std::size_t size() const { return m_size; }

    /// visit(std::span<const T>) for each block in order.
    template <class Visit>
    void forEachBlock(Visit&& visit) const {
        for (const Block& block : m_blocks) {
            visit(std::span<const T>(block.values.get(), block.used));
        }
    }

    /// The same, freeing each block after its visit; the list is empty afterwards.
    template <class Visit>
    void drain(Visit&& visit) {
        for (Block& block : m_blocks) {
            visit(std::span<const T>(block.values.get(), block.used));
            block.values.reset();
        }
        m_blocks.clear();
        m_size = 0;
    }

  private:
    struct Block {
        std::unique_ptr<T[]> values;
        std::size_t capacity = 0;
        std::size_t used = 0;
    };

    void addBlock(std::size_t atLeast) {
        constexpr std::size_t kFirst = (std::size_t{1} << 16) / sizeof(T);
        const std::size_t doubled = m_blocks.empty() ? kFirst : 2 * m_blocks.back().capacity;
        const std::size_t capacity = std::max(atLeast, std::min(doubled, kLargestBlockBytes / sizeof(T)));
        m_blocks.push_back({std::make_unique_for_overwrite<T[]>(capacity), capacity, 0});
    }

    std::vector<Block> m_blocks;
    std::size_t m_size = 0;
};

} // namespace lambdascope

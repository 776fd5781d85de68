// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace lambdascope {

/// The threads of one run for loops over independent blocks. Results do not depend on how many there are as long as a
/// block writes only what is its own and the caller combines blocks in their order.
///
/// CPU time that other threads spend in blocks is credited to the calling thread (threadCpuSeconds), so that accounts
/// of a run hold all of its work. Not for concurrent use; loops do not nest.
class ThreadTeam {
  public:
    /// A block of a loop: its number, and the number in [0, size()) of the thread it runs in, for scratch memory.
    using Body = std::function<void(std::int64_t block, std::size_t worker)>;

    /// At most `threads`, and no more than the machine runs at a time.
    explicit ThreadTeam(int threads = 1);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    [[nodiscard]] std::size_t size() const { return m_size; }

    /// Calls body for blocks 0 … count − 1. After each block that the calling thread itself works on it asks
    /// `shouldStop` (never called in another thread); false when that ended the loop early.
    bool forEachBlock(std::int64_t count, const Body& body, const std::function<bool()>& shouldStop);

  private:
    class Arena;

    std::size_t m_size;
    std::unique_ptr<Arena> m_arena; ///< null for one thread
};

} // namespace lambdascope

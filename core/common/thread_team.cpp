// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/thread_team.h"

#include "core/common/clocks.h"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace lambdascope {

/// TBB hands blocks over and takes them back in a library that the thread sanitizer does not look into. m_stopped and
/// m_helpers do the same where it is seen: without them all that blocks have in common would be told as a race.
class ThreadTeam::Arena {
  public:
    explicit Arena(int threads) : m_arena(threads) {}

    bool run(std::int64_t count, const Body& body, const std::function<bool()>& shouldStop) {
        m_body = &body;
        m_shouldStop = &shouldStop;
        m_caller = std::this_thread::get_id();
        m_helpers = 0;
        m_stopped.store(false, std::memory_order_release);
        m_arena.execute([this, count] {
            tbb::parallel_for(
                tbb::blocked_range<std::int64_t>(0, count, 1),
                [this](const tbb::blocked_range<std::int64_t>& range) {
                    for (std::int64_t block = range.begin(); block != range.end(); ++block) {
                        work(block);
                    }
                },
                tbb::simple_partitioner());
        });
        creditThreadCpuSeconds(m_helpers);
        return !m_stopped;
    }

  private:
    void work(std::int64_t block) {
        if (m_stopped.load(std::memory_order_acquire)) {
            return;
        }
        const auto worker = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
        if (std::this_thread::get_id() == m_caller) {
            (*m_body)(block, worker);
            if ((*m_shouldStop)()) {
                m_stopped = true;
            }
            return;
        }
        const double start = threadCpuSeconds();
        (*m_body)(block, worker);
        m_helpers += threadCpuSeconds() - start;
    }

    tbb::task_arena m_arena;
    const Body* m_body = nullptr;
    const std::function<bool()>* m_shouldStop = nullptr;
    std::thread::id m_caller;
    std::atomic<bool> m_stopped = false;
    std::atomic<double> m_helpers = 0; ///< CPU seconds of threads but the caller's
};

ThreadTeam::ThreadTeam(int threads)
    : m_size(static_cast<std::size_t>(std::clamp(threads, 1, std::max(1, tbb::info::default_concurrency())))),
      m_arena(m_size > 1 ? std::make_unique<Arena>(static_cast<int>(m_size)) : nullptr) {}

ThreadTeam::~ThreadTeam() = default;

bool ThreadTeam::forEachBlock(std::int64_t count, const Body& body, const std::function<bool()>& shouldStop) {
    if (m_arena && count > 1) {
        return m_arena->run(count, body, shouldStop);
    }
    for (std::int64_t block = 0; block < count; ++block) {
        body(block, 0);
        if (shouldStop()) {
            return false;
        }
    }
    return true;
}

} // namespace lambdascope

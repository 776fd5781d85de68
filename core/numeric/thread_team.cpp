// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/thread_team.h"

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

class ThreadTeam::Arena {
  public:
    explicit Arena(int threads) : m_arena(threads) {}

    bool run(std::int64_t count, const Body& body, const std::function<bool()>& shouldStop) {
        const std::thread::id caller = std::this_thread::get_id();
        std::atomic<bool> stopped = false;
        std::atomic<double> helpers = 0;
        const auto work = [&](std::int64_t block) {
            if (stopped.load(std::memory_order_relaxed)) {
                return;
            }
            const auto worker = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
            if (std::this_thread::get_id() == caller) {
                body(block, worker);
                if (shouldStop()) {
                    stopped = true;
                }
                return;
            }
            const double start = threadCpuSeconds();
            body(block, worker);
            helpers += threadCpuSeconds() - start;
        };
        m_arena.execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<std::int64_t>(0, count, 1),
                [&](const tbb::blocked_range<std::int64_t>& range) {
                    for (std::int64_t block = range.begin(); block != range.end(); ++block) {
                        work(block);
                    }
                },
                tbb::simple_partitioner());
        });
        creditThreadCpuSeconds(helpers);
        return !stopped;
    }

  private:
    tbb::task_arena m_arena;
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

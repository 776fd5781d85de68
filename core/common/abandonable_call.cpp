// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/abandonable_call.h"

#include "core/common/clocks.h"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace lambdascope {

namespace {

constexpr std::chrono::milliseconds kBetweenQuestions{5};
constexpr std::size_t kMostAbandoned = 2;

class Call {
  public:
    explicit Call(std::function<void()> call) : m_call(std::move(call)), m_thread([this] { run(); }) {}

    /// Ended before `kBetweenQuestions` were over?
    bool endsSoon() {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, kBetweenQuestions, [this] { return m_isOver; });
    }

    [[nodiscard]] bool isOver() {
        const std::scoped_lock lock(m_mutex);
        return m_isOver;
    }

    [[nodiscard]] double cpuSeconds() {
        const std::scoped_lock lock(m_mutex);
        clockid_t clock{};
        timespec time{};
        if (m_isOver || pthread_getcpuclockid(m_thread.native_handle(), &clock) != 0 ||
            clock_gettime(clock, &time) != 0) {
            return m_cpuSeconds;
        }
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    void join() {
        if (m_thread.joinable()) {
            m_thread.join();
        }
    }

    void rethrow() const {
        if (m_failure) {
            std::rethrow_exception(m_failure);
        }
    }

  private:
    void run() {
        try {
            m_call();
        } catch (...) {
            m_failure = std::current_exception();
        }
        const std::scoped_lock lock(m_mutex);
        m_call = nullptr; // and what it owned
        m_cpuSeconds = threadCpuSeconds();
        m_isOver = true;
        m_changed.notify_all();
    }

    std::function<void()> m_call;
    std::exception_ptr m_failure;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isOver = false;
    double m_cpuSeconds = 0;
    std::thread m_thread; ///< last, since it uses all of the above
};

/// Calls that nobody waits for.
class AbandonedCalls {
  public:
    ~AbandonedCalls() {
        for (const auto& call : m_calls) {
            call->join();
        }
    }

    void add(std::unique_ptr<Call> call) {
        const std::scoped_lock lock(m_mutex);
        m_calls.push_back(std::move(call));
    }

    /// How many still run; those that have ended are forgotten.
    [[nodiscard]] std::size_t count() {
        const std::scoped_lock lock(m_mutex);
        std::erase_if(m_calls, [](const auto& call) {
            const bool isOver = call->isOver();
            if (isOver) {
                call->join();
            }
            return isOver;
        });
        return m_calls.size();
    }

  private:
    std::mutex m_mutex;
    std::vector<std::unique_ptr<Call>> m_calls;
};

AbandonedCalls& abandonedCalls() {
    static AbandonedCalls calls;
    return calls;
}

} // namespace

bool callAbandonably(std::function<void()> call, StopCheck& stopCheck) {
    while (abandonedCalls().count() >= kMostAbandoned) {
        if (stopCheck.ask()) {
            return false;
        }
        std::this_thread::sleep_for(kBetweenQuestions);
    }
    if (stopCheck.ask()) {
        return false;
    }
    auto running = std::make_unique<Call>(std::move(call));
    while (!running->endsSoon()) {
        if (stopCheck.ask()) {
            creditThreadCpuSeconds(running->cpuSeconds());
            abandonedCalls().add(std::move(running));
            return false;
        }
    }
    running->join();
    creditThreadCpuSeconds(running->cpuSeconds());
    running->rethrow();
    return true;
}

void exitWithoutAbandonedCalls(int status) {
    if (abandonedCalls().count() > 0) {
        std::cout.flush();
        std::fflush(nullptr);
        std::_Exit(status);
    }
    std::exit(status);
}

} // namespace lambdascope

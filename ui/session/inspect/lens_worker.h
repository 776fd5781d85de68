// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/inspect/inspection_cache.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace lambdascope {

/// Puts questions to the lenses of finished lanes, one after the other, in a thread of its own. Data, problem and the
/// lenses asked last stay at hand, so that only the first question of a lane waits for it to be computed again. Knows
/// no Qt. The destructor asks to stop and joins.
class LensWorker {
  public:
    /// What gets run when an answer is there, in the thread of the asker.
    using Answer = std::function<void()>;
    using Question = std::function<Answer(RunLens& lens, const RunLens::Progress& progress, std::stop_token stop)>;

    struct Request {
        std::string topic; ///< a newer question about it takes the place of an older one
        LensLane lane;
        bool needsOpenLens = true; ///< false for questions that open the lens themselves
        Question question;
        std::function<Answer(const Error&)> failed;
    };
    struct Progress {
        std::string topic; ///< of what is in work; empty when idle
        RunId run;
        double share = -1; ///< in [0, 1]; negative while unknown
        std::size_t waiting = 0;
    };

    /// `posted` is called in the worker's thread when answers() has something; it must only post to another thread.
    explicit LensWorker(std::function<void()> posted);
    ~LensWorker();

    void ask(Request request);
    /// Drops what was asked about a topic; no answer will come.
    void cancel(const std::string& topic);
    [[nodiscard]] Progress progress() const;
    [[nodiscard]] bool isAsked(const std::string& topic) const;
    /// The answers that have come since, to be called in order.
    [[nodiscard]] std::vector<Answer> takeAnswers();

  private:
    struct Job {
        Request request;
        std::stop_source stop;
    };
    struct Finished {
        std::shared_ptr<Job> job;
        Answer answer;
    };

    void work(const std::stop_token& stop);
    Answer answer(Job& job);
    void setShare(double share) { m_share.store(share, std::memory_order_relaxed); }

    std::function<void()> m_posted;
    mutable std::mutex m_mutex; ///< guards queue, current job and answers
    std::condition_variable_any m_wakeUp;
    std::deque<std::shared_ptr<Job>> m_queue;
    std::shared_ptr<Job> m_current;
    std::vector<Finished> m_finished;
    std::atomic<double> m_share{-1.0};
    std::unique_ptr<InspectionCache> m_bench; ///< only the thread touches it
    std::jthread m_thread;                    ///< last member: everything above outlives it
};

} // namespace lambdascope

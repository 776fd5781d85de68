// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"

#include <QObject>

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace lambdascope {

/// Work in threads of its own, one per job, whose results an object of the GUI thread collects: `work` runs in the
/// thread, then the slot `takeFinished` of the owner is called by name in the owner's thread, where takeFinished()
/// hands out a job. Exceptions come back as errors. The destructor asks all jobs to stop and joins them; so it must be
/// the first thing of its owner that goes. GUI thread only.
template <class T>
class BackgroundJobs {
  public:
    class Job {
      public:
        [[nodiscard]] Result<T>& result() { return *m_result; }

      private:
        friend class BackgroundJobs;
        std::optional<Result<T>> m_result; ///< written by the thread before it posts
        std::atomic<bool> m_isDone = false;
        std::jthread m_thread;
    };

    /// `noMemory` says what there was not enough memory for.
    BackgroundJobs(QObject* owner, std::string noMemory) : m_owner(owner), m_noMemory(std::move(noMemory)) {}
    ~BackgroundJobs() {
        stopAll();
        for (const auto& job : m_jobs) {
            job->m_thread.join(); // now: somebody may still hold the job
        }
    }
    BackgroundJobs(const BackgroundJobs&) = delete;
    BackgroundJobs& operator=(const BackgroundJobs&) = delete;

    std::shared_ptr<Job> start(std::function<Result<T>(std::stop_token)> work) {
        auto job = std::make_shared<Job>();
        m_jobs.push_back(job);
        job->m_thread = std::jthread([this, raw = job.get(), work = std::move(work)](const std::stop_token& stop) {
            raw->m_result = guarded(work, stop);
            raw->m_isDone.store(true, std::memory_order_release);
            QMetaObject::invokeMethod(m_owner, "takeFinished", Qt::QueuedConnection);
        });
        return job;
    }
    /// Asks all jobs to stop, without waiting: each is joined when it reports back.
    void stopAll() {
        for (const auto& job : m_jobs) {
            job->m_thread.request_stop();
        }
    }
    /// A job that has ended, joined; null when an earlier call took it.
    std::shared_ptr<Job> takeFinished() {
        const auto done = std::find_if(m_jobs.begin(), m_jobs.end(),
                                       [](const auto& job) { return job->m_isDone.load(std::memory_order_acquire); });
        if (done == m_jobs.end()) {
            return nullptr;
        }
        std::shared_ptr<Job> job = *done;
        m_jobs.erase(done);
        job->m_thread.join();
        return job;
    }

  private:
    Result<T> guarded(const std::function<Result<T>(std::stop_token)>& work, const std::stop_token& stop) const {
        try {
            return work(stop);
        } catch (const std::bad_alloc&) {
            return Failure{plainError(ErrorCode::OutOfMemory, "there is not enough memory for " + m_noMemory)};
        } catch (const std::exception& exception) {
            return Failure{plainError(ErrorCode::Internal, exception.what())};
        }
    }

    QObject* m_owner;
    std::string m_noMemory;
    std::vector<std::shared_ptr<Job>> m_jobs; ///< also stopped ones that have not yet come back
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/run_loader.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <optional>
#include <thread>

namespace lambdascope {

namespace {

RunLoader::Records readGuarded(const std::function<RunLoader::Records()>& read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        return Failure{plainError(ErrorCode::OutOfMemory, "there is not enough memory for this run")};
    } catch (const std::exception& exception) {
        return Failure{plainError(ErrorCode::Internal, exception.what())};
    }
}

} // namespace

/// One reading. `records` is written by the thread before it posts itself back.
class RunLoader::Job {
  public:
    std::optional<Records> records;
    RunOrigin origin = RunOrigin::Folder;
    QString place;
    std::atomic<bool> isDone = false;
    std::jthread thread;
};

RunLoader::RunLoader(QObject* parent) : QObject(parent) {}

RunLoader::~RunLoader() {
    m_jobs.clear(); // joins
}

void RunLoader::load(std::function<Records()> read, RunOrigin origin, const QString& place) {
    const auto job = std::make_shared<Job>();
    job->origin = origin;
    job->place = place;
    m_jobs.push_back(job);
    job->thread = std::jthread([this, raw = job.get(), read = std::move(read)] {
        raw->records = readGuarded(read);
        raw->isDone.store(true, std::memory_order_release);
        QMetaObject::invokeMethod(this, "takeFinished", Qt::QueuedConnection);
    });
}

void RunLoader::takeFinished() {
    const auto done = std::find_if(m_jobs.begin(), m_jobs.end(),
                                   [](const auto& job) { return job->isDone.load(std::memory_order_acquire); });
    if (done == m_jobs.end()) {
        return; // an earlier call took it
    }
    const std::shared_ptr<Job> job = *done;
    m_jobs.erase(done);
    job->thread.join();
    if (m_receiver) {
        m_receiver({std::move(*job->records), job->origin, job->place});
    }
}

} // namespace lambdascope

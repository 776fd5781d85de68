// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/inspect/lens_worker.h"

#include "core/run/library_exceptions.h"

#include <algorithm>

namespace lambdascope {

LensWorker::LensWorker(std::function<void()> posted)
    : m_posted(std::move(posted)), m_bench(std::make_unique<InspectionCache>()),
      m_thread([this](const std::stop_token& stop) { work(stop); }) {}

LensWorker::~LensWorker() {
    m_thread.request_stop();
    const std::lock_guard lock(m_mutex);
    m_queue.clear();
    if (m_current) {
        m_current->stop.request_stop();
    }
}

void LensWorker::ask(Request request) {
    cancel(request.topic);
    auto job = std::make_shared<Job>();
    job->request = std::move(request);
    {
        const std::lock_guard lock(m_mutex);
        m_queue.push_back(std::move(job));
    }
    m_wakeUp.notify_all();
}

void LensWorker::cancel(const std::string& topic) {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_queue, [&](const auto& job) { return job->request.topic == topic; });
    std::erase_if(m_finished, [&](const Finished& finished) { return finished.job->request.topic == topic; });
    if (m_current && m_current->request.topic == topic) {
        m_current->stop.request_stop();
    }
}

LensWorker::Progress LensWorker::progress() const {
    const std::lock_guard lock(m_mutex);
    Progress progress;
    progress.waiting = m_queue.size();
    if (m_current && !m_current->stop.stop_requested()) {
        progress.topic = m_current->request.topic;
        progress.run = m_current->request.lane.record->id();
        progress.share = m_share.load(std::memory_order_relaxed);
    }
    return progress;
}

bool LensWorker::isAsked(const std::string& topic) const {
    const std::lock_guard lock(m_mutex);
    return (m_current && !m_current->stop.stop_requested() && m_current->request.topic == topic) ||
           std::any_of(m_queue.begin(), m_queue.end(), [&](const auto& job) { return job->request.topic == topic; });
}

std::vector<LensWorker::Answer> LensWorker::takeAnswers() {
    const std::lock_guard lock(m_mutex);
    std::vector<Answer> answers;
    for (Finished& finished : m_finished) {
        answers.push_back(std::move(finished.answer));
    }
    m_finished.clear();
    return answers;
}

void LensWorker::work(const std::stop_token& stop) {
    while (true) {
        std::shared_ptr<Job> job;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wakeUp.wait(lock, stop, [this] { return !m_queue.empty(); })) {
                return;
            }
            job = m_queue.front();
            m_queue.pop_front();
            m_current = job;
        }
        Answer answered = answer(*job);
        {
            const std::lock_guard lock(m_mutex);
            m_current.reset();
            if (!job->stop.stop_requested()) {
                m_finished.push_back({job, std::move(answered)});
            }
        }
        m_posted();
    }
}

LensWorker::Answer LensWorker::answer(Job& job) {
    setShare(-1);
    try {
        const RunLens::Progress progress = [this](double share) { setShare(share); };
        const std::stop_token stop = job.stop.get_token();
        auto lens = m_bench->lensFor(job.request.lane, job.request.needsOpenLens, progress, stop);
        return lens ? job.request.question(**lens, progress, stop) : job.request.failed(lens.error());
    } catch (...) {
        m_bench = std::make_unique<InspectionCache>(); // whatever is at hand may be half made
        return job.request.failed(errorOfCurrentException("looking into the run"));
    }
}

} // namespace lambdascope

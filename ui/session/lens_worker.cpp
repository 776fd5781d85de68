// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/lens_worker.h"

#include "core/run/library_exceptions.h"
#include "core/store/path_check.h"

#include <algorithm>

namespace lambdascope {

namespace {

/// Lenses kept open; each may hold hundreds of megabytes on large problems.
constexpr std::size_t kOpenLenses = 3;

StoredPath storedPath(const RunRecord& record) {
    StoredPath path;
    for (const ColumnDescription& column : record.start().columns) {
        path.columns.push_back(column.key);
    }
    for (const PointRecord& point : record.points()) {
        if (point.isFinished) {
            path.rows.push_back(point.values);
        }
    }
    return path;
}

Error notReproduced(const std::string& message, const std::string& remedy) {
    return singleFault(ErrorCode::InvalidData, {{}, message, remedy, {}});
}

Result<void> checkData(const RunRecord& record, const Dataset& data) {
    const Json& facts = record.start().facts;
    const std::string stored = facts.is_object() ? facts.value("content_sha256", std::string()) : std::string();
    if (stored.empty() || stored == data.contentSha256()) {
        return {};
    }
    return Failure{
        notReproduced("the data have changed since this run", "Restore the data file, or run the experiment again.")};
}

} // namespace

struct LensWorker::Bench {
    struct Open {
        std::string lane;
        std::unique_ptr<RunLens> lens;
        bool isOpen = false;
    };
    std::string experiment; ///< that `runner` has prepared
    std::unique_ptr<ExperimentRunner> runner;
    std::deque<Open> lenses; ///< the one asked last first
};

LensWorker::LensWorker(std::function<void()> posted)
    : m_posted(std::move(posted)), m_bench(std::make_unique<Bench>()),
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
        auto lens = lensFor(job);
        if (!lens) {
            return job.request.failed(lens.error());
        }
        return job.request.question(
            **lens, [this](double share) { setShare(share); }, job.stop.get_token());
    } catch (...) {
        m_bench = std::make_unique<Bench>(); // whatever is at hand may be half made
        return job.request.failed(errorOfCurrentException("looking into the run"));
    }
}

Result<RunLens*> LensWorker::lensFor(Job& job) {
    const Lane& lane = job.request.lane;
    const RunRecord& record = *lane.record;
    const std::stop_token stop = job.stop.get_token();
    const std::string key = record.start().experiment.dump();
    if (m_bench->runner == nullptr || m_bench->experiment != key) {
        m_bench = std::make_unique<Bench>();
        auto experiment = validateExperiment(record.start().experiment, *lane.catalog);
        if (!experiment) {
            return Failure{experiment.error()};
        }
        ExperimentOptions options;
        options.places = lane.places;
        auto runner = std::make_unique<ExperimentRunner>(std::move(*experiment), *lane.family, std::move(options));
        if (auto prepared = runner->prepare({}, stop); !prepared) {
            return Failure{prepared.error()};
        }
        if (auto checked = checkData(record, runner->dataset()); !checked) {
            return Failure{checked.error()};
        }
        m_bench->runner = std::move(runner);
        m_bench->experiment = key;
    }
    auto& lenses = m_bench->lenses;
    const std::string& name = record.start().laneName;
    const auto known = std::find_if(lenses.begin(), lenses.end(), [&](const auto& open) { return open.lane == name; });
    if (known == lenses.end()) {
        const std::vector<std::string>& names = m_bench->runner->laneNames();
        const auto at = std::find(names.begin(), names.end(), name);
        auto lens =
            at == names.end() ? nullptr : m_bench->runner->makeLens(static_cast<std::size_t>(at - names.begin()));
        if (lens == nullptr) {
            return Failure{notReproduced("runs of this family screen nothing that could be explained",
                                         "Choose a run of another family.")};
        }
        lenses.push_front({name, std::move(lens), false});
        if (lenses.size() > kOpenLenses) {
            lenses.pop_back();
        }
    } else {
        std::rotate(lenses.begin(), known, std::next(known));
    }
    Bench::Open& open = lenses.front();
    if (job.request.needsOpenLens && !open.isOpen) {
        const bool isWhole = record.state() == RunRecord::State::Finished;
        const auto points = isWhole ? 0 : static_cast<std::int32_t>(record.finishedPointCount());
        if (auto opened = open.lens->open(
                points, [this](double share) { setShare(share); }, stop);
            !opened) {
            return Failure{opened.error()};
        }
        const PathCheck check = comparePath(storedPath(record), open.lens->lane().columns, open.lens->path());
        if (check.differences > 0) {
            return Failure{notReproduced("computed again, this run comes out differently: " + check.examples.front(),
                                         "It was made by another version; run the experiment again.")};
        }
        open.isOpen = true;
    }
    return open.lens.get();
}

} // namespace lambdascope

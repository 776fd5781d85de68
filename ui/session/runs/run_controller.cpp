// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_controller.h"

#include "core/families.h"
#include "core/store/run_library.h"
#include "ui/session/runs/run_event_bridge.h"
#include "ui/session/runs/run_worker.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace lambdascope {

namespace {

constexpr int kProgressInterval = 50;  ///< ms between looks at the worker's progress
constexpr double kShareForEta = 0.02;  ///< below this an estimate is noise
constexpr double kSecondsForEta = 0.5; ///< likewise

} // namespace

RunController::RunController(RunEventBridge& bridge, Options options, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_options(std::move(options)) {
    if (!m_options.findFamily) {
        m_options.findFamily = [](std::string_view id) { return lambdascope::findFamily(id); };
    }
    m_progressTimer.setInterval(kProgressInterval);
    connect(&m_progressTimer, &QTimer::timeout, this, &RunController::pollProgress);
    if (m_options.library) {
        m_options.library->setNotice([this](const Error& error) { warnLater(error); });
    }
}

RunController::~RunController() {
    m_worker.reset(); // asks to stop and joins; what it posted to this object dies with it
    if (m_options.library) {
        m_options.library->setNotice({});
    }
}

void RunController::warnLater(const Error& error) {
    QMetaObject::invokeMethod(
        this, [this, error] { Q_EMIT warned(error); }, Qt::QueuedConnection);
}

QString RunController::currentName() const {
    return m_currentName;
}

std::shared_ptr<const Dataset> RunController::dataset() const {
    return m_worker && m_worker->dataset() ? m_worker->dataset() : m_dataset;
}

void RunController::start(RunRequest request) {
    if (isBusy()) {
        enqueue(std::move(request));
    } else {
        launch(std::move(request));
    }
}

void RunController::launch(RunRequest request) {
    const Family* family = m_options.findFamily(request.experiment->family);
    m_currentName = QString::fromStdString(request.experiment->name);
    m_dataset.reset();
    m_bridge.resetCost();
    setState(RunState::Preparing);
    Q_EMIT started(m_currentName);
    if (family == nullptr) {
        m_currentName.clear();
        setState(RunState::Idle);
        Q_EMIT failed(
            singleFault(ErrorCode::InvalidConfiguration, {"family",
                                                          "no family is called \"" + request.experiment->family + "\"",
                                                          "Choose a family that this program has.",
                                                          {}}));
        return;
    }
    RunWorker::Job job{std::move(request.experiment),
                       family,
                       {m_options.wishes, std::move(request.lanes), std::move(request.places), {}},
                       std::move(request.runFolder),
                       m_options.library,
                       QCoreApplication::applicationVersion().toStdString(),
                       std::move(request.left)};
    m_activeClock.start();
    m_activeBefore = 0;
    m_progressTimer.start();
    m_worker = std::make_unique<RunWorker>(
        std::move(job), m_bridge,
        RunWorker::Callbacks{
            .prepared = [this] { QMetaObject::invokeMethod(this, "onPrepared", Qt::QueuedConnection); },
            .warned = [this](const Error& error) { warnLater(error); },
            .done = [this] { QMetaObject::invokeMethod(this, "onWorkerDone", Qt::QueuedConnection); }});
}

void RunController::onPrepared() {
    if (m_state == RunState::Preparing) {
        m_dataset = m_worker->dataset();
        m_activeClock.restart();
        setState(RunState::Running);
    }
}

void RunController::pause() {
    if (m_state == RunState::Running) {
        m_worker->gate().pause();
        m_activeBefore += m_activeClock.elapsed() / 1000.0;
        setState(RunState::Paused);
        pollProgress();
    }
}

void RunController::resume() {
    if (m_state == RunState::Paused) {
        m_worker->gate().resume();
        m_activeClock.restart();
        setState(RunState::Running);
    }
}

void RunController::stop() {
    if (!isBusy() || m_state == RunState::Stopping) {
        return;
    }
    m_worker->requestStop();
    m_isQueueHeld = !m_queue.empty();
    setState(RunState::Stopping);
    Q_EMIT queueChanged();
}

void RunController::onWorkerDone() {
    const RunWorker::Ending ending = m_worker->join();
    m_dataset = m_worker->dataset();
    pollProgress();
    m_progressTimer.stop();
    m_worker.reset();
    m_currentName.clear();
    m_bridge.drainNow();
    setState(RunState::Idle);
    if (ending.error) {
        Q_EMIT failed(*ending.error);
    } else {
        Q_EMIT finished(ending.termination);
    }
    startNext();
}

void RunController::startNext() {
    // A receiver of the signals above may have started something itself.
    if (isBusy() || m_isQueueHeld || m_queue.empty()) {
        return;
    }
    RunRequest next = std::move(m_queue.front());
    m_queue.pop_front();
    Q_EMIT queueChanged();
    launch(std::move(next));
}

void RunController::enqueue(RunRequest request) {
    m_queue.push_back(std::move(request));
    Q_EMIT queueChanged();
    startNext();
}

void RunController::removeQueued(std::size_t index) {
    if (index < m_queue.size()) {
        m_queue.erase(m_queue.begin() + static_cast<std::ptrdiff_t>(index));
        m_isQueueHeld = m_isQueueHeld && !m_queue.empty();
        Q_EMIT queueChanged();
    }
}

void RunController::moveQueued(std::size_t from, std::size_t to) {
    if (from < m_queue.size() && to < m_queue.size() && from != to) {
        RunRequest request = std::move(m_queue[from]);
        m_queue.erase(m_queue.begin() + static_cast<std::ptrdiff_t>(from));
        m_queue.insert(m_queue.begin() + static_cast<std::ptrdiff_t>(to), std::move(request));
        Q_EMIT queueChanged();
    }
}

void RunController::releaseQueue() {
    if (std::exchange(m_isQueueHeld, false)) {
        Q_EMIT queueChanged();
        startNext();
    }
}

void RunController::setState(RunState state) {
    if (std::exchange(m_state, state) != state) {
        Q_EMIT stateChanged(state);
    }
}

void RunController::pollProgress() {
    if (!m_worker) {
        return;
    }
    const RunProgress::Snapshot snapshot = m_worker->progress();
    const bool isCounting = m_state == RunState::Running;
    const double active = m_activeBefore + (isCounting ? m_activeClock.elapsed() / 1000.0 : 0);
    const bool hasEta = isCounting && snapshot.share >= kShareForEta && active >= kSecondsForEta;
    const double eta = hasEta ? active * (1 - snapshot.share) / snapshot.share : -1;
    Q_EMIT progressChanged(snapshot.share, QString::fromStdString(snapshot.text), eta);
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/inspect/run_lens_session.h"

#include "core/families.h"
#include "core/inspect/item_explainer.h"
#include "core/record/run_record.h"
#include "core/store/lane_audit.h"
#include "ui/session/inspect/item_brush.h"

namespace lambdascope {

namespace {

constexpr int kWatchInterval = 50; // ms between looks at the workers' progress

QString auditTopic(RunId run) {
    return QStringLiteral("audit %1").arg(run.value);
}

} // namespace

RunLensSession::RunLensSession(RunCollection& runs, Options options, QObject* parent)
    : QObject(parent), m_runs(runs), m_options(std::move(options)),
      m_questions([this] { QMetaObject::invokeMethod(this, "takeAnswers", Qt::QueuedConnection); }),
      m_audits([this] { QMetaObject::invokeMethod(this, "takeAnswers", Qt::QueuedConnection); }) {
    if (m_options.catalog == nullptr) {
        m_options.catalog = &builtInCatalog();
    }
    if (!m_options.findFamily) {
        m_options.findFamily = [](std::string_view id) { return lambdascope::findFamily(id); };
    }
    m_brush = std::make_unique<ItemBrush>(runs, *this);
    m_watch.setInterval(kWatchInterval);
    connect(&m_watch, &QTimer::timeout, this, &RunLensSession::watch);
    connect(&runs, &RunCollection::runsRemoved, this, [this](const std::vector<RunId>& ids) {
        for (const RunId id : ids) {
            cancelAudit(id);
        }
    });
}

RunLensSession::~RunLensSession() = default;

QString RunLensSession::obstacle(RunId run) const {
    if (QString general = lookingObstacle(run); !general.isEmpty()) {
        return general;
    }
    return m_runs.record(run)->start().itemNoun.empty() ? tr("Runs of this family screen nothing.") : QString();
}

QString RunLensSession::lookingObstacle(RunId run) const {
    const RunRecord* record = m_runs.record(run);
    return record == nullptr || record->hasEnded()
               ? keptObstacle(run)
               : tr("This run still computes. It can be looked into when it has ended.");
}

QString RunLensSession::keptObstacle(RunId run) const {
    const RunRecord* record = m_runs.record(run);
    if (record == nullptr) {
        return tr("There is no run to look into.");
    }
    if (record->finishedPointCount() == 0) {
        return tr("This run finished no point.");
    }
    if (m_options.findFamily(record->start().family) == nullptr) {
        return tr("This program does not know the family of this run.");
    }
    return {};
}

void RunLensSession::put(LensWorker& worker, RunId run, const Task& task, LensWorker::Question question) {
    LensWorker::Request request;
    request.topic = task.topic.toStdString();
    request.lane.record = m_runs.sharedRecord(run);
    if (!request.lane.record->hasEnded()) { // the worker must not read what events still change
        request.lane.record = std::make_shared<const RunRecord>(*request.lane.record);
    }
    request.lane.places = m_options.places ? m_options.places() : DataPlaces{};
    request.lane.family = m_options.findFamily(request.lane.record->start().family);
    request.lane.catalog = m_options.catalog;
    request.needsOpenLens = task.needsOpenLens;
    request.question = std::move(question);
    request.failed = [this, run, told = task.told](const Error& error) -> LensWorker::Answer {
        return [this, run, told, error] { Q_EMIT failed(run, told, error); };
    };
    worker.ask(std::move(request));
    m_watch.start();
    Q_EMIT activityChanged();
}

void RunLensSession::ask(RunId run, const QString& topic, LensWorker::Question question) {
    if (lookingObstacle(run).isEmpty()) {
        put(m_questions, run, {topic, topic, true}, std::move(question));
    }
}

void RunLensSession::askOfKept(RunId run, const QString& topic, LensWorker::Question question) {
    if (keptObstacle(run).isEmpty()) {
        put(m_questions, run, {topic, topic, false}, std::move(question));
    }
}

void RunLensSession::explain(RunId run, const QString& item, int point) {
    ask(run, explainTopic(),
        [this, run, item, point](RunLens& lens, const RunLens::Progress&, std::stop_token stop) -> LensWorker::Answer {
            const auto found = askLens(lens, &ItemExplainer::findItem, item.toStdString());
            if (!found) {
                return [this, run, error = found.error()] { Q_EMIT failed(run, explainTopic(), error); };
            }
            return answerWhy(run, point, askLens(lens, &ItemExplainer::explain, *found, point, std::move(stop)));
        });
}

void RunLensSession::explainItem(RunId run, qint64 item, int point) {
    ask(run, explainTopic(),
        [this, run, item, point](RunLens& lens, const RunLens::Progress&, std::stop_token stop) -> LensWorker::Answer {
            return answerWhy(run, point, askLens(lens, &ItemExplainer::explain, item, point, std::move(stop)));
        });
}

LensWorker::Answer RunLensSession::answerWhy(RunId run, int point, Result<ItemExplanation> why) {
    if (!why) {
        return [this, run, error = why.error()] { Q_EMIT failed(run, explainTopic(), error); };
    }
    return [this, run, point, answer = std::move(*why)] { Q_EMIT explained(run, point, answer); };
}

void RunLensSession::findOfSample(RunId run, qint64 sample, int point) {
    static constexpr std::size_t kCount = 36;
    ask(run, notableTopic(),
        [this, run, sample, point](RunLens& lens, const RunLens::Progress&,
                                   std::stop_token stop) -> LensWorker::Answer {
            auto items = askLens(lens, &ItemExplainer::itemsOfSample, sample, point, kCount, std::move(stop));
            if (!items) {
                return [this, run, error = items.error()] { Q_EMIT failed(run, notableTopic(), error); };
            }
            return [this, run, point, sample, answer = std::move(*items)] {
                Q_EMIT sampleItemsFound(run, point, sample, answer);
            };
        });
}

void RunLensSession::findNotable(RunId run, int point) {
    static constexpr std::size_t kCount = 24;
    ask(run, notableTopic(),
        [this, run, point](RunLens& lens, const RunLens::Progress&, std::stop_token stop) -> LensWorker::Answer {
            auto items = askLens(lens, &ItemExplainer::notableItems, point, kCount, std::move(stop));
            if (!items) {
                return [this, run, error = items.error()] { Q_EMIT failed(run, notableTopic(), error); };
            }
            return [this, run, point, answer = std::move(*items)] { Q_EMIT notableFound(run, point, answer); };
        });
}

void RunLensSession::audit(RunId run) {
    if (!lookingObstacle(run).isEmpty()) {
        return;
    }
    put(m_audits, run, {auditTopic(run), {}, false},
        [this, run, kept = m_runs.sharedRecord(run)](RunLens& lens, const RunLens::Progress& progress,
                                                     std::stop_token stop) -> LensWorker::Answer {
            auto audit = auditLane(lens, kept->start().laneName, storedPath(*kept), progress, std::move(stop));
            if (!audit) {
                return [this, run, error = audit.error()] { Q_EMIT failed(run, {}, error); };
            }
            return [this, run, found = std::move(*audit)] { m_runs.setAudit(run, found); };
        });
}

void RunLensSession::cancel(const QString& topic) {
    m_questions.cancel(topic.toStdString());
    Q_EMIT activityChanged();
}

void RunLensSession::cancelAudit(RunId run) {
    m_audits.cancel(auditTopic(run).toStdString());
    Q_EMIT activityChanged();
}

bool RunLensSession::isAsked(const QString& topic) const {
    return m_questions.isAsked(topic.toStdString());
}

bool RunLensSession::isAuditing(RunId run) const {
    return m_audits.isAsked(auditTopic(run).toStdString());
}

double RunLensSession::share(const QString& topic) const {
    const LensWorker::Progress progress = m_questions.progress();
    return progress.topic == topic.toStdString() ? progress.share : -1;
}

double RunLensSession::auditShare(RunId run) const {
    const LensWorker::Progress progress = m_audits.progress();
    return progress.topic == auditTopic(run).toStdString() ? progress.share : -1;
}

void RunLensSession::takeAnswers() {
    for (LensWorker* worker : {&m_questions, &m_audits}) {
        for (const LensWorker::Answer& answer : worker->takeAnswers()) {
            if (answer) {
                answer();
            }
        }
    }
    watch();
}

void RunLensSession::watch() {
    const auto isIdle = [](const LensWorker& worker) {
        const LensWorker::Progress progress = worker.progress();
        return progress.topic.empty() && progress.waiting == 0;
    };
    if (isIdle(m_questions) && isIdle(m_audits)) {
        m_watch.stop();
    }
    Q_EMIT activityChanged();
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/inspect/item_brush.h"

#include "core/inspect/decision_recorder.h"
#include "core/inspect/relation_finder.h"
#include "core/record/run_record.h"
#include "ui/session/inspect/run_lens_session.h"
#include "ui/session/runs/run_collection.h"

#include <QPointer>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kRestBeforeCount = 120; // ms without a move of the cursor before anything is asked about its point

std::size_t placeOf(ItemBrush::Kind kind) {
    return kind == ItemBrush::Kind::Samples ? 0 : 1;
}

QString wordsOf(const Error& error) {
    return QString::fromStdString(error.describe());
}

} // namespace

ItemBrush::ItemBrush(RunCollection& runs, RunLensSession& lens, QObject* parent)
    : QObject(parent), m_runs(runs), m_lens(lens) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestBeforeCount);
    connect(&m_rest, &QTimer::timeout, this, &ItemBrush::countNext);
    for (auto signal : {&RunCollection::runsAdded, &RunCollection::runsUpdated, &RunCollection::runsRemoved,
                        &RunCollection::visibilityChanged}) {
        connect(&runs, signal, this, &ItemBrush::followRuns);
    }
    connect(&lens, &RunLensSession::failed, this, [this](RunId run, const QString& about, const Error& error) {
        if (about == topic()) {
            m_trouble = wordsOf(error);
            Q_EMIT answersChanged();
        } else if (about == countTopic()) {
            takeTrouble(run, error);
        }
    });
}

void ItemBrush::mark(RunId run, Kind kind, const QVector<qint64>& numbers) {
    const RunRecord* record = m_runs.record(run);
    if (record == nullptr || numbers.isEmpty()) {
        clear();
        return;
    }
    if (m_experiment != record->start().experiment) { // what is known of other lanes is of no use here
        m_lens.cancel(countTopic());
        m_asked = {};
        m_lanes.clear();
    }
    ++m_revision;
    m_run = run;
    m_experiment = record->start().experiment;
    m_kind = kind;
    m_sets = {};
    m_sets[placeOf(kind)] =
        std::make_shared<const ItemSet>(ItemSet::of(std::vector<std::int64_t>(numbers.begin(), numbers.end())));
    m_belonging.clear();
    m_trouble.clear();
    for (auto& [id, lane] : m_lanes) {
        lane.counts.reset();
        lane.relations.clear();
        lane.trouble.clear();
    }
    Q_EMIT marksChanged();
    findOther();
    Q_EMIT answersChanged();
}

void ItemBrush::clear() {
    if (isEmpty()) {
        return;
    }
    ++m_revision;
    m_run = {};
    m_sets = {};
    m_lens.cancel(topic());
    m_lens.cancel(countTopic());
    m_asked = {};
    Q_EMIT marksChanged();
    Q_EMIT answersChanged();
}

void ItemBrush::setPoint(int point) {
    if (point != m_point) {
        m_point = point;
        if (!isEmpty() && !screensItems(m_run)) { // the rest is known for all points
            m_rest.start();
        }
    }
}

bool ItemBrush::covers(RunId run) const {
    const RunRecord* record = isEmpty() ? nullptr : m_runs.record(run);
    return record != nullptr && (run == m_run || record->start().experiment == m_experiment);
}

std::optional<std::int64_t> ItemBrush::count(Kind kind) const {
    const auto& set = m_sets[placeOf(kind)];
    return set == nullptr ? std::nullopt : std::optional(set->count());
}

std::function<bool(qint64)> ItemBrush::marks(RunId run, Kind kind) const {
    const auto& set = m_sets[placeOf(kind)];
    if (set == nullptr || !covers(run)) {
        return {};
    }
    return [set](qint64 number) { return set->contains(number); };
}

bool ItemBrush::screensItems(RunId run) const {
    const RunRecord* record = m_runs.record(run);
    return record != nullptr && !record->start().itemNoun.empty();
}

int ItemBrush::pointIn(RunId run) const {
    const int last = static_cast<int>(m_runs.record(run)->finishedPointCount()) - 1;
    return m_point < 0 ? last : std::min(m_point, last);
}

std::vector<RunId> ItemBrush::lanes() const {
    std::vector<RunId> lanes;
    for (const RunId id : m_runs.shownIds()) {
        if (covers(id)) {
            lanes.push_back(id);
        }
    }
    return lanes;
}

void ItemBrush::findOther() {
    if (!screensItems(m_run)) {
        countNext();
        return;
    }
    m_trouble = m_lens.keptObstacle(m_run);
    const QPointer<ItemBrush> brush(this);
    m_lens.askOfKept(m_run, topic(),
                     [brush, revision = m_revision, run = m_run, kind = m_kind, given = m_sets[placeOf(m_kind)]](
                         RunLens& lens, const RunLens::Progress&, const std::stop_token& stop) -> LensWorker::Answer {
                         auto other = kind == Kind::Samples ? askLens(lens, &DecisionRecorder::itemsOf, *given, stop)
                                                            : askLens(lens, &DecisionRecorder::samplesOf, *given, stop);
                         if (!other) {
                             return [brush, run, error = other.error()] {
                                 if (brush) {
                                     Q_EMIT brush->m_lens.failed(run, topic(), error);
                                 }
                             };
                         }
                         const auto recorder = capability<DecisionRecorder>(lens);
                         return [brush, revision, found = std::move(*other), words = (*recorder)->belonging()] {
                             if (brush) {
                                 brush->takeOther(revision, found, words);
                             }
                         };
                     });
}

void ItemBrush::takeOther(int revision, ItemSet other, std::string belonging) {
    if (revision != m_revision) {
        return;
    }
    m_sets[placeOf(m_kind == Kind::Samples ? Kind::Items : Kind::Samples)] =
        std::make_shared<const ItemSet>(std::move(other));
    m_belonging = std::move(belonging);
    Q_EMIT marksChanged();
    Q_EMIT answersChanged();
    countNext();
}

void ItemBrush::countNext() {
    if (isEmpty() || m_asked != RunId{}) {
        return;
    }
    std::vector<RunId> order = lanes();
    std::stable_partition(order.begin(), order.end(), [this](RunId id) { return id == m_run; });
    for (const RunId id : order) {
        const Lane& lane = m_lanes[id];
        if (!lane.trouble.isEmpty() || !m_lens.lookingObstacle(id).isEmpty()) {
            continue;
        }
        const bool isCounted = lane.counts != nullptr && lane.points == m_runs.record(id)->finishedPointCount();
        if (screensItems(id) && !isCounted && m_sets[placeOf(Kind::Items)] != nullptr) {
            count(id);
            return;
        }
        if (const int point = pointIn(id); !screensItems(id) && !lane.relations.contains(point)) {
            countRelations(id, point);
            return;
        }
    }
}

void ItemBrush::count(RunId run) {
    m_asked = run;
    Lane& lane = m_lanes[run];
    const auto record = m_runs.sharedRecord(run);
    if (lane.points != record->finishedPointCount()) {
        lane.history.reset(); // the run went on
    }
    const QPointer<ItemBrush> brush(this);
    m_lens.askOfKept(
        run, countTopic(),
        [brush, revision = m_revision, run, record, history = lane.history, items = m_sets[placeOf(Kind::Items)]](
            RunLens& lens, const RunLens::Progress& progress, const std::stop_token& stop) -> LensWorker::Answer {
            auto known = history;
            if (known == nullptr) {
                auto made = recordedDecisions(lens, *record, progress, stop);
                if (!made) {
                    return [brush, run, error = made.error()] {
                        if (brush) {
                            brush->takeTrouble(run, error);
                        }
                    };
                }
                known = std::make_shared<const DecisionHistory>(std::move(*made));
            }
            auto counts = std::make_shared<const std::vector<DecisionCount>>(countDecisions(*known, *items, stop));
            return [brush, revision, run, known, counts] {
                if (brush) {
                    brush->takeCounts(revision, run, known, counts);
                }
            };
        });
}

void ItemBrush::countRelations(RunId run, int point) {
    m_asked = run;
    const QPointer<ItemBrush> brush(this);
    m_lens.ask(run, countTopic(),
               [brush, revision = m_revision, run, point, samples = m_sets[placeOf(Kind::Samples)]](
                   RunLens& lens, const RunLens::Progress&, const std::stop_token& stop) -> LensWorker::Answer {
                   auto found = askLens(lens, &RelationFinder::relationsAmong, *samples, point, stop);
                   if (!found) {
                       return [brush, run, error = found.error()] {
                           if (brush) {
                               brush->takeTrouble(run, error);
                           }
                       };
                   }
                   return [brush, revision, run, point, relations = std::move(*found)] {
                       if (!brush) {
                           return;
                       }
                       brush->m_asked = {};
                       if (revision == brush->m_revision) {
                           brush->m_lanes[run].relations[point] = relations;
                           Q_EMIT brush->answersChanged();
                       }
                       brush->countNext();
                   };
               });
}

void ItemBrush::takeCounts(int revision, RunId run, std::shared_ptr<const DecisionHistory> history,
                           std::shared_ptr<const std::vector<DecisionCount>> counts) {
    m_asked = {};
    if (covers(run)) {
        Lane& lane = m_lanes[run];
        lane.sets = history->sets();
        lane.history = std::move(history);
        lane.points = m_runs.record(run)->finishedPointCount();
        dropHistories(run);
        if (revision == m_revision) {
            lane.counts = std::move(counts);
            Q_EMIT answersChanged();
        }
    }
    countNext();
}

void ItemBrush::takeTrouble(RunId run, const Error& error) {
    m_asked = {};
    m_lanes[run].trouble = wordsOf(error);
    Q_EMIT answersChanged();
    countNext();
}

void ItemBrush::dropHistories(RunId kept) {
    double bytes = 0;
    for (const auto& [id, lane] : m_lanes) {
        bytes += lane.history ? lane.history->bytes() : 0;
    }
    for (auto& [id, lane] : m_lanes) {
        if (bytes > DecisionHistory::kMostBytes && id != kept && lane.history) {
            bytes -= lane.history->bytes();
            lane.history.reset();
        }
    }
}

void ItemBrush::followRuns() {
    if (isEmpty()) {
        return;
    }
    if (!m_runs.contains(m_run)) {
        const std::vector<RunId> rest = lanes();
        if (rest.empty()) {
            clear();
            return;
        }
        m_run = rest.front();
    }
    const bool isOtherMissing = screensItems(m_run) && (m_sets[0] == nullptr || m_sets[1] == nullptr);
    if (isOtherMissing && !m_lens.isAsked(topic()) && !m_trouble.isEmpty() && m_lens.keptObstacle(m_run).isEmpty()) {
        findOther(); // the run had finished no point yet
    }
    countNext();
    Q_EMIT answersChanged();
}

std::vector<ItemBrush::Answer> ItemBrush::answers() const {
    std::vector<Answer> answers;
    for (const RunId id : lanes()) {
        Answer answer;
        answer.run = id;
        answer.trouble = m_lens.lookingObstacle(id);
        const auto known = m_lanes.find(id);
        if (answer.trouble.isEmpty() && known != m_lanes.end()) {
            const Lane& lane = known->second;
            const int point = pointIn(id);
            answer.trouble = lane.trouble;
            if (lane.counts != nullptr && lane.counts->empty()) { // a lane without bounds
                answer.decided = DecisionCount{m_sets[placeOf(Kind::Items)]->count(), {}};
            } else if (lane.counts != nullptr && point < static_cast<int>(lane.counts->size())) {
                answer.sets = lane.sets;
                answer.decided = (*lane.counts)[static_cast<std::size_t>(point)];
            } else if (const auto told = lane.relations.find(point); told != lane.relations.end()) {
                answer.relations = told->second;
            }
        }
        answers.push_back(std::move(answer));
    }
    return answers;
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/item_explanation.h"
#include "ui/session/inspect/item_selection.h"
#include "ui/session/inspect/lens_worker.h"
#include "ui/session/runs/run_collection.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>

namespace lambdascope {

class ItemBrush;

/// Questions about the items of finished runs, answered in the background: one thread for what somebody waits for
/// (explanations, ranges, slices), one for audits, which take long. GUI thread only; never blocks but in the
/// destructor, which asks to stop and joins.
class RunLensSession : public QObject {
    Q_OBJECT

  public:
    struct Options {
        const SchemaCatalog* catalog = nullptr; ///< null: that of the built-in families
        std::function<const Family*(std::string_view)> findFamily;
        std::function<DataPlaces()> places; ///< where data are looked for
    };

    /// `runs` must outlive the session.
    RunLensSession(RunCollection& runs, Options options, QObject* parent = nullptr);
    ~RunLensSession() override;

    /// Why no item of a run can be explained, in words; empty when they can.
    [[nodiscard]] QString obstacle(RunId run) const;
    /// Why a run cannot be looked into at all; empty when it can.
    [[nodiscard]] QString lookingObstacle(RunId run) const;
    /// The same for questions about solutions that the run has kept: those need not wait for its end.
    [[nodiscard]] QString keptObstacle(RunId run) const;

    /// Asks why `item` ("4, 9, 71") was or was not screened at a path point; the latest question wins. Answers by
    /// explained() or failed().
    void explain(RunId run, const QString& item, int point);
    /// The same for an item known by its number.
    void explainItem(RunId run, qint64 item, int point);
    /// Asks for items worth a look; answers by notableFound() or failed().
    void findNotable(RunId run, int point);
    /// Asks for the items that begin at a sample; answers by sampleItemsFound() or failed(). Takes the place of other
    /// questions for items.
    void findOfSample(RunId run, qint64 sample, int point);

    /// What was pointed at in any view.
    [[nodiscard]] ItemSelection& selection() { return m_selection; }
    /// What was marked with a box in any view.
    [[nodiscard]] ItemBrush& brush() { return *m_brush; }
    /// Audits all decisions of a run; several may wait. The answer goes to RunCollection::setAudit, or to failed().
    void audit(RunId run);
    /// Any other question, under a topic of its own: `question` runs in the background and returns what is to be done
    /// with its answer in the GUI thread. An error is told by failed().
    void ask(RunId run, const QString& topic, LensWorker::Question question);
    /// The same about a solution that the question brings along: its lens is not open, the lane is not computed again.
    void askOfKept(RunId run, const QString& topic, LensWorker::Question question);
    void cancel(const QString& topic);
    void cancelAudit(RunId run);

    [[nodiscard]] bool isAsked(const QString& topic) const;
    [[nodiscard]] bool isAuditing(RunId run) const;
    /// Share done of what is in work about a topic; negative while unknown or not in work.
    [[nodiscard]] double share(const QString& topic) const;
    [[nodiscard]] double auditShare(RunId run) const;

    static QString explainTopic() { return QStringLiteral("explain"); }
    static QString notableTopic() { return QStringLiteral("notable"); }

  Q_SIGNALS:
    void explained(lambdascope::RunId run, int point, const lambdascope::ItemExplanation& why);
    void notableFound(lambdascope::RunId run, int point, const std::vector<lambdascope::NotableItem>& items);
    void sampleItemsFound(lambdascope::RunId run, int point, qint64 sample,
                          const std::vector<lambdascope::NotableItem>& items);
    /// A question has no answer; `topic` is empty for audits.
    void failed(lambdascope::RunId run, const QString& topic, const lambdascope::Error& error);
    /// Something was asked, answered or dropped, or went on; at most 20 times a second.
    void activityChanged();

  private:
    /// The answer to a question for an explanation.
    LensWorker::Answer answerWhy(RunId run, int point, Result<ItemExplanation> why);
    struct Task {
        QString topic;
        QString told; ///< the topic that failed() names
        bool needsOpenLens = true;
    };
    void put(LensWorker& worker, RunId run, const Task& task, LensWorker::Question question);
    Q_INVOKABLE void takeAnswers();
    void watch();

    RunCollection& m_runs;
    Options m_options;
    ItemSelection m_selection;
    QTimer m_watch; ///< runs while something is asked
    LensWorker m_questions;
    LensWorker m_audits;
    std::unique_ptr<ItemBrush> m_brush;
};

} // namespace lambdascope

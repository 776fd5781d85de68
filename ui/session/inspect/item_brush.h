// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/inspect/decision_history.h"
#include "core/inspect/point_relations.h"
#include "core/run/run_event.h"

#include <QObject>
#include <QTimer>
#include <QVector>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace lambdascope {

class RunCollection;
class RunLensSession;

/// The items that somebody marked with a box in some view: one choice for all views and all lanes of one experiment.
/// Finds in the background which items belong to marked samples (or samples to items), and counts for each shown lane
/// what it decided about them at every point of its path, so that a moving cursor only looks up. Knows no view. GUI
/// thread only.
class ItemBrush : public QObject {
    Q_OBJECT

  public:
    /// What numbers stand for: samples (points of embeddings), or items that are screened. One number may be both.
    enum class Kind { Samples, Items };

    /// What is known of the marked items in one lane at the point looked at. Nothing but `run`: it is being counted.
    struct Answer {
        RunId run;
        QString trouble;                         ///< why nothing can be said, in words
        std::vector<std::string> sets;           ///< names for DecisionCount::ofSets; none: the lane screens nothing
        std::optional<DecisionCount> decided;    ///< of lanes that may screen
        std::optional<PointRelations> relations; ///< where nothing is screened: what is said among marked samples
    };

    /// `runs` and `lens` must outlive the brush.
    ItemBrush(RunCollection& runs, RunLensSession& lens, QObject* parent = nullptr);

    /// Marks these and nothing else, as seen in a run; no numbers: marks nothing.
    void mark(RunId run, Kind kind, const QVector<qint64>& numbers);
    void clear();
    /// The point of the path that answers are about.
    void setPoint(int point);

    [[nodiscard]] bool isEmpty() const { return m_sets[0] == nullptr && m_sets[1] == nullptr; }
    [[nodiscard]] Kind kind() const { return m_kind; } ///< of what was marked
    /// Where something was marked; an invalid id for nothing.
    [[nodiscard]] RunId run() const { return m_run; }
    /// Whether what is marked has the same numbers in `run`: a lane of the same experiment.
    [[nodiscard]] bool covers(RunId run) const;
    /// How many are marked; nothing while it is not known.
    [[nodiscard]] std::optional<std::int64_t> count(Kind kind) const;
    /// Whether a number is marked in a run; empty when nothing is.
    [[nodiscard]] std::function<bool(qint64)> marks(RunId run, Kind kind) const;
    /// Which items belong to marked samples: "whose anchor is among them"; empty where an item is a sample.
    [[nodiscard]] const std::string& belonging() const { return m_belonging; }
    /// Why the other kind of what was marked is not known, in words.
    [[nodiscard]] const QString& trouble() const { return m_trouble; }
    /// For each shown lane that the brush covers, in order.
    [[nodiscard]] std::vector<Answer> answers() const;

    static QString topic() { return QStringLiteral("marked items"); }
    static QString countTopic() { return QStringLiteral("count of marked items"); }

  Q_SIGNALS:
    /// Other numbers are marked.
    void marksChanged();
    /// answers() may be others.
    void answersChanged();

  private:
    struct Lane {
        std::shared_ptr<const DecisionHistory> history;
        std::size_t points = 0; ///< of the run when its history was made
        std::vector<std::string> sets;
        std::shared_ptr<const std::vector<DecisionCount>> counts;
        std::map<int, PointRelations> relations; ///< by point
        QString trouble;
    };

    void findOther();
    void takeOther(int revision, ItemSet other, std::string belonging);
    /// Asks about the first lane of which something is missing; the next one comes when it has answered, so that
    /// questions of others are not kept waiting for all.
    void countNext();
    void count(RunId run);
    void countRelations(RunId run, int point);
    void takeCounts(int revision, RunId run, std::shared_ptr<const DecisionHistory> history,
                    std::shared_ptr<const std::vector<DecisionCount>> counts);
    void takeTrouble(RunId run, const Error& error);
    void followRuns();
    void dropHistories(RunId kept);
    [[nodiscard]] std::vector<RunId> lanes() const;
    [[nodiscard]] bool screensItems(RunId run) const;
    /// The point looked at, or the last one that the run has finished.
    [[nodiscard]] int pointIn(RunId run) const;

    RunCollection& m_runs;
    RunLensSession& m_lens;
    RunId m_run;
    Json m_experiment;
    Kind m_kind = Kind::Samples;
    std::array<std::shared_ptr<const ItemSet>, 2> m_sets; ///< by kind; null while not known
    std::string m_belonging;
    QString m_trouble;
    std::map<RunId, Lane> m_lanes;
    RunId m_asked;      ///< lane whose count is on its way
    int m_revision = 0; ///< of what is marked
    int m_point = -1;
    QTimer m_rest; ///< a moving cursor asks once it rests
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/embedding_tab.h"

#include "core/common/number_text.h"
#include "core/inspect/relation_finder.h"
#include "ui/charts/elided_label.h"
#include "ui/charts/point_cloud_view.h"
#include "ui/session/inspect/run_lens_session.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kRestBeforeMap = 120; // ms without a move of the cursor before anything is computed

} // namespace

EmbeddingTab::EmbeddingTab(RunCollection& runs, PathCursor& cursor, RunLensSession& session, QWidget* parent)
    : RunTab(runs, cursor, parent), m_session(session) {
    const auto [layout, row] = makeFrame();
    addLaneChooser(*row, false);
    row->addSpacing(10);
    buildChoosers(*row);
    m_cloud = new PointCloudView(this);
    m_cloud->setAccessibleName(tr("Embedding at the cursor"));
    layout->addWidget(m_cloud, 1);
    watchClicks(m_cloud);
    shareMarks(m_cloud, session.brush(), ItemBrush::Kind::Samples);
    connect(m_cloud, &PointCloudView::itemActivated, this, &EmbeddingTab::takeClick);
    connect(m_cloud, &PointCloudView::emptyPlaceClicked, this, [this] { choosePoint(-1); });
    m_wait.setSingleShot(true);
    m_wait.setInterval(kRestBeforeMap);
    connect(&m_wait, &QTimer::timeout, this, &EmbeddingTab::ask);
    connect(&m_session, &RunLensSession::activityChanged, this, &EmbeddingTab::refreshStatus);
    connect(&m_session, &RunLensSession::failed, this, [this](RunId, const QString& about, const Error& error) {
        if (about == topic()) {
            setTrouble(QString::fromStdString(error.describe()));
        }
    });
    refreshStatus();
}

void EmbeddingTab::buildChoosers(QHBoxLayout& row) {
    m_axesBox = new QWidget(this);
    auto* axes = new QHBoxLayout(m_axesBox);
    axes->setContentsMargins(0, 0, 0, 0);
    const auto addChooser = [&](const QString& text, const QString& name) {
        auto* chooser = new QComboBox(m_axesBox);
        chooser->setAccessibleName(name);
        chooser->setMinimumContentsLength(4); // in a narrow window
        chooser->setToolTip(tr("Principal axes are turned from frame to frame as little as possible; "
                               "columns of the solution are shown as they are"));
        auto* label = new QLabel(text, m_axesBox);
        label->setBuddy(chooser);
        axes->addWidget(label);
        axes->addWidget(chooser);
        return chooser;
    };
    m_x = addChooser(tr("Across"), tr("Axis across"));
    m_y = addChooser(tr("Upwards"), tr("Axis upwards"));
    connect(m_x, &QComboBox::activated, this, [this] { chooseAxes(true); });
    connect(m_y, &QComboBox::activated, this, [this] { chooseAxes(false); });
    row.addWidget(m_axesBox);
    m_axesBox->hide();
    m_colours = new QComboBox(this);
    m_colours->addItems({tr("Satisfied or violated"), tr("Screened or not")}); // as in ArcColours
    m_colours->setAccessibleName(tr("Colours of arcs"));
    m_colours->setToolTip(tr("What the colours of arcs tell apart. Screening decides about training comparisons alone; "
                             "arcs of violated ones bend to the other side"));
    connect(m_colours, &QComboBox::activated, this, &EmbeddingTab::redraw);
    row.addWidget(m_colours);
    m_colours->hide();
    m_status = new HintLabel(this);
    m_status->setAccessibleName(tr("What is said about the chosen point"));
    m_forget = new QToolButton(this);
    m_forget->setText(tr("Hide arcs"));
    m_forget->setAutoRaise(true);
    m_forget->setToolTip(tr("Hides what is said about the point; so does a click where no point is"));
    connect(m_forget, &QToolButton::clicked, this, [this] { choosePoint(-1); });
    row.addWidget(m_status, 1);
    row.addWidget(m_forget);
}

std::vector<FigureView*> EmbeddingTab::charts() const {
    return {m_cloud};
}

std::vector<FigureView*> EmbeddingTab::computedCharts() const {
    const bool isLikeNoOther = !m_cloud->cloudFigure().links.isEmpty() || !m_axes.arePrincipal();
    return isLikeNoOther ? charts() : std::vector<FigureView*>();
}

QString EmbeddingTab::statusText() const {
    return m_status->text();
}

void EmbeddingTab::takeClick(const QString& className, int point) {
    const CloudFigure& figure = m_cloud->cloudFigure();
    if (point < 0 || point >= figure.points.size()) {
        return;
    }
    const CloudPoint at = figure.points[point];
    const QString name = figure.pointLabels.value(point, tr("Point %1").arg(point));
    const QString place =
        tr("(%1, %2)").arg(QString::fromStdString(shortText(at.x)), QString::fromStdString(shortText(at.y)));
    Q_EMIT itemSelected(chosenRun(), figure.classNames.isEmpty() ? tr("%1: %2").arg(name, place)
                                                                 : tr("%1, class %2: %3").arg(name, className, place));
    Q_EMIT samplePicked(chosenRun(), point);
    choosePoint(point);
}

void EmbeddingTab::choosePoint(int point) {
    m_point = point;
    m_relations.reset();
    m_trouble.clear();
    m_session.cancel(topic());
    const std::vector<ShownRun> shown = shownRuns(runs());
    if (const ShownRun* run = chosen(shown); run != nullptr && hasRelations(*run->record)) {
        draw(*run, m_drawnIndex);
        ask();
    }
    refreshStatus();
}

void EmbeddingTab::rebuild(const std::vector<ShownRun>& shown) {
    fillLanes(shown);
    if (shown.empty()) {
        m_cloud->setEmptyText(tr("The data under the learned solution appear here.\nPress F5 to run the experiment."));
    } else {
        m_cloud->setEmptyText(noEmbedding(chosen(shown)));
    }
}

QString EmbeddingTab::noEmbedding(const ShownRun* run) {
    if (run != nullptr && !run->record->hasEnded() && run->record->finishedPointCount() == 0) {
        return tr("The data under the learned solution appear here when the first point is solved.");
    }
    if (run != nullptr && run->record->start().hasPlane) {
        return tr("Runs of this family learn a function of the features and no embedding.\n"
                  "The plane shows what it says about the data.");
    }
    if (run != nullptr && run->record->finishedPointCount() > 0 && !hasEmbeddings(*run->record)) {
        return tr("No point of this lane has an embedding: its family learns none,\n"
                  "or its run was opened from a folder without embeddings: then F5 computes it again.");
    }
    return tr("No embedding is kept for this point of the lane.\n"
              "Press F5 to compute the experiment again.");
}

void EmbeddingTab::moveCursor(const std::vector<ShownRun>& shown) {
    const ShownRun* run = chosen(shown);
    if (run == nullptr) {
        m_cloud->setFigure({});
        m_drawn = nullptr;
        choosePoint(-1);
        return;
    }
    // The lane may be a point behind the cursor while lanes take turns: then its latest point is shown.
    int index = cursor().index();
    const int last = lastFinishedIndex({*run});
    index = index < 0 ? last : std::min(index, last);
    const PointRecord* point = run->record->finishedPoint(index);
    const Embedding* embedding = point == nullptr ? nullptr : point->embedding.get();
    if (embedding != m_drawn && m_drawnRun == chosenRun() && m_relations && isLive(*run, index)) {
        m_wantedIndex = index;
        askLater();
    } else if (embedding != m_drawn || embedding == nullptr || m_drawnRun != chosenRun()) {
        m_relations.reset();
        m_trouble.clear();
        draw(*run, index);
        askLater();
    } else if (m_point >= 0 && m_trouble.isEmpty() &&
               (!m_relations || (m_relations->sets.empty() && tellsDecisions(*run)))) {
        askLater(); // the run may have ended meanwhile
    }
}

bool EmbeddingTab::isLive(const ShownRun& run, int index) {
    return !run.record->hasEnded() && keptSolution(run, index) != nullptr;
}

void EmbeddingTab::draw(const ShownRun& run, int index) {
    const PointRecord* point = run.record->finishedPoint(index);
    m_drawn = point == nullptr ? nullptr : point->embedding.get();
    m_drawnRun = chosenRun();
    m_drawnIndex = index;
    m_wantedIndex = index;
    m_isKept = keptSolution(run, index) != nullptr;
    fillAxes(run, index);
    CloudFigure figure = embeddingFigure(run, index, m_axes);
    if (m_point >= figure.points.size()) {
        m_point = -1;
    }
    if (m_relations && m_point >= 0) {
        addRelations(figure, m_point, *m_relations, static_cast<ArcColours>(m_colours->currentIndex()));
    }
    m_colours->setVisible(m_point >= 0 && tellsDecisions(run));
    m_cloud->setFigure(figure);
    m_cloud->setHighlighted(m_point >= 0 ? QVector<int>{m_point} : QVector<int>());
    refreshStatus();
}

void EmbeddingTab::fillAxes(const ShownRun& run, int index) {
    const int axes = axesToChoose(run, index);
    if (std::max(m_axes.x, m_axes.y) >= axes) {
        m_axes = {};
    }
    for (QComboBox* chooser : {m_x, m_y}) {
        if (chooser->count() != axes + 1) {
            chooser->clear();
            chooser->addItem(tr("principal"));
            for (int axis = 0; axis < axes; ++axis) {
                chooser->addItem(tr("column %1").arg(axis + 1));
            }
        }
        chooser->setCurrentIndex((chooser == m_x ? m_axes.x : m_axes.y) + 1);
    }
    m_axesBox->setVisible(axes > 2);
}

void EmbeddingTab::chooseAxes(bool isX) {
    const EmbeddingAxes wanted{m_x->currentIndex() - 1, m_y->currentIndex() - 1};
    const int here = isX ? wanted.x : wanted.y;
    int other = isX ? wanted.y : wanted.x;
    if (here < 0) {
        other = -1; // both or none
    } else if (other < 0 || other == here) {
        other = here == 0 ? 1 : 0;
    }
    m_axes = isX ? EmbeddingAxes{here, other} : EmbeddingAxes{other, here};
    redraw();
}

void EmbeddingTab::redraw() {
    const std::vector<ShownRun> shown = shownRuns(runs());
    if (const ShownRun* run = chosen(shown)) {
        draw(*run, m_drawnIndex);
    }
}

bool EmbeddingTab::tellsDecisions(const ShownRun& run) const {
    return run.record->hasEnded() && screens(*run.record) && m_session.lookingObstacle(chosenRun()).isEmpty();
}

void EmbeddingTab::askLater() {
    if (m_point >= 0 && !m_wait.isActive()) {
        m_wait.start();
    }
    refreshStatus();
}

void EmbeddingTab::ask() {
    const RunId id = chosenRun();
    const std::vector<ShownRun> shown = shownRuns(runs());
    const ShownRun* run = chosen(shown);
    if (m_point < 0 || m_wantedIndex < 0 || run == nullptr || !hasRelations(*run->record)) {
        return;
    }
    const bool hasEnded = run->record->hasEnded();
    const auto solution = tellsDecisions(*run) ? nullptr : keptSolution(*run, m_wantedIndex);
    const QString obstacle = solution ? m_session.keptObstacle(id) : m_session.lookingObstacle(id);
    if (!obstacle.isEmpty()) {
        m_trouble = hasEnded ? obstacle : QString(); // else: it is asked again
        refreshStatus();
        return;
    }
    if (!hasEnded && m_session.isAsked(topic())) {
        askLater(); // a newer question would take the place of the one in work again and again
        return;
    }
    const QPointer<EmbeddingTab> tab(this);
    const auto question = [tab, id, solution, index = m_wantedIndex,
                           point = m_point](RunLens& lens, const RunLens::Progress&,
                                            const std::stop_token& stop) -> LensWorker::Answer {
        auto found = solution ? askLens(lens, &RelationFinder::relationsIn, *solution, point, kMostArcs, stop)
                              : askLens(lens, &RelationFinder::relations, point, index, kMostArcs, stop);
        if (!found) {
            return [tab, words = QString::fromStdString(found.error().describe())] {
                if (tab) {
                    tab->setTrouble(words);
                }
            };
        }
        return [tab, id, index, point, relations = std::move(*found)] {
            if (tab) {
                tab->take(id, index, point, relations);
            }
        };
    };
    if (solution) {
        m_session.askOfKept(id, topic(), question);
    } else {
        m_session.ask(id, topic(), question);
    }
    refreshStatus();
}

void EmbeddingTab::take(RunId id, int index, int point, PointRelations relations) {
    const std::vector<ShownRun> shown = shownRuns(runs());
    const ShownRun* run = chosen(shown);
    const bool isOfNow = run != nullptr && (index == m_wantedIndex || isLive(*run, index));
    if (!isOfNow || id != chosenRun() || point != m_point) {
        return; // another question is on its way
    }
    const int newest = m_wantedIndex;
    m_relations = std::move(relations);
    m_trouble.clear();
    draw(*run, index);
    if (newest != index) { // a run that computes went on meanwhile
        m_wantedIndex = newest;
        askLater();
    }
}

void EmbeddingTab::setTrouble(const QString& words) {
    m_trouble = words;
    refreshStatus();
}

void EmbeddingTab::refreshStatus() {
    const RunRecord* record = runs().record(chosenRun());
    const bool canAsk = record != nullptr && hasRelations(*record);
    const QString name = m_point >= 0 ? pointName(m_cloud->cloudFigure(), m_point) : QString();
    QString status;
    if (canAsk && m_point < 0) {
        status = tr("Click a point to see what is said about it");
    } else if (m_relations) {
        status = QString(); // the title says it
    } else if (canAsk && !m_trouble.isEmpty()) {
        status = m_trouble;
    } else if (canAsk && m_session.isAsked(topic())) {
        const double share = m_session.share(topic());
        status = share >= 0 ? tr("%1: computing… %2 %").arg(name).arg(static_cast<int>(100 * share))
                            : tr("%1: computing…").arg(name);
    } else if (canAsk && !record->hasEnded() && !m_isKept) {
        status = tr("%1: its arcs come when the run has ended").arg(name);
    }
    if (status != m_status->text()) {
        m_status->setText(status);
        m_status->setToolTip(status);
    }
    m_forget->setVisible(canAsk && m_point >= 0);
}

} // namespace lambdascope

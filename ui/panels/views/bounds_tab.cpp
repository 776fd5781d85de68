// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/bounds_tab.h"

#include "ui/charts/elided_label.h"
#include "ui/charts/heatmap_view.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/shape_view.h"
#include "ui/figures/figure_parts.h"
#include "ui/figures/lens_figures.h"
#include "ui/panels/shared/icon_set.h"
#include "ui/session/inspect/run_lens_session.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QSlider>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

namespace lambdascope {

namespace {

constexpr int kRestBeforeSlice = 250; // ms without a move of the cursor before anything is computed
constexpr int kStepInterval = 350;    // ms per check while playing

} // namespace

BoundsTab::BoundsTab(RunCollection& runs, PathCursor& cursor, RunLensSession& session, QWidget* parent)
    : RunTab(runs, cursor, parent), m_session(session) {
    const auto [layout, row] = makeFrame();
    buildControls(*row);
    m_slice = new ShapeView(this);
    m_slice->setAccessibleName(tr("Balls round the optimum"));
    m_lifetimes = new ShapeView(this);
    m_lifetimes->setAccessibleName(tr("For how long removals are guaranteed"));
    m_ranges = new HeatmapView(this);
    m_ranges->setAccessibleName(tr("How much each reference decides along the path"));
    m_side = new QSplitter(Qt::Vertical, this);
    m_side->addWidget(m_lifetimes);
    m_side->addWidget(m_ranges);
    m_side->setChildrenCollapsible(false);
    m_split = new QSplitter(Qt::Horizontal, this);
    m_split->addWidget(m_slice);
    m_split->addWidget(m_side);
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 1);
    m_split->setChildrenCollapsible(false);
    layout->addWidget(m_split, 1);
    m_radii = makePathPlot(tr("Radius of the ball on arrival"));
    layout->addWidget(m_radii, 1);
    for (FigureView* view : std::initializer_list<FigureView*>{m_lifetimes, m_ranges}) {
        connect(view, &FigureView::cursorMoved, this, [this](double value) {
            if (isOverThePath()) {
                this->cursor().moveToValue(value);
            }
        });
    }
    watchClicks(m_ranges);
    shareMarks(m_lifetimes, session.brush(), ItemBrush::Kind::Items);
    for (ShapeView* view : {m_slice, m_lifetimes}) {
        watchClicks(view);
        connect(view, &ShapeView::itemActivated, this, [this, view](const QString&, int shape) {
            const Shape clicked = view->shapeFigure().shapes.value(shape);
            Q_EMIT itemSelected(m_answered.run, QString(clicked.text).replace('\n', QLatin1String(", ")));
            if (clicked.item >= 0) {
                Q_EMIT itemPicked(m_answered.run, clicked.item);
            }
        });
    }
    m_wait.setSingleShot(true);
    m_wait.setInterval(kRestBeforeSlice);
    m_step.setInterval(kStepInterval);
    connect(&m_wait, &QTimer::timeout, this, &BoundsTab::ask);
    connect(&m_step, &QTimer::timeout, this, [this] {
        if (m_check->value() >= m_check->maximum()) {
            setPlaying(false);
        }
        m_check->setValue(m_check->value() + 1);
    });
    connect(&m_session, &RunLensSession::activityChanged, this, &BoundsTab::refreshStatus);
    connect(&m_session, &RunLensSession::failed, this, [this](RunId, const QString& about, const Error& error) {
        if (about == topic()) {
            forget(QString::fromStdString(error.describe()));
        }
    });
    forget({});
}

void BoundsTab::buildControls(QHBoxLayout& row) {
    addLaneChooser(row, false);
    row.addSpacing(10);
    m_checkBox = new QWidget(this);
    auto* checks = new QHBoxLayout(m_checkBox);
    checks->setContentsMargins(0, 0, 0, 0);
    checks->setSpacing(row.spacing());
    auto* label = new QLabel(tr("Check"), this);
    m_play = new QToolButton(this);
    m_play->setCheckable(true);
    m_play->setIcon(themedIcon(QStringLiteral("play")));
    m_play->setToolTip(tr("Let the balls shrink from check to check"));
    m_play->setAccessibleName(tr("Play through the checks"));
    m_check = new QSlider(Qt::Horizontal, this);
    m_check->setAccessibleName(tr("Check within the path point"));
    m_check->setToolTip(tr("Balls up to this look at the rules; the newest of each bound is drawn strong"));
    m_check->setMaximumWidth(220);
    m_check->setMinimumWidth(50);
    label->setBuddy(m_check);
    m_checkText = new QLabel(this);
    m_rivals = new QCheckBox(tr("Other &bounds too"), this);
    m_rivals->setAccessibleName(tr("Other bounds too"));
    m_rivals->setToolTip(tr("Also the balls of bounds that the lane does not use, at the same references"));
    m_status = new HintLabel(this);
    m_status->setEnabled(false);
    checks->addWidget(label);
    checks->addWidget(m_play);
    checks->addWidget(m_check);
    checks->addWidget(m_checkText);
    checks->addSpacing(10);
    checks->addWidget(m_rivals);
    row.addWidget(m_checkBox);
    row.addSpacing(10);
    row.addWidget(m_status, 1);
    connect(m_play, &QToolButton::toggled, this, &BoundsTab::setPlaying);
    connect(m_check, &QSlider::valueChanged, this, &BoundsTab::drawSlice);
    connect(m_rivals, &QCheckBox::toggled, this, &BoundsTab::drawSlice);
}

std::vector<FigureView*> BoundsTab::charts() const {
    return {m_slice, m_lifetimes, m_ranges, m_radii};
}

std::vector<FigureView*> BoundsTab::computedCharts() const {
    return {m_slice, m_lifetimes, m_ranges};
}

Json BoundsTab::detail() const {
    return m_check->value() == m_check->maximum() ? Json() : Json(m_check->value());
}

void BoundsTab::restoreDetail(const Json& detail) {
    m_restored = detail.get<int>();
    if (m_balls && m_answered == m_wanted) { // no others are on their way
        m_check->setValue(*std::exchange(m_restored, std::nullopt));
    }
}

QString BoundsTab::statusText() const {
    return m_status->text();
}

void BoundsTab::rebuild(const std::vector<ShownRun>& shown) {
    std::vector<ShownRun> screening;
    std::copy_if(shown.begin(), shown.end(), std::back_inserter(screening),
                 [](const ShownRun& run) { return hasRegions(*run.record); });
    fillLanesLastScreening(screening);
    showFigure(*m_radii, radiusFigure(screening));
}

void BoundsTab::moveCursor(const std::vector<ShownRun>& shown) {
    placeCursors();
    const ShownRun* run = chosen(shown);
    if (run == nullptr) {
        m_wanted = {};
        forget(nothingScreened(shown));
        return;
    }
    if (const QString obstacle = m_session.obstacle(run->record->id()); !obstacle.isEmpty()) {
        m_wanted = {};
        forget(obstacle);
        return;
    }
    const int last = lastFinishedIndex({*run});
    const Place place{run->record->id(), cursor().index() < 0 ? last : std::min(cursor().index(), last)};
    if (place != m_wanted) {
        m_wanted = place;
        m_wait.start();
    }
}

bool BoundsTab::isOverThePath() const {
    return !m_intervals || m_intervals->axisLabel.empty();
}

void BoundsTab::placeCursors() {
    const double value = isOverThePath() ? cursor().value() : std::numeric_limits<double>::quiet_NaN();
    m_lifetimes->setCursor(value);
    m_ranges->setCursor(value);
    m_radii->setCursor(cursor().value());
}

void BoundsTab::ask() {
    if (m_wanted.point < 0 || m_wanted == m_answered) {
        return;
    }
    const Place place = m_wanted;
    const QPointer<BoundsTab> tab(this);
    m_session.ask(place.run, topic(),
                  [tab, place](RunLens& lens, const RunLens::Progress&, std::stop_token stop) -> LensWorker::Answer {
                      auto slice = askLens(lens, &RegionSlicer::slice, place.point, stop);
                      auto lifetimes = askLens(lens, &RegionSlicer::lifetimes, place.point, kMostLifetimes, stop);
                      if (!slice || !lifetimes) {
                          const Error error = slice ? lifetimes.error() : slice.error();
                          return [tab, error] {
                              if (tab) {
                                  tab->forget(QString::fromStdString(error.describe()));
                              }
                          };
                      }
                      return [tab, place, balls = std::move(*slice), intervals = std::move(*lifetimes)] {
                          if (tab) {
                              tab->take(place, balls, intervals);
                          }
                      };
                  });
    if (!m_balls) {
        const QString words = tr("Computing the lane again, to see what its bounds knew …");
        for (FigureView* view : computedCharts()) {
            view->setEmptyText(words);
        }
        m_side->hide(); // once is enough
    }
    refreshStatus();
}

void BoundsTab::take(const Place& place, BallSlice slice, Lifetimes lifetimes) {
    if (place != m_wanted) {
        return; // the cursor has moved on
    }
    m_answered = place;
    m_balls = std::move(slice);
    m_intervals = std::move(lifetimes);
    // Where they are without balls or bars, which would else stay "computing".
    m_slice->setEmptyText(tr("No ball was made at this point: it was solved before anything was checked."));
    m_lifetimes->setEmptyText(tr("This solution guarantees no removal at another point of the path."));
    m_why.clear();
    draw();
    showSide();
    placeCursors();
    askRanges();
    refreshStatus();
}

void BoundsTab::askRanges() {
    const RunId run = m_answered.run;
    if (run == m_rangeRun) {
        return;
    }
    m_rangeRun = run;
    m_ranges->setFigure({});
    m_ranges->setEmptyText(tr("Computing what each reference decides along the path …"));
    const QPointer<BoundsTab> tab(this);
    m_session.ask(
        run, rangeTopic(),
        [tab, run](RunLens& lens, const RunLens::Progress& progress, std::stop_token stop) -> LensWorker::Answer {
            auto grid = askLens(lens, &RegionSlicer::ranges, progress, stop);
            if (!grid) {
                const QString words = figures::capitalized(QString::fromStdString(grid.error().describe()));
                return [tab, run, words] {
                    if (tab) {
                        tab->m_rangeRun = {};
                        tab->m_withoutRanges = run;
                        tab->m_ranges->setEmptyText(words);
                        tab->showSide();
                    }
                };
            }
            return [tab, run, grid = std::move(*grid)] {
                if (tab) {
                    tab->takeRanges(run, grid);
                }
            };
        });
}

void BoundsTab::takeRanges(RunId id, const RangeGrid& grid) {
    const std::vector<ShownRun> shown = shownRuns(runs());
    const ShownRun* run = chosen(shown);
    if (run == nullptr || run->record->id() != id || m_rangeRun != id) {
        m_rangeRun = {};
        return;
    }
    m_ranges->setFigure(rangeFigure(*run, grid));
    placeCursors();
}

void BoundsTab::forget(const QString& why) {
    m_wait.stop();
    m_answered = {};
    m_rangeRun = {};
    m_session.cancel(rangeTopic());
    m_ranges->setFigure({});
    m_balls.reset();
    m_intervals.reset();
    const QString reason = figures::capitalized(why);
    m_why = reason;
    const QString words = why.isEmpty() ? tr("Balls round the optimum appear here, for lanes with bounds.\n"
                                             "Press F5 to run the experiment, or tick a run that screens below.")
                                        : reason;
    m_slice->setEmptyText(words);
    m_lifetimes->setEmptyText(why.isEmpty() ? tr("For each item, where along the path its removal is guaranteed.\n"
                                                 "Press F5 to run the experiment, or tick a run that screens below.")
                                            : reason);
    m_ranges->setEmptyText(
        why.isEmpty() ? tr("How much of the items each reference decides at every point of the path.") : reason);
    draw();
    showSide();
    refreshStatus();
}

void BoundsTab::showSide() {
    // Where there are no balls, their radii tell how sharp the bounds are; and one chart is enough to say why there is
    // none.
    const bool areRadiiAll = !m_balls && !m_why.isEmpty() && !isEmpty(m_radii->figure());
    m_radii->setVisible(areRadiiAll);
    m_checkBox->setVisible(!areRadiiAll);
    m_split->setVisible(!areRadiiAll);
    const bool isAnyBeside = m_withoutRanges != m_answered.run || !isEmpty(m_lifetimes->figure());
    m_side->setVisible(m_balls ? isAnyBeside : m_why.isEmpty());
}

void BoundsTab::draw() {
    const std::vector<SliceCheck> checks = m_balls ? sliceChecks(*m_balls) : std::vector<SliceCheck>();
    {
        const QSignalBlocker blocker(m_check);
        m_check->setRange(0, std::max(0, static_cast<int>(checks.size()) - 1));
        m_check->setValue(m_restored && m_balls ? *m_restored : m_check->maximum());
    }
    m_restored = m_balls ? std::nullopt : m_restored;
    m_check->setEnabled(checks.size() > 1);
    m_play->setEnabled(checks.size() > 1);
    m_rivals->setEnabled(m_balls.has_value());
    drawSlice();
    const std::vector<ShownRun> shown = shownRuns(runs());
    const ShownRun* run = chosen(shown);
    m_lifetimes->setFigure(run != nullptr && m_intervals ? lifetimesFigure(*run, *m_intervals) : ShapeFigure());
}

void BoundsTab::drawSlice() {
    const std::vector<ShownRun> shown = shownRuns(runs());
    const ShownRun* run = chosen(shown);
    if (run == nullptr || !m_balls) {
        m_checkText->clear();
        m_slice->setFigure({});
        return;
    }
    const std::vector<SliceCheck> checks = sliceChecks(*m_balls);
    int check = -1;
    if (!checks.empty()) {
        const SliceCheck& at = checks[static_cast<std::size_t>(std::clamp(m_check->value(), 0, m_check->maximum()))];
        check = at.check;
        m_checkText->setText(
            tr("%1 of %2, iteration %3").arg(at.check + 1).arg(checks.back().check + 1).arg(at.iteration));
    }
    m_slice->setFigure(sliceFigure(*run, m_answered.point, *m_balls, check, m_rivals->isChecked()));
}

void BoundsTab::refreshStatus() {
    QString status;
    if (m_session.isAsked(topic())) {
        const double share = m_session.share(topic());
        status = share >= 0 ? tr("Computing… %1 %").arg(static_cast<int>(100 * share)) : tr("Computing…");
    } else if (!m_radii->isHidden()) {
        status = m_why; // which the empty charts say otherwise
    }
    if (status != m_status->text()) {
        m_status->setText(status);
        m_status->setToolTip(status);
    }
}

void BoundsTab::setPlaying(bool playing) {
    if (playing && m_check->value() >= m_check->maximum()) {
        m_check->setValue(0);
    }
    playing ? m_step.start() : m_step.stop();
    const QSignalBlocker blocker(m_play);
    m_play->setChecked(playing);
    m_play->setIcon(themedIcon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/plane_tab.h"

#include "core/inspect/plane_sampler.h"
#include "ui/charts/elided_label.h"
#include "ui/charts/shape_view.h"
#include "ui/figures/figure_parts.h"
#include "ui/figures/plane_figure.h"
#include "ui/session/inspect/run_lens_session.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kRestBefore = 60;       // ms without a move of the cursor before anything is computed
constexpr std::size_t kMostSeen = 40; // planes kept; each takes up to a megabyte
constexpr int kLongestName = 28;      // letters of a feature's name that a chooser makes room for

} // namespace

PlaneTab::PlaneTab(RunCollection& runs, PathCursor& cursor, RunLensSession& session, QWidget* parent)
    : RunTab(runs, cursor, parent), m_session(session) {
    const auto [layout, row] = makeFrame();
    addLaneChooser(*row, false);
    row->addSpacing(10);
    m_x = addAxisChooser(*row, tr("Across"), tr("Feature across"));
    m_y = addAxisChooser(*row, tr("Upwards"), tr("Feature upwards"));
    m_status = new HintLabel(this);
    m_status->setEnabled(false);
    row->addWidget(m_status, 1);
    m_plane = new ShapeView(this);
    m_plane->setAccessibleName(tr("Plane of two features at the cursor"));
    layout->addWidget(m_plane, 1);
    connect(m_x, &QComboBox::activated, this, [this] { chooseAxes(true); });
    connect(m_y, &QComboBox::activated, this, [this] { chooseAxes(false); });
    watchClicks(m_plane);
    shareMarks(m_plane, session.brush(), ItemBrush::Kind::Items);
    connect(m_plane, &ShapeView::itemActivated, this, [this](const QString&, int shape) {
        const Shape clicked = m_plane->shapeFigure().shapes.value(shape);
        Q_EMIT itemSelected(m_wanted.run, QString(clicked.text).replace('\n', QLatin1String(", ")));
        if (clicked.item >= 0) {
            Q_EMIT itemPicked(m_wanted.run, clicked.item);
        }
    });
    m_wait.setSingleShot(true);
    m_wait.setInterval(kRestBefore);
    connect(&m_wait, &QTimer::timeout, this, &PlaneTab::ask);
    connect(&m_session, &RunLensSession::activityChanged, this, &PlaneTab::refreshStatus);
    connect(&m_session, &RunLensSession::failed, this, [this](RunId, const QString& about, const Error& error) {
        if (about == topic()) {
            forget(QString::fromStdString(error.describe()));
        }
    });
    forget({});
}

QComboBox* PlaneTab::addAxisChooser(QHBoxLayout& row, const QString& text, const QString& name) {
    auto* chooser = new QComboBox(this);
    chooser->setAccessibleName(name);
    chooser->setToolTip(tr("The feature along this axis; all others are held at their means"));
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    chooser->setMinimumContentsLength(4); // in a narrow window
    auto* label = new QLabel(text, this);
    label->setBuddy(chooser);
    row.addWidget(label);
    row.addWidget(chooser);
    row.addSpacing(6);
    return chooser;
}

std::vector<FigureView*> PlaneTab::charts() const {
    return {m_plane};
}

Json PlaneTab::detail() const {
    return m_axes.x < 0 ? Json() : Json::array({m_axes.x, m_axes.y});
}

void PlaneTab::restoreDetail(const Json& detail) {
    m_axes = {detail.at(0).get<int>(), detail.at(1).get<int>()};
    moveCursor(shownRuns(runs()));
}

QString PlaneTab::statusText() const {
    return m_status->text();
}

void PlaneTab::rebuild(const std::vector<ShownRun>& shown) {
    std::vector<ShownRun> withPlane;
    std::copy_if(shown.begin(), shown.end(), std::back_inserter(withPlane),
                 [](const ShownRun& run) { return run.record->start().hasPlane; });
    fillLanesLastScreening(withPlane);
}

void PlaneTab::moveCursor(const std::vector<ShownRun>& shown) {
    const ShownRun* run = chosen(shown);
    if (run == nullptr) {
        m_wanted = {};
        forget(shown.empty()
                   ? QString()
                   : tr("The ticked runs have no plane to draw: it takes a function of the features, such as that of\n"
                        "a support vector machine, on data of two features or more (one, for a regression), with a\n"
                        "kernel that is computed from them. Tick such a run below, or try the example\n"
                        "“Figure 1: the toy in the plane”."));
        return;
    }
    if (const QString obstacle = m_session.lookingObstacle(run->record->id()); !obstacle.isEmpty()) {
        m_wanted = {};
        forget(obstacle);
        return;
    }
    forgetAxesOfOtherData(*run);
    const int last = lastFinishedIndex({*run});
    const Place place{run->record->id(), cursor().index() < 0 ? last : std::min(cursor().index(), last), m_axes};
    if (place == m_wanted) {
        return;
    }
    m_wanted = place;
    if (const Seen* seen = seenAt(place)) {
        m_wait.stop();
        m_session.cancel(topic());
        draw(*seen);
    } else {
        m_wait.start();
    }
}

void PlaneTab::forgetAxesOfOtherData(const ShownRun& run) {
    const Json& experiment = run.record->start().experiment;
    std::string described = experiment.isObject() ? experiment.value("data", Json()).dump() : std::string();
    if (described != m_data) {
        m_data = std::move(described);
        m_axes = {};
    }
}

const PlaneTab::Seen* PlaneTab::seenAt(const Place& place) const {
    const auto found =
        std::find_if(m_seen.begin(), m_seen.end(), [&place](const Seen& seen) { return seen.place == place; });
    return found == m_seen.end() ? nullptr : &*found;
}

void PlaneTab::ask() {
    if (m_wanted.point < 0) {
        return;
    }
    const Place place = m_wanted;
    const QPointer<PlaneTab> tab(this);
    m_session.ask(place.run, topic(),
                  [tab, place](RunLens& lens, const RunLens::Progress&, std::stop_token stop) -> LensWorker::Answer {
                      auto plane = askLens(lens, &PlaneSampler::plane, place.point, place.axes, std::move(stop));
                      if (!plane) {
                          return [tab, words = QString::fromStdString(plane.error().describe())] {
                              if (tab) {
                                  tab->forget(words);
                              }
                          };
                      }
                      return [tab, place, drawn = std::move(*plane)] {
                          if (tab) {
                              tab->take(place, drawn);
                          }
                      };
                  });
    m_plane->setEmptyText(tr("Computing the lane again, to see what it knew …"));
    refreshStatus();
}

void PlaneTab::take(const Place& place, DecisionPlane plane) {
    m_seen.push_front({place, std::move(plane)});
    if (m_seen.size() > kMostSeen) {
        m_seen.pop_back();
    }
    if (place == m_wanted) { // else the cursor has moved on
        draw(m_seen.front());
    }
}

void PlaneTab::draw(const Seen& seen) {
    const std::vector<ShownRun> shown = shownRuns(runs());
    const ShownRun* run = chosen(shown);
    if (run == nullptr || run->record->id() != seen.place.run) {
        return;
    }
    const DecisionPlane& plane = seen.plane;
    m_plane->setFigure(planeFigure(*run, seen.place.point, plane));
    fillAxes(plane);
    const auto share = [](auto part, std::size_t whole) {
        return whole > 0 ? static_cast<int>(100.0 * static_cast<double>(part) / static_cast<double>(whole)) : 0;
    };
    const auto screened = std::count_if(plane.items.begin(), plane.items.end(),
                                        [&plane](const auto& item) { return item.state < plane.screenedStates; });
    const auto known =
        std::count_if(plane.cells.begin(), plane.cells.end(), [](std::int8_t area) { return area >= 0; });
    const bool hasRows = plane.sides.size() == 1; // of a regression, which has two samples for each
    m_summary = known == 0 && screened == 0 ? QString()
                                            : (hasRows ? tr("Certain: %1 % of places, %2 % of rows")
                                                       : tr("Certain: %1 % of places, %2 % of samples"))
                                                  .arg(share(known, plane.cells.size()))
                                                  .arg(share(screened, plane.items.size()));
    refreshStatus();
}

void PlaneTab::forget(const QString& why) {
    m_wait.stop();
    m_session.cancel(topic());
    m_summary.clear();
    m_plane->setEmptyText(why.isEmpty() ? tr("The data in the plane of two features appear here, with what the\n"
                                             "solution and its bounds say about every place.\n"
                                             "Press F5 to run the experiment, or try the example\n"
                                             "“Figure 1: the toy in the plane”.")
                                        : figures::capitalized(why));
    m_plane->setFigure({});
    m_x->setEnabled(false);
    m_y->setEnabled(false);
    refreshStatus();
}

void PlaneTab::fillAxes(const DecisionPlane& plane) {
    QStringList names;
    for (const std::string& feature : plane.features) {
        names << QString::fromStdString(feature);
    }
    const QStringList ofFeatures = names;
    for (QComboBox* chooser : {m_x, m_y}) {
        const bool isTarget = chooser == m_y && plane.axes.y < 0;
        names = isTarget ? QStringList{QString::fromStdString(plane.yLabel)} : ofFeatures;
        bool isSame = chooser->count() == names.size();
        for (int i = 0; isSame && i < names.size(); ++i) {
            isSame = chooser->itemText(i) == names[i];
        }
        if (!isSame) {
            chooser->clear();
            chooser->addItems(names);
            const bool isLong =
                std::any_of(names.begin(), names.end(), [](const QString& name) { return name.size() > kLongestName; });
            chooser->setMaximumWidth(isLong ? kLongestName * chooser->fontMetrics().averageCharWidth()
                                            : QWIDGETSIZE_MAX);
        }
        chooser->setCurrentIndex(isTarget ? 0 : chooser == m_x ? plane.axes.x : plane.axes.y);
        chooser->setEnabled(names.size() > 1);
    }
}

void PlaneTab::chooseAxes(bool isX) {
    const Seen* drawn = seenAt(m_wanted);
    const PlaneAxes before = m_axes.x >= 0 || drawn == nullptr ? m_axes : drawn->plane.axes;
    m_axes = {m_x->currentIndex(), m_y->currentIndex()};
    if (m_axes.x == m_axes.y) { // they change places
        (isX ? m_axes.y : m_axes.x) = isX ? before.x : before.y;
    }
    m_x->setCurrentIndex(m_axes.x);
    m_y->setCurrentIndex(m_axes.y);
    moveCursor(shownRuns(runs()));
}

void PlaneTab::refreshStatus() {
    QString status = m_summary;
    if (m_session.isAsked(topic())) {
        const double share = m_session.share(topic());
        status = share >= 0 ? tr("Computing… %1 %").arg(static_cast<int>(100 * share)) : tr("Computing…");
    } else if (isEmpty(m_plane->figure())) {
        status.clear(); // the empty chart says why
    }
    if (status != m_status->text()) {
        m_status->setText(status);
        m_status->setToolTip(status);
    }
}

} // namespace lambdascope

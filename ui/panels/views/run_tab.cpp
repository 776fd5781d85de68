// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/run_tab.h"

#include "core/common/number_text.h"
#include "ui/charts/export_dialog.h"
#include "ui/charts/plot_view.h"
#include "ui/figures/figure_remarks.h"
#include "ui/session/runs/shown_runs.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QShowEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lambdascope {

namespace {

constexpr int kFrame = 33;      // ms, for a cursor moved by hand
constexpr int kDataFrame = 100; // ms, for arriving data: painting three charts takes most of the time of the GUI thread
constexpr qint64 kTurn = 8;     // ms, after which a rebuild lets others have their turn
constexpr int kLeastChooserText = 6; // letters
constexpr qint64 kRestShare = 12;    // rest at least this many times as long as the last rebuild took

/// Whether it screens, and looked at half of its points or more.
bool looksMostly(const RunRecord& record) {
    const auto finished = static_cast<std::ptrdiff_t>(record.finishedPointCount());
    const auto first = record.points().begin();
    const auto looked =
        std::count_if(first, first + finished, [](const PointRecord& point) { return !point.screenings.empty(); });
    return screens(record) && 2 * looked >= finished;
}

} // namespace

std::vector<ShownRun> shownRuns(const RunCollection& runs) {
    std::vector<ShownRun> shown;
    for (const RunId id : runsByAxis(runs).drawn) {
        shown.push_back({runs.record(id), runs.baselineOf(id), QString::number(id.value), runLabel(runs, id),
                         runs.display(id).styleIndex, runs.oracleOf(id)});
    }
    return shown;
}

void showFigure(PlotView& plot, const CurveFigure& figure) {
    const CurveFigure& shown = plot.curveFigure();
    const bool isSame = shown.title == figure.title && shown.x.title == figure.x.title &&
                        shown.y.title == figure.y.title && plot.wereScalesGiven(figure) &&
                        shown.marks == figure.marks && shown.curves.size() <= figure.curves.size() &&
                        !shown.curves.isEmpty() &&
                        std::equal(shown.curves.begin(), shown.curves.end(), figure.curves.begin(),
                                   [](const Curve& a, const Curve& b) { return a.id == b.id && a.name == b.name; });
    if (isSame) {
        plot.updateCurves(figure.curves);
    } else {
        plot.setFigure(figure);
    }
    plot.setRemark(remarkText(figure));
    // Curves of whole lanes are named and switched by the chips above all charts.
    plot.setLegendShown(std::any_of(figure.curves.begin(), figure.curves.end(), [](const Curve& curve) {
        bool isRun = false;
        static_cast<void>(curve.id.toLongLong(&isRun));
        return !isRun;
    }));
}

RunTab::Frame RunTab::makeFrame() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 0);
    layout->setSpacing(2);
    auto* choosers = new QHBoxLayout;
    layout->addLayout(choosers);
    return {layout, choosers};
}

RunTab::RunTab(RunCollection& runs, PathCursor& cursor, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_cursor(cursor) {
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, [this] { refresh(true); });
    connect(&runs, &RunCollection::runsAdded, this, &RunTab::invalidate);
    connect(&runs, &RunCollection::runsUpdated, this, &RunTab::invalidate);
    connect(&runs, &RunCollection::runsRemoved, this, &RunTab::invalidate);
    connect(&runs, &RunCollection::visibilityChanged, this, &RunTab::invalidate);
    connect(&cursor, &PathCursor::moved, this, &RunTab::onCursorMoved);
}

void RunTab::invalidate() {
    m_isStale = true;
    if (isVisible() && !m_rest.isActive()) {
        m_rest.start(0);
    }
}

void RunTab::onCursorMoved() {
    m_isCursorStale = true;
    if (isVisible() && !m_rest.isActive()) {
        m_rest.start(0);
    } else if (isVisible() && !m_cursor.isFollowing()) {
        m_rest.start(std::min(m_rest.remainingTime(), kFrame)); // a hand on the slider waits for nobody
    }
}

void RunTab::refreshNow() {
    refresh(false);
}

bool RunTab::isTurnOver() {
    m_isUnfinished = m_isUnfinished || (m_isInTurns && m_turn.elapsed() > kTurn);
    return m_isUnfinished;
}

void RunTab::refresh(bool inTurns) {
    if (!m_isStale && !m_isCursorStale) {
        return;
    }
    m_turn.start();
    m_isInTurns = inTurns;
    m_isUnfinished = false;
    const std::vector<ShownRun> shown = shownRuns(m_runs);
    if (m_isStale) {
        rebuild(shown);
        if (std::exchange(m_told, chosenRun()) != chosenRun()) {
            Q_EMIT chosenRunChanged();
        }
        m_isCursorStale = inTurns && m_turn.elapsed() > kTurn; // then what follows the cursor has a turn of its own
    } else {
        m_isCursorStale = false;
    }
    if (!m_isCursorStale) {
        moveCursor(shown);
    }
    m_isStale = m_isUnfinished;
    m_spent += m_turn.elapsed();
    if (m_isStale || m_isCursorStale) {
        m_rest.start(0);
        return;
    }
    m_rest.start(static_cast<int>(std::max<qint64>(kDataFrame, kRestShare * m_spent)));
    m_spent = 0;
}

void RunTab::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_rest.start(0);
}

void RunTab::addLaneChooser(QHBoxLayout& row, bool offersAll) {
    m_offersAll = offersAll;
    m_lane = new QComboBox(this);
    m_lane->setAccessibleName(tr("Lane"));
    m_lane->setToolTip(tr("The lane that this tab shows"));
    m_lane->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_lane->setMinimumContentsLength(kLeastChooserText); // in a narrow window
    auto* label = new QLabel(tr("Lane"), this);
    label->setBuddy(m_lane);
    row.addWidget(label);
    row.addWidget(m_lane);
    fillLanes({});
    connect(m_lane, &QComboBox::currentIndexChanged, this, &RunTab::invalidate);
}

QString RunTab::nothingScreened(const std::vector<ShownRun>& shown) {
    if (shown.empty()) {
        return {};
    }
    if (std::all_of(shown.begin(), shown.end(),
                    [](const ShownRun& run) { return run.record->start().itemNoun.empty(); })) {
        return tr("Runs of this family screen nothing.");
    }
    if (std::any_of(shown.begin(), shown.end(), [](const ShownRun& run) { return !run.record->hasEnded(); })) {
        return tr("No ticked lane has screened anything yet.");
    }
    if (std::any_of(shown.begin(), shown.end(), [](const ShownRun& run) {
            return run.record->columnWithRole(ColumnRole::AfterRate).has_value();
        })) {
        return tr("No ticked lane has screened anything before a point was solved.");
    }
    return tr("The ticked lanes have no bounds, so nothing is screened.\n"
              "Tick a lane with bounds below, or add one in the form and press F5.");
}

void RunTab::fillLanes(const std::vector<ShownRun>& shown) {
    std::vector<std::pair<QString, qlonglong>> entries;
    if (m_offersAll) {
        entries.emplace_back(tr("All lanes"), RunId{}.value);
    }
    for (const ShownRun& run : shown) {
        entries.emplace_back(run.name, run.record->id().value);
    }
    bool isSame = m_lane->count() == static_cast<int>(entries.size());
    for (int i = 0; isSame && i < m_lane->count(); ++i) {
        const auto& [name, id] = entries[static_cast<std::size_t>(i)];
        isSame = m_lane->itemText(i) == name && m_lane->itemData(i).toLongLong() == id;
    }
    if (isSame) {
        return;
    }
    const RunId before = chosenRun();
    const QSignalBlocker blocker(m_lane);
    m_lane->clear();
    for (const auto& [name, id] : entries) {
        m_lane->addItem(name, id);
    }
    m_lane->setCurrentIndex(entries.empty() ? -1 : 0);
    choose(before);
}

void RunTab::fillLanesLastScreening(const std::vector<ShownRun>& shown) {
    const RunId before = chosenRun();
    fillLanes(shown);
    if (before != m_offered && chosenRun() == before) {
        return; // chosen by hand, and still there
    }
    // One that looks only where it pays may not have looked for long.
    for (const auto suits : {looksMostly, screens}) {
        const auto last =
            std::find_if(shown.rbegin(), shown.rend(), [suits](const ShownRun& run) { return suits(*run.record); });
        if (last != shown.rend()) {
            choose(last->record->id());
            break;
        }
    }
    m_offered = chosenRun();
}

RunId RunTab::chosenRun() const {
    return m_lane == nullptr || m_lane->currentIndex() < 0 ? RunId{} : RunId{m_lane->currentData().toLongLong()};
}

const PointRecord* RunTab::pointAt(RunId id, int column) const {
    const RunRecord* record = m_runs.record(id);
    const bool isThere = record != nullptr && column >= 0 && static_cast<std::size_t>(column) < record->points().size();
    return isThere ? &record->points()[static_cast<std::size_t>(column)] : nullptr;
}

void RunTab::choose(RunId id) {
    const int index = m_lane == nullptr ? -1 : m_lane->findData(QVariant::fromValue<qlonglong>(id.value));
    if (index >= 0) {
        m_lane->setCurrentIndex(index);
    }
}

const ShownRun* RunTab::chosen(const std::vector<ShownRun>& shown) const {
    const RunId id = chosenRun();
    const auto found = std::find_if(shown.begin(), shown.end(),
                                    [id](const ShownRun& candidate) { return candidate.record->id() == id; });
    return found == shown.end() ? nullptr : &*found;
}

PlotView* RunTab::makePathPlot(const QString& accessibleName) {
    auto* plot = new PlotView(this);
    plot->setAccessibleName(accessibleName);
    connect(plot, &PlotView::cursorMoved, &m_cursor, &PathCursor::moveToValue);
    reportClicks(plot);
    return plot;
}

void RunTab::watchClicks(const FigureView* chart) {
    connect(chart, &FigureView::placeClicked, this, &RunTab::placeClicked);
    connect(chart, &FigureView::enlargeRequested, this, &RunTab::enlargeRequested);
    connect(chart, &FigureView::exportOpened, this,
            [this, chart](ExportDialog* dialog) { Q_EMIT exportOpened(chart, dialog); });
}

void RunTab::shareMarks(FigureView* chart, ItemBrush& brush, ItemBrush::Kind kind) {
    chart->setMarkable();
    connect(chart, &FigureView::itemsMarked, &brush,
            [this, &brush, kind](const QVector<qint64>& numbers) { brush.mark(chosenRun(), kind, numbers); });
    connect(chart, &FigureView::emptyPlaceClicked, &brush, &ItemBrush::clear);
    const auto show = [this, chart, &brush, kind] { chart->setMarks(brush.marks(chosenRun(), kind)); };
    connect(&brush, &ItemBrush::marksChanged, chart, show);
    connect(this, &RunTab::chosenRunChanged, chart, show);
    show();
}

void RunTab::reportClicks(PlotView* plot) {
    watchClicks(plot);
    connect(plot, &PlotView::itemActivated, this, [this, plot](const QString& id, int index) {
        const CurveFigure& figure = plot->curveFigure();
        for (const Curve& curve : figure.curves) {
            if (curve.id == id && index >= 0 && index < curve.points.size()) {
                const QPointF point = curve.points[index];
                Q_EMIT itemSelected(RunId{id.toLongLong()},
                                    tr("%1: %2 = %3, %4 = %5")
                                        .arg(curve.name, figure.x.title, QString::fromStdString(shortText(point.x())),
                                             figure.y.title, QString::fromStdString(shortText(point.y()))));
            }
        }
    });
}

} // namespace lambdascope

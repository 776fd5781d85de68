// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/cursor_bar.h"

#include "core/common/number_text.h"
#include "core/record/time_comparison.h"
#include "ui/charts/chart_theme.h"
#include "ui/panels/shared/icon_set.h"
#include "ui/panels/views/run_tab.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <limits>

namespace lambdascope {

namespace {

constexpr int kRatioFrame = 150;  // ms between ratios while lanes compute
constexpr int kPlayInterval = 90; // ms per path point: slow enough to see, a 100-point path takes 9 s

/// Words that keep their room while numbers change, and give it up in a narrow window.
class PlaceLabel : public QLabel {
  public:
    using QLabel::QLabel;
    [[nodiscard]] QSize sizeHint() const override {
        const QString longest = QStringLiteral("λ = 1.234e+04 · point 137 of ~1200");
        return QLabel::sizeHint().expandedTo({fontMetrics().horizontalAdvance(longest), 0});
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return {60, QLabel::minimumSizeHint().height()}; }
};

/// The point that a cursor goes along to: the last one that most lanes have. Lanes take turns, so that after a stop the
/// first ones are a point ahead; one whose path has ended is behind nobody.
int followedPoint(const RunCollection& collection, const std::vector<RunId>& runs) {
    std::vector<std::size_t> counts;
    for (const RunId id : runs) {
        const RunRecord& record = *collection.record(id);
        if (record.finishedPointCount() > 0) {
            const bool isWhole = record.state() == RunRecord::State::Finished;
            counts.push_back(isWhole ? std::numeric_limits<std::int32_t>::max() : record.finishedPointCount());
        }
    }
    if (counts.empty()) {
        return -1;
    }
    std::sort(counts.begin(), counts.end(), std::greater<>());
    return static_cast<int>(counts[counts.size() / 2]) - 1;
}

} // namespace

CursorBar::CursorBar(RunCollection& runs, PathCursor& cursor, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_cursor(cursor) {
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(6, 2, 6, 4);
    rows->setSpacing(2);
    m_leftOut = new QLabel(this);
    m_leftOut->setWordWrap(true);
    m_leftOut->setEnabled(false);
    m_leftOut->hide();
    auto* layout = new QHBoxLayout;
    rows->addLayout(layout);
    rows->addWidget(m_leftOut);
    m_play = new QToolButton(this);
    m_play->setCheckable(true);
    m_play->setIcon(themedIcon(QStringLiteral("play")));
    m_play->setToolTip(tr("Play through the path (Ctrl+Space)"));
    m_play->setAccessibleName(tr("Play through the path"));
    m_slider = new QSlider(Qt::Horizontal, this);
    m_slider->setAccessibleName(tr("Path point"));
    m_slider->setToolTip(tr("Moves all views along the path (Alt+Left, Alt+Right)"));
    m_follow = new QToolButton(this);
    m_follow->setCheckable(true);
    m_follow->setIcon(themedIcon(QStringLiteral("follow")));
    m_follow->setText(tr("Follow"));
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_follow->setToolTip(tr("Go along with each newly solved point (Ctrl+L)"));
    m_follow->setAccessibleName(tr("Follow the run"));
    m_place = new PlaceLabel(this);
    m_ratios = new QLabel(this);
    m_ratios->setTextFormat(Qt::RichText);
    m_ratios->setMinimumWidth(1);
    m_ratios->setAccessibleName(tr("CPU ratios at the cursor"));
    m_slider->setMinimumWidth(60);
    layout->addWidget(m_play);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_follow);
    layout->addWidget(m_place);
    layout->addWidget(m_ratios);
    m_ratioRest.setSingleShot(true);
    connect(&m_ratioRest, &QTimer::timeout, this, &CursorBar::refreshRatios);

    m_step.setInterval(kPlayInterval);
    connect(&m_step, &QTimer::timeout, this, &CursorBar::advance);
    connect(m_play, &QToolButton::toggled, this, &CursorBar::setPlaying);
    connect(m_slider, &QSlider::valueChanged, &cursor, &PathCursor::moveTo);
    connect(m_follow, &QToolButton::toggled, &cursor, &PathCursor::setFollowing);
    connect(&cursor, &PathCursor::moved, this, &CursorBar::refresh);
    connect(&cursor, &PathCursor::axisChanged, this, &CursorBar::refresh);
    connect(&cursor, &PathCursor::followingChanged, this, &CursorBar::refresh);
    for (auto signal : {&RunCollection::runsAdded, &RunCollection::runsUpdated, &RunCollection::runsRemoved,
                        &RunCollection::visibilityChanged}) {
        connect(&runs, signal, this, &CursorBar::refreshAxis);
    }
    refreshAxis();
    refresh();
}

void CursorBar::refreshAxis() {
    const RunRecord* longest = nullptr;
    const RunsByAxis runs = runsByAxis(m_runs);
    for (const RunId id : runs.drawn) {
        const RunRecord* record = m_runs.record(id);
        if (record->finishedPointCount() > (longest == nullptr ? 0 : longest->finishedPointCount())) {
            longest = record;
        }
    }
    if (longest == nullptr) {
        m_cursor.clear();
    } else {
        std::vector<double> axis;
        axis.reserve(longest->finishedPointCount());
        for (std::size_t i = 0; i < longest->finishedPointCount(); ++i) {
            axis.push_back(longest->points()[i].axisValue);
        }
        m_cursor.setAxis(std::move(axis), followedPoint(m_runs, runs.drawn));
    }
    refreshLeftOut(runs);
    refresh();
}

std::vector<CursorBar::LaneRatio> CursorBar::laneRatios() const {
    std::vector<LaneRatio> lanes;
    bool isAnyTold = false;
    const ChartTheme theme = ChartTheme::fromPalette(palette());
    for (const RunId id : runsByAxis(m_runs).drawn) {
        const RunRecord& record = *m_runs.record(id);
        const RunRecord* baseline = m_runs.baselineOf(id);
        if (baseline == nullptr) {
            continue;
        }
        QString ratio = QStringLiteral("1 ×");
        if (baseline != &record) {
            const std::vector<AxisValue> ratios = tellingTimeRatio(record, *baseline).values;
            const auto after = std::upper_bound(ratios.begin(), ratios.end(), m_cursor.index(),
                                                [](int index, const AxisValue& one) { return index < one.index; });
            const bool isTold = after != ratios.begin();
            isAnyTold = isAnyTold || isTold;
            ratio = isTold ? QString::fromStdString(shortText(std::prev(after)->value, 2)) + QStringLiteral(" ×")
                           : tr("too short");
        }
        CurveStyle look;
        look.colourIndex = m_runs.display(id).styleIndex;
        lanes.push_back({resolveStyle(look, look.colourIndex, theme).colour.name(), runLabel(m_runs, id), ratio});
    }
    return isAnyTold ? lanes : std::vector<LaneRatio>();
}

QString CursorBar::ratiosText() const {
    QStringList parts;
    for (const LaneRatio& lane : laneRatios()) {
        parts << lane.name + QLatin1Char(' ') + lane.ratio;
    }
    return parts.join(QStringLiteral(" · "));
}

void CursorBar::refreshRatios() {
    // The slider comes first: without room for names the colours have to do, and the tooltip says all.
    constexpr int kUsualSlider = 200;
    const std::vector<LaneRatio> lanes = laneRatios();
    const auto textOf = [&lanes](bool withNames) {
        QStringList parts;
        for (const LaneRatio& lane : lanes) {
            parts << QStringLiteral("<span style='color:%1'>●</span> %2%3")
                         .arg(lane.colour, withNames ? lane.name.toHtmlEscaped() + QLatin1Char(' ') : QString(),
                              lane.ratio);
        }
        return tr("CPU") + QStringLiteral(" &nbsp; ") + parts.join(QStringLiteral(" &nbsp; "));
    };
    const int others = m_play->width() + m_follow->width() + m_place->width() + kUsualSlider;
    const auto fits = [&](const QString& words) {
        m_ratios->setText(words);
        return m_ratios->sizeHint().width() <= width() - others;
    };
    const QString whole = textOf(true);
    const bool areShown = !lanes.empty() && (fits(whole) || fits(textOf(false)));
    const QString tip =
        lanes.empty() ? QString() : tr("CPU up to the cursor, over that of the baseline: %1").arg(whole);
    m_ratios->setToolTip(tip);
    m_ratios->setVisible(areShown);
    m_place->setToolTip(areShown ? QString() : tip);
}

void CursorBar::refreshLeftOut(const RunsByAxis& runs) {
    QStringList names;
    for (const RunId id : runs.leftOut) {
        names << tr("%1 (over %2)")
                     .arg(runLabel(m_runs, id), QString::fromStdString(m_runs.record(id)->start().axisLabel));
    }
    const QString axis =
        runs.drawn.empty() ? QString() : QString::fromStdString(m_runs.record(runs.drawn.back())->start().axisLabel);
    const QString words = tr("Charts show runs over %1. Ticked but left out: %2").arg(axis, names.join(", "));
    m_leftOut->setText(names.isEmpty() ? QString() : words);
    m_leftOut->setToolTip(names.isEmpty() ? QString()
                                          : tr("Runs over different path parameters share no axis. Those like the "
                                               "newest ticked run are shown; untick it to see the others."));
    m_leftOut->setVisible(!names.isEmpty());
}

QString CursorBar::leftOutText() const {
    return m_leftOut->text();
}

QString CursorBar::placeText() const {
    if (!m_cursor.isSet()) {
        return tr("No path point yet");
    }
    QString label = tr("path");
    int estimate = m_cursor.count();
    bool isKnown = true;
    bool isGuessed = false; // nothing is, while no lane can tell its number of points
    for (const RunId id : runsByAxis(m_runs).drawn) {
        const RunRecord* record = m_runs.record(id);
        label = QString::fromStdString(record->start().axisLabel);
        if (!record->hasEnded()) {
            const PathLength length = pathLengthOf(m_runs, id);
            estimate = std::max(estimate, static_cast<int>(length.points));
            isKnown = isKnown && length.isKnown;
            isGuessed = isGuessed || length.points > 0;
        }
    }
    return tr("%1 = %2 · point %3 of %4%5%6")
        .arg(label, QString::fromStdString(shortText(m_cursor.value(), 5))) // as the charts do
        .arg(m_cursor.index() + 1)
        .arg(isKnown || !isGuessed ? QString() : QStringLiteral("~"))
        .arg(estimate)
        .arg(isKnown || isGuessed ? QString() : tr(" so far"));
}

void CursorBar::refresh() {
    const QSignalBlocker sliderBlocker(m_slider);
    const QSignalBlocker followBlocker(m_follow);
    m_slider->setEnabled(m_cursor.count() > 1);
    m_play->setEnabled(m_cursor.count() > 1);
    m_slider->setRange(0, std::max(0, m_cursor.count() - 1));
    m_slider->setPageStep(std::max(1, m_cursor.count() / 10));
    m_slider->setValue(std::max(0, m_cursor.index()));
    m_follow->setChecked(m_cursor.isFollowing());
    m_place->setText(placeText());
    m_slider->setAccessibleDescription(m_place->text());
    if (!m_ratioRest.isActive()) {
        m_ratioRest.start(kRatioFrame);
    }
}

void CursorBar::setPlaying(bool playing) {
    if (playing == m_step.isActive()) {
        return;
    }
    if (playing) {
        if (m_cursor.index() >= m_cursor.count() - 1) {
            m_cursor.moveTo(0);
        }
        m_step.start();
    } else {
        m_step.stop();
    }
    const QSignalBlocker blocker(m_play);
    m_play->setChecked(playing);
    m_play->setIcon(themedIcon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
    Q_EMIT playingChanged(playing);
}

void CursorBar::stepBy(int points) {
    if (m_cursor.isSet()) {
        m_cursor.moveTo(m_cursor.index() + points);
    }
}

void CursorBar::advance() {
    if (m_cursor.index() >= m_cursor.count() - 1) {
        setPlaying(false);
        return;
    }
    m_cursor.moveTo(m_cursor.index() + 1);
}

} // namespace lambdascope

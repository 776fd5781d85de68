// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/cursor_bar.h"

#include "core/common/number_text.h"
#include "ui/panels/shared/icon_set.h"
#include "ui/panels/views/run_tab.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int playInterval = 90; // ms per path point: slow enough to see, a 100-point path takes 9 s

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
    m_place = new QLabel(this);
    m_place->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("λ = 1.234e+04 · point 137 of ~1200")));
    layout->addWidget(m_play);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_follow);
    layout->addWidget(m_place);

    m_step.setInterval(playInterval);
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
    std::vector<double> axis;
    const RunsByAxis runs = runsByAxis(m_runs);
    for (const RunId id : runs.drawn) {
        const RunRecord* record = m_runs.record(id);
        if (record->finishedPointCount() > axis.size()) {
            axis.clear();
            for (std::size_t i = 0; i < record->finishedPointCount(); ++i) {
                axis.push_back(record->points()[i].axisValue);
            }
        }
    }
    if (axis.empty()) {
        m_cursor.clear();
    } else if (axis != m_cursor.axis()) {
        m_cursor.setAxis(std::move(axis));
    }
    refreshLeftOut(runs);
    refresh();
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
    bool isGrowing = false;
    int estimate = m_cursor.count();
    for (const RunId id : runsByAxis(m_runs).drawn) {
        const RunRecord* record = m_runs.record(id);
        label = QString::fromStdString(record->start().axisLabel);
        if (!record->hasEnded()) {
            isGrowing = true;
            estimate = std::max(estimate, static_cast<int>(estimatedPoints(m_runs, id)));
        }
    }
    return tr("%1 = %2 · point %3 of %4%5")
        .arg(label, QString::fromStdString(shortText(m_cursor.value())))
        .arg(m_cursor.index() + 1)
        .arg(isGrowing ? QStringLiteral("~") : QString())
        .arg(estimate);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/lane_chips.h"

#include "ui/session/runs/shown_runs.h"

#include <QEvent>

#include <algorithm>
#include <set>

namespace lambdascope {

LaneChips::LaneChips(RunCollection& runs, QWidget* parent) : LegendBar(parent), m_runs(runs) {
    setMostRows(2);
    setContentsMargins(8, 2, 8, 2);
    setAccessibleName(tr("Lanes"));
    for (auto signal : {&RunCollection::runsAdded, &RunCollection::runsUpdated, &RunCollection::runsRemoved,
                        &RunCollection::visibilityChanged}) {
        connect(&runs, signal, this, &LaneChips::refresh);
    }
    connect(this, &LegendBar::toggled, this,
            [this](const QString& id, bool visible) { m_runs.setShown(RunId{id.toLongLong()}, visible); });
    connect(this, &LegendBar::soloRequested, this, [this](const QString& id) { showAlone(RunId{id.toLongLong()}); });
    refresh();
}

std::vector<RunId> LaneChips::offered() const {
    std::set<int> batches;
    for (const RunId id : runsByAxis(m_runs).drawn) {
        batches.insert(m_runs.display(id).batch);
    }
    if (batches.empty() && !m_runs.ids().empty()) {
        batches.insert(m_runs.display(m_runs.ids().back()).batch); // all are switched off: offer to switch them on
    }
    std::vector<RunId> lanes;
    std::copy_if(m_runs.ids().begin(), m_runs.ids().end(), std::back_inserter(lanes),
                 [&](RunId id) { return batches.contains(m_runs.display(id).batch); });
    return lanes;
}

void LaneChips::refresh() {
    const ChartTheme theme = ChartTheme::fromPalette(palette());
    QVector<Entry> entries;
    for (const RunId id : offered()) {
        CurveStyle look;
        look.colourIndex = m_runs.display(id).styleIndex;
        entries.append({QString::number(id.value), runLabel(m_runs, id), resolveStyle(look, look.colourIndex, theme),
                        true, m_runs.display(id).isShown});
    }
    setEntries(entries, theme);
}

void LaneChips::showAlone(RunId id) {
    const std::vector<RunId> lanes = offered();
    const bool isAlone = std::none_of(lanes.begin(), lanes.end(),
                                      [&](RunId lane) { return lane != id && m_runs.display(lane).isShown; });
    m_runs.showOnly(isAlone ? lanes : std::vector{id});
}

void LaneChips::changeEvent(QEvent* event) {
    LegendBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        refresh();
    }
}

} // namespace lambdascope

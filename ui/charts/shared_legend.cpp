// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/shared_legend.h"

#include "ui/charts/figure_view.h"

#include <algorithm>

namespace lambdascope {

namespace {

using Entries = QVector<LegendBar::Entry>;

bool covers(const Entries& wide, const Entries& narrow) {
    return std::all_of(narrow.begin(), narrow.end(), [&wide](const LegendBar::Entry& entry) {
        return std::any_of(wide.begin(), wide.end(), [&entry](const LegendBar::Entry& other) {
            return other.id == entry.id && other.name == entry.name;
        });
    });
}

} // namespace

SharedLegend::SharedLegend(QWidget* parent) : LegendBar(parent) {
    setMostRows(2);
    hide();
    connect(this, &LegendBar::toggled, this, &SharedLegend::setShown);
    connect(this, &LegendBar::soloRequested, this, &SharedLegend::showAlone);
    connect(this, &LegendBar::hovered, this, [this](const QString& id, bool inside) {
        for (FigureView* chart : served()) {
            chart->emphasizeEntry(inside ? id : QString());
        }
    });
}

void SharedLegend::serve(const std::vector<FigureView*>& charts) {
    for (const QPointer<FigureView>& chart : m_charts) {
        if (chart != nullptr) {
            disconnect(chart, &FigureView::legendChanged, this, &SharedLegend::refresh);
        }
    }
    m_charts.assign(charts.begin(), charts.end());
    for (FigureView* chart : charts) {
        connect(chart, &FigureView::legendChanged, this, &SharedLegend::refresh);
    }
    refresh();
}

FigureView* SharedLegend::widest() const {
    std::vector<std::pair<FigureView*, Entries>> seen;
    for (const QPointer<FigureView>& chart : m_charts) {
        if (chart != nullptr && !chart->isHidden()) {
            seen.emplace_back(chart, chart->legendEntries());
        }
    }
    FigureView* best = nullptr;
    std::pair<std::ptrdiff_t, qsizetype> bestCount{1,
                                                   0}; // charts covered, entries; who covers itself alone serves nobody
    for (const auto& [candidate, entries] : seen) {
        const auto covered = std::count_if(seen.begin(), seen.end(), [&wide = entries](const auto& chart) {
            return !chart.second.isEmpty() && covers(wide, chart.second);
        });
        const std::pair<std::ptrdiff_t, qsizetype> count{covered, entries.size()};
        if (covered > 1 && count > bestCount) {
            best = candidate;
            bestCount = count;
        }
    }
    return best;
}

std::vector<FigureView*> SharedLegend::served() const {
    std::vector<FigureView*> charts;
    for (const QPointer<FigureView>& chart : m_charts) {
        if (chart != nullptr && !chart->isLegendShown()) {
            charts.push_back(chart);
        }
    }
    return charts;
}

void SharedLegend::refresh() {
    if (m_isRefreshing) {
        return; // by what this does to the charts
    }
    m_isRefreshing = true;
    const FigureView* leader = widest();
    const Entries common = leader == nullptr ? Entries() : leader->legendEntries();
    for (const QPointer<FigureView>& chart : m_charts) {
        if (chart == nullptr) {
            continue;
        }
        const Entries own = chart->legendEntries();
        const bool isServed = covers(common, own);
        chart->setLegendShown(!isServed);
        for (const Entry& entry : own) {
            if (isServed && entry.visible && m_hidden.contains(entry.id)) {
                chart->setEntryVisible(entry.id, false);
            }
        }
    }
    setEntries(leader == nullptr ? Entries() : leader->legendEntries(),
               leader == nullptr ? ChartTheme() : leader->theme());
    m_isRefreshing = false;
}

void SharedLegend::setShown(const QString& id, bool shown) {
    if (shown) {
        m_hidden.remove(id);
    } else {
        m_hidden.insert(id);
    }
    m_isRefreshing = true;
    for (FigureView* chart : served()) {
        chart->setEntryVisible(id, shown);
    }
    m_isRefreshing = false;
    refresh();
}

void SharedLegend::showAlone(const QString& id) {
    const FigureView* leader = widest();
    const Entries all = leader == nullptr ? Entries() : leader->legendEntries();
    const bool isAlone =
        std::none_of(all.begin(), all.end(), [&id](const Entry& entry) { return entry.id != id && entry.visible; });
    for (const Entry& entry : all) {
        setShown(entry.id, isAlone || entry.id == id);
    }
}

} // namespace lambdascope

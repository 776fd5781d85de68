// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/path_chart.h"

#include "core/record/time_comparison.h"
#include "ui/charts/plot_view.h"
#include "ui/figures/comparison_figures.h"
#include "ui/figures/figure_remarks.h"
#include "ui/figures/measure_figures.h"
#include "ui/figures/quality_figures.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace lambdascope {

namespace {

constexpr int kBySet = 2; // of the items
constexpr int kBySum = 0; // of the times
constexpr int kByRatio = 1;
constexpr int kBySize = 2;

bool anyHasBaseline(const std::vector<ShownRun>& runs) {
    return std::any_of(runs.begin(), runs.end(),
                       [](const ShownRun& run) { return run.baseline != nullptr && run.baseline != run.record; });
}

/// Whether what the lanes do with their items is worth a chart. On a path over sizes they are compared by their time:
/// there one has to have screened.
bool anyHasItems(const std::vector<ShownRun>& runs) {
    const bool areSizes = hasSizes(runs);
    return std::any_of(runs.begin(), runs.end(), [areSizes](const ShownRun& run) {
        return screens(*run.record) || (!areSizes && !run.record->start().itemNoun.empty());
    });
}

/// Whether a lane has screened, or may still do so.
bool anyMayScreen(const std::vector<ShownRun>& runs) {
    return anyHasItems(runs) && std::any_of(runs.begin(), runs.end(), [](const ShownRun& run) {
               return screens(*run.record) || !run.record->hasEnded();
           });
}

/// Title, and the name of a quality or the key of a column: what the solutions can be judged by.
std::vector<std::pair<QString, QString>> qualityEntries(const std::vector<ShownRun>& runs) {
    std::vector<std::pair<QString, QString>> entries;
    for (const Quality* quality : qualitiesOf(runs)) {
        entries.emplace_back(qualityTitle(runs, *quality), QString::fromLatin1(quality->name));
    }
    std::set<ColumnRole> seen;
    std::vector<Measure> measures = measuresOf(runs);
    // What was measured of solutions comes before what their solvers say.
    std::stable_partition(measures.begin(), measures.end(),
                          [](const Measure& measure) { return measure.role == ColumnRole::OtherMeasure; });
    for (const Measure& measure : measures) {
        const bool isQuality = isMeasure(measure.role) && seen.insert(measure.role).second;
        if (!isQuality && measure.unit != QLatin1String("B")) {
            entries.emplace_back(measure.label, measure.key);
        }
    }
    return entries;
}

/// Whether the order of several lanes could be noise, since all have ended before they used enough time to be told
/// apart.
bool areTooShort(const std::vector<ShownRun>& runs) {
    return runs.size() > 1 && std::all_of(runs.begin(), runs.end(), [](const ShownRun& run) {
               return run.record->hasEnded() && run.record->cpuSolve() + run.record->cpuScreen() < kShortestTold;
           });
}

/// Whether all points lie at one height.
bool isLevel(const CurveFigure& figure) {
    std::optional<double> first;
    for (const Curve& curve : figure.curves) {
        for (const QPointF& point : curve.points) {
            if (first && std::isfinite(point.y()) && point.y() != *first) {
                return false;
            }
            first = std::isfinite(point.y()) ? point.y() : first;
        }
    }
    return true;
}

/// Whether all points lie at 0, or there are none; but for the first of a path, where everything is known.
bool isNothing(const CurveFigure& figure) {
    return std::all_of(figure.curves.begin(), figure.curves.end(), [](const Curve& curve) {
        return std::all_of(curve.points.begin() + std::min<qsizetype>(1, curve.points.size()), curve.points.end(),
                           [](const QPointF& point) { return !(std::abs(point.y()) > 0); });
    });
}

} // namespace

PathChart::PathChart(Kind kind, RunCollection& runs, PathCursor& cursor, QWidget* parent)
    : RunTab(runs, cursor, parent), m_kind(kind) {
    const auto [layout, row] = makeFrame();
    m_label = new QLabel(this);
    m_choice = new QComboBox(this);
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // names of measures are long
    m_choice->setMinimumContentsLength(22);
    m_label->setBuddy(m_choice);
    row->addWidget(m_label);
    row->addWidget(m_choice);
    row->addSpacing(8);
    m_against = new QComboBox(this);
    m_against->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_against->setMinimumContentsLength(8);
    m_against->setAccessibleName(tr("Compare with"));
    m_against->setToolTip(
        tr("Shows the lanes as they are, or what they have more than one of them (minus), or how many "
           "times as much (over); seconds make no ratio below 100 ms"));
    m_against->addItem(tr("as it is"), QString());
    row->addWidget(m_against);
    row->addStretch(1);
    QString name;
    switch (kind) {
    case Kind::Rates:
        name = tr("Screening rate along the path");
        m_label->setText(tr("Rate"));
        offer({tr("on arrival"), tr("before solved"), tr("afterwards")},
              tr("Screening on arrival at a point uses only the solution of the point before (path screening); "
                 "before solved counts what dynamic screening added in time to save something; afterwards adds what "
                 "lanes that screen only where it pays tell from the finished solution."));
        break;
    case Kind::Items:
        name = tr("Items along the path");
        m_label->setText(tr("Items"));
        offer({tr("left to the solver"), tr("removed"), tr("by set")},
              tr("Items per path point; by set: where they lie at the solution, which all lanes share."));
        break;
    case Kind::Times:
        name = tr("CPU time along the path");
        m_label->setText(tr("CPU time"));
        offer({tr("so far"), tr("ratio to baseline"), tr("by size, log-log")},
              tr("CPU time of solving and screening together, added up along the path, or over that of the baseline "
                 "from where both have used 100 ms; by size: per point, with the slope of each lane, for paths over "
                 "the number of samples."));
        break;
    case Kind::Quality:
        name = tr("Quality of the solutions along the path");
        m_label->setText(tr("Measure"));
        offer({}, tr("How good the solutions are on rows that they have not seen, held-out ones or those that "
                     "cross-validation leaves out; and whatever else the runs tell at each point."));
        break;
    }
    m_choice->setAccessibleName(m_label->text());
    m_plot = makePathPlot(name);
    layout->addWidget(m_plot, 1);
    connect(m_choice, &QComboBox::currentIndexChanged, this, [this] {
        m_isChosen = true;
        invalidate();
    });
    connect(m_against, &QComboBox::currentIndexChanged, this, &PathChart::invalidate);
}

void PathChart::fillAgainst(const std::vector<ShownRun>& runs) {
    std::vector<std::pair<QString, QString>> entries{{tr("as it is"), {}}};
    for (const ShownRun& run : runs) {
        entries.emplace_back(tr("minus %1").arg(run.name), QLatin1Char('-') + run.id);
        entries.emplace_back(tr("over %1").arg(run.name), QLatin1Char('/') + run.id);
    }
    bool isSame = m_against->count() == static_cast<int>(entries.size());
    for (int i = 0; isSame && i < m_against->count(); ++i) {
        const auto& [name, id] = entries[static_cast<std::size_t>(i)];
        isSame = m_against->itemText(i) == name && m_against->itemData(i).toString() == id;
    }
    if (!isSame) {
        const QString before = m_against->currentData().toString();
        const QSignalBlocker blocker(m_against);
        m_against->clear();
        for (const auto& [name, id] : entries) {
            m_against->addItem(name, id);
        }
        m_against->setCurrentIndex(std::max(0, m_against->findData(before)));
    }
    m_against->setVisible(runs.size() > 1);
}

void PathChart::present(const CurveFigure& figure) {
    const QString against = m_against->currentData().toString();
    showFigure(*m_plot, against.isEmpty()
                            ? figure
                            : contrastFigure(figure, against.mid(1),
                                             against[0] == QLatin1Char('-') ? Contrast::Difference : Contrast::Ratio));
}

void PathChart::offer(const QStringList& choices, const QString& help) {
    m_choice->addItems(choices);
    m_choice->setToolTip(help);
}

std::vector<FigureView*> PathChart::charts() const {
    return {m_plot};
}

bool PathChart::fits(Kind kind, const std::vector<ShownRun>& runs) {
    switch (kind) {
    case Kind::Rates: return anyMayScreen(runs);
    case Kind::Items: return anyHasItems(runs);
    case Kind::Quality: return !qualityEntries(runs).empty();
    case Kind::Times: break;
    }
    return true;
}

void PathChart::rebuild(const std::vector<ShownRun>& runs) {
    m_plot->setEmptyText(tr("Runs appear here. Press F5."));
    fillAgainst(runs);
    switch (m_kind) {
    case Kind::Rates: return rebuildRates(runs);
    case Kind::Items: return rebuildItems(runs);
    case Kind::Times: return rebuildTimes(runs);
    case Kind::Quality: return rebuildQuality(runs);
    }
}

void PathChart::rebuildRates(const std::vector<ShownRun>& runs) {
    const bool haveEnded =
        std::all_of(runs.begin(), runs.end(), [](const ShownRun& run) { return run.record->hasEnded(); });
    if (!m_isChosen) { // where nothing was screened on arrival, what was screened later tells more
        const QSignalBlocker blocker(m_choice);
        const bool isLater = haveEnded && isNothing(rateFigure(runs, ScreeningStage::OnArrival)) &&
                             !isNothing(rateFigure(runs, ScreeningStage::BeforeSolved));
        m_choice->setCurrentIndex(static_cast<int>(isLater ? ScreeningStage::BeforeSolved : ScreeningStage::OnArrival));
    }
    const auto stage = static_cast<ScreeningStage>(m_choice->currentIndex());
    if (!runs.empty()) {
        const bool anyScreens = std::any_of(runs.begin(), runs.end(), [](const ShownRun& run) {
            return screens(*run.record) && run.record->finishedPointCount() > 0;
        });
        m_plot->setEmptyText(
            stage == ScreeningStage::Afterwards  ? tr("No lane here judges its items with the finished solution.")
            : !anyScreens                        ? tr("No lane here has screened anything yet.")
            : stage == ScreeningStage::OnArrival ? tr("No lane here has looked on arrival, which would not have paid.")
                                                 : tr("No lane here has looked, which would not have paid."));
    }
    const CurveFigure figure = rateFigure(runs, stage);
    present(figure);
    QStringList remarks = {remarkText(m_plot->curveFigure()), gapsText(figure, stage)};
    remarks.removeAll(QString());
    m_plot->setRemark(remarks.join(QStringLiteral(" · ")));
}

void PathChart::rebuildItems(const std::vector<ShownRun>& runs) {
    present(m_choice->currentIndex() == kBySet
                ? setsFigure(runs)
                : itemsFigure(runs, m_choice->currentIndex() == 0 ? ItemSide::LeftToSolver : ItemSide::Removed));
}

void PathChart::rebuildTimes(const std::vector<ShownRun>& runs) {
    const bool canCompare = runs.empty() || anyHasBaseline(runs);
    const bool areSizes = hasSizes(runs);
    if (areSizes != m_areSizes) {
        // On a path over sizes how time grows is the question; elsewhere there is nothing to grow with.
        const QSignalBlocker blocker(m_choice);
        m_choice->setCurrentIndex(areSizes ? kBySize : kBySum);
        m_areSizes = areSizes;
    }
    auto* choices = qobject_cast<QStandardItemModel*>(m_choice->model());
    choices->item(kByRatio)->setEnabled(canCompare);
    choices->item(kBySize)->setEnabled(areSizes);
    const int chosen = m_choice->currentIndex();
    if (!runs.empty()) {
        m_plot->setEmptyText(tr("Too short to tell: a ratio needs 100 ms of CPU in both lanes."));
    }
    present(chosen == kBySize && areSizes      ? growthFigure(runs)
            : chosen == kByRatio && canCompare ? cpuRatioFigure(runs)
                                               : cpuFigure(runs));
    if (chosen == kBySum && areTooShort(runs)) {
        m_plot->setRemark(tr("All below 100 ms: too short to tell apart"));
    }
}

void PathChart::rebuildQuality(const std::vector<ShownRun>& runs) {
    const auto entries = qualityEntries(runs);
    bool isSame = m_choice->count() == static_cast<int>(entries.size());
    for (int i = 0; isSame && i < m_choice->count(); ++i) {
        const auto& [title, key] = entries[static_cast<std::size_t>(i)];
        isSame = m_choice->itemText(i) == title && m_choice->itemData(i).toString() == key;
    }
    const QSignalBlocker blocker(m_choice);
    if (!isSame) {
        const QString before = m_choice->currentData().toString();
        m_choice->clear();
        for (const auto& [title, key] : entries) {
            m_choice->addItem(title, key);
        }
        m_choice->setCurrentIndex(entries.empty() ? -1 : std::max(0, m_choice->findData(before)));
    }
    const std::vector<const Quality*> found = qualitiesOf(runs);
    const auto figureOf = [&](int entry) {
        return entry < static_cast<int>(found.size()) ? qualityFigure(runs, *found[static_cast<std::size_t>(entry)])
                                                      : measureFigure(runs, m_choice->itemData(entry).toString());
    };
    // Unless somebody chose: what the experiment names, or the first that tells something. Lanes that are alike tell
    // how good all of them are, and nothing by any other measure.
    const auto tells = [&](int entry, const CurveFigure& shown) {
        const bool isQuality = entry < static_cast<int>(found.size());
        return !shown.curves.isEmpty() && !isLevel(shown) && (isQuality || samenessText(shown).isEmpty());
    };
    CurveFigure figure;
    int entry = m_isChosen ? m_choice->currentIndex() : m_choice->findData(m_preferred);
    bool isMade = false;
    for (int other = 0; entry < 0 && other < m_choice->count(); ++other) {
        figure = figureOf(other);
        isMade = tells(other, figure);
        entry = isMade ? other : -1;
    }
    m_choice->setCurrentIndex(std::min(std::max(entry, 0), m_choice->count() - 1));
    if (!isMade && m_choice->count() > 0) {
        figure = figureOf(m_choice->currentIndex());
    }
    present(figure);
}

void PathChart::prefer(const QString& what) {
    m_preferred = what;
    m_isChosen = false;
    invalidate();
}

void PathChart::moveCursor(const std::vector<ShownRun>&) {
    m_plot->setCursor(cursor().value());
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/views/study_tab.h"

#include "core/common/number_text.h"
#include "ui/charts/heatmap_view.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/table_actions.h"
#include "ui/figures/study_figures.h"
#include "ui/panels/views/study_panels.h"
#include "ui/session/runs/lane_colours.h"
#include "ui/session/study/study_session.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace lambdascope {

namespace {

const QString panelsMark = QStringLiteral("by:"); // before the axis whose values have a chart each
constexpr int kMostFittedRows = 500;              // longer tables keep their widths, as fitting them takes too long

/// Offers these words, keeping the choice as long as it is among them.
void offer(QComboBox& chooser, const QStringList& words, const QStringList& keys) {
    QStringList before;
    for (int i = 0; i < chooser.count(); ++i) {
        before << chooser.itemData(i).toString();
    }
    if (before == keys) {
        return;
    }
    const QString chosen = chooser.currentData().toString();
    const QSignalBlocker blocker(chooser);
    chooser.clear();
    for (qsizetype i = 0; i < words.size(); ++i) {
        chooser.addItem(words[i], keys[i]);
    }
    const int again = chooser.findData(chosen);
    chooser.setCurrentIndex(again >= 0 ? again : words.isEmpty() ? -1 : 0);
}

QTableWidget* makeTable(const QString& name, const QString& noun, QWidget* parent) {
    auto* table = new QTableWidget(parent);
    table->setAccessibleName(name);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setAlternatingRowColors(true);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    new TableActions(*table, {}, noun);
    return table;
}

void setCell(QTableWidget& table, int row, int column, const QString& text, bool isNumber) {
    QTableWidgetItem* item = table.item(row, column);
    if (item == nullptr) {
        item = new QTableWidgetItem;
        item->setTextAlignment(isNumber ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
        table.setItem(row, column, item);
    }
    if (item->text() != text) {
        item->setText(text);
        item->setToolTip(text);
    }
}

QString figureText(double value) {
    return QString::fromStdString(shortText(value, 4));
}

} // namespace

StudyTab::StudyTab(RunCollection& runs, PathCursor& cursor, StudySession& study, QWidget* parent)
    : RunTab(runs, cursor, parent), m_study(study), m_empty(new QLabel(this)), m_stack(new QStackedWidget(this)),
      m_measure(new QComboBox(this)), m_along(new QComboBox(this)), m_over(new QComboBox(this)),
      m_studyLane(new QComboBox(this)), m_pictures(new QStackedWidget(this)), m_plot(new PlotView(this)),
      m_heatmap(new HeatmapView(this)), m_panels(new StudyPanels(this)), m_tables(new QTabWidget(this)),
      m_table(makeTable(tr("Combinations of the study"), tr("study"), this)),
      m_cells(makeTable(tr("Cells of the study"), tr("cells"), this)),
      m_paper(makeTable(tr("Published numbers beside ours"), tr("published"), this)) {
    const auto [layout, row] = makeFrame();
    const auto addChooser = [&, choosers = row](const QString& text, QComboBox* chooser, const QString& hint) {
        auto* label = new QLabel(text, this);
        label->setBuddy(chooser);
        chooser->setAccessibleName(text);
        chooser->setToolTip(hint);
        label->setMinimumWidth(1); // in a narrow window
        chooser->setMinimumContentsLength(2);
        chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        chooser->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        choosers->addWidget(label);
        choosers->addWidget(chooser, chooser == m_measure ? 3 : 2);
        connect(chooser, &QComboBox::currentIndexChanged, this, &StudyTab::invalidate);
    };
    addChooser(tr("Measure"), m_measure, tr("What is drawn and tabled"));
    addChooser(tr("Along"), m_along, tr("The axis of the study that runs to the right"));
    addChooser(tr("Over"), m_over, tr("A second axis: the measure is told by colours, or has a chart per value"));
    addChooser(tr("Lane"), m_studyLane, tr("One lane, or all of them"));
    m_plot->setAccessibleName(tr("Measure against an axis of the study"));
    m_heatmap->setAccessibleName(tr("Measure over two axes of the study"));
    watchClicks(m_plot);
    watchClicks(m_heatmap);
    connect(m_panels, &StudyPanels::chartMade, this, &StudyTab::watchClicks);
    m_pictures->addWidget(m_plot);
    m_pictures->addWidget(m_heatmap);
    m_pictures->addWidget(m_panels);
    m_tables->setDocumentMode(true);
    m_tables->addTab(m_table, tr("Combinations"));
    m_tables->addTab(m_cells, tr("Cells"));
    m_tables->addTab(m_paper, tr("Paper"));
    m_cells->setToolTip(tr("A tick shows the paths of a cell in the other views, beside what they show"));
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_pictures);
    split->addWidget(m_tables);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setChildrenCollapsible(false);
    m_empty->setText(tr("A study appears here: the experiment for every combination of some values.\n"
                        "Right-click a field of the form, choose Vary…, and press Run study."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(split);
    layout->addWidget(m_stack, 1);
    showChoosers(false);
    connect(&study, &StudySession::changed, this, &StudyTab::invalidate);
    connect(m_cells, &QTableWidget::itemChanged, this, [this](QTableWidgetItem* item) {
        const QString folder = item->data(Qt::UserRole).toString();
        const bool isTicked = item->checkState() == Qt::Checked;
        if (!m_isFilling && item->column() == 0 && !folder.isEmpty() && isTicked != m_ticked.contains(folder)) {
            isTicked ? static_cast<void>(m_ticked.insert(folder)) : static_cast<void>(m_ticked.remove(folder));
            Q_EMIT cellTicked(folder, isTicked);
        }
    });
}

void StudyTab::showChoosers(bool shown) {
    for (QComboBox* chooser : {m_measure, m_along, m_over, m_studyLane}) {
        chooser->setEnabled(shown);
    }
}

std::vector<FigureView*> StudyTab::charts() const {
    if (m_pictures->currentWidget() == m_panels) {
        return m_panels->charts();
    }
    return m_pictures->currentWidget() == m_heatmap ? std::vector<FigureView*>{m_heatmap, m_plot}
                                                    : std::vector<FigureView*>{m_plot, m_heatmap};
}

void StudyTab::rebuild(const std::vector<ShownRun>&) {
    const StudyResults* results = m_study.results();
    showChoosers(results != nullptr);
    m_stack->setCurrentIndex(results == nullptr ? 0 : 1);
    if (results == nullptr) {
        return;
    }
    fillChoosers(*results);
    drawFigure(*results);
    fillTable(*results);
    fillCells(*results);
    fillPaper(*results);
}

void StudyTab::fillChoosers(const StudyResults& results) {
    const QStringList measures = studyMeasureKeys(results);
    QStringList texts;
    std::transform(measures.begin(), measures.end(), std::back_inserter(texts), studyMeasureText);
    const bool isFirst = m_measure->count() == 0;
    offer(*m_measure, texts, measures);
    if (isFirst && !measures.isEmpty()) { // what the study is about, else what papers have first
        const QString own = QString::fromStdString(results.study.measure);
        for (const QString& key : {own, QStringLiteral("test_error"), QStringLiteral("knn_error"),
                                   QStringLiteral("f_measure"), QStringLiteral("cpu_ratio"), QStringLiteral("cpu")}) {
            if (const int place = m_measure->findData(key); place >= 0) {
                const QSignalBlocker blocker(m_measure);
                m_measure->setCurrentIndex(place);
                break;
            }
        }
    }
    const QStringList axes = studyAxisNames(results.study);
    const QStringList titles = studyAxisTitles(results.study);
    offer(*m_along, titles, axes);
    const bool isNew = m_laidOut != m_study.folder();
    const StudyLayout layout = firstLayout(results.study, StudyPanels::kMostPanels);
    if (isNew) {
        m_laidOut = m_study.folder();
        const QSignalBlocker quiet(m_along);
        m_along->setCurrentIndex(layout.along);
    }
    QStringList others{tr("nothing else")};
    QStringList keys{QString()};
    for (qsizetype i = 0; i < axes.size(); ++i) {
        if (axes[i] != m_along->currentData().toString()) {
            others << tr("%1: colours").arg(titles[i]) << tr("%1: charts").arg(titles[i]);
            keys << axes[i] << panelsMark + axes[i];
        }
    }
    offer(*m_over, others, keys);
    if (isNew) {
        const QSignalBlocker quiet(m_over);
        m_over->setCurrentIndex(layout.by < 0 ? 0 : static_cast<int>(keys.indexOf(panelsMark + axes[layout.by])));
    }
    const QStringList lanes = studyLaneNames(results);
    offer(*m_studyLane, QStringList{tr("All lanes")} + lanes, QStringList{QString()} + lanes);
    m_along->setEnabled(!axes.isEmpty());
    m_over->setEnabled(axes.size() > 1);
}

void StudyTab::drawFigure(const StudyResults& results) {
    const QStringList axes = studyAxisNames(results.study);
    const QString measure = m_measure->currentData().toString();
    const auto along = static_cast<int>(axes.indexOf(m_along->currentData().toString()));
    const QString second = m_over->currentData().toString();
    const auto over = static_cast<int>(axes.indexOf(second));
    const QString lane = m_studyLane->currentData().toString();
    const auto paint = [&](CurveFigure& figure) { // in the colours that lanes have everywhere
        if (lane.isEmpty() && along >= 0) {
            const std::map<QString, int> places = LaneColours().placesOf(studyLaneNames(results));
            for (Curve& curve : figure.curves) {
                curve.style.colourIndex = places.at(curve.id.section('\n', 0, 0));
            }
        }
    };
    if (second.startsWith(panelsMark)) {
        const auto by = static_cast<int>(axes.indexOf(second.mid(panelsMark.size())));
        QList<CurveFigure> panels = studyPanels(results, measure, along, by, lane);
        std::for_each(panels.begin(), panels.end(), paint);
        m_panels->setFigures(panels);
        m_pictures->setCurrentWidget(m_panels);
    } else if (over >= 0 && over != along) {
        m_heatmap->setFigure(
            studyHeatmap(results, measure, along, over, lane.isEmpty() ? m_studyLane->itemText(1) : lane));
        m_pictures->setCurrentWidget(m_heatmap);
    } else {
        CurveFigure figure = studyCurves(results, measure, along, lane);
        paint(figure);
        showFigure(*m_plot, figure);
        m_pictures->setCurrentWidget(m_plot);
    }
}

void StudyTab::fillTable(const StudyResults& results) {
    const std::string measure = m_measure->currentData().toString().toStdString();
    const std::vector<StudyRow> rows = studyRows(results, measure);
    QStringList titles;
    for (const std::string& column : combinationColumns(results.study)) {
        titles << QString::fromStdString(column);
    }
    const auto values = static_cast<int>(titles.size());
    titles << tr("lane") << tr("cells") << tr("mean") << tr("95 % interval") << tr("median") << tr("quartiles");
    m_table->setColumnCount(static_cast<int>(titles.size()));
    m_table->setHorizontalHeaderLabels(titles);
    m_table->setRowCount(static_cast<int>(rows.size()));
    for (int r = 0; r < m_table->rowCount(); ++r) {
        const StudyRow& row = rows[static_cast<std::size_t>(r)];
        for (int column = 0; column < values; ++column) {
            setCell(*m_table, r, column, QString::fromStdString(row.values[static_cast<std::size_t>(column)]), true);
        }
        const std::size_t all = row.finished + row.failed + row.missing;
        setCell(*m_table, r, values, QString::fromStdString(row.lane), false);
        setCell(*m_table, r, values + 1,
                row.finished == all ? QString::number(all) : tr("%1 of %2").arg(row.finished).arg(all), true);
        const auto found = row.measures.find(measure);
        const bool isThere = found != row.measures.end();
        const SeedStatistics none;
        const SeedStatistics& over = isThere ? found->second : none;
        const auto range = [&](bool has, double low, double high) {
            return has ? figureText(low) + QStringLiteral(" – ") + figureText(high) : QString();
        };
        setCell(*m_table, r, values + 2, isThere ? figureText(over.mean) : QString(), true);
        setCell(*m_table, r, values + 3, range(over.low && over.high, over.low.value_or(0), over.high.value_or(0)),
                true);
        setCell(*m_table, r, values + 4, isThere ? figureText(over.median) : QString(), true);
        setCell(*m_table, r, values + 5, range(isThere && over.low, over.lowerQuartile, over.upperQuartile), true);
    }
    if (m_table->rowCount() <= kMostFittedRows) {
        m_table->resizeColumnsToContents();
    }
}

void StudyTab::fillCells(const StudyResults& results) {
    m_isFilling = true;
    m_cells->setColumnCount(2);
    m_cells->setHorizontalHeaderLabels({tr("cell"), tr("state")});
    m_cells->setRowCount(static_cast<int>(results.cells.size()));
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        const auto row = static_cast<int>(i);
        setCell(*m_cells, row, 0, QString::fromStdString(results.cells[i].label), false);
        setCell(*m_cells, row, 1, cellStateText(results.states[i]), false);
        QTableWidgetItem* item = m_cells->item(row, 0);
        const bool isFinished = results.states[i].state == CellState::Finished;
        const QString folder = isFinished ? m_study.cellFolder(i) : QString();
        if (item->data(Qt::UserRole).toString() != folder || folder.isEmpty()) {
            item->setData(Qt::UserRole, folder);
            item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled |
                           (isFinished ? Qt::ItemIsUserCheckable : Qt::NoItemFlags));
        }
        if (isFinished) {
            item->setCheckState(m_ticked.contains(folder) ? Qt::Checked : Qt::Unchecked);
        }
    }
    m_cells->setColumnWidth(0, std::max(m_cells->columnWidth(0), 320));
    m_isFilling = false;
}

void StudyTab::fillPaper(const StudyResults& results) {
    const std::vector<StudyPublishedComparison> comparisons = compareStudyPublished(results);
    m_tables->setTabVisible(m_tables->indexOf(m_paper), !comparisons.empty());
    m_paper->setColumnCount(5);
    m_paper->setHorizontalHeaderLabels({tr("published"), tr("theirs"), tr("ours"), tr("source"), tr("what differs")});
    m_paper->setRowCount(static_cast<int>(comparisons.size()));
    for (int row = 0; row < m_paper->rowCount(); ++row) {
        const auto& [published, ours] = comparisons[static_cast<std::size_t>(row)];
        setCell(*m_paper, row, 0, QString::fromStdString(published.label), false);
        setCell(*m_paper, row, 1, figureText(published.value), true);
        setCell(*m_paper, row, 2, ours ? QString::fromStdString(meanText(*ours)) : tr("not computed"), true);
        setCell(*m_paper, row, 3, QString::fromStdString(published.source), false);
        setCell(*m_paper, row, 4, QString::fromStdString(published.note), false);
    }
    m_paper->resizeColumnsToContents();
}

} // namespace lambdascope

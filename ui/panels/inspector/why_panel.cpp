// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/why_panel.h"

#include "core/common/number_text.h"
#include "core/record/run_record.h"
#include "ui/charts/table_actions.h"
#include "ui/panels/inspector/formula_delegate.h"
#include "ui/panels/inspector/number_line.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int kRestInterval = 150; // ms: a cursor that is dragged asks when it rests

QString shortNumber(double value) {
    return QString::fromStdString(shortText(value, 4));
}

/// A title without its noun: "(4, 9, 71)" of "triplet (4, 9, 71)", "220, row 501 (negative)" of a sample.
QString withoutNoun(const std::string& title) {
    const QString whole = QString::fromStdString(title);
    return whole.mid(whole.indexOf(QLatin1Char(' ')) + 1);
}

/// As people write an item: "4, 9, 71" of "triplet (4, 9, 71)", "220" of "sample 220, row 501 (negative)".
QString itemWords(const std::string& title) {
    QString words = withoutNoun(title);
    if (words.startsWith(QLatin1Char('('))) {
        return words.remove(0, 1).remove(QLatin1Char(')'));
    }
    const auto end = std::find_if_not(words.cbegin(), words.cend(), [](QChar c) { return c.isDigit(); });
    return words.first(end - words.cbegin());
}

/// "(4, 9, 71)  R, slack 0.0031"
QString notableText(const NotableItem& item) {
    const QString title = withoutNoun(item.title);
    const QString set = item.set.empty() ? WhyPanel::tr("kept") : QString::fromStdString(item.set);
    return WhyPanel::tr("%1  %2, slack %3").arg(title, set, shortNumber(item.slack));
}

} // namespace

WhyPanel::WhyPanel(RunCollection& runs, PathCursor& cursor, RunLensSession& lens, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_cursor(cursor), m_lens(lens) {
    build();
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestInterval);
    connect(&m_rest, &QTimer::timeout, this, &WhyPanel::askNow);
    connect(&cursor, &PathCursor::moved, this, [this] {
        m_notable->clear();
        askLater();
    });
    connect(&lens, &RunLensSession::explained, this, &WhyPanel::showExplanation);
    connect(&lens, &RunLensSession::notableFound, this, &WhyPanel::fillNotable);
    connect(&lens, &RunLensSession::sampleItemsFound, this, &WhyPanel::fillOfSample);
    connect(&lens, &RunLensSession::activityChanged, this, &WhyPanel::refreshState);
    connect(&lens, &RunLensSession::failed, this, [this](RunId run, const QString& topic, const Error& error) {
        if (run == m_run && (topic == RunLensSession::explainTopic() || topic == RunLensSession::notableTopic())) {
            QString what = QString::fromStdString(error.faults.empty() ? error.message : error.faults.front().message);
            if (!error.faults.empty() && !error.faults.front().remedy.empty()) {
                what += QStringLiteral(". ") + QString::fromStdString(error.faults.front().remedy);
            }
            showProblem(what);
        }
    });
    connect(&runs, &RunCollection::runsUpdated, this, &WhyPanel::refreshState);
    refreshState();
}

void WhyPanel::build() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 6, 4, 4);
    m_input = new QLineEdit(this);
    m_input->setPlaceholderText(tr("Rows or number, as 4, 9, 71"));
    m_input->setToolTip(
        tr("A sample: its number. A triplet: anchor, neighbour of its class, neighbour of another class; "
           "rows. All count from 0"));
    m_input->setAccessibleName(tr("Item to explain"));
    m_input->setClearButtonEnabled(true);
    auto* explain = new QPushButton(tr("Explain"), this);
    connect(m_input, &QLineEdit::returnPressed, this, [this] { ask(m_input->text()); });
    connect(explain, &QPushButton::clicked, this, [this] { ask(m_input->text()); });
    auto* row = new QHBoxLayout;
    row->addWidget(m_input, 1);
    row->addWidget(explain);
    layout->addLayout(row);

    m_notable = new QComboBox(this);
    m_notable->setPlaceholderText(tr("Notable ones …"));
    m_notable->setAccessibleName(tr("Items worth a look"));
    m_notable->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_notable, &QComboBox::activated, this, [this](int index) { ask(m_notable->itemData(index).toString()); });
    m_find = new QPushButton(tr("Find"), this);
    m_find->setToolTip(tr("Finds items worth a look at the cursor: fixed ones nearest to the edge of their set, and "
                          "kept ones farthest beyond it"));
    connect(m_find, &QPushButton::clicked, this, &WhyPanel::findNotable);
    auto* second = new QHBoxLayout;
    second->addWidget(m_notable, 1);
    second->addWidget(m_find);
    layout->addLayout(second);

    m_busy = new QWidget(this);
    auto* busy = new QHBoxLayout(m_busy);
    busy->setContentsMargins(0, 0, 0, 0);
    m_progress = new QProgressBar(m_busy);
    m_progress->setAccessibleName(tr("Progress of the explanation"));
    m_stop = new QPushButton(tr("Stop"), m_busy);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_lens.cancel(RunLensSession::explainTopic());
        m_lens.cancel(RunLensSession::notableTopic());
    });
    busy->addWidget(m_progress, 1);
    busy->addWidget(m_stop);
    layout->addWidget(m_busy);

    m_headline = new QLabel(this);
    m_headline->setWordWrap(true);
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_headline->setAccessibleName(tr("Explanation"));
    layout->addWidget(m_headline);

    m_line = new NumberLine(this);
    layout->addWidget(m_line);

    m_tree = new QTreeWidget(this);
    m_tree->setColumnCount(4);
    m_tree->setHeaderLabels({tr("Bound"), tr("Says"), tr("Value"), tr("Margin")});
    m_tree->headerItem()->setToolTip(2, tr("Left side of the inequality"));
    m_tree->headerItem()->setToolTip(3, tr("How far the inequality holds (positive) or fails, error bounds taken off"));
    m_tree->setRootIsDecorated(true);
    m_tree->setIndentation(12);
    m_tree->setAlternatingRowColors(true);
    m_tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel); // rows of formulas are high
    new FormulaDelegate(m_tree);
    m_tree->setAccessibleName(tr("What each bound says"));
    m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch); // lines of formulas are as wide as all columns
    m_tree->header()->setStretchLastSection(false);
    auto* copy = new QAction(tr("Copy as text"), m_tree);
    connect(copy, &QAction::triggered, this, &WhyPanel::copyText);
    m_tree->addAction(copy);
    new TableActions(*m_tree, {}, tr("why"));
    layout->addWidget(m_tree, 1);
    layout->addStretch();
}

void WhyPanel::setRun(RunId run) {
    if (run != m_run) {
        m_run = run;
        m_notable->clear();
        askLater();
    }
    refreshState();
}

void WhyPanel::ask(const QString& item) {
    m_item = item.trimmed();
    if (m_input->text() != m_item) {
        m_input->setText(m_item);
    }
    askNow();
}

void WhyPanel::askLater() {
    if (!m_item.isEmpty() && isVisible()) {
        m_rest.start();
    }
}

void WhyPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    askLater();
}

void WhyPanel::askNow() {
    if (m_item.isEmpty()) {
        showProblem(tr("Write the number of a sample, or the rows of a triplet as in 4, 9, 71, or let the program find "
                       "items worth a look."));
        return;
    }
    if (canAsk()) {
        m_lens.explain(m_run, m_item, m_cursor.index());
    }
}

bool WhyPanel::canAsk() {
    const QString obstacle = m_lens.obstacle(m_run);
    if (!obstacle.isEmpty()) {
        showProblem(obstacle);
        return false;
    }
    if (m_cursor.index() < 0 || m_runs.record(m_run)->finishedPoint(m_cursor.index()) == nullptr) {
        showProblem(tr("This lane has no point at the cursor."));
        return false;
    }
    return true;
}

void WhyPanel::askItem(qint64 item) {
    m_rest.stop();
    if (canAsk()) {
        m_lens.explainItem(m_run, item, m_cursor.index());
    }
}

void WhyPanel::askSample(qint64 sample) {
    m_rest.stop();
    if (canAsk()) {
        m_lens.findOfSample(m_run, sample, m_cursor.index());
    }
}

void WhyPanel::findNotable() {
    if (m_lens.obstacle(m_run).isEmpty() && m_cursor.index() >= 0) {
        m_lens.findNotable(m_run, m_cursor.index());
    }
}

void WhyPanel::fillNotable(RunId run, int point, const std::vector<NotableItem>& items) {
    if (run != m_run || point != m_cursor.index()) {
        return;
    }
    m_notable->clear();
    for (const NotableItem& item : items) {
        m_notable->addItem(notableText(item), itemWords(item.title));
    }
    if (items.empty()) {
        showProblem(tr("There is no item to show."));
    } else if (m_item.isEmpty()) {
        m_notable->setCurrentIndex(0);
        ask(m_notable->itemData(0).toString());
    } else {
        m_notable->setCurrentIndex(-1);
    }
}

void WhyPanel::fillOfSample(RunId run, int point, qint64 sample, const std::vector<NotableItem>& items) {
    if (run != m_run || point != m_cursor.index()) {
        return;
    }
    if (items.empty()) {
        m_notable->clear();
        showProblem(tr("No item begins at sample %1.").arg(sample));
        return;
    }
    m_item.clear(); // the first of these is asked about
    fillNotable(run, point, items);
}

void WhyPanel::showProblem(const QString& what) {
    m_shown.reset();
    m_line->clear();
    m_tree->clear();
    m_tree->hide();
    m_headline->setText(what);
}

void WhyPanel::showExplanation(RunId run, int point, const ItemExplanation& why) {
    const RunRecord* record = m_runs.record(run);
    if (run != m_run || record == nullptr || record->finishedPoint(point) == nullptr) {
        return;
    }
    m_shown = why;
    m_item = itemWords(why.title);
    m_input->setText(m_item);
    m_place = {QString::fromStdString(record->start().axisLabel), record->finishedPoint(point)->axisValue};
    m_headline->setText(tr("%1: %2").arg(m_runs.display(run).name, explanationHeadline(why, m_place)));
    m_line->setExplanation(why);
    m_tree->clear();
    addReference(why);
    addDecisions(tr("This lane"), why.used, why.set);
    addDecisions(tr("Other bounds, same reference"), why.rivals, why.set);
    addFacts(why);
    m_tree->show();
}

void WhyPanel::addDecisions(const QString& title, const std::vector<BoundDecision>& decisions,
                            const std::string& decided) {
    if (decisions.empty()) {
        return;
    }
    QFont heading = m_tree->font();
    heading.setBold(true);
    auto* group = new QTreeWidgetItem(m_tree, {title});
    group->setFont(0, heading);
    group->setFirstColumnSpanned(true);
    group->setExpanded(true);
    for (const BoundDecision& decision : decisions) {
        auto* row = new QTreeWidgetItem(group, {QString::fromStdString(decision.bound), decisionText(decision),
                                                shortNumber(decision.left), shortNumber(decision.room)});
        const QString whole = ruleText(decision) + QLatin1Char('\n') + inequalityText(decision);
        for (int column = 0; column < m_tree->columnCount(); ++column) {
            row->setToolTip(column, whole);
        }
        row->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        row->setTextAlignment(3, Qt::AlignRight | Qt::AlignVCenter);
        FormulaDelegate::addRow(row, inequalityText(decision), inequalityLines(decision));
        for (const NamedValue& term : decision.terms) {
            FormulaDelegate::addRow(row, termText(term), termLines(term));
        }
        row->setExpanded(!decided.empty() && decision.set == decided && group == m_tree->topLevelItem(0));
    }
}

void WhyPanel::addReference(const ItemExplanation& why) {
    if (!why.reference) {
        return;
    }
    addDecisions(tr("What fixed it, from %1").arg(referenceText(*why.reference, m_place)), {why.reference->decision},
                 why.set);
    QTreeWidgetItem* group = m_tree->topLevelItem(m_tree->topLevelItemCount() - 1);
    auto* interval = new QTreeWidgetItem(group, {intervalText(*why.reference, m_place)});
    interval->setFirstColumnSpanned(true);
    interval->setToolTip(0, interval->text(0));
}

void WhyPanel::addFacts(const ItemExplanation& why) {
    QFont heading = m_tree->font();
    heading.setBold(true);
    auto* group = new QTreeWidgetItem(m_tree, {tr("The item")});
    group->setFont(0, heading);
    group->setFirstColumnSpanned(true);
    group->setExpanded(true);
    for (const NamedValue& fact : why.facts) {
        FormulaDelegate::addRow(group, termText(fact), termLines(fact));
    }
}

void WhyPanel::refreshState() {
    const QString obstacle = m_lens.obstacle(m_run);
    const bool isExplaining = m_lens.isAsked(RunLensSession::explainTopic());
    const bool isFinding = m_lens.isAsked(RunLensSession::notableTopic());
    m_busy->setVisible(isExplaining || isFinding);
    if (isExplaining || isFinding) {
        const double share =
            m_lens.share(isExplaining ? RunLensSession::explainTopic() : RunLensSession::notableTopic());
        m_progress->setRange(0, share < 0 ? 0 : 100);
        m_progress->setValue(share < 0 ? -1 : static_cast<int>(100 * share));
        m_progress->setFormat(tr("computing the lane again, %p %"));
    }
    m_find->setEnabled(obstacle.isEmpty() && m_cursor.index() >= 0);
    if (!m_shown && m_item.isEmpty()) {
        showProblem(obstacle.isEmpty()
                        ? tr("Why was an item screened, or why not? Write its rows or number, or press Find for items "
                             "worth a look at the cursor.")
                        : obstacle);
    }
}

QString WhyPanel::text() const {
    return m_shown ? explanationText(*m_shown, m_place) : m_headline->text();
}

void WhyPanel::copyText() const {
    QGuiApplication::clipboard()->setText(text());
}

} // namespace lambdascope

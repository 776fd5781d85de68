// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/inspector_panel.h"

#include "ui/charts/table_actions.h"
#include "ui/panels/inspector/certificate_bar.h"
#include "ui/panels/inspector/details_tree.h"
#include "ui/panels/inspector/marks_bar.h"
#include "ui/panels/inspector/why_panel.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lambdascope {

namespace {

constexpr int kRefreshInterval = 200; // ms: faster than one can read

} // namespace

InspectorPanel::InspectorPanel(RunCollection& runs, PathCursor& cursor, RunLensSession& lens,
                               const SchemaCatalog& catalog, QWidget* parent)
    : QWidget(parent), m_runs(runs), m_cursor(cursor), m_lens(lens), m_catalog(catalog) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    m_detail = new QLabel(this);
    m_detail->setWordWrap(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_detail->setAccessibleName(tr("Selected item"));
    m_detail->hide();
    m_empty = new QLabel(tr("Nothing to inspect yet.\n\nRun an experiment (F5), then click a point, a line, a heatmap "
                            "cell or a row of the Runs table: the numbers behind it appear here."),
                         this);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_empty->setMargin(8);
    m_certificate = new CertificateBar(runs, lens, this);
    m_marks = new MarksBar(runs, cursor, lens, this);
    m_why = new WhyPanel(runs, cursor, lens, this);
    m_tree = new DetailsTree(this);
    m_tree->setAccessibleName(tr("Details of the selected run"));
    auto* copy = new QAction(tr("Copy as text"), m_tree);
    connect(copy, &QAction::triggered, this, &InspectorPanel::copyText);
    m_tree->addAction(copy);
    new TableActions(*m_tree, {}, tr("numbers"));
    layout->addWidget(m_detail);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_certificate);
    layout->addWidget(m_marks);
    m_pages = new QTabWidget(this);
    m_pages->setDocumentMode(true);
    m_pages->setAccessibleName(tr("Inspector pages"));
    m_pages->addTab(m_tree, tr("Numbers"));
    m_pages->addTab(m_why, tr("Why screened?"));
    layout->addWidget(m_pages, 1);

    connect(&lens.selection(), &ItemSelection::itemPicked, this, &InspectorPanel::explainPicked);
    connect(&lens.selection(), &ItemSelection::samplePicked, this, &InspectorPanel::explainSample);
    connect(m_certificate, &CertificateBar::closestRequested, this, [this](RunId run, int point, qint64 item) {
        m_cursor.moveTo(point);
        m_lens.selection().pickItem(run, item);
    });
    connect(m_certificate, &CertificateBar::certificateRequested, this, &InspectorPanel::certificateRequested);
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, &InspectorPanel::refreshNow);
    connect(&cursor, &PathCursor::moved, this, &InspectorPanel::clearItem);
    connect(&cursor, &PathCursor::moved, this, &InspectorPanel::invalidate);
    connect(&runs, &RunCollection::runsAdded, this, &InspectorPanel::takeAdded);
    for (auto signal : {&RunCollection::runsAdded, &RunCollection::runsUpdated, &RunCollection::runsRemoved,
                        &RunCollection::visibilityChanged}) {
        connect(&runs, signal, this, &InspectorPanel::invalidate);
    }
    fill({});
    takeAdded(runs.ids());
}

RunId InspectorPanel::selectedRun() const {
    if (m_runs.contains(m_selected)) {
        return m_selected;
    }
    const std::vector<RunId> shown = m_runs.shownIds();
    // Lanes usually stand in the order of what they add: the last one screens most.
    const auto last =
        std::find_if(shown.rbegin(), shown.rend(), [&](RunId id) { return !m_runs.record(id)->start().isBaseline; });
    if (last != shown.rend()) {
        return *last;
    }
    return shown.empty() ? RunId{} : shown.front();
}

void InspectorPanel::selectRun(RunId run) {
    m_selected = run;
    clearItem();
    invalidate();
}

void InspectorPanel::selectItem(RunId run, const QString& detail) {
    m_selected = run;
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    invalidate();
}

void InspectorPanel::clearItem() {
    m_detail->clear();
    m_detail->hide();
}

void InspectorPanel::takeAdded(const std::vector<RunId>& added) {
    int newest = m_newestBatch;
    for (const RunId id : added) {
        newest = std::max(newest, m_runs.display(id).batch);
    }
    // Later lanes of an experiment leave the choice alone.
    if (std::exchange(m_newestBatch, newest) != newest) {
        clearItem();
        if (m_runs.contains(std::exchange(m_selected, RunId{}))) {
            Q_EMIT selectionDropped();
        }
    }
}

QString InspectorPanel::text() const {
    const QString selected = m_detail->isHidden() ? QString() : m_detail->text() + QStringLiteral("\n\n");
    const QString marked = m_marks->text().isEmpty() ? QString() : m_marks->text() + QStringLiteral("\n\n");
    return selected + marked + detailText(m_shown);
}

void InspectorPanel::turnToWhy(RunId run) {
    m_selected = run;
    refreshNow();
    m_pages->setCurrentWidget(m_why);
}

void InspectorPanel::explainItem(RunId run, const QString& item) {
    clearItem();
    turnToWhy(run);
    m_why->ask(item);
}

void InspectorPanel::explainPicked(RunId run, qint64 item) {
    if (m_lens.obstacle(run).isEmpty()) {
        turnToWhy(run);
        m_why->askItem(item);
    }
}

void InspectorPanel::explainSample(RunId run, qint64 sample) {
    if (m_lens.obstacle(run).isEmpty()) {
        turnToWhy(run);
        m_why->askSample(sample);
    }
}

void InspectorPanel::copyText() const {
    QGuiApplication::clipboard()->setText(text());
}

void InspectorPanel::invalidate() {
    m_isStale = true;
    if (isVisible() && !m_rest.isActive()) {
        m_rest.start(kRefreshInterval);
    }
}

void InspectorPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) {
        m_rest.start(0);
    }
}

void InspectorPanel::refreshNow() {
    m_isStale = false;
    const RunId run = selectedRun();
    m_certificate->setRun(run);
    m_marks->setRun(run);
    m_why->setRun(run);
    const bool hasItems = !m_runs.contains(run) || !m_runs.record(run)->start().itemNoun.empty();
    m_pages->setTabVisible(m_pages->indexOf(m_why), hasItems); // else nothing was screened that could be explained
    fill(details());
}

std::vector<DetailGroup> InspectorPanel::details() const {
    const RunId id = selectedRun();
    if (!m_runs.contains(id)) {
        return {};
    }
    std::vector<NamedRun> shown;
    for (const RunId run : m_runs.shownIds()) {
        shown.push_back({m_runs.display(run).name, m_runs.record(run)});
    }
    const RunRecord& record = *m_runs.record(id);
    std::vector<DetailGroup> groups;
    groups.push_back(pointDetails(record, m_cursor.index()));
    if (DetailGroup others = otherDetails(record, m_cursor.index()); !others.rows.empty()) {
        groups.push_back(std::move(others));
    }
    if (shown.size() > 1) {
        groups.push_back(lanesAtPoint(shown, m_cursor.index()));
    }
    groups.push_back(laneDetails({m_runs.display(id).name, &record}, m_runs.baselineOf(id), m_catalog));
    groups.push_back(problemFacts(record));
    return groups;
}

void InspectorPanel::fill(const std::vector<DetailGroup>& groups) {
    m_empty->setVisible(groups.empty());
    m_pages->setVisible(!groups.empty());
    if (groups == m_shown) {
        return;
    }
    m_tree->fill(groups);
    m_shown = groups;
}

} // namespace lambdascope

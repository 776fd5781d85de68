// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/inspector_panel.h"

#include "ui/panels/inspector/certificate_bar.h"
#include "ui/panels/inspector/published_panel.h"
#include "ui/panels/inspector/why_panel.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QStyledItemDelegate>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr int refreshInterval = 200; // ms: faster than one can read

/// Rows as high as their texts need when they wrap at the width of their columns, which trees do not see to.
class WrappingDelegate : public QStyledItemDelegate {
  public:
    explicit WrappingDelegate(QTreeWidget* tree) : QStyledItemDelegate(tree), m_tree(*tree) {}

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        constexpr int margin = 6; // beside the text
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        const bool isSpanned = m_tree.isFirstColumnSpanned(index.row(), index.parent());
        const int inset = index.column() == 0 && index.parent().isValid() ? m_tree.indentation() : 0;
        const int width = isSpanned ? m_tree.viewport()->width() : m_tree.columnWidth(index.column());
        const QRect room(0, 0, std::max(40, width - inset - margin), 10000);
        const QString words = index.data().toString();
        const int line = option.fontMetrics.height();
        const int needed = option.fontMetrics.boundingRect(room, Qt::TextWordWrap, words).height();
        size.setHeight(size.height() + std::max(0, needed - line));
        return size;
    }

  private:
    const QTreeWidget& m_tree;
};

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
    m_why = new WhyPanel(runs, cursor, lens, this);
    m_tree = new QTreeWidget(this);
    m_tree->setColumnCount(2);
    m_tree->setHeaderHidden(true);
    m_tree->setRootIsDecorated(false);
    m_tree->setIndentation(8);
    m_tree->setItemDelegate(new WrappingDelegate(m_tree));
    m_tree->setWordWrap(true); // a long label takes two lines rather than being cut
    m_tree->setAlternatingRowColors(true);
    m_tree->setAccessibleName(tr("Details of the selected run"));
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Interactive);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->header()->setStretchLastSection(true);
    // A scroll bar that appears makes the values narrower, and so their rows higher.
    connect(
        m_tree->header(), &QHeaderView::sectionResized, m_tree, [this] { m_tree->doItemsLayout(); },
        Qt::QueuedConnection);
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* copy = new QAction(tr("Copy as text"), m_tree);
    connect(copy, &QAction::triggered, this, &InspectorPanel::copyText);
    m_tree->addAction(copy);
    layout->addWidget(m_detail);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_certificate);
    m_pages = new QTabWidget(this);
    m_pages->setDocumentMode(true);
    m_pages->setAccessibleName(tr("Inspector pages"));
    m_pages->addTab(m_tree, tr("Numbers"));
    m_pages->addTab(m_why, tr("Why screened?"));
    m_published = new PublishedPanel(this);
    m_pages->addTab(m_published, tr("Paper")); // short: three pages have to fit into a narrow dock
    m_pages->setTabToolTip(m_pages->indexOf(m_published), tr("Published numbers beside ours"));
    m_pages->setTabVisible(m_pages->indexOf(m_published), false);
    layout->addWidget(m_pages, 1);

    connect(&lens.selection(), &ItemSelection::itemPicked, this, &InspectorPanel::explainPicked);
    connect(&lens.selection(), &ItemSelection::samplePicked, this, &InspectorPanel::explainSample);
    connect(m_certificate, &CertificateBar::closestRequested, this, [this](RunId run, int point, qint64 item) {
        m_cursor.moveTo(point);
        m_lens.selection().pickItem(run, item);
    });
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, &InspectorPanel::refreshNow);
    connect(&cursor, &PathCursor::moved, this, &InspectorPanel::invalidate);
    for (auto signal : {&RunCollection::runsAdded, &RunCollection::runsUpdated, &RunCollection::runsRemoved,
                        &RunCollection::visibilityChanged}) {
        connect(&runs, signal, this, &InspectorPanel::invalidate);
    }
    fill({});
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
    m_detail->hide();
    invalidate();
}

void InspectorPanel::selectItem(RunId run, const QString& detail) {
    m_selected = run;
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    invalidate();
}

QString InspectorPanel::text() const {
    const QString selected = m_detail->isHidden() ? QString() : m_detail->text() + QStringLiteral("\n\n");
    return selected + detailText(m_shown);
}

void InspectorPanel::turnToWhy(RunId run) {
    m_selected = run;
    refreshNow();
    m_pages->setCurrentWidget(m_why);
}

void InspectorPanel::explainItem(RunId run, const QString& item) {
    m_detail->hide();
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
        m_rest.start(refreshInterval);
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
    m_why->setRun(run);
    m_published->setRows(published());
    m_pages->setTabVisible(m_pages->indexOf(m_published), !m_published->isEmpty());
    fill(details());
}

PublishedPanel* InspectorPanel::publishedPage() const {
    return m_published->isEmpty() ? nullptr : m_published;
}

std::vector<PublishedComparison> InspectorPanel::published() const {
    const RunId selected = selectedRun();
    if (!m_runs.contains(selected)) {
        return {};
    }
    std::vector<const RunRecord*> lanes;
    for (const RunId id : m_runs.ids()) {
        if (m_runs.display(id).batch == m_runs.display(selected).batch) {
            lanes.push_back(m_runs.record(id));
        }
    }
    const bool allEnded =
        std::all_of(lanes.begin(), lanes.end(), [](const RunRecord* lane) { return lane->hasEnded(); });
    return allEnded ? comparePublished(lanes) : std::vector<PublishedComparison>();
}

void InspectorPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitLabels();
    m_tree->doItemsLayout(); // heights of rows whose text now wraps otherwise
}

void InspectorPanel::fitLabels() {
    constexpr int padding = 26; // indentation, and air between the columns
    const QFontMetrics metrics = m_tree->fontMetrics();
    int widest = 0;
    int widestNumber = 0; // they cannot wrap
    for (int g = 0; g < m_tree->topLevelItemCount(); ++g) {
        const QTreeWidgetItem* top = m_tree->topLevelItem(g);
        for (int r = 0; r < top->childCount(); ++r) {
            const QTreeWidgetItem* row = top->child(r);
            if (!row->isFirstColumnSpanned()) {
                widest = std::max(widest, metrics.horizontalAdvance(row->text(0)));
                const QString value = row->text(1);
                bool isNumber = false;
                (void)QLocale::c().toDouble(value, &isNumber);
                widestNumber = std::max(widestNumber, isNumber ? metrics.horizontalAdvance(value) : 0);
            }
        }
    }
    // What is wider wraps, and tooltips tell what a single long word loses; the values keep two fifths, and numbers
    // all they need.
    const int room = std::min(m_tree->width() * 3 / 5, m_tree->viewport()->width() - widestNumber - padding / 2);
    const int width = std::clamp(widest + padding, 90, std::max(90, room));
    if (width != m_tree->header()->sectionSize(0)) {
        m_tree->header()->resizeSection(0, width);
        m_tree->doItemsLayout();
    }
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
    // Items are reused, so that scroll position, selection and folded groups stay while numbers change.
    QFont heading = m_tree->font();
    heading.setBold(true);
    while (m_tree->topLevelItemCount() > static_cast<int>(groups.size())) {
        delete m_tree->takeTopLevelItem(m_tree->topLevelItemCount() - 1);
    }
    for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
        const DetailGroup& group = groups[static_cast<std::size_t>(g)];
        QTreeWidgetItem* top = m_tree->topLevelItem(g);
        if (top == nullptr) {
            top = new QTreeWidgetItem(m_tree);
            top->setFont(0, heading);
            top->setFirstColumnSpanned(true);
            top->setExpanded(true);
        }
        top->setText(0, group.title);
        top->setToolTip(0, group.title);
        while (top->childCount() > static_cast<int>(group.rows.size())) {
            delete top->takeChild(top->childCount() - 1);
        }
        for (int r = 0; r < static_cast<int>(group.rows.size()); ++r) {
            QTreeWidgetItem* row = r < top->childCount() ? top->child(r) : new QTreeWidgetItem(top);
            const auto& [what, value] = group.rows[static_cast<std::size_t>(r)];
            row->setFirstColumnSpanned(group.isCompact);
            row->setText(0, group.isCompact ? QStringLiteral("%1:  %2").arg(what, value) : what);
            row->setText(1, group.isCompact ? QString() : value);
            const QString whole = QStringLiteral("%1: %2").arg(what, value); // columns may be too narrow for it
            row->setToolTip(0, whole);
            row->setToolTip(1, whole);
        }
    }
    m_shown = groups;
    fitLabels();
}

} // namespace lambdascope

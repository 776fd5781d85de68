// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_view.h"

#include "ui/charts/elided_label.h"
#include "ui/charts/export_dialog.h"
#include "ui/charts/figure_table_model.h"
#include "ui/charts/readout_label.h"
#include "ui/charts/table_actions.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QStackedWidget>
#include <QTableView>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace lambdascope {

namespace {

constexpr int kLeastForReadout = 240; // px; a smaller chart needs the line for itself

} // namespace

class FigureView::Private {
  public:
    ElidedLabel* title = nullptr;
    HintLabel* note = nullptr;
    ReadoutLabel* readout = nullptr;
    QHBoxLayout* tools = nullptr;
    LegendBar* legend = nullptr;
    QStackedWidget* stack = nullptr;
    QTableView* table = nullptr;
    FigureTableModel* model = nullptr;
    TableActions* tableActions = nullptr;
    QVector<QAction*> actions;
    QVector<QToolButton*> buttons; ///< from left to right, without "More"
    QString emptyText;
    ChartTheme theme;
    int toolCount = 0;
    QVector<LegendBar::Entry> entries; ///< as last told
    bool showsLegend = true;
    bool toldLegend = true;
    bool reservesReadout = false;
    bool tableStale = true;
};

FigureView::FigureView(QWidget* parent) : QWidget(parent), m_base(std::make_unique<Private>()) {
    m_base->emptyText = tr("Runs appear here. Press F5.");
    m_base->theme = ChartTheme::fromPalette(palette());
    m_base->title = new ElidedLabel(this);
    m_base->note = new HintLabel(this);
    m_base->note->hide();
    styleHeader();
    m_base->readout = new ReadoutLabel(this);
    m_base->readout->hide();
    m_base->legend = new LegendBar(this);
    m_base->stack = new QStackedWidget(this);
    m_base->tools = new QHBoxLayout;
    m_base->tools->setSpacing(2);
    auto* header = new QHBoxLayout;
    header->addWidget(m_base->title, 1);
    header->addWidget(m_base->note);
    header->addLayout(m_base->tools);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(3);
    layout->addLayout(header);
    layout->addWidget(m_base->legend);
    layout->addWidget(m_base->readout);
    layout->addWidget(m_base->stack, 1);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setMinimumSize(150, 110); // a small window still holds two beside each other; Enter gives one all the room
    connect(m_base->legend, &LegendBar::toggled, this, &FigureView::setEntryVisible);
    connect(m_base->legend, &LegendBar::soloRequested, this, &FigureView::soloEntry);
    connect(m_base->legend, &LegendBar::hovered, this,
            [this](const QString& id, bool inside) { emphasizeEntry(inside ? id : QString()); });
}

FigureView::~FigureView() = default;

void FigureView::attachCanvas(QWidget* drawing) {
    drawing->setContextMenuPolicy(Qt::NoContextMenu);
    m_base->model = new FigureTableModel(this);
    m_base->table = new QTableView(this);
    m_base->table->setModel(m_base->model);
    styleValueTable(*m_base->table);
    m_base->tableActions = new TableActions(*m_base->table, {}, tr("values"));
    m_base->tableActions->setRefresh([this] { static_cast<void>(tableModel()); });
    m_base->stack->addWidget(drawing);
    m_base->stack->addWidget(m_base->table);
    setFocusProxy(drawing);

    QAction* reset = makeAction("resetZoom", tr("Reset zoom"), Qt::Key_Home, false);
    connect(reset, &QAction::triggered, this, &FigureView::resetZoom);
    QAction* table = makeAction("showTable", tr("Show as table"), Qt::Key_T, true);
    connect(table, &QAction::toggled, this, &FigureView::setTableShown);
    QAction* image = makeAction("copyImage", tr("Copy image"), {}, false);
    connect(image, &QAction::triggered, this, &FigureView::copyImage);
    QAction* values = makeAction("copyTable", tr("Copy values"), {}, false);
    connect(values, &QAction::triggered, this, &FigureView::copyTable);
    QAction* save = makeAction("export", tr("Export…"), {}, false);
    connect(save, &QAction::triggered, this, &FigureView::exportFigure);

    addTool(table, tr("Table"));
    m_base->toolCount = 0; // tools of the views stand in front
    auto* more = new QToolButton(this);
    more->setText(QStringLiteral("⋯"));
    more->setAutoRaise(true);
    more->setToolTip(tr("More"));
    more->setAccessibleName(tr("More actions of this chart"));
    connect(more, &QToolButton::clicked, this, [this, more] {
        QMenu* menu = createMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(more->mapToGlobal(QPoint(0, more->height())));
    });
    m_base->tools->addWidget(more);
}

QAction* FigureView::makeAction(const QString& objectName, const QString& text, const QKeySequence& key,
                                bool checkable) {
    auto* made = new QAction(text, this);
    made->setObjectName(objectName);
    made->setShortcut(key);
    made->setShortcutContext(Qt::WidgetShortcut);
    made->setCheckable(checkable);
    canvas()->addAction(made);
    m_base->table->addAction(made);
    m_base->actions.append(made);
    return made;
}

void FigureView::addTool(QAction* tool, const QString& shortText) {
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setText(shortText);
    button->setCheckable(tool->isCheckable());
    button->setChecked(tool->isChecked());
    button->setAccessibleName(tool->text());
    const QString key = tool->shortcut().toString(QKeySequence::NativeText);
    button->setToolTip(key.isEmpty() ? tool->text() : QStringLiteral("%1 (%2)").arg(tool->text(), key));
    button->setFocusPolicy(Qt::TabFocus);
    // Styles give text buttons far more room than these charts can spare.
    button->setFixedWidth(button->fontMetrics().horizontalAdvance(shortText) + 12);
    connect(button, &QToolButton::clicked, tool, &QAction::trigger);
    connect(tool, &QAction::toggled, button, &QToolButton::setChecked);
    m_base->buttons.insert(m_base->toolCount, button);
    m_base->tools->insertWidget(m_base->toolCount++, button);
}

void FigureView::fitTools() {
    // The title comes first: a note that would cut it goes where the title's tooltip has it, and buttons go, the last
    // ones first. Keys and the menu still have them.
    constexpr int kMore = 40; // for the button with the menu, and air
    int room = width() - 16 - kMore - m_base->title->sizeHint().width();
    const QString note = m_base->note->text();
    const int wanted = m_base->note->sizeHint().width() + 6;
    const int forNote = std::min({wanted, width() / 2, room});
    const bool isNoteShown = !note.isEmpty() && forNote >= std::min(wanted, 70);
    m_base->note->setVisible(isNoteShown);
    m_base->note->setMaximumWidth(std::max(forNote, 1));
    m_base->title->setToolTip(m_base->title->accessibleName() + (note.isEmpty() ? QString() : '\n' + note));
    room -= isNoteShown ? forNote : 0;
    for (QToolButton* button : m_base->buttons) {
        room -= button->width() + 2;
        button->setVisible(room >= 0);
    }
}

void FigureView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitTools();
    // The chart comes first: its legend takes at most about a tenth of the height, and a menu has what is left over.
    constexpr int kLegendShare = 10;
    m_base->readout->setVisible(m_base->reservesReadout && height() >= kLeastForReadout);
    m_base->legend->setMostRows(std::max(1, height() / (kLegendShare * (fontMetrics().height() + 5))));
}

void FigureView::setTitle(const QString& title) {
    m_base->title->setText(title);
    m_base->title->setAccessibleName(title);
    fitTools();
}

void FigureView::setNote(const QString& note) {
    if (m_base->note->text() != note) {
        m_base->note->setText(note);
        m_base->note->setToolTip(note);
        fitTools();
    }
}

void FigureView::setReadout(const QStringList& parts, bool isReserved) {
    m_base->reservesReadout = isReserved;
    m_base->readout->setVisible(isReserved && height() >= kLeastForReadout);
    m_base->readout->say(parts);
}

QString FigureView::readout() const {
    return QTextDocumentFragment::fromHtml(m_base->readout->whole()).toPlainText();
}

QString FigureView::note() const {
    return m_base->note->text();
}

void FigureView::valuesChanged() {
    m_base->tableStale = true;
    if (isTableShown()) {
        static_cast<void>(tableModel());
    }
    const Figure shown = figure();
    // Without a title the name that the owner of this view gave it stays.
    if (!figureTitle(shown).isEmpty()) {
        setAccessibleName(figureTitle(shown));
    } else if (accessibleName().isEmpty()) {
        setAccessibleName(tr("Chart"));
    }
    canvas()->setAccessibleName(accessibleName());
    m_base->table->setAccessibleName(tr("Values of %1").arg(accessibleName()));
    const QString words = describeFigure(shown);
    setAccessibleDescription(words);
    canvas()->setAccessibleDescription(words);
}

void FigureView::refreshLegend() {
    const bool isToShow = m_base->showsLegend && !isEmpty(figure());
    const QVector<LegendBar::Entry> entries = legendEntries();
    m_base->legend->setEntries(isToShow ? entries : QVector<LegendBar::Entry>(), theme());
    if (entries != m_base->entries || m_base->showsLegend != m_base->toldLegend) {
        m_base->entries = entries;
        m_base->toldLegend = m_base->showsLegend;
        emit legendChanged();
    }
}

void FigureView::setLegendShown(bool shown) {
    if (shown != m_base->showsLegend) {
        m_base->showsLegend = shown;
        refreshLegend();
    }
}

bool FigureView::isLegendShown() const {
    return m_base->showsLegend;
}

bool FigureView::isEntryVisible(const QString& id) const {
    const QVector<LegendBar::Entry> entries = legendEntries();
    return std::any_of(entries.begin(), entries.end(),
                       [&id](const LegendBar::Entry& entry) { return entry.id == id && entry.visible; });
}

void FigureView::setEntryVisible(const QString&, bool) {}
void FigureView::soloEntry(const QString& id) {
    const QVector<LegendBar::Entry> entries = legendEntries();
    const bool alone = std::none_of(entries.begin(), entries.end(),
                                    [&id](const LegendBar::Entry& entry) { return entry.id != id && entry.visible; });
    for (const LegendBar::Entry& entry : entries) {
        setEntryVisible(entry.id, alone || entry.id == id);
    }
}

void FigureView::emphasizeEntry(const QString&) {}

void FigureView::setEmptyText(const QString& text) {
    m_base->emptyText = text;
    applyTheme();
}

QString FigureView::emptyText() const {
    return m_base->emptyText;
}

void FigureView::setTableShown(bool shown) {
    m_base->stack->setCurrentIndex(shown ? 1 : 0);
    setFocusProxy(shown ? static_cast<QWidget*>(m_base->table) : canvas());
    action("showTable")->setChecked(shown);
    if (shown) {
        static_cast<void>(tableModel());
    }
}

bool FigureView::isTableShown() const {
    return m_base->stack->currentIndex() == 1;
}

QAbstractItemModel* FigureView::tableModel() const {
    if (m_base->tableStale) {
        m_base->tableStale = false;
        m_base->model->setFigure(figure());
    }
    return m_base->model;
}

QString FigureView::tableText() const {
    return m_base->tableActions->shownText();
}

const ChartTheme& FigureView::theme() const {
    return m_base->theme;
}

QImage FigureView::drawnImage() {
    return canvas()->grab().toImage();
}

QAction* FigureView::action(const QString& objectName) const {
    for (QAction* known : m_base->actions) {
        if (known->objectName() == objectName) {
            return known;
        }
    }
    return nullptr;
}

QMenu* FigureView::createMenu(QWidget* parent) {
    static const std::array<QStringList, 3> groups{QStringList{"logX", "logY", "follow", "mark", "markShown"},
                                                   QStringList{"resetZoom", "showTable"},
                                                   QStringList{"copyImage", "copyTable", "export"}};
    auto* menu = new QMenu(parent);
    for (const QStringList& group : groups) {
        for (const QString& name : group) {
            if (QAction* entry = action(name)) {
                menu->addAction(entry);
            }
            if (name == "copyTable") {
                m_base->tableActions->addTo(*menu);
            }
        }
        menu->addSeparator();
    }
    return menu;
}

void FigureView::resetZoom() {
    doResetZoom();
}

void FigureView::copyImage() {
    QApplication::clipboard()->setImage(drawnImage());
}

void FigureView::copyTable() {
    QApplication::clipboard()->setText(tableText());
}

void FigureView::exportFigure() {
    auto* dialog = new ExportDialog(figure(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::exported, this, &FigureView::exported);
    emit exportOpened(dialog);
    dialog->open();
}

void FigureView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    const QList<QEvent::Type> looks{QEvent::PaletteChange, QEvent::StyleChange, QEvent::FontChange};
    if (looks.contains(event->type()) && m_base && m_base->model) {
        m_base->theme = ChartTheme::fromPalette(palette());
        styleHeader();
        applyTheme();
    }
}

bool FigureView::event(QEvent* event) {
    const bool isTaken = QWidget::event(event);
    if (event->type() == QEvent::HideToParent || event->type() == QEvent::ShowToParent) {
        emit legendChanged(); // whose legend serves others depends on who is there
    }
    return isTaken;
}

void FigureView::styleHeader() {
    QFont bold = font();
    bold.setBold(true);
    m_base->title->setFont(bold);
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, m_base->theme.mutedText);
    m_base->note->setPalette(muted);
}

void FigureView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* menu = createMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(event->globalPos());
}

} // namespace lambdascope

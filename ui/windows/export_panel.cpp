// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/export_panel.h"

#include "ui/charts/style_presets.h"
#include "ui/panels/shared/icon_set.h"
#include "ui/panels/views/run_tab.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>

namespace lambdascope {

namespace {

constexpr QSize kPreview(430, 380);
constexpr int kRestForDrawing = 500; // ms until a page is tried again of which a chart is still being computed
} // namespace

ExportPanel::ExportPanel(RunCollection& runs, PathCursor& cursor, QWidget* parent)
    : QDialog(parent), m_runs(runs), m_cursor(cursor) {
    setWindowTitle(tr("Export figures"));
    setModal(false);
    auto* columns = new QHBoxLayout(this);
    auto* form = new QFormLayout;
    columns->addLayout(form);
    m_figure = new QComboBox;
    m_figure->setAccessibleName(tr("Figure"));
    m_figure->setMinimumContentsLength(30);
    form->addRow(tr("&Figure"), m_figure);
    buildPanels(*form);
    buildSize(*form);
    auto* buttons = new QHBoxLayout;
    m_export = new QPushButton(themedIcon(QStringLiteral("export")), tr("&Export…"));
    m_export->setDefault(true);
    m_exportAll = new QPushButton(themedIcon(QStringLiteral("export-all")), tr("Export &all into a folder…"));
    auto* close = new QPushButton(tr("&Close"));
    buttons->addWidget(m_export);
    buttons->addWidget(m_exportAll);
    buttons->addStretch(1);
    buttons->addWidget(close);
    form->addRow(buttons);
    m_message = new QLabel;
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->setAccessibleName(tr("Result of the export"));
    form->addRow(m_message);
    m_preview = new QLabel;
    m_preview->setFixedSize(kPreview);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setFrameShape(QFrame::StyledPanel);
    m_preview->setAccessibleName(tr("Preview of the file"));
    columns->addWidget(m_preview, 0, Qt::AlignTop);
    m_rest.setSingleShot(true);
    m_rest.setInterval(60);
    connect(&m_rest, &QTimer::timeout, this, &ExportPanel::showPreview);
    connect(m_figure, &QComboBox::currentIndexChanged, &m_rest, qOverload<>(&QTimer::start));
    connect(&m_cursor, &PathCursor::moved, this, [this] {
        if (isVisible()) {
            m_rest.start();
        }
    });
    connect(m_export, &QPushButton::clicked, this, &ExportPanel::askForFile);
    connect(m_exportAll, &QPushButton::clicked, this, &ExportPanel::askForFolder);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    choosePreset();
    refresh();
}

void ExportPanel::buildPanels(QFormLayout& form) {
    auto* row = new QHBoxLayout;
    m_panels = new QListWidget;
    m_panels->setAccessibleName(tr("Panels of the page"));
    m_panels->setFixedHeight(4 * fontMetrics().height() + 12);
    m_panels->setToolTip(tr("Figures side by side on one page, lettered a, b, c; empty: the figure above alone"));
    auto* side = new QVBoxLayout;
    auto* add = new QPushButton(tr("Add &panel"));
    add->setToolTip(tr("Puts the figure above on the page, beside those in the list"));
    auto* remove = new QPushButton(tr("Remove"));
    remove->setAccessibleName(tr("Remove the chosen panel"));
    m_columns = new QSpinBox;
    m_columns->setRange(1, 4);
    m_columns->setValue(2);
    m_columns->setPrefix(tr("Columns: "));
    m_columns->setAccessibleName(tr("Columns of panels"));
    side->addWidget(add);
    side->addWidget(remove);
    side->addWidget(m_columns);
    row->addWidget(m_panels, 1);
    row->addLayout(side);
    form.addRow(tr("Panels"), row);
    connect(add, &QPushButton::clicked, this, &ExportPanel::addPanel);
    connect(remove, &QPushButton::clicked, this, [this] {
        delete m_panels->takeItem(m_panels->currentRow() < 0 ? m_panels->count() - 1 : m_panels->currentRow());
        fitHeight();
    });
    connect(m_columns, &QSpinBox::valueChanged, this, &ExportPanel::fitHeight);
}

void ExportPanel::buildSize(QFormLayout& form) {
    const auto length = [this](double low, double high, const QString& unit, const QString& name) {
        auto* box = new QDoubleSpinBox;
        box->setRange(low, high);
        box->setDecimals(1);
        box->setSuffix(QLatin1Char(' ') + unit);
        box->setAccessibleName(name);
        connect(box, &QDoubleSpinBox::valueChanged, &m_rest, qOverload<>(&QTimer::start));
        return box;
    };
    m_size = new QComboBox;
    m_size->setAccessibleName(tr("Size"));
    for (const StylePreset& preset : stylePresets()) {
        m_size->addItem(preset.title, preset.key);
    }
    connect(m_size, &QComboBox::currentIndexChanged, this, &ExportPanel::choosePreset);
    m_width = length(10, 2000, tr("mm"), tr("Width"));
    m_height = length(10, 2000, tr("mm"), tr("Height"));
    m_font = length(3, 72, tr("pt"), tr("Type size"));
    auto* lengths = new QHBoxLayout;
    lengths->addWidget(m_width);
    lengths->addWidget(new QLabel(QStringLiteral("×")));
    lengths->addWidget(m_height);
    lengths->addWidget(m_font);
    m_format = new QComboBox;
    m_format->setAccessibleName(tr("Format"));
    for (const auto& [words, end] : {std::pair(tr("PDF, for papers"), "pdf"),
                                     {tr("SVG, to edit"), "svg"},
                                     {tr("PNG, 300 dpi"), "png"},
                                     {tr("CSV, the numbers"), "csv"},
                                     {tr("LaTeX, pgfplots and TikZ"), "tex"}}) {
        m_format->addItem(words, QString::fromLatin1(end));
    }
    m_colours = new QComboBox;
    m_colours->setAccessibleName(tr("Colours"));
    m_colours->addItems({tr("Colours that all eyes tell apart"), tr("Greys, for print without colours"),
                         tr("Dark background, for slides")});
    connect(m_colours, &QComboBox::currentIndexChanged, &m_rest, qOverload<>(&QTimer::start));
    m_title = new QCheckBox(tr("Title in the figure"));
    m_title->setChecked(true);
    connect(m_title, &QCheckBox::toggled, &m_rest, qOverload<>(&QTimer::start));
    form.addRow(tr("&Size"), m_size);
    form.addRow(QString(), lengths);
    form.addRow(tr("Fo&rmat"), m_format);
    form.addRow(tr("&Colours"), m_colours);
    form.addRow(QString(), m_title);
}

void ExportPanel::choosePreset() {
    const FigureStyle& style = stylePresets()[static_cast<std::size_t>(std::max(0, m_size->currentIndex()))].style;
    m_width->setValue(style.widthMm);
    m_font->setValue(style.fontPt);
    fitHeight();
}

void ExportPanel::fitHeight() {
    FigureStyle style = stylePresets()[static_cast<std::size_t>(std::max(0, m_size->currentIndex()))].style;
    FigureSheet shape;
    shape.columns = m_columns->value();
    shape.panels.resize(std::max(1, m_panels->count()));
    m_height->setValue(sheetHeightMm(shape, style));
    m_rest.start();
}

void ExportPanel::addPanel() {
    if (m_figure->currentIndex() >= 0) {
        (new QListWidgetItem(m_figure->currentText(), m_panels))->setData(Qt::UserRole, figureName());
        fitHeight();
    }
}

void ExportPanel::setPage(const QStringList& names, int columns, const FigureStyle& style) {
    refresh();
    m_panels->clear();
    for (const QString& name : names.size() > 1 ? names : QStringList()) {
        const auto called = m_called ? m_called(name) : std::nullopt;
        const QString words = called                       ? figureTitle(*called)
                              : drawnTitle(name).isEmpty() ? figureDescription(name)
                                                           : drawnText(drawnTitle(name));
        (new QListWidgetItem(words, m_panels))->setData(Qt::UserRole, name);
    }
    m_wanted = names.value(0);
    chooseFigure(m_wanted);
    m_columns->setValue(columns);
    const auto& presets = stylePresets();
    const auto like = std::find_if(presets.begin(), presets.end(), [&](const StylePreset& preset) {
        return preset.style.widthMm == style.widthMm && preset.style.lineScale == style.lineScale;
    });
    m_size->setCurrentIndex(like == presets.end() ? 0 : static_cast<int>(like - presets.begin()));
    m_width->setValue(style.widthMm);
    m_height->setValue(style.heightMm);
    m_font->setValue(style.fontPt);
    m_colours->setCurrentIndex(style.grey ? 1 : style.dark ? 2 : 0);
    m_title->setChecked(style.showTitle);
}

int ExportPanel::panelCount() const {
    return m_panels->count();
}

QStringList ExportPanel::panelNames() const {
    QStringList names;
    for (int row = 0; row < m_panels->count(); ++row) {
        names << m_panels->item(row)->data(Qt::UserRole).toString();
    }
    return names.isEmpty() ? QStringList{figureName()} : names;
}

Result<Figure> ExportPanel::figureCalled(const QString& name) const {
    if (const DrawnFigure* drawn = drawnFigure(name)) {
        return drawn->figure;
    }
    if (const QString title = drawnTitle(name); !title.isEmpty()) {
        return Failure{
            plainError(ErrorCode::InvalidData, "the chart \"" + title.toStdString() + "\" is not drawn yet")};
    }
    if (auto called = m_called ? m_called(name) : std::nullopt) {
        return std::move(*called);
    }
    return figureByName(shownRuns(m_runs), name, m_cursor.index());
}

Result<FigureSheet> ExportPanel::sheet() {
    m_drawn = m_supplier ? m_supplier() : std::vector<DrawnFigure>();
    FigureSheet sheet;
    sheet.columns = m_columns->value();
    for (const QString& name : panelNames()) {
        auto figure = figureCalled(name);
        if (!figure) {
            return Failure{figure.error()};
        }
        sheet.panels.append(std::move(*figure));
    }
    return sheet;
}

void ExportPanel::showPreview() {
    const auto shown =
        m_figure->count() > 0 ? sheet() : Result<FigureSheet>(Failure{plainError(ErrorCode::BadUsage, {})});
    FigureStyle look = style();
    // The very picture of the file, in as many pixels as there are.
    look.dpi =
        std::min(kPreview.width() / look.widthMm, kPreview.height() / look.heightMm) * 25.4 * devicePixelRatioF();
    const auto bytes =
        shown ? renderSheet(*shown, FigureFormat::Png, look) : Result<QByteArray>(Failure{shown.error()});
    if (!bytes) {
        m_preview->setText(m_figure->count() > 0 ? QString::fromStdString(bytes.error().describe()) : QString());
        QTimer::singleShot(kRestForDrawing, this, [this] { isVisible() ? m_rest.start() : void(); });
        return;
    }
    QPixmap pixmap;
    pixmap.loadFromData(*bytes);
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    m_preview->setPixmap(pixmap);
}

void ExportPanel::refresh() {
    const QString before = m_wanted.isEmpty() ? figureName() : m_wanted;
    m_figure->clear();
    for (const QString& name : figureNames(shownRuns(m_runs))) {
        m_figure->addItem(figureDescription(name), name);
    }
    m_drawn = m_supplier ? m_supplier() : std::vector<DrawnFigure>();
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        m_figure->addItem(drawnText(m_drawn[i].title), drawnName(m_drawn[i].title));
    }
    chooseFigure(before);
    m_rest.start();
    const bool hasFigures = m_figure->count() > 0;
    m_export->setEnabled(hasFigures);
    m_exportAll->setEnabled(hasFigures);
    say(hasFigures ? tr("Figures show the ticked runs; the recipe travels along in PDF, SVG and PNG: drop such a file "
                        "on the window to come back to it.")
                   : tr("There is nothing to export yet. Run an experiment (F5) or tick a run."));
}

void ExportPanel::chooseFigure(const QString& name) {
    const bool isListed = m_figure->findData(name) >= 0;
    if (const auto called = m_called && !isListed ? m_called(name) : std::nullopt) {
        m_figure->addItem(figureTitle(*called), name);
    }
    if (const int index = m_figure->findData(name); index >= 0) {
        m_figure->setCurrentIndex(index);
        m_wanted.clear();
    }
}

QString ExportPanel::drawnTitle(const QString& name) {
    const QString mark = drawnName({});
    return name.startsWith(mark) ? name.mid(mark.size()) : QString();
}

const DrawnFigure* ExportPanel::drawnFigure(const QString& name) const {
    const auto found =
        std::find_if(m_drawn.begin(), m_drawn.end(),
                     [title = drawnTitle(name)](const DrawnFigure& drawn) { return drawn.title == title; });
    return found == m_drawn.end() ? nullptr : &*found;
}

QString ExportPanel::figureName() const {
    return m_figure->currentData().toString();
}

QString ExportPanel::ending() const {
    return m_format->currentData().toString();
}

FigureStyle ExportPanel::style() const {
    FigureStyle style = stylePresets()[static_cast<std::size_t>(std::max(0, m_size->currentIndex()))].style;
    style.widthMm = m_width->value();
    style.heightMm = m_height->value();
    style.fontPt = m_font->value();
    style.grey = m_colours->currentIndex() == 1;
    style.dark = m_colours->currentIndex() == 2;
    style.showTitle = m_title->isChecked();
    return style;
}

QString ExportPanel::message() const {
    return m_message->text();
}

void ExportPanel::say(const QString& message) {
    m_message->setText(message);
}

void ExportPanel::showEvent(QShowEvent* event) {
    refresh();
    QDialog::showEvent(event);
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/export_panel.h"

#include "ui/charts/style_presets.h"
#include "ui/figures/figure_export.h"
#include "ui/panels/shared/icon_set.h"
#include "ui/panels/views/run_tab.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>

#include <algorithm>

namespace lambdascope {

namespace {

const QString exportFolderKey = QStringLiteral("export/folder");

QString lastExportFolder() {
    return QSettings().value(exportFolderKey, QDir::homePath()).toString();
}

} // namespace

ExportPanel::ExportPanel(RunCollection& runs, PathCursor& cursor, QWidget* parent)
    : QDialog(parent), m_runs(runs), m_cursor(cursor) {
    setWindowTitle(tr("Export figures"));
    setModal(false);
    auto* form = new QFormLayout(this);
    m_figure = new QComboBox;
    m_figure->setAccessibleName(tr("Figure"));
    m_figure->setMinimumContentsLength(34);
    m_size = new QComboBox;
    m_size->setAccessibleName(tr("Size"));
    for (const StylePreset& preset : stylePresets()) {
        m_size->addItem(preset.title, preset.key);
    }
    m_format = new QComboBox;
    m_format->setAccessibleName(tr("Format"));
    m_format->addItem(tr("PDF, for papers"), QStringLiteral("pdf"));
    m_format->addItem(tr("SVG, to edit"), QStringLiteral("svg"));
    m_format->addItem(tr("PNG, 300 dpi"), QStringLiteral("png"));
    m_format->addItem(tr("CSV, the numbers"), QStringLiteral("csv"));
    m_dark = new QCheckBox(tr("Dark background"));
    m_title = new QCheckBox(tr("Title in the figure"));
    m_title->setChecked(true);
    form->addRow(tr("&Figure"), m_figure);
    form->addRow(tr("&Size"), m_size);
    form->addRow(tr("Fo&rmat"), m_format);
    form->addRow(QString(), m_dark);
    form->addRow(QString(), m_title);
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
    connect(m_export, &QPushButton::clicked, this, &ExportPanel::askForFile);
    connect(m_exportAll, &QPushButton::clicked, this, &ExportPanel::askForFolder);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    refresh();
}

void ExportPanel::refresh() {
    const QString before = figureName();
    m_figure->clear();
    for (const QString& name : figureNames(shownRuns(m_runs))) {
        m_figure->addItem(figureDescription(name), name);
    }
    m_drawn = m_supplier ? m_supplier() : std::vector<DrawnFigure>();
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        m_figure->addItem(tr("As drawn: %1").arg(m_drawn[i].title), drawnName(i));
    }
    chooseFigure(before);
    const bool hasFigures = m_figure->count() > 0;
    m_export->setEnabled(hasFigures);
    m_exportAll->setEnabled(hasFigures);
    say(hasFigures ? tr("Figures show the ticked runs; the recipe travels along in PDF, SVG and PNG: drop such a file "
                        "on the window to reopen its experiment.")
                   : tr("There is nothing to export yet. Run an experiment (F5) or tick a run."));
}

void ExportPanel::chooseFigure(const QString& name) {
    if (const int index = m_figure->findData(name); index >= 0) {
        m_figure->setCurrentIndex(index);
    }
}

void ExportPanel::chooseTitle(const QString& title) {
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        if (m_drawn[i].title == title) {
            chooseFigure(drawnName(i));
        }
    }
}

void ExportPanel::setDrawn(std::function<std::vector<DrawnFigure>()> supplier) {
    m_supplier = std::move(supplier);
}

QString ExportPanel::drawnName(std::size_t index) {
    return QStringLiteral("drawn:%1").arg(index);
}

const DrawnFigure* ExportPanel::drawnFigure() const {
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        if (figureName() == drawnName(i)) {
            return &m_drawn[i];
        }
    }
    return nullptr;
}

QString ExportPanel::figureName() const {
    return m_figure->currentData().toString();
}

QString ExportPanel::ending() const {
    return m_format->currentData().toString();
}

FigureStyle ExportPanel::style() const {
    FigureStyle style = stylePresets()[static_cast<std::size_t>(std::max(0, m_size->currentIndex()))].style;
    style.dark = m_dark->isChecked();
    style.showTitle = m_title->isChecked();
    return style;
}

QString ExportPanel::message() const {
    return m_message->text();
}

void ExportPanel::say(const QString& message) {
    m_message->setText(message);
}

Result<void> ExportPanel::exportTo(const QString& path) {
    const DrawnFigure* drawn = drawnFigure();
    Result<void> done = drawn != nullptr
                            ? writeFigure(drawn->figure, path, style())
                            : exportFigure(shownRuns(m_runs), figureName(), path, style(), m_cursor.index());
    say(done ? tr("Written: %1").arg(path) : QString::fromStdString(done.error().describe()));
    return done;
}

Result<void> ExportPanel::exportAllTo(const QString& folder) {
    const Result<QStringList> done = exportAllFigures(shownRuns(m_runs), folder, {ending()}, style(), m_cursor.index());
    Result<void> drawn = done ? Result<void>() : Failure{done.error()};
    for (std::size_t i = 0; drawn && i < m_drawn.size(); ++i) {
        const QString stem = figureFileStem(m_drawn[i].title);
        drawn = writeFigure(m_drawn[i].figure, QDir(folder).filePath(stem + QLatin1Char('.') + ending()), style());
    }
    if (!drawn) {
        say(QString::fromStdString(drawn.error().describe()));
        return drawn;
    }
    say(tr("%n figure(s) written to %1", nullptr, static_cast<int>(done->size()) + static_cast<int>(m_drawn.size()))
            .arg(folder));
    return {};
}

void ExportPanel::askForFile() {
    auto* dialog = new QFileDialog(this, tr("Export figure"), lastExportFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending());
    dialog->setNameFilters(figureFileFilters());
    dialog->selectNameFilter(figureFileFilters().value(m_format->currentIndex()));
    const DrawnFigure* drawn = drawnFigure();
    dialog->selectFile(figureFileStem(drawn != nullptr ? drawn->title : figureName()) + QLatin1Char('.') + ending());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        QSettings().setValue(exportFolderKey, QFileInfo(path).absolutePath());
        (void)exportTo(path);
    });
    dialog->open();
}

void ExportPanel::askForFolder() {
    auto* dialog = new QFileDialog(this, tr("Export all figures into"), lastExportFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        QSettings().setValue(exportFolderKey, folder);
        (void)exportAllTo(folder);
    });
    dialog->open();
}

void ExportPanel::showEvent(QShowEvent* event) {
    refresh();
    QDialog::showEvent(event);
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ExportPanel that writes files.
#include "ui/charts/style_presets.h"
#include "ui/panels/views/run_tab.h"
#include "ui/windows/export_panel.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QSpinBox>

#include <algorithm>

namespace lambdascope {

namespace {

const QString exportFolderKey = QStringLiteral("export/folder");

QString lastExportFolder() {
    return QSettings().value(exportFolderKey, QDir::homePath()).toString();
}

} // namespace

QFileDialog* ExportPanel::askFor(const QString& title, const std::function<void(const QString&)>& take) {
    auto* dialog = new QFileDialog(this, title, lastExportFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, take);
    return dialog;
}

Result<void> ExportPanel::exportTo(const QString& path) {
    auto page = sheet();
    if (page && m_recipes) {
        setFigureRecipe(page->panels.first(), m_recipes(panelNames(), m_columns->value(), style()));
    }
    Result<void> done = page ? writeSheet(*page, path, style()) : Result<void>(Failure{page.error()});
    say(done ? tr("Written: %1").arg(path) : QString::fromStdString(done.error().describe()));
    return done;
}

Result<void> ExportPanel::exportAllTo(const QString& folder) {
    FigureStyle each = style();
    if (panelCount() > 1) { // the height is that of the page
        each.heightMm = stylePresets()[static_cast<std::size_t>(std::max(0, m_size->currentIndex()))].style.heightMm;
    }
    const Result<QStringList> done =
        exportAllFigures(shownRuns(m_runs), folder, {ending()}, each, m_cursor.index(), m_recipes);
    Result<void> drawn = done ? Result<void>() : Failure{done.error()};
    for (std::size_t i = 0; drawn && i < m_drawn.size(); ++i) {
        const QString stem = figureFileStem(m_drawn[i].title);
        Figure figure = m_drawn[i].figure;
        if (m_recipes) {
            setFigureRecipe(figure, m_recipes({drawnName(m_drawn[i].title)}, 1, each));
        }
        drawn = writeFigure(figure, QDir(folder).filePath(stem + QLatin1Char('.') + ending()), each);
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
    QFileDialog* dialog = askFor(tr("Export figure"), [this](const QString& path) {
        QSettings().setValue(exportFolderKey, QFileInfo(path).absolutePath());
        (void)exportTo(path);
    });
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending());
    dialog->setNameFilters(figureFileFilters());
    dialog->selectNameFilter(figureFileFilters().value(m_format->currentIndex()));
    const DrawnFigure* drawn = drawnFigure(panelNames().first());
    dialog->selectFile(figureFileStem(drawn != nullptr ? drawn->title : panelNames().first()) + QLatin1Char('.') +
                       ending());
    dialog->open();
}

void ExportPanel::askForFolder() {
    QFileDialog* dialog = askFor(tr("Export all figures into"), [this](const QString& folder) {
        QSettings().setValue(exportFolderKey, folder);
        (void)exportAllTo(folder);
    });
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->open();
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/file_dialogs.h"

#include "ui/windows/workbench.h"

#include <QDir>
#include <QFileDialog>
#include <QSettings>

namespace lambdascope {

namespace {

const QString folderKey = QStringLiteral("open/folder");

QString lastFolder() {
    return QSettings().value(folderKey, QDir::homePath()).toString();
}

} // namespace

void askToOpen(Workbench& workbench, QWidget* window, const QString& title) {
    auto* dialog = new QFileDialog(window, title, lastFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters(
        {QObject::tr("All files (*)"),
         QObject::tr(
             "Data (*.csv *.tsv *.txt *.libsvm *.svm *.scale *.data *.arff *.npy *.h5 *.hdf5 *.mat *.gz *.bz2)"),
         QObject::tr("Experiments (*.json)"), QObject::tr("Exported figures (*.pdf *.svg *.png)")});
    QObject::connect(dialog, &QFileDialog::filesSelected, &workbench, [&workbench](const QStringList& paths) {
        QSettings().setValue(folderKey, QFileInfo(paths.value(0)).absolutePath());
        workbench.openAll(paths);
    });
    dialog->open();
}

void askForFolder(QWidget* window, const QString& title, QObject* receiver,
                  std::function<void(const QString& folder)> chosen) {
    auto* dialog = new QFileDialog(window, title, lastFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    QObject::connect(dialog, &QFileDialog::fileSelected, receiver, std::move(chosen));
    dialog->open();
}

void askForRunFolder(Workbench& workbench, QWidget* window) {
    askForFolder(window, QObject::tr("Open run folder"), &workbench,
                 [&workbench](const QString& folder) { workbench.open(folder); });
}

void saveExperiment(Workbench& workbench, QWidget* window, bool askName) {
    const ExperimentDocument& document = workbench.document();
    if (!askName && !document.file().isEmpty()) {
        workbench.save(document.file());
        return;
    }
    auto* dialog =
        new QFileDialog(window, QObject::tr("Save experiment"), lastFolder(), QObject::tr("Experiments (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    QString name = document.title();
    dialog->selectFile(name.replace(QLatin1Char('/'), QLatin1Char('-')) + QStringLiteral(".json"));
    QObject::connect(dialog, &QFileDialog::fileSelected, &workbench, &Workbench::save);
    dialog->open();
}

} // namespace lambdascope

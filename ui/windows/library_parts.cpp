// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/library_parts.h"

#include "core/store/library_transfer.h"
#include "ui/panels/runs/runs_panel.h"
#include "ui/session/count_text.h"
#include "ui/windows/action_registry.h"
#include "ui/windows/file_dialogs.h"
#include "ui/windows/workbench.h"

#include <QAction>

namespace lambdascope {

namespace {

const QString transferSource = QStringLiteral("transfer");

} // namespace

LibraryParts::LibraryParts(Workbench& workbench, RunsPanel& runs, const ActionRegistry& actions, QWidget* window)
    : QObject(window), m_workbench(workbench), m_window(window) {
    QAction* import = actions[QStringLiteral("file.import-runs")];
    import->setEnabled(workbench.controller().library() != nullptr);
    connect(import, &QAction::triggered, this, &LibraryParts::askToImport);
    connect(&runs, &RunsPanel::exportRequested, this, &LibraryParts::askToExport);
}

void LibraryParts::askToImport() {
    askForFolder(m_window, tr("Import a run folder, a study, or a folder of run folders"), this,
                 [this](const QString& folder) { importFrom(folder); });
}

void LibraryParts::askToExport(qint64 experiment) {
    askForFolder(m_window, tr("Export the run into a new folder in"), this,
                 [this, experiment](const QString& parent) { exportTo(experiment, parent); });
}

void LibraryParts::importFrom(const QString& folder) {
    if (m_workbench.controller().library() == nullptr) {
        return; // said when the window opened
    }
    m_jobs.start(
        [library = m_workbench.controller().library(), folder](const std::stop_token& stop) -> Result<QString> {
            const auto done = importRuns(library, folder.toStdString(), {}, stop);
            if (!done) {
                return Failure{done.error()};
            }
            const auto added = static_cast<int>(done->added.size());
            const QString known =
                done->known == 0 ? QString() : tr(", %1 in it already").arg(static_cast<qulonglong>(done->known));
            return tr("%1 taken into the run library%2.").arg(countText(added, tr("run"), tr("runs")), known);
        });
}

void LibraryParts::exportTo(qint64 experiment, const QString& parent) {
    m_jobs.start([library = m_workbench.controller().library(), id = LibraryExperimentId{experiment},
                  parent = std::filesystem::path(parent.toStdString())](const std::stop_token&) -> Result<QString> {
        const auto kept = library->experiment(id);
        if (!kept) {
            return Failure{kept.error()};
        }
        const std::filesystem::path folder = parent / folderNameOf(*kept);
        if (auto done = exportRun(*library, id, folder, LAMBDASCOPE_VERSION); !done) {
            return Failure{done.error()};
        }
        return tr("Exported to %1.").arg(QString::fromStdString(folder.string()));
    });
}

void LibraryParts::takeFinished() {
    const auto job = m_jobs.takeFinished();
    if (job == nullptr) {
        return;
    }
    if (!job->result()) {
        m_workbench.report(job->result().error(), transferSource);
        return;
    }
    Q_EMIT m_workbench.noticed({Severity::Information, *job->result(), {}, transferSource});
    m_workbench.keptRuns().refreshSoon();
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/background_jobs.h"

#include <QObject>
#include <QString>

class QWidget;

namespace lambdascope {

class ActionRegistry;
class RunsPanel;
class Workbench;

/// What the window has for taking runs into the run library and out of it: the command, the entry of the runs' menu,
/// and dialogs for their folders. Works in the background and says what came of it as a notice.
class LibraryParts : public QObject {
    Q_OBJECT

  public:
    /// Becomes a child of `window`; all others must outlive it.
    LibraryParts(Workbench& workbench, RunsPanel& runs, const ActionRegistry& actions, QWidget* window);

    /// Run folders, the cells of a study, or all run folders in a folder.
    void importFrom(const QString& folder);
    /// Writes an experiment of the library as a run folder in `parent`.
    void exportTo(qint64 experiment, const QString& parent);

  private:
    void askToImport();
    void askToExport(qint64 experiment);
    Q_INVOKABLE void takeFinished();

    Workbench& m_workbench;
    QWidget* m_window;
    BackgroundJobs<QString> m_jobs{this, "these runs"}; ///< each gives what to say
};

} // namespace lambdascope

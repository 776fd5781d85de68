// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_library.h"
#include "ui/session/background_jobs.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <memory>
#include <vector>

namespace lambdascope {

class RunCollection;

/// The experiments that the run library keeps and that the collection does not hold, newest first. Read in a thread of
/// its own, a moment after runs have come or gone. GUI thread only.
class KeptRuns : public QObject {
    Q_OBJECT

  public:
    /// `runs` must outlive it; `library` may be null.
    KeptRuns(RunCollection& runs, std::shared_ptr<RunLibrary> library, QObject* parent = nullptr);

    [[nodiscard]] const std::vector<LibraryExperiment>& experiments() const { return m_lists.kept; }
    /// Those that the collection holds, by its runs.
    [[nodiscard]] const std::map<RunId, LibraryExperiment>& ofSession() const { return m_lists.ofSession; }
    /// Reads soon; many calls make one reading.
    void refreshSoon();

  Q_SIGNALS:
    void changed();

  private:
    struct Lists {
        std::vector<LibraryExperiment> kept;
        std::map<RunId, LibraryExperiment> ofSession;
    };
    void read();
    Q_INVOKABLE void takeFinished();

    RunCollection& m_runs;
    std::shared_ptr<RunLibrary> m_library;
    QTimer m_rest;
    Lists m_lists;
    BackgroundJobs<Lists> m_jobs{this, "the list of kept runs"};
};

} // namespace lambdascope

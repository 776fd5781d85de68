// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "ui/session/runs/run_collection.h"

#include <QObject>

#include <memory>
#include <set>
#include <string>

namespace lambdascope {

class RunLibrary;

/// Carries what is done with runs in the window over to where they are kept: new names and deletions to the run
/// library, also when undone; certificates to the library, or to the run folder of runs that came from one. Runs that
/// are opened get the certificate that is kept with them. GUI thread only.
class RunPersistence : public QObject {
    Q_OBJECT

  public:
    /// `runs` must outlive the keeper; `library` may be null. `version` of the program goes into certificates.
    RunPersistence(RunCollection& runs, std::shared_ptr<RunLibrary> library, std::string version,
                   QObject* parent = nullptr);

  Q_SIGNALS:
    /// Something could not be kept; in the window it is done all the same.
    void warned(const lambdascope::Error& error);

  private:
    void onAdded(const std::vector<RunId>& ids);
    void onRemoved(const std::vector<RunId>& ids);
    void onRenamed(RunId id, const QString& name);
    void onAudited(RunId id);
    void readAuditOf(RunId id);
    void warnOf(const Result<void>& done);

    RunCollection& m_runs;
    std::shared_ptr<RunLibrary> m_library;
    std::string m_version;
    std::set<RunId> m_hidden; ///< in the library, until undo brings them back
    bool m_isReading = false; ///< a certificate that is kept already
};

} // namespace lambdascope

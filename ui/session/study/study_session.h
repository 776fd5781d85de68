// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"
#include "core/config/json.h"
#include "core/study/study_tables.h"
#include "ui/session/background_jobs.h"
#include "ui/session/study/slurm_watch.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>

class QProcess;

namespace lambdascope {

struct SchemaCatalog;

/// What is in the folder of a study now.
Result<std::shared_ptr<const StudyResults>> studyResultsIn(const QString& folder, const SchemaCatalog& catalog);

/// "finished", "failed: …" or "not computed yet".
[[nodiscard]] QString cellStateText(const CellStatus& status);

/// The study that the window shows: how far its cells are, read from its folder again and again, whoever computes them
/// (this window, the command line, a job of Slurm). Those that this window computes are computed by the command line
/// program, in a process that ends with the window; finished cells stay. GUI thread only.
class StudySession : public QObject {
    Q_OBJECT

  public:
    struct Options {
        QString program;      ///< lambdascope-cli; empty: the one beside this program
        QString folder;       ///< where new studies go; empty: studies/ beside the run library
        int slurmRest = 3000; ///< ms between two questions to Slurm, whose daemons serve many
    };
    StudySession(const SchemaCatalog& catalog, Options options, QObject* parent = nullptr);
    ~StudySession() override;

    /// Null before one was opened or started.
    [[nodiscard]] const StudyResults* results() const { return m_results.get(); }
    [[nodiscard]] QString folder() const { return m_folder; }
    [[nodiscard]] QString cellFolder(std::size_t cell) const; ///< run folder of a finished cell
    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }
    /// Whether results() have all that the program that computed them left behind, once it has ended.
    [[nodiscard]] bool isComplete() const { return m_results != nullptr && !isRunning() && !m_isBehind; }
    /// The job of Slurm that computes it, or did so last.
    [[nodiscard]] const SlurmWatch& slurm() const { return m_slurm; }
    /// "12 of 45 cells, 1 failed".
    [[nodiscard]] QString progressText() const;

    /// Shows the study in a folder that sweep wrote.
    void open(const QString& folder);
    /// Computes a new study, a document as study files hold: in a new folder called by its name. Here, or on Slurm.
    void start(const Json& document, bool onSlurm = false);
    /// The same for a bundled study.
    void startNamed(const QString& name);
    /// Computes what is missing, where it was computed before; with `failed`, what has failed as well.
    void resume(bool failed = false);
    /// Ends what computes, or the job of Slurm; finished cells are kept.
    void stop();

  Q_SIGNALS:
    void changed();
    void failed(const lambdascope::Error& error);

  private:
    using Reading = std::shared_ptr<const StudyResults>;
    bool isFree();
    void run(const QStringList& arguments);
    void onProcessEnded();
    void read();
    Q_INVOKABLE void takeFinished();

    const SchemaCatalog& m_catalog;
    Options m_options;
    QString m_folder;
    Reading m_results;
    QProcess* m_process = nullptr;
    bool m_isStopped = false;
    bool m_isBehind = false; ///< the program has ended since the results were read
    QTimer m_rest;
    SlurmWatch m_slurm{m_options.slurmRest};
    QString m_readingOf;       ///< folder whose reading is under way; empty for none
    bool m_readsAgain = false; ///< what is being read may have changed meanwhile
    BackgroundJobs<Reading> m_jobs{this, "this study"};
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_profile.h"
#include "ui/figures/figure_origin.h"
#include "ui/models/log_model.h"
#include "ui/panels/shared/notice_bar.h"
#include "ui/session/experiment/experiment_document.h"
#include "ui/session/experiment/live_path.h"
#include "ui/session/inspect/certificate_session.h"
#include "ui/session/inspect/run_lens_session.h"
#include "ui/session/recent_files.h"
#include "ui/session/runs/kept_runs.h"
#include "ui/session/runs/library_edits.h"
#include "ui/session/runs/path_cursor.h"
#include "ui/session/runs/run_collection.h"
#include "ui/session/runs/run_controller.h"
#include "ui/session/runs/run_event_bridge.h"
#include "ui/session/runs/run_loader.h"
#include "ui/session/runs/run_persistence.h"
#include "ui/session/settings.h"
#include "ui/session/study/study_draft.h"
#include "ui/session/study/study_session.h"

#include <QObject>
#include <QUndoStack>

#include <deque>

namespace lambdascope {

/// All that the window works on, and what can be done with it, without a widget: open, run, save. Everything that goes
/// wrong is told by `noticed`, in words; nothing here asks or blocks.
class Workbench : public QObject {
    Q_OBJECT

  public:
    struct Options {
        const SchemaCatalog* catalog = nullptr; ///< null: that of the built-in families
        RunController::Options run;
        StudySession::Options study;
    };
    explicit Workbench(const Options& options, QObject* parent = nullptr);
    ~Workbench() override;

    [[nodiscard]] const SchemaCatalog& catalog() const { return m_catalog; }
    [[nodiscard]] Settings& settings() { return m_settings; }
    [[nodiscard]] QUndoStack& undoStack() { return m_undoStack; }
    [[nodiscard]] RunCollection& runs() { return m_runs; }
    [[nodiscard]] PathCursor& cursor() { return m_cursor; }
    [[nodiscard]] ExperimentDocument& document() { return m_document; }
    [[nodiscard]] LogModel& log() { return m_log; }
    [[nodiscard]] RunEventBridge& bridge() { return m_bridge; }
    [[nodiscard]] RunController& controller() { return m_controller; }
    [[nodiscard]] KeptRuns& keptRuns() { return m_keptRuns; }
    [[nodiscard]] LibraryEdits& libraryEdits() { return m_libraryEdits; }
    [[nodiscard]] StudySession& study() { return m_study; }
    [[nodiscard]] StudyDraft& studyDraft() { return m_studyDraft; }
    [[nodiscard]] RunLensSession& lens() { return m_lens; }
    [[nodiscard]] LivePath::Options livePathOptions() const { return {&m_catalog, m_findFamily}; }
    [[nodiscard]] CertificateSession& certificates() { return m_certificates; }
    [[nodiscard]] std::vector<RecentFiles*> recentFiles() {
        return {&m_recentExperiments, &m_recentData, &m_recentRuns};
    }

    /// Opens whatever it is: data, experiment, run folder or exported figure.
    void open(const QString& path);
    void openAll(const QStringList& paths);
    /// Reads an experiment that the library keeps: one lane of it, or all for an empty name, in place of what is shown
    /// unless it is to stand beside it.
    void openLibraryExperiment(qint64 libraryExperiment, const QString& lane = {}, bool isBeside = false);
    /// Computes the rest of a run that was left, or queues that when something computes.
    void goOn(const LeftRun& left);
    /// The same for the run of a lane, if that was left, else for the newest left run of the library; says so when
    /// there is none.
    void goOnWith(std::optional<RunId> lane);
    /// The run that a lane belongs to, if the lane was left and it is known where the run is kept.
    [[nodiscard]] std::optional<LeftRun> leftRunOf(RunId lane) const;
    /// The same of the first such lane of an experiment, or of one that the library keeps.
    [[nodiscard]] std::optional<LeftRun> leftRunOf(const std::vector<RunId>& lanes,
                                                   const std::optional<LibraryExperiment>& kept) const;
    /// Tells of the newest experiment of the library when its program ended in the middle of it, and offers to show it
    /// or to go on; for the start of the program.
    void offerLeftRun();
    void takeAction(const QString& source, int action); ///< of a notice
    /// Shows the paths of a finished cell of a study beside what is shown, or no longer.
    void showStudyCell(const QString& folder, bool shown);
    void newExperiment();
    bool loadPreset(const QString& name);
    /// Loads an example and starts it.
    void runPreset(const QString& name);
    /// The same for the name of an example or an experiment file.
    void runNamed(const QString& presetOrFile);
    /// Starts the experiment of the document, or queues it when one computes. Says why when it cannot.
    void run(bool enqueue = false);
    bool save(const QString& file);

    /// Whether earlier runs stay ticked when a new experiment starts.
    void setKeepsEarlierRuns(bool keeps);
    [[nodiscard]] bool keepsEarlierRuns() const;

    /// The experiment in the form outlives the program: kept in the settings, and taken from there.
    void saveSession();
    void restoreSession();

    /// Logs an error and shows it as a notice; a newer one of the same source replaces it.
    void report(const Error& error, const QString& source);

    /// The data file opened last by the user, until its contents were read or failed to be.
    [[nodiscard]] QString openedData() const { return m_openedData; }
    /// What was read of it: kept with the list of recent data, and said when the contents are others than last time.
    void noteData(const DataProfile& profile);

  Q_SIGNALS:
    void noticed(const lambdascope::Notice& notice);
    void noticeSettled(const QString& source);
    /// There is something to show besides the welcome page.
    void opened();
    /// The user gave the experiment other data: follows `opened`.
    void dataOpened();
    /// The finished runs, or the study, that an exported figure shows are there: the window is to show them as it does.
    void figureReopened(const lambdascope::FigureOrigin& origin);

  private:
    void openData(const QString& path);
    void openExperiment(const QString& path);
    void openFigure(const QString& path);
    void reopenStudy(const FigureOrigin& origin, const QString& path);
    void showWantedStudy();
    void showWantedRun();
    /// The lanes of the window that a figure shows, or of the newest ended run of an equal experiment.
    [[nodiscard]] std::vector<RunId> openRunsOf(const FigureOrigin::Lanes& wanted, bool areTheVery) const;
    void reopenNext();
    void takeFigureRuns(RunLoader::Loaded loaded);
    void takeFigureRuns(const std::vector<RunId>& runs);
    void finishReopening();
    bool takeFigureAction(const QString& source);
    void openRunFolder(const QString& path);
    void followCertificates();
    /// Whether an action of a notice was about a certificate: to check it, or to stop that.
    bool takeCertificateAction(const QString& source);
    void noticeCertificate(const RunCertificate& certificate);
    void noticeFinding(CertificateSession::Finding finding, const QString& words);
    void takeLoaded(RunLoader::Loaded loaded);
    void takeRuns(RunLoader::Runs loaded, RunOrigin origin, const QString& folder, const RunLoader::Wish& wish);
    void onStarted(const QString& name);
    /// Takes the lanes of a run that goes on out of the window, where they appear again with what they have.
    void retireLeft(const LeftRun& left);
    /// Unticks the runs that were shown when the experiment in work began.
    void retireEarlier();
    /// Takes back what was said of the experiment in the form, as another one takes its place.
    void settleDocument();
    /// Says what is wrong with an experiment that was opened nevertheless.
    void noticeFaults(std::vector<Fault> faults);

    const SchemaCatalog& m_catalog;
    std::function<const Family*(std::string_view id)> m_findFamily;
    Settings m_settings;
    QUndoStack m_undoStack;
    RunCollection m_runs;
    PathCursor m_cursor;
    ExperimentDocument m_document;
    LogModel m_log;
    RecentFiles m_recentExperiments;
    RecentFiles m_recentData;
    RecentFiles m_recentRuns;
    QString m_openedData;
    /// A figure whose runs are being looked for, experiment by experiment.
    struct Reopening {
        FigureOrigin origin;
        QString path;
        std::size_t next = 0; ///< experiment
        std::vector<RunId> shown = {};
        int missing = 0;
        bool isOther = false; ///< some runs are not the very ones
    };
    std::deque<Reopening> m_reopenings;        ///< the first one is in work
    std::optional<FigureOrigin> m_wantedStudy; ///< of a figure, to be shown when it is read or computed
    std::optional<FigureOrigin> m_wantedRun;   ///< of a figure, to be shown when somebody has computed it again
    std::vector<RunId> m_retiring;             ///< shown until the first point of the experiment in work begins
    // In this order: the controller joins its worker before the bridge, which the worker publishes to, goes.
    RunEventBridge m_bridge;
    RunController m_controller;
    RunPersistence m_keeper;
    RunLensSession m_lens;
    CertificateSession m_certificates;
    std::optional<RunCertificate> m_certificate; ///< written last
    KeptRuns m_keptRuns;
    LibraryEdits m_libraryEdits;
    StudyDraft m_studyDraft;
    StudySession m_study;
    RunLoader m_loader; ///< last: it joins what reads from the controller's library
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/run_certificate.h"
#include "ui/session/background_jobs.h"
#include "ui/session/inspect/run_lens_session.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

namespace lambdascope {

/// Writes certificates of finished lanes in the background, and has them checked by the program that comes with
/// Lambdascope and shares nothing with it. One thing at a time. GUI thread only; never blocks but in the destructor,
/// which asks to stop and waits.
class CertificateSession : public QObject {
    Q_OBJECT

  public:
    enum class Work { None, Writing, Checking };
    /// What the checker found out.
    enum class Finding { Proven, NotProven, Fails, NotRun };

    /// `runs` must outlive the session.
    CertificateSession(RunCollection& runs, RunLensSession::Options options, QObject* parent = nullptr);
    ~CertificateSession() override;

    /// Lanes of `run`'s experiment that ended and decided something, in the order in which they came.
    [[nodiscard]] std::vector<RunId> lanesBeside(RunId run) const;
    /// Writes a certificate of lanes of one experiment; answers by written() or failed(). Nothing while busy.
    void write(const std::vector<RunId>& lanes, Certifier::Range points, const QString& folder);
    /// Has a certificate checked; answers by checked(). Nothing while busy.
    void check(const RunCertificate& certificate);
    void stop();

    [[nodiscard]] Work work() const { return m_work; }
    [[nodiscard]] double share() const; ///< of what is written, in [0, 1]; negative while unknown
    /// Whether there is a Python to run the checker.
    [[nodiscard]] static bool canCheck();
    /// The command that checks a certificate, for a shell.
    [[nodiscard]] static QString checkCommand(const RunCertificate& certificate);

  Q_SIGNALS:
    void written(const lambdascope::RunCertificate& certificate);
    void failed(const lambdascope::Error& error);
    /// `words`: what the checker said, in a line.
    void checked(lambdascope::CertificateSession::Finding finding, const QString& words);
    void activityChanged();

  private:
    Q_INVOKABLE void takeFinished();
    void takeChecked();
    void setWork(Work work);

    RunCollection& m_runs;
    RunLensSession::Options m_options;
    QProcess m_checker;
    QTimer m_watch; ///< runs while something is written
    Work m_work = Work::None;
    std::atomic<double> m_share{-1.0};
    BackgroundJobs<RunCertificate> m_jobs; ///< last: its thread sets the share
};

} // namespace lambdascope

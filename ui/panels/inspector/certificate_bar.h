// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/inspect/run_lens_session.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace lambdascope {

/// The safety certificate of a run: what an audit of its decisions found, or a button that starts one. Never colour
/// alone: a sign and words say the same.
class CertificateBar : public QWidget {
    Q_OBJECT

  public:
    CertificateBar(RunCollection& runs, RunLensSession& lens, QWidget* parent = nullptr);

    void setRun(RunId run);
    [[nodiscard]] QString text() const;

  Q_SIGNALS:
    /// Somebody wants to see the decision with the smallest slack.
    void closestRequested(lambdascope::RunId run, int point, qint64 item);
    /// Somebody wants a certificate that others can check.
    void certificateRequested(lambdascope::RunId run);

  private:
    void refresh();
    void showAudit(const LaneAudit& audit);

    RunCollection& m_runs;
    RunLensSession& m_lens;
    RunId m_run;
    QString m_problem; ///< why the last audit of this run gave no answer
    QLabel* m_text;
    QProgressBar* m_progress;
    QPushButton* m_verify;
    QPushButton* m_stop;
    QPushButton* m_closest;
    QPushButton* m_certificate;
};

} // namespace lambdascope

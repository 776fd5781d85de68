// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/inspect/certificate_session.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;

namespace lambdascope {

/// Asks for lanes, path points and a folder, and has a certificate written there. Not modal: it shows how far that is,
/// may be closed meanwhile, and goes when the certificate is there; what became of it is told by the window.
class CertificatePanel : public QDialog {
    Q_OBJECT

  public:
    CertificatePanel(RunCollection& runs, CertificateSession& session, QWidget* parent = nullptr);

    /// Offers the lanes of a run's experiment, of which `ticked` are ticked, all when there are none.
    void offer(RunId run, const std::vector<RunId>& ticked = {});

    [[nodiscard]] QString folder() const;
    [[nodiscard]] QString fault() const; ///< why nothing can be written as it stands; empty when it can

  private:
    void askForFolder();
    void write();
    void refresh();
    [[nodiscard]] std::vector<RunId> ticked() const;

    RunCollection& m_runs;
    CertificateSession& m_session;
    QListWidget* m_lanes;
    QLineEdit* m_points;
    QLineEdit* m_folder;
    QLabel* m_fault;
    QProgressBar* m_progress;
    QPushButton* m_write;
    QPushButton* m_stop;
};

} // namespace lambdascope

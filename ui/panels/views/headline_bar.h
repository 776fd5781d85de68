// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/runs/run_collection.h"

#include <QFrame>
#include <QTimer>

class QLabel;
class QPushButton;

namespace lambdascope {

class RunLensSession;

/// What the shown experiment has found, in one large sentence above the charts, while it computes and at its end; below
/// it what the experiment says of itself, where the window is high enough, and when the form is no longer what was run.
/// The sentence can be copied, and its lanes verified.
class HeadlineBar : public QFrame {
    Q_OBJECT

  public:
    /// `runs` and `lens` must outlive the bar.
    HeadlineBar(RunCollection& runs, RunLensSession& lens, QWidget* parent = nullptr);

    [[nodiscard]] QString sentence() const;
    /// The sentence with the name of its experiment, for below a figure.
    [[nodiscard]] QString caption() const;
    /// What to know about the relation of form and charts; empty for nothing.
    void setRemark(const QString& remark);
    [[nodiscard]] QString remark() const;
    /// Brings the sentence up to date now.
    void refreshNow();

  public Q_SLOTS:
    void copySentence() const;
    void copyCaption() const;
    /// Audits every lane of the experiment that decides and was not verified yet.
    void verifyAll();

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void refreshVerify();
    void refreshAbout();
    [[nodiscard]] std::vector<RunId> unverified() const;

    RunCollection& m_runs;
    RunLensSession& m_lens;
    QLabel* m_sentence;
    QLabel* m_about; ///< the experiment's own description
    QLabel* m_remark;
    QPushButton* m_verify;
    QTimer m_rest;
};

/// The lanes of the experiment that was started or opened last among those with a ticked lane, ticked or not.
[[nodiscard]] std::vector<RunId> newestShownBatch(const RunCollection& runs);

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/inspector/run_details.h"
#include "ui/session/inspect/run_lens_session.h"
#include "ui/session/runs/path_cursor.h"
#include "ui/session/runs/run_collection.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QTabWidget;

namespace lambdascope {

class CertificateBar;
class DetailsTree;
class MarksBar;
class WhyPanel;

/// Right dock: everything known about the selected run at the cursor, as text; its safety certificate; and why single
/// items, and how many of marked ones, were screened. Follows the cursor; shows the last ticked lane besides the
/// baseline until one is selected.
class InspectorPanel : public QWidget {
    Q_OBJECT

  public:
    InspectorPanel(RunCollection& runs, PathCursor& cursor, RunLensSession& lens, const SchemaCatalog& catalog,
                   QWidget* parent = nullptr);

    [[nodiscard]] RunId selectedRun() const;
    /// All that is shown, as plain text.
    [[nodiscard]] QString text() const;

  public Q_SLOTS:
    void selectRun(lambdascope::RunId run);
    /// Also says what was clicked.
    void selectItem(lambdascope::RunId run, const QString& detail);
    /// What was clicked is no longer what one looks at.
    void clearItem();
    void copyText() const;
    void refreshNow();
    /// Asks why an item ("4, 9, 71") was screened and shows the answer.
    void explainItem(lambdascope::RunId run, const QString& item);
    /// The same for an item that was picked in a view, and for the items that begin at a sample.
    void explainPicked(lambdascope::RunId run, qint64 item);
    void explainSample(lambdascope::RunId run, qint64 sample);

  Q_SIGNALS:
    /// The selected run gave way to a new experiment.
    void selectionDropped();
    /// Somebody wants a certificate of the run.
    void certificateRequested(lambdascope::RunId run);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void invalidate();
    void takeAdded(const std::vector<RunId>& added);
    /// Turns to the page that explains items, about a run.
    void turnToWhy(RunId run);
    [[nodiscard]] std::vector<DetailGroup> details() const;
    void fill(const std::vector<DetailGroup>& groups);

    RunCollection& m_runs;
    PathCursor& m_cursor;
    RunLensSession& m_lens;
    const SchemaCatalog& m_catalog;
    RunId m_selected;
    int m_newestBatch = 0; ///< experiment that was begun last
    QLabel* m_detail;
    QLabel* m_empty;
    DetailsTree* m_tree;
    QTabWidget* m_pages;
    CertificateBar* m_certificate;
    MarksBar* m_marks;
    WhyPanel* m_why;
    std::vector<DetailGroup> m_shown;
    QTimer m_rest;
    bool m_isStale = true;
};

} // namespace lambdascope

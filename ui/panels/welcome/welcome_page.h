// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/experiment/experiment_document.h"
#include "ui/session/recent_files.h"
#include "ui/session/runs/earlier_runs.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lambdascope {

/// What the centre shows while there is no run: files opened and runs computed lately, examples to start with one
/// click, and where to drop one's own files. Dropping itself works anywhere on the window.
class WelcomePage : public QWidget {
    Q_OBJECT

  public:
    /// The lists must outlive the page.
    WelcomePage(const SchemaCatalog& catalog, std::vector<RecentFiles*> recent, QWidget* parent = nullptr);

    /// Lets the drop zone light up while something is dragged over the window.
    void setDropActive(bool active);
    /// Runs of the library, newest first; they stand before the examples.
    void setEarlierRuns(const std::vector<EarlierRun>& runs);
    /// Offers the way back to charts that there are.
    void setHasCharts(bool has);

  Q_SIGNALS:
    void presetChosen(const QString& name);
    void studyChosen(const QString& name);
    void fileChosen(const QString& path);
    void openRequested();
    void newRequested();
    void paintRequested();
    void earlierRunChosen(qint64 libraryExperiment);
    void chartsRequested();

  private:
    using Signal = void (WelcomePage::*)(const QString& name);
    /// Buttons that emit `chosen`.
    void addExamples(QVBoxLayout* layout, const std::vector<PresetListing>& presets,
                     Signal chosen = &WelcomePage::presetChosen);
    void addTitle(QVBoxLayout* layout);
    void addDropZone(QVBoxLayout* layout);
    void addMoreExamples(QVBoxLayout* layout, std::vector<PresetGroup> groups);
    void fillRecent();
    [[nodiscard]] QPushButton* addRecent(const QString& text, const QString& icon);

    std::vector<RecentFiles*> m_recent;
    std::vector<EarlierRun> m_earlier;
    QVBoxLayout* m_recentRows;
    QPushButton* m_back;
    QWidget* m_dropZone;
};

} // namespace lambdascope

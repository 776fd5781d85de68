// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/experiment_document.h"
#include "ui/session/recent_files.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace lambdascope {

/// What the centre shows while there is no run: examples to start with one click, files opened lately, and where to
/// drop one's own. Dropping itself works anywhere on the window.
class WelcomePage : public QWidget {
    Q_OBJECT

  public:
    /// The lists must outlive the page.
    WelcomePage(const SchemaCatalog& catalog, std::vector<RecentFiles*> recent, QWidget* parent = nullptr);

    /// Lets the drop zone light up while something is dragged over the window.
    void setDropActive(bool active);

  Q_SIGNALS:
    void presetChosen(const QString& name);
    void fileChosen(const QString& path);
    void openRequested();
    void newRequested();

  private:
    void addExamples(QVBoxLayout* layout, const std::vector<PresetListing>& presets);
    void fillRecent();

    std::vector<RecentFiles*> m_recent;
    QVBoxLayout* m_recentRows;
    QWidget* m_dropZone;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QTabWidget;
class QWidget;

namespace lambdascope {

class ExperimentForm;
class QueuePanel;
class StudyPanel;
class StudyProgress;
class StudyTab;
class ViewStage;
class Workbench;

/// What the window has of studies: the panel in which one is set up, the cells in the queue, the view; and what brings
/// them together. Made after the form and the views.
class StudyParts : public QObject {
    Q_OBJECT

  public:
    StudyParts(Workbench& workbench, ExperimentForm& form, ViewStage& stage, QWidget* window);

    /// Adds the panel of studies to the drawer, and the cells above the queue, which becomes part of what it returns.
    [[nodiscard]] QWidget* queueWith(QWidget* queue);
    void addTo(QTabWidget& drawer);
    [[nodiscard]] StudyPanel& panel() const { return *m_panel; }
    [[nodiscard]] StudyProgress& progress() const { return *m_progress; }
    [[nodiscard]] StudyTab& view() const { return *m_view; }
    /// Shows the panel in the drawer.
    void showPanel();
    /// Computes a bundled study, and shows the queue.
    void runBundled(const QString& name);

  Q_SIGNALS:
    void drawerWanted(); ///< something in the drawer is to be seen

  private:
    void onChanged();
    void showQueue();

    Workbench& m_workbench;
    ViewStage& m_stage;
    StudyPanel* m_panel;
    StudyProgress* m_progress;
    StudyTab* m_view = nullptr;
    QWidget* m_queue = nullptr;
    QTabWidget* m_drawer = nullptr;
    QString m_shown; ///< folder of the study that the view was shown for
};

} // namespace lambdascope

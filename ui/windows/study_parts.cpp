// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/study_parts.h"

#include "ui/panels/experiment/experiment_form.h"
#include "ui/panels/study/study_panel.h"
#include "ui/panels/study/study_progress.h"
#include "ui/panels/views/study_tab.h"
#include "ui/panels/views/view_stage.h"
#include "ui/windows/file_dialogs.h"
#include "ui/windows/workbench.h"

#include <QTabWidget>
#include <QVBoxLayout>

namespace lambdascope {

StudyParts::StudyParts(Workbench& workbench, ExperimentForm& form, ViewStage& stage, QWidget* window)
    : QObject(window), m_workbench(workbench), m_stage(stage), m_panel(new StudyPanel(workbench.studyDraft(), window)),
      m_progress(new StudyProgress(workbench.study(), window)) {
    for (const ViewSpec& view : stage.views()) {
        if (auto* tab = qobject_cast<StudyTab*>(view.tab)) {
            m_view = tab;
        }
    }
    connect(m_view, &StudyTab::cellTicked, &workbench, &Workbench::showStudyCell);
    connect(&form, &ExperimentForm::varyRequested, this, [this](const QString& field) {
        m_workbench.studyDraft().vary(field);
        showPanel();
    });
    connect(m_panel, &StudyPanel::runRequested, this, [this](const Json& study, bool onSlurm) {
        m_workbench.study().start(study, onSlurm);
        showQueue();
    });
    connect(m_panel, &StudyPanel::openRequested, this, [this, window] { askForRunFolder(m_workbench, window); });
    connect(m_progress, &StudyProgress::cellClicked, this, [this](qint64 cell) {
        m_workbench.showStudyCell(m_workbench.study().cellFolder(static_cast<std::size_t>(cell)), true);
    });
    connect(&workbench.study(), &StudySession::changed, this, &StudyParts::onChanged);
}

QWidget* StudyParts::queueWith(QWidget* queue) {
    m_queue = new QWidget(queue->parentWidget());
    auto* layout = new QVBoxLayout(m_queue);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_progress);
    layout->addWidget(queue, 1);
    return m_queue;
}

void StudyParts::addTo(QTabWidget& drawer) {
    m_drawer = &drawer;
    drawer.addTab(m_panel, tr("Study"));
}

void StudyParts::showPanel() {
    if (m_drawer != nullptr) {
        m_drawer->setCurrentWidget(m_panel);
        Q_EMIT drawerWanted();
    }
}

void StudyParts::showQueue() {
    if (m_drawer != nullptr) {
        m_drawer->setCurrentWidget(m_queue);
        Q_EMIT drawerWanted();
    }
}

void StudyParts::runBundled(const QString& name) {
    m_workbench.study().startNamed(name);
    showQueue();
}

void StudyParts::onChanged() {
    m_panel->setBusy(m_workbench.study().isRunning());
    if (m_workbench.study().results() == nullptr) {
        return;
    }
    if (const QString folder = m_workbench.study().folder(); folder != m_shown) {
        m_shown = folder;
        Q_EMIT m_workbench.opened();
        m_stage.refreshNow(); // offers the view
        m_stage.choose(QStringLiteral("study"));
    }
}

} // namespace lambdascope

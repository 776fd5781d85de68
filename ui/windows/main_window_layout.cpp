// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that gives its parts their room, keeps it between starts and brings it back.
#include "core/data/data_edits.h"
#include "ui/panels/experiment/paint_page.h"
#include "ui/panels/views/cursor_bar.h"
#include "ui/panels/views/headline_bar.h"
#include "ui/panels/views/view_stage.h"
#include "ui/windows/family_layouts.h"
#include "ui/windows/main_window.h"
#include "ui/windows/workbench.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QScreen>
#include <QStackedWidget>

namespace lambdascope {

namespace {

constexpr int kLayoutVersion = 2;
constexpr QSize kSmallScreen(1400, 900);
constexpr QSize kLargestFirstSize(1920, 1200);
const QString geometryKey = QStringLiteral("geometry");
const QString layoutKey = QStringLiteral("layout");
const QString viewKey = QStringLiteral("view");

} // namespace

void MainWindow::sizeDocks() {
    resizeDocks({m_experimentDock, m_inspectorDock}, {336, 276}, Qt::Horizontal);
    // Details are of something: on a small screen they come when it is clicked.
    m_inspectorDock->setVisible(width() > kSmallScreen.width());
}

void MainWindow::takeFirstSize() {
    const QSize room = screen()->availableSize();
    if (room.width() <= kSmallScreen.width() || room.height() <= kSmallScreen.height()) {
        resize(room);                                        // what the docks are laid out in
        setWindowState(windowState() | Qt::WindowMaximized); // every line counts there
    } else {
        resize((0.9 * QSizeF(room)).toSize().boundedTo(kLargestFirstSize));
    }
}

void MainWindow::setEnlarged(bool enlarged, const RunTab* tab) {
    if (enlarged == m_isEnlarged) {
        return;
    }
    m_isEnlarged = enlarged;
    m_actions[QStringLiteral("view.enlarge")]->setChecked(enlarged);
    if (enlarged) {
        m_foldedDocks.clear();
        for (QDockWidget* dock : {m_experimentDock, m_runsDock, m_inspectorDock}) {
            if (!dock->isHidden()) {
                m_foldedDocks.push_back(dock);
            }
        }
    }
    for (QDockWidget* dock : m_foldedDocks) {
        dock->setVisible(!enlarged);
    }
    m_headline->setVisible(!enlarged);
    m_stage->enlarge(!enlarged ? nullptr : tab != nullptr ? tab : m_stage->current().tab);
}

void MainWindow::showTrouble(const QString& words) {
    const bool isThere = !words.isEmpty() && m_workbench.runs().shownIds().empty();
    m_trouble->setWordWrap(true);
    m_trouble->setAlignment(Qt::AlignCenter);
    m_trouble->setTextFormat(Qt::PlainText);
    m_trouble->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_trouble->setMargin(24);
    m_trouble->setText(isThere ? words : QString());
    m_trouble->setVisible(isThere);
    m_stage->setVisible(!isThere);
    m_cursorBar->setVisible(!isThere);
}

QString MainWindow::trouble() const {
    return m_trouble->text();
}

void MainWindow::showPaint(bool shown) {
    if (shown && m_paint == nullptr) {
        m_paint = new PaintPage(m_workbench.document(), m_workbench.livePathOptions());
        connect(m_paint, &PaintPage::runRequested, this,
                [this] { m_workbench.run(m_workbench.controller().isBusy()); });
        connect(m_paint, &PaintPage::dataRequested, this, [this] { showData(true); });
        m_centre->addWidget(m_paint);
    }
    showPage(shown ? static_cast<QWidget*>(m_paint) : m_charts);
}

void MainWindow::startPainting() {
    m_workbench.newExperiment();
    ExperimentDocument& document = m_workbench.document();
    document.setFamily(QStringLiteral("svm")); // two classes in a plane: the one that is seen through at once
    document.setValue(QStringLiteral("data.source"), std::string(kPaintedSource));
    showPaint(true);
}

void MainWindow::restoreLayout() {
    m_firstLayout = saveState(kLayoutVersion);
    const Settings& settings = m_workbench.settings();
    if (const QByteArray geometry = settings.windowState(geometryKey); !geometry.isEmpty()) {
        restoreGeometry(geometry);
    }
    if (const QByteArray layout = settings.windowState(layoutKey); !layout.isEmpty()) {
        restoreState(layout, kLayoutVersion);
    }
    if (const QByteArray view = settings.windowState(viewKey); !view.isEmpty()) {
        m_stage->arrange(view);
    }
    // A dock that was hidden before it was ever shown tells nobody.
    m_actions[QStringLiteral("view.experiment")]->setChecked(!m_experimentDock->isHidden());
    m_actions[QStringLiteral("view.runs")]->setChecked(!m_runsDock->isHidden());
    m_actions[QStringLiteral("view.inspector")]->setChecked(!m_inspectorDock->isHidden());
}

void MainWindow::saveLayout() {
    setEnlarged(false);
    Settings& settings = m_workbench.settings();
    settings.setWindowState(geometryKey, saveGeometry());
    settings.setWindowState(layoutKey, saveState(kLayoutVersion));
    settings.setWindowState(viewKey, m_stage->arrangement());
    m_layouts->keep();
}

void MainWindow::resetLayout() {
    setEnlarged(false);
    m_layouts->reset();
    restoreState(m_firstLayout, kLayoutVersion);
    for (QDockWidget* dock : {m_inspectorDock, m_experimentDock, m_runsDock}) { // the form is the one that stays
        dock->setVisible(true);
    }
    sizeDocks();
}

} // namespace lambdascope

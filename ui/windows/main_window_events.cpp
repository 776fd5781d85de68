// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that nothing else takes, closing, and a change of the theme.
#include "ui/panels/runs/runs_panel.h"
#include "ui/panels/shared/notice_bar.h"
#include "ui/session/inspect/item_brush.h"
#include "ui/windows/main_window.h"
#include "ui/windows/workbench.h"

#include <QCloseEvent>
#include <QKeyEvent>

namespace lambdascope {

void MainWindow::keyPressEvent(QKeyEvent* event) {
    // Nothing computes, else Esc would have come as a command.
    ItemBrush& brush = m_workbench.lens().brush();
    if (event->key() == Qt::Key_Escape && !brush.isEmpty()) {
        brush.clear();
    } else if (event->key() == Qt::Key_Escape && m_isEnlarged) {
        setEnlarged(false);
    } else {
        QMainWindow::keyPressEvent(event);
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_isClosing && !m_closeGuard->mayClose()) {
        if (m_closeGuard->isWaiting()) {
            m_notices->show(
                {Severity::Information, tr("The window closes when the work is done."), {}, QStringLiteral("close")});
        } else {
            m_notices->dismissSource(QStringLiteral("close"));
        }
        event->ignore();
        return;
    }
    m_isClosing = true;
    saveLayout();
    event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_runsPanel != nullptr) {
        refreshSwatches();
    }
}

} // namespace lambdascope

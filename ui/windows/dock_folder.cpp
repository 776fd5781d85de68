// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/dock_folder.h"

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>

#include <algorithm>

namespace lambdascope {

namespace {

bool isAnyOpen(const std::vector<QDockWidget*>& docks) {
    return std::any_of(docks.begin(), docks.end(),
                       [](const QDockWidget* dock) { return !dock->isHidden() && !dock->isFloating(); });
}

} // namespace

DockFolder::DockFolder(QMainWindow& window, std::vector<QDockWidget*> left, std::vector<QDockWidget*> right)
    : QObject(&window), m_window(window), m_left(std::move(left)), m_right(std::move(right)) {
    window.installEventFilter(this);
    for (const bool isLeft : {true, false}) {
        for (QDockWidget* dock : isLeft ? m_left : m_right) {
            connect(dock->toggleViewAction(), &QAction::toggled, this, [this, dock, isLeft](bool shown) {
                if (m_isSettling) {
                    return;
                }
                std::erase(m_folded, dock); // whoever hides or shows it decides
                if (shown) {
                    follow(isLeft);
                }
            });
        }
    }
}

bool DockFolder::isNarrow() const {
    return m_window.width() < kNarrow;
}

void DockFolder::follow(bool isLeft) {
    m_isLeftPreferred = isLeft;
    settle();
}

void DockFolder::settle() {
    m_isSettling = true;
    if (isNarrow() && isAnyOpen(m_left) && isAnyOpen(m_right)) {
        for (QDockWidget* dock : m_isLeftPreferred ? m_right : m_left) {
            if (!dock->isHidden() && !dock->isFloating()) {
                dock->hide();
                m_folded.push_back(dock);
            }
        }
    } else if (!isNarrow()) {
        for (QDockWidget* dock : std::exchange(m_folded, {})) {
            dock->show();
        }
    }
    m_isSettling = false;
}

bool DockFolder::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_window && event->type() == QEvent::Resize) {
        QMetaObject::invokeMethod(this, &DockFolder::settle, Qt::QueuedConnection); // not while the window lays out
    }
    return QObject::eventFilter(watched, event);
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/file_drop.h"

#include <QDropEvent>
#include <QMimeData>
#include <QWidget>

namespace lambdascope {

FileDrop::FileDrop(QWidget* target) : QObject(target) {
    target->setAcceptDrops(true);
    target->installEventFilter(this);
}

bool FileDrop::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::DragLeave) {
        Q_EMIT hovering(false);
    } else if (event->type() == QEvent::DragEnter) {
        auto* enter = static_cast<QDropEvent*>(event);
        if (enter->mimeData()->hasUrls()) {
            enter->acceptProposedAction();
            Q_EMIT hovering(true);
            return true; // the widget itself would refuse them
        }
    } else if (event->type() == QEvent::Drop) {
        auto* drop = static_cast<QDropEvent*>(event);
        Q_EMIT hovering(false);
        QStringList paths;
        for (const QUrl& url : drop->mimeData()->urls()) {
            if (url.isLocalFile()) {
                paths << url.toLocalFile();
            }
        }
        if (!paths.isEmpty()) {
            drop->acceptProposedAction();
            Q_EMIT dropped(paths);
        }
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace lambdascope

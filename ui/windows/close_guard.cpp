// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/windows/close_guard.h"

#include "ui/session/count_text.h"

#include <QMessageBox>
#include <QPushButton>

namespace lambdascope {

CloseGuard::CloseGuard(RunController& controller, std::function<CloseAnswer()> ask, QObject* parent)
    : QObject(parent), m_controller(controller), m_ask(std::move(ask)) {
    // Queued, so that the controller has started the next of the queue before we look.
    connect(
        &controller, &RunController::stateChanged, this,
        [this] {
            if (m_isWaiting && isDone()) {
                m_isWaiting = false;
                Q_EMIT closeNow();
            }
        },
        Qt::QueuedConnection);
}

bool CloseGuard::isDone() const {
    return !m_controller.isBusy() && (m_controller.queueSize() == 0 || m_mayLeaveQueue);
}

bool CloseGuard::mayClose() {
    const bool isDoneNow = isDone();
    m_mayLeaveQueue = m_isWaiting && m_mayLeaveQueue; // an answer counts for one closing
    if (isDoneNow) {
        return true;
    }
    if (m_controller.state() == RunState::Stopping && m_isWaiting) {
        return false; // it was told to stop and closes by itself in a moment
    }
    switch (m_ask()) {
    case CloseAnswer::Cancel:
        m_isWaiting = false;
        m_mayLeaveQueue = false;
        return false;
    case CloseAnswer::StopAndKeep:
        m_isWaiting = true;
        m_mayLeaveQueue = true;
        m_controller.stop();
        break;
    case CloseAnswer::Wait:
        m_isWaiting = true;
        m_mayLeaveQueue = false;
        m_controller.resume();
        m_controller.releaseQueue();
        break;
    }
    if (isDone()) { // it ended while the question stood
        m_isWaiting = false;
        return true;
    }
    return false;
}

CloseAnswer askAboutClosing(const RunController& controller, QWidget* window) {
    const bool isBusy = controller.isBusy();
    const QString waiting = countText(static_cast<int>(controller.queueSize()), CloseGuard::tr("experiment waits"),
                                      CloseGuard::tr("experiments wait"));
    QMessageBox question(QMessageBox::Question, CloseGuard::tr("Close Lambdascope"),
                         isBusy ? CloseGuard::tr("An experiment is still computing.")
                                : CloseGuard::tr("%1 in the queue.").arg(waiting),
                         QMessageBox::NoButton, window);
    question.setInformativeText(isBusy ? CloseGuard::tr("Finished points are kept in either case.")
                                       : CloseGuard::tr("What waits is not kept when the window closes."));
    QPushButton* stop = question.addButton(isBusy ? CloseGuard::tr("&Stop and close") : CloseGuard::tr("C&lose"),
                                           QMessageBox::AcceptRole);
    QPushButton* wait = question.addButton(
        isBusy ? CloseGuard::tr("&Wait, then close") : CloseGuard::tr("Co&mpute, then close"), QMessageBox::ActionRole);
    QPushButton* cancel = question.addButton(CloseGuard::tr("&Cancel"), QMessageBox::RejectRole);
    question.setDefaultButton(stop);
    question.setEscapeButton(cancel);
    question.exec();
    if (question.clickedButton() == stop) {
        return CloseAnswer::StopAndKeep;
    }
    return question.clickedButton() == wait ? CloseAnswer::Wait : CloseAnswer::Cancel;
}

} // namespace lambdascope

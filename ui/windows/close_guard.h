// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/runs/run_controller.h"

#include <QObject>

#include <functional>

namespace lambdascope {

enum class CloseAnswer {
    Wait,        ///< close when everything that computes or waits is done
    StopAndKeep, ///< stop now, keep the finished points, close
    Cancel,      ///< stay
};

/// Decides whether the window may close. Nothing is asked unless something computes or waits in the queue; then once.
class CloseGuard : public QObject {
    Q_OBJECT

  public:
    /// `ask` shows the question and returns the answer.
    CloseGuard(RunController& controller, std::function<CloseAnswer()> ask, QObject* parent = nullptr);

    /// True: close now. False: stay; `closeNow` comes later if the answer was to wait or to stop.
    [[nodiscard]] bool mayClose();
    [[nodiscard]] bool isWaiting() const { return m_isWaiting; }

  Q_SIGNALS:
    void closeNow();

  private:
    [[nodiscard]] bool isDone() const;

    RunController& m_controller;
    std::function<CloseAnswer()> m_ask;
    bool m_isWaiting = false;
    bool m_mayLeaveQueue = false; ///< what waits may be lost: that was the answer
};

/// Asks in a message box.
[[nodiscard]] CloseAnswer askAboutClosing(const RunController& controller, QWidget* window);

} // namespace lambdascope

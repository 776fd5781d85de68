// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/event_sink.h"

#include <QObject>
#include <QTimer>

#include <mutex>
#include <vector>

namespace lambdascope {

/// Carries run events from worker threads to the GUI thread. `publish` appends to a mailbox under a mutex; a GUI timer
/// empties it at most every `kDrainInterval` ms and hands all that came in one signal, in the order of arrival.
///
/// Consecutive Iterated events of one run are kept apart up to `kIterationsKept` between two drains, so that
/// convergence curves of fast points have points; beyond that the latest replaces the one before. Every other event
/// arrives. The timer only runs while events come in, so an idle window costs nothing.
///
/// Teardown: stop and join all publishers, then destroy the bridge (or call drainNow() once more before).
class RunEventBridge : public QObject, public EventSink {
    Q_OBJECT

  public:
    static constexpr int kDrainInterval = 33; ///< ms; 30 updates per second are smooth and leave the core to the run
    static constexpr int kIterationsKept = 64;

    /// What showing a run costs the run: the observer effect.
    struct Cost {
        std::int64_t published = 0; ///< events given to publish()
        std::int64_t merged = 0;    ///< Iterated events replaced by a later one
        std::int64_t delivered = 0; ///< events handed on: published − merged − waiting
        std::int64_t drains = 0;    ///< signals emitted
        double guiCpu = 0; ///< CPU seconds of the GUI thread, painting included, from first event to last drain
        double wall = 0;   ///< seconds of the same span
        /// Share of one CPU that the window took, in [0, 1]; 0 before the second drain.
        [[nodiscard]] double share() const { return wall > 0 ? guiCpu / wall : 0; }
    };

    explicit RunEventBridge(QObject* parent = nullptr);
    ~RunEventBridge() override;

    /// Any thread. Cost O(1) and one short lock; never waits for the GUI.
    void publish(const RunEvent& event) noexcept override;

    /// GUI thread: hands on at once what is in the mailbox.
    void drainNow();

    [[nodiscard]] Cost cost() const;
    /// GUI thread: starts the account anew, at the start of a run.
    void resetCost();

  Q_SIGNALS:
    /// GUI thread; never empty.
    void eventsArrived(const std::vector<lambdascope::RunEvent>& events);

  private:
    Q_INVOKABLE void scheduleDrain(); // by name: the caller's thread keeps nothing of a posted call
    [[nodiscard]] bool mergesInto(const RunEvent& event) const;

    mutable std::mutex m_mutex; ///< guards everything up to the timer
    std::vector<RunEvent> m_mailbox;
    Cost m_cost;
    int m_iterationsInRow = 0; ///< at the end of the mailbox, of one run
    bool m_isDrainPosted = false;
    QTimer m_timer; ///< single shot, started by the first event after a drain
    double m_cpuStart = -1;
    double m_wallStart = 0;
};

} // namespace lambdascope

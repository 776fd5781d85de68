// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/json.h"
#include "core/data/data_profile.h"
#include "ui/session/background_jobs.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>

namespace lambdascope {

/// Reads the data set an experiment names, in the background, to say what is in it: "178 rows × 13 features, 3
/// classes". Of a large file the beginning is told first. A new request makes the one before stale: it is told to stop
/// and its result is dropped. GUI thread only.
class DataPreview : public QObject {
    Q_OBJECT

  public:
    enum class State { Empty, Loading, Ready, Failed };

    explicit DataPreview(QObject* parent = nullptr);

    /// Asks for the data of a valid, resolved "data" section; loads after a short rest, so that typing costs nothing.
    /// The same request again does nothing; with `isFresh`, it does when it failed before.
    void request(const Json& resolvedData, const DataPlaces& places, bool isFresh = false);
    /// Looks again whether data that could not be read have been mended since, and says nothing while they are the
    /// same.
    void retry();
    /// Begins at once with what was requested, again if it was read before.
    void hurry();
    void clear();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] QString summary() const { return m_summary; } ///< a sentence in every state
    [[nodiscard]] std::shared_ptr<const Dataset> dataset() const { return m_profile.dataset; } ///< null unless Ready
    /// All that is known by now: nothing at first, then of the beginning, then of all. Also of data that have faults.
    [[nodiscard]] const DataProfile& profile() const { return m_profile; }
    [[nodiscard]] const Error& error() const { return m_error; } ///< when Failed

  Q_SIGNALS:
    void changed();

  private:
    using Jobs = BackgroundJobs<DataProfile>;

    void launch();
    void start(ProfileExtent extent);
    Q_INVOKABLE void takeFinished();
    void stopAll();
    void setState(State state, const QString& summary);

    State m_state = State::Empty;
    QString m_summary;
    DataProfile m_profile;
    Error m_error;
    Json m_requested;
    DataPlaces m_places;
    QTimer m_rest;
    std::shared_ptr<Jobs::Job> m_current; ///< null when nothing is wanted
    Jobs m_jobs{this, "these data"};      ///< also stale ones that have not yet come back
};

} // namespace lambdascope

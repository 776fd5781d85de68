// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/alike_rows.h"
#include "core/inspect/decision_plane.h"
#include "core/record/run_record.h"
#include "core/run/experiment_runner.h"
#include "ui/session/background_jobs.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace lambdascope {

/// The path of one lane, computed anew in the background after each change of the experiment, for who watches it while
/// dragging: a newer wish takes the place of an older one, the path in work is let finish for a moment and is then
/// stopped, and what was computed last stays until there is something newer. Afterwards the decision plane at a point,
/// where the family draws one. Nothing is kept in the library. GUI thread only.
class LivePath : public QObject {
    Q_OBJECT

  public:
    struct Options {
        const SchemaCatalog* catalog = nullptr;
        std::function<const Family*(std::string_view id)> findFamily;
    };
    struct Wish {
        Json document;
        DataPlaces places;
        std::string lane; ///< empty: the last that has bounds, else the last
    };
    struct Path {
        RunRecord record;
        std::string edits;  ///< data.edits that it was computed with
        double seconds = 0; ///< from the wish to here
        bool isWhole = false;
    };
    struct Plane {
        DecisionPlane drawn;    ///< in prepared coordinates; without columns where the family draws none
        FeatureScaling scaling; ///< from those of the source; empty: they are the same
        std::string edits;
        std::int32_t point = -1;
    };
    /// How long a path may compute when there is a newer wish, and a plane may take to be drawn for each path.
    static constexpr int kPatience = 300; // ms

    explicit LivePath(Options options, QObject* parent = nullptr);

    void request(Wish wish);
    /// The point whose plane is drawn (−1: the last one), and the features along its axes.
    void lookAt(std::int32_t point, PlaneAxes axes);
    /// Drops what is in work, and what was computed.
    void clear();

    [[nodiscard]] bool isBusy() const { return m_current != nullptr; }
    [[nodiscard]] const std::shared_ptr<const Path>& path() const { return m_path; } ///< null before the first
    [[nodiscard]] const std::shared_ptr<const Plane>& plane() const { return m_plane; }
    [[nodiscard]] const std::string& trouble() const { return m_trouble; } ///< why the newest wish has no path

    /// The lane that an experiment is watched by.
    [[nodiscard]] static std::string usualLane(const Json& document);

  Q_SIGNALS:
    void pathChanged();
    void planeChanged(); ///< there is another, or none any more
    void activityChanged();

  private:
    struct Outcome {
        std::shared_ptr<ExperimentRunner> runner;
        std::shared_ptr<Path> path;
        std::shared_ptr<Plane> plane;
    };
    using Jobs = BackgroundJobs<Outcome>;

    static Result<Outcome> compute(const Options& options, const Wish& wish, const std::stop_token& stop);
    static Result<Outcome> draw(ExperimentRunner& runner, const DataPlaces& places, std::shared_ptr<Plane> plane,
                                PlaneAxes axes, const std::stop_token& stop);
    void advance();
    void startPath();
    void startPlane();
    void take(Outcome outcome);
    Q_INVOKABLE void takeFinished();

    Options m_options;
    std::optional<Wish> m_wanted;
    DataPlaces m_places;
    std::int32_t m_point = -1;
    PlaneAxes m_axes;
    QElapsedTimer m_sinceWish;
    QElapsedTimer m_sinceStart;
    double m_wishAge = 0; ///< seconds between the wish in work and its start
    qint64 m_planeTook = 0;
    bool m_isPlaneDue = false;
    bool m_isPath = false;                      ///< in work
    std::string m_edits;                        ///< of the path in work
    std::shared_ptr<ExperimentRunner> m_runner; ///< of m_path
    std::shared_ptr<const Path> m_path;
    std::shared_ptr<const Plane> m_plane;
    std::string m_trouble;
    QTimer m_patience;
    std::shared_ptr<Jobs::Job> m_current;
    Jobs m_jobs{this, "the path of these data"};
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/thinning.h"
#include "core/run/run_event.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// One path point of a RunRecord, finished or in work.
struct PointRecord {
    std::int32_t index = 0;
    double axisValue = 0;
    bool isFinished = false;
    Termination termination = Termination::Converged; ///< valid when finished
    std::vector<double> values;                       ///< aligned with RunStarted::columns; empty until finished
    std::int64_t decidableItems = 0;                  ///< valid when finished
    /// All screenings, in order. `rate` is final once the point is finished: (R + L) / decidableItems, 0 when nothing
    /// was decidable; until then it is the provisional rate of the event.
    std::vector<Screened> screenings;
    /// Iterations, thinned so that memory stays bounded: first and last are always there, the others evenly
    /// spaced. At most kKeptIterations, and fewer of older points as a path grows.
    std::vector<Iterated> iterations;
    std::vector<double> partValues;             ///< of PartsSolved; empty where a point is one problem
    std::shared_ptr<const Embedding> embedding; ///< null when none
    std::shared_ptr<const Solution> solution;   ///< null when none

    [[nodiscard]] double cpuScreen() const; ///< CPU seconds over `screenings`
};

/// The picture of one run (one lane) that its events draw: for live views, for replay and for figures. Qt-free, a
/// copyable value; feed it events in sequence. Events of other runs are ignored.
class RunRecord {
  public:
    enum class State {
        Running,     ///< no end seen yet
        Finished,    ///< the path ended, or met a limit
        Stopped,     ///< by the user or by the time limit; finished points are whole
        Failed,      ///< failure() says why; finished points are whole
        Interrupted, ///< read back from disk: its process ended without saying so; finished points are whole
    };
    static constexpr std::size_t kKeptIterations = 512;

    RunRecord() = default;
    explicit RunRecord(RunId id) : m_id(id) {}

    /// Takes the next event. The first event sets the id when the record has none.
    void apply(const RunEvent& event);
    /// For readers of files whose run never ended: Running becomes Interrupted.
    void markInterrupted();

    [[nodiscard]] RunId id() const { return m_id; }
    [[nodiscard]] const RunStarted& start() const { return m_start; }
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool hasEnded() const { return m_state != State::Running; }
    /// Set when the run ended without failure.
    [[nodiscard]] std::optional<Termination> termination() const { return m_termination; }
    [[nodiscard]] const std::string& failure() const { return m_failure; }

    /// Finished points in order, then the point in work (or the one that a stop interrupted) if there is one.
    [[nodiscard]] const std::vector<PointRecord>& points() const { return m_points; }
    [[nodiscard]] std::size_t finishedPointCount() const { return m_finishedPoints; }
    /// The finished point whose path index is `index`; null when there is none.
    [[nodiscard]] const PointRecord* finishedPoint(std::int32_t index) const;
    /// The point in work; null when there is none, or the run has ended.
    [[nodiscard]] const PointRecord* currentPoint() const;
    /// The newest Iterated of the point in work, or of the last point.
    [[nodiscard]] std::optional<Iterated> lastIteration() const;
    /// Guess at the number of points of the whole path; the number itself once the run has ended; 0 when unknown.
    [[nodiscard]] std::int32_t estimatedPointCount() const { return m_estimatedPointCount; }
    /// The newest guess at the number of points of the whole path, also once the run has ended; 0 when unknown.
    [[nodiscard]] std::int32_t plannedPointCount() const { return m_plannedPointCount; }
    /// Share of the path done in [0, 1], for progress bars: finished points / estimated points; 0 when unknown.
    [[nodiscard]] double progress() const;

    [[nodiscard]] double cpuSolve() const { return m_cpuSolve; }   ///< CPU seconds over finished points
    [[nodiscard]] double cpuScreen() const { return m_cpuScreen; } ///< CPU seconds over finished points
    [[nodiscard]] double wall() const { return m_wall; } ///< seconds over finished points; at the end the run's

    /// Position in start().columns of the first column with this role; nothing when there is none.
    [[nodiscard]] std::optional<std::size_t> columnWithRole(ColumnRole role) const;
    [[nodiscard]] std::optional<std::size_t> columnWithKey(std::string_view key) const;

  private:
    void take(const RunStarted& event);
    void take(const PointStarted& event);
    void take(const Iterated& event);
    void take(const Screened& event);
    void take(const PartsSolved& event);
    void take(const PointFinished& event);
    void take(const RunFinished& event);
    void take(const RunFailed& event);
    PointRecord* openPoint(std::int32_t index);
    [[nodiscard]] double sumOfRole(const PointRecord& point, ColumnRole role) const;

    RunId m_id;
    RunStarted m_start;
    State m_state = State::Running;
    std::optional<Termination> m_termination;
    std::string m_failure;
    std::vector<PointRecord> m_points;
    std::size_t m_finishedPoints = 0;
    std::int32_t m_estimatedPointCount = 0;
    std::int32_t m_plannedPointCount = 0;
    ThinningState m_thinning; ///< of the iterations of the point in work
    double m_cpuSolve = 0;
    double m_cpuScreen = 0;
    double m_wall = 0;
};

[[nodiscard]] std::string_view recordStateName(RunRecord::State state);

} // namespace lambdascope

// The figures derived from records belong to the same vocabulary.
#include "core/record/record_metrics.h"

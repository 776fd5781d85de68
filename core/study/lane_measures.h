// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"
#include "core/run/event_sink.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// Keeps a record per lane for tables, without embeddings and solutions, which can be large.
class RecordKeeper : public EventSink {
  public:
    void publish(const RunEvent& event) noexcept override;
    [[nodiscard]] const std::vector<RunRecord>& records() const { return m_records; }

  private:
    std::vector<RunRecord> m_records;
};

/// Nothing when there is none.
[[nodiscard]] std::optional<double> meanOf(const std::vector<double>& values);

/// How a lane ended, in a word or two: "path ended", "failed", "running".
[[nodiscard]] std::string endingText(const RunRecord& lane);

/// Why nobody should use what a lane found: it ended by numerical trouble, or its objective is no number at any point.
/// Nothing when there is no such reason.
[[nodiscard]] std::optional<std::string> troubleOf(const RunRecord& lane);

/// A number that a whole lane comes to.
struct LaneMeasure {
    std::string key; ///< of a column
    double value = 0;
};

/// What tables over many runs keep of a lane.
struct LaneResult {
    std::string lane;
    std::string ended;   ///< endingText()
    std::string failure; ///< empty when it did not fail
    std::int64_t points = 0;
    /// points; cpu, cpu_solve, cpu_screen, cpu_ratio (to the baseline) and wall; path_rate, final_rate and after_rate
    /// (means over the points); iterations (sum); objective and measures such as test_error (at the last point). Only
    /// those that the lane has; finite.
    std::vector<LaneMeasure> measures;

    [[nodiscard]] std::optional<double> value(const std::string& key) const;
};
[[nodiscard]] LaneResult laneResult(const RunRecord& lane, const RunRecord* baseline);
/// Of all lanes of one experiment.
[[nodiscard]] std::vector<LaneResult> laneResults(const std::vector<RunRecord>& lanes);

/// Whether a measure is a time, or made of times, and so differs from run to run.
[[nodiscard]] bool isTimeMeasure(const std::string& key);

} // namespace lambdascope

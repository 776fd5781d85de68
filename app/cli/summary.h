// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/run_record.h"
#include "core/run/event_sink.h"

#include <optional>
#include <string>
#include <vector>

namespace lambdascope::cli {

/// Keeps a record per lane for the table at the end, without embeddings and solutions, which can be large.
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

/// One row per lane: points, CPU seconds, ratio to the baseline, screening rates, how it ended.
[[nodiscard]] std::string summaryTable(const std::vector<RunRecord>& lanes);

/// Published numbers beside ours, one row each; empty when the experiment has none.
[[nodiscard]] std::string publishedTable(const std::vector<RunRecord>& lanes);

} // namespace lambdascope::cli

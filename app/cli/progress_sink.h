// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_source.h"
#include "core/run/event_sink.h"

#include <map>
#include <string>

namespace lambdascope::cli {

enum class ProgressStyle {
    Bar,   ///< one line that is drawn over: share, lane, point, gap, time left
    Plain, ///< one line per finished point
    Calm,  ///< one such line per second at most: for logs
    None,
};

/// Twenty characters for the share of a work that is done, in [0, 1]: "[#####...............]".
[[nodiscard]] std::string progressBar(double share);

/// Tells on standard error how the run goes.
class ProgressSink : public EventSink {
  public:
    explicit ProgressSink(ProgressStyle style);
    ~ProgressSink() override;
    ProgressSink(const ProgressSink&) = delete;
    ProgressSink& operator=(const ProgressSink&) = delete;

    void publish(const RunEvent& event) noexcept override;
    /// An event of an earlier process that this one goes on from: counts, and is not told again.
    void takeEarlier(const RunEvent& event);

    /// For reading the data and preparing the problem.
    [[nodiscard]] DataProgress preparation();

    /// Removes the bar, so that other text can follow.
    void clear();

  private:
    struct Lane {
        std::string name;
        std::string axisLabel;
        std::vector<ColumnDescription> columns;
        std::int32_t finished = 0;
        std::int32_t estimated = 0;
        std::int32_t point = 0;
        double axisValue = 0;
        double optimality = 0;
        bool hasEnded = false;
    };

    void take(const RunEvent& event);
    void draw(const Lane& lane);
    void drawLine(const std::string& text);
    void printPoint(const Lane& lane, const PointFinished& point);
    [[nodiscard]] bool printsLines() const { return m_style == ProgressStyle::Plain || m_style == ProgressStyle::Calm; }
    [[nodiscard]] double share() const;

    ProgressStyle m_style;
    std::map<RunId, Lane> m_lanes;
    std::int32_t m_laneCount = 1;
    double m_start;
    double m_earlierShare = 0; ///< done by earlier processes
    double m_lastDrawn = 0;
    bool m_isDrawn = false;
};

} // namespace lambdascope::cli

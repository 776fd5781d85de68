// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_sink.h"

#include "core/common/clocks.h"
#include "core/common/number_text.h"
#include "core/common/text_table.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace lambdascope::cli {

namespace {

constexpr double kDrawInterval = 0.1;
constexpr double kPointInterval = 1;
constexpr std::size_t kDefaultWidth = 80;
constexpr std::size_t kBarWidth = 20;

std::size_t terminalWidth() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kDefaultWidth;
}

/// The first `width` characters of a UTF-8 text.
std::string cutTo(std::string text, std::size_t width) {
    while (displayWidth(text) > width) {
        text.pop_back();
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) {
            text.pop_back();
        }
    }
    return text;
}

std::string percent(double share) {
    return std::to_string(std::lround(100 * share)) + "%";
}

} // namespace

std::string progressBar(double share) {
    const auto filled = static_cast<std::size_t>(std::floor(std::clamp(share, 0.0, 1.0) * kBarWidth));
    return "[" + std::string(filled, '#') + std::string(kBarWidth - filled, '.') + "]";
}

ProgressSink::ProgressSink(ProgressStyle style) : m_style(style), m_start(wallSeconds()) {}

ProgressSink::~ProgressSink() {
    clear();
}

void ProgressSink::publish(const RunEvent& event) noexcept {
    const bool isFailure = std::holds_alternative<RunStarted>(event.body) || // names the lane
                           std::holds_alternative<RunFailed>(event.body);
    if (m_style == ProgressStyle::None && !isFailure) {
        return; // why a lane failed is told all the same
    }
    try {
        take(event);
    } catch (...) {
        m_style = ProgressStyle::None; // no memory to tell; the run matters more
    }
}

void ProgressSink::takeEarlier(const RunEvent& event) {
    const ProgressStyle style = std::exchange(m_style, ProgressStyle::None);
    take(event);
    m_style = style;
    m_earlierShare = share();
    m_start = wallSeconds();
}

void ProgressSink::take(const RunEvent& event) {
    Lane& lane = m_lanes[event.run];
    if (const auto* start = std::get_if<RunStarted>(&event.body)) {
        if (m_lanes.size() == 1) {
            m_start = wallSeconds();
        }
        lane.name = start->laneName;
        lane.axisLabel = start->axisLabel;
        lane.columns = start->columns;
        m_laneCount = start->laneCount;
    } else if (const auto* point = std::get_if<PointStarted>(&event.body)) {
        lane.point = point->index;
        lane.axisValue = point->axisValue;
        lane.estimated = point->estimatedPointCount > point->index ? point->estimatedPointCount : 0;
        draw(lane);
    } else if (const auto* iterated = std::get_if<Iterated>(&event.body)) {
        lane.optimality = iterated->optimality.value;
        draw(lane);
    } else if (const auto* finished = std::get_if<PointFinished>(&event.body)) {
        ++lane.finished;
        if (printsLines()) {
            printPoint(lane, *finished);
        }
    } else if (const auto* end = std::get_if<RunFinished>(&event.body)) {
        lane.hasEnded = true;
        if (printsLines()) {
            std::fprintf(stderr, "%s: %s after %d points\n", lane.name.c_str(),
                         std::string(terminationName(end->termination)).c_str(), end->finishedPoints);
        }
    } else if (const auto* failed = std::get_if<RunFailed>(&event.body)) {
        lane.hasEnded = true;
        clear();
        std::fprintf(stderr, "%s: %s\n", lane.name.c_str(), failed->message.c_str());
    }
}

double ProgressSink::share() const {
    double sum = 0;
    for (const auto& [id, lane] : m_lanes) {
        sum += lane.hasEnded        ? 1
               : lane.estimated > 0 ? std::min(1.0, static_cast<double>(lane.finished) / lane.estimated)
                                    : 0;
    }
    return sum / std::max(1, m_laneCount);
}

void ProgressSink::draw(const Lane& lane) {
    const double now = wallSeconds();
    if (m_style != ProgressStyle::Bar || now - m_lastDrawn < kDrawInterval) {
        return;
    }
    m_lastDrawn = now;
    const double done = share();
    std::string text = progressBar(done) + " " + percent(done) + "  " + lane.name + "  " + lane.axisLabel + " " +
                       std::to_string(lane.point + 1) +
                       (lane.estimated > 0 ? "/" + std::to_string(lane.estimated) : "") + " = " +
                       shortText(lane.axisValue) + "  gap " + shortText(lane.optimality, 2);
    if (done > m_earlierShare) {
        // Guesses need no milliseconds.
        const double left = std::ceil((now - m_start) * (1 - done) / (done - m_earlierShare));
        text += "  ETA " + (left < 60 ? shortText(left) + " s" : durationText(left));
    }
    drawLine(text);
}

void ProgressSink::drawLine(const std::string& text) {
    std::fprintf(stderr, "\r%s\x1b[K", cutTo(text, terminalWidth() - 1).c_str());
    std::fflush(stderr);
    m_isDrawn = true;
}

void ProgressSink::printPoint(const Lane& lane, const PointFinished& point) {
    const double now = wallSeconds();
    if (m_style == ProgressStyle::Calm && now - m_lastDrawn < kPointInterval) {
        return;
    }
    m_lastDrawn = now;
    std::string text = lane.name + ": " + lane.axisLabel + " " + std::to_string(point.index + 1) +
                       (lane.estimated > 0 ? " of about " + std::to_string(lane.estimated) : "") + " = " +
                       shortText(point.axisValue);
    for (std::size_t i = 0; i < lane.columns.size() && i < point.values.size(); ++i) {
        switch (lane.columns[i].role) {
        case ColumnRole::Iterations: text += ", " + shortText(point.values[i]) + " iterations"; break;
        case ColumnRole::Optimality: text += ", gap " + shortText(point.values[i], 2); break;
        case ColumnRole::FinalRate: text += ", " + percent(point.values[i]) + " screened before solved"; break;
        default: break;
        }
    }
    if (point.termination != Termination::Converged) {
        text += ", " + std::string(terminationName(point.termination));
    }
    std::fprintf(stderr, "%s\n", text.c_str());
}

DataProgress ProgressSink::preparation() {
    if (m_style != ProgressStyle::Bar) {
        return {};
    }
    return [this](double done, std::string_view activity) {
        const double now = wallSeconds();
        if (now - m_lastDrawn >= kDrawInterval) {
            m_lastDrawn = now;
            drawLine(progressBar(done) + " " + percent(done) + "  " + std::string(activity));
        }
    };
}

void ProgressSink::clear() {
    if (m_isDrawn) {
        std::fputs("\r\x1b[K", stderr);
        std::fflush(stderr);
        m_isDrawn = false;
    }
}

} // namespace lambdascope::cli

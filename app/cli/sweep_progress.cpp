// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_progress.h"

#include "app/cli/progress_sink.h"
#include "core/common/clocks.h"
#include "core/common/number_text.h"

#include <cmath>
#include <cstdio>

namespace lambdascope::cli {

namespace {

constexpr double kCellInterval = 5;

} // namespace

void SweepProgress::begin(std::size_t cells, std::size_t missing, std::size_t failed) {
    m_cells = cells;
    m_failed = failed;
    m_finished = cells - missing - failed;
    m_lastTold = wallSeconds();
}

std::string SweepProgress::text() const {
    std::string text = std::to_string(m_finished) + " of " + std::to_string(m_cells) + " cells";
    if (m_failed > 0) {
        text += ", " + std::to_string(m_failed) + " failed";
    }
    if (m_progress.running > 0) {
        text += ", " + std::to_string(m_progress.running) + " at work";
    }
    if (m_progress.secondsLeft) {
        const double left = std::ceil(*m_progress.secondsLeft); // guesses need no milliseconds
        text += ", about " + (left < 60 ? shortText(left) + " s" : durationText(left)) + " left";
    }
    return text;
}

void SweepProgress::draw(const std::string& line) {
    std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
    std::fflush(stderr);
    m_isDrawn = true;
}

void SweepProgress::note(const std::string& text) {
    if (m_style == ProgressStyle::Bar) {
        draw(text.substr(0, 78));
    }
}

void SweepProgress::show(const CellProgress& progress) {
    m_progress = progress;
    if (m_style == ProgressStyle::Bar) {
        const auto done = static_cast<double>(m_finished + m_failed);
        draw(progressBar(m_cells > 0 ? done / static_cast<double>(m_cells) : 1) + " " + text());
    } else if (m_style == ProgressStyle::Calm && wallSeconds() - m_lastTold >= kCellInterval) {
        m_lastTold = wallSeconds();
        std::fprintf(stderr, "%s\n", text().c_str());
    }
}

void SweepProgress::ended(const std::string& label, const std::string& failure) {
    ++(failure.empty() ? m_finished : m_failed);
    if (!failure.empty() && m_style != ProgressStyle::None) {
        clear();
        std::fprintf(stderr, "%s: failed: %s\n", label.c_str(), failure.c_str());
    } else if (m_style == ProgressStyle::Plain) {
        std::fprintf(stderr, "%s: finished; %s\n", label.c_str(), text().c_str());
    }
}

void SweepProgress::clear() {
    if (m_isDrawn) {
        std::fputs("\r\x1b[K", stderr);
        std::fflush(stderr);
        m_isDrawn = false;
    }
}

} // namespace lambdascope::cli

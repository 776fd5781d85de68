// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/run_choices.h"
#include "core/study/cell_processes.h"

#include <cstddef>
#include <string>

namespace lambdascope::cli {

/// Tells on standard error how a study goes.
class SweepProgress {
  public:
    explicit SweepProgress(ProgressStyle style) : m_style(style) {}

    /// So many cells, of which these are to be computed; others have failed before.
    void begin(std::size_t cells, std::size_t missing, std::size_t failed);
    /// What is being done before the first cell.
    void note(const std::string& text);
    void show(const CellProgress& progress);
    /// A cell has ended; `failure` is empty when it is finished.
    void ended(const std::string& label, const std::string& failure);
    /// Removes the bar, so that other text can follow.
    void clear();

  private:
    [[nodiscard]] std::string text() const;
    void draw(const std::string& line);

    ProgressStyle m_style;
    std::size_t m_cells = 0;
    std::size_t m_finished = 0;
    std::size_t m_failed = 0;
    CellProgress m_progress;
    double m_lastTold = 0;
    bool m_isDrawn = false;
};

} // namespace lambdascope::cli

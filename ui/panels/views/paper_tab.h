// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/published_comparison.h"
#include "ui/panels/views/run_tab.h"

#include <vector>

class QTableWidget;

namespace lambdascope {

/// The numbers that a paper printed beside those that the newest run of it gave: theirs, ours, their ratio, and why
/// they differ. Ours are there when all lanes have ended: half a path compares with nothing.
class PaperTab : public RunTab {
    Q_OBJECT

  public:
    PaperTab(RunCollection& runs, PathCursor& cursor, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<FigureView*> charts() const override { return {}; }
    [[nodiscard]] QTableWidget* table() const { return m_table; }
    /// All rows with sources and notes, tab-separated, under a header line.
    [[nodiscard]] QString text() const;
    void copyText() const;

    /// Whether a run is of an experiment that a paper has printed numbers of.
    [[nodiscard]] static bool fits(const std::vector<ShownRun>& runs);
    /// How many numbers there are, in words.
    [[nodiscard]] static QString summary(const std::vector<ShownRun>& runs);

  protected:
    void rebuild(const std::vector<ShownRun>& runs) override;
    void moveCursor(const std::vector<ShownRun>&) override {}
    void resizeEvent(QResizeEvent* event) override;

  private:
    std::vector<PublishedComparison> m_rows;
    QTableWidget* m_table;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/inspect/item_brush.h"

#include <QWidget>

class QLabel;

namespace lambdascope {

class PathCursor;

/// What the items that were marked with a box have in common: how many they are, and how many of them each lane has
/// decided at the cursor, since when. Hidden while nothing is marked.
class MarksBar : public QWidget {
    Q_OBJECT

  public:
    MarksBar(RunCollection& runs, PathCursor& cursor, RunLensSession& lens, QWidget* parent = nullptr);

    /// The lane that is told about in a sentence, if it is among those that the marks are of; others in a few words.
    void setRun(RunId run);
    /// What is shown, as plain text.
    [[nodiscard]] QString text() const;

  private:
    void refresh();
    /// "12 samples marked: 1,234 triplets whose anchor is among them."
    [[nodiscard]] QString markedText() const;
    /// "PGB at λ = 2.05 (point 31): 209 screened (97.7 %; 180 in R, 29 in L), first at …; 5 undecided."
    [[nodiscard]] QString laneText(const ItemBrush::Answer& answer) const;
    /// "GB 150 (70.1 %)".
    [[nodiscard]] QString briefText(const ItemBrush::Answer& answer) const;
    [[nodiscard]] QString progressText() const;

    RunCollection& m_runs;
    PathCursor& m_cursor;
    RunLensSession& m_lens;
    ItemBrush& m_brush;
    RunId m_run;
    QLabel* m_text;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/inspector/formula.h"

#include <QFont>
#include <QPainterPath>
#include <QPointF>
#include <QStringList>

#include <vector>

class QColor;
class QPainter;

namespace lambdascope {

/// Where the letters and lines of a formula lie, in logical pixels from the left end of its baseline; y grows
/// downwards.
struct FormulaBox {
    struct Text {
        QPointF at; ///< left end of its baseline
        QString text;
        QFont font;
        QRectF ink; ///< what it covers
    };
    struct Stroke {
        QPainterPath path;
        double width = 1;
    };
    double width = 0;
    double ascent = 0;
    double descent = 0;
    std::vector<Text> texts;
    std::vector<Stroke> strokes; ///< bars, radicals, fences

    [[nodiscard]] double height() const { return ascent + descent; }
    /// Puts another box into this one, which grows to hold it.
    void add(const FormulaBox& other, QPointF at);
    void paint(QPainter& painter, QPointF baseline, const QColor& colour) const;
};

/// Text as it is.
[[nodiscard]] FormulaBox textBox(const QString& text, QFont font, bool isItalic);
[[nodiscard]] FormulaBox layoutFormula(const Formula& formula, const QFont& font);

/// A formula in one or more forms, a line each, and words about it.
struct FormulaLines {
    QStringList formulas; ///< plain text, see parseFormula(); what is none is set as words
    QString words;        ///< wrapped, in a muted colour; may be empty
    QStringList closing;  ///< more formulas, after the words
};

/// Lines below each other in a given width: aligned at their first relation where that fits, else broken before
/// relations and operators; what is still too wide ends in an ellipsis. Words stand behind a single formula where they
/// fit there.
struct FormulaBlock {
    struct Line {
        QPointF at; ///< of the baseline, from the top left corner
        FormulaBox box;
        bool isWords = false;
    };
    double width = 0;
    double height = 0;
    std::vector<Line> lines;
};
[[nodiscard]] FormulaBlock layoutLines(const FormulaLines& lines, const QFont& font, double width);

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/formula_layout.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace lambdascope {

namespace {

using Kind = Formula::Kind;

// In units of the type size.
constexpr double kBinarySpace = 0.22;
constexpr double kRelationSpace = 0.28;
constexpr double kWordSpace = 0.28;
constexpr double kScriptSize = 0.72;
constexpr double kAboveRow = 0.42; ///< baseline of what stands above a low base
constexpr double kBelowRow = 0.2;
constexpr double kBarGap = 0.14;
constexpr int kLeastScript = 7; ///< px

double emOf(const QFont& font) {
    return QFontInfo(font).pixelSize();
}

QFont scaled(const QFont& font, double factor) {
    QFont smaller = font;
    smaller.setPixelSize(std::max(kLeastScript, qRound(factor * emOf(font))));
    return smaller;
}

/// The height above the baseline at which bars stand and fences have their middle.
double axisOf(const QFont& font) {
    return QFontMetricsF(font).xHeight() / 2;
}

FormulaBox::Stroke line(const std::vector<QPointF>& points, double width) {
    QPainterPath path(points.front());
    for (std::size_t i = 1; i < points.size(); ++i) {
        path.lineTo(points[i]);
    }
    return {path, width};
}

double strokeWidth(const QFont& font) {
    return std::max(1.0, emOf(font) / 14);
}

FormulaBox fractionBox(const Formula& formula, const QFont& font) {
    const FormulaBox above = layoutFormula(formula.parts[0], font);
    const FormulaBox below = layoutFormula(formula.parts[1], font);
    const double em = emOf(font);
    const double axis = axisOf(font);
    const double thick = strokeWidth(font);
    const double inner = std::max(above.width, below.width) + 0.2 * em;
    const double side = 0.1 * em;
    FormulaBox box;
    box.add(above, {side + (inner - above.width) / 2, -axis - thick / 2 - kBarGap * em - above.descent});
    box.add(below, {side + (inner - below.width) / 2, -axis + thick / 2 + kBarGap * em + below.ascent});
    box.strokes.push_back(line({{side, -axis}, {side + inner, -axis}}, thick));
    box.width = inner + 2 * side;
    return box;
}

FormulaBox rootBox(const Formula& formula, const QFont& font) {
    const FormulaBox inside = layoutFormula(formula.parts[0], font);
    const double em = emOf(font);
    const double thick = strokeWidth(font);
    const double sign = 0.62 * em;
    const double top = -inside.ascent - kBarGap * em;
    const double bottom = inside.descent + 0.05 * em;
    FormulaBox box;
    box.add(inside, {sign, 0});
    box.width = sign + inside.width + 0.08 * em;
    const double knee = bottom - 0.42 * (bottom - top);
    box.strokes.push_back(line({{0.04 * em, knee + 0.06 * em},
                                {0.16 * em, knee},
                                {0.34 * em, bottom},
                                {sign - 0.04 * em, top},
                                {box.width, top}},
                               thick));
    box.ascent = -top + thick;
    box.descent = std::max(box.descent, bottom + thick / 2);
    return box;
}

FormulaBox scriptBox(const Formula& formula, const QFont& font) {
    const FormulaBox base = layoutFormula(formula.parts[0], font);
    const QFont small = scaled(font, kScriptSize);
    const double em = emOf(font);
    FormulaBox box;
    box.add(base, {0, 0});
    const double from = base.width + 0.04 * em;
    FormulaBox above;
    FormulaBox below;
    if (!formula.parts[1].parts.empty()) {
        above = layoutFormula(formula.parts[1], small);
    }
    if (!formula.parts[2].parts.empty()) {
        below = layoutFormula(formula.parts[2], small);
    }
    const double up = std::max(kAboveRow * em, base.ascent - 0.6 * QFontMetricsF(small).capHeight());
    double down = std::max(kBelowRow * em, base.descent);
    if (!above.texts.empty() && !below.texts.empty()) { // they do not touch
        down = std::max(down, below.ascent - (up - above.descent) + 0.1 * em);
    }
    if (!above.texts.empty()) {
        box.add(above, {from, -up});
    }
    if (!below.texts.empty()) {
        box.add(below, {from, down});
    }
    return box;
}

/// The strokes of one sign of a fence between `top` and `bottom`, opening to the right; mirrored in `width` for the
/// other side.
std::vector<FormulaBox::Stroke> fenceStrokes(QChar sign, double top, double bottom, double width, const QFont& font) {
    const double thick = strokeWidth(font);
    const double middle = (top + bottom) / 2;
    const double in = 0.25 * width;
    const double out = 0.8 * width;
    switch (sign.unicode()) {
    case u'|': return {line({{width / 2, top}, {width / 2, bottom}}, thick)};
    case u'‖':
        return {line({{0.22 * width, top}, {0.22 * width, bottom}}, thick),
                line({{0.78 * width, top}, {0.78 * width, bottom}}, thick)};
    case u'⟨': return {line({{out, top}, {in, middle}, {out, bottom}}, thick)};
    case u'⟩': return {line({{width - out, top}, {width - in, middle}, {width - out, bottom}}, thick)};
    case u'[': return {line({{out, top}, {in, top}, {in, bottom}, {out, bottom}}, thick)};
    case u']':
        return {line({{width - out, top}, {width - in, top}, {width - in, bottom}, {width - out, bottom}}, thick)};
    default: break;
    }
    const bool isOpening = sign == u'(' || sign == u'{';
    const double from = isOpening ? out : width - out;
    const double bow = isOpening ? 0.15 * width : 0.85 * width;
    const double third = 0.3 * (bottom - top);
    QPainterPath path({from, top});
    path.cubicTo({bow, top + third}, {bow, bottom - third}, {from, bottom});
    return {{path, thick}};
}

FormulaBox fenceBox(const Formula& formula, const QFont& font) {
    const FormulaBox inside = layoutFormula(formula.parts[0], font);
    const double em = emOf(font);
    const double width = (formula.text.front() == u'|' ? 0.3 : 0.4) * em;
    const double air = 0.06 * em; // slanted letters lean over
    const double top = -std::max(inside.ascent, QFontMetricsF(font).capHeight()) - 0.08 * em;
    const double bottom = std::max(inside.descent, 0.14 * em) + 0.04 * em;
    FormulaBox box;
    box.add(inside, {width, 0});
    for (const bool isClosing : {false, true}) {
        for (FormulaBox::Stroke& stroke : fenceStrokes(formula.text[isClosing ? 1 : 0], top, bottom, width, font)) {
            stroke.path.translate(isClosing ? width + inside.width + air : 0, 0);
            box.strokes.push_back(std::move(stroke));
        }
    }
    box.width = inside.width + 2 * width + air;
    box.ascent = std::max(box.ascent, -top);
    box.descent = std::max(box.descent, bottom);
    return box;
}

/// Blanks before and after part `k` of a row.
std::pair<double, double> spaceAround(const std::vector<Formula>& parts, std::size_t k, double em) {
    const Formula& part = parts[k];
    if (part.kind == Kind::Relation) {
        const bool isFirst = k == 0;
        return {isFirst ? 0 : kRelationSpace * em, kRelationSpace * em};
    }
    if (part.kind == Kind::Operator) {
        if (part.text == QLatin1String(",") || part.text == QLatin1String(";") || part.text == QLatin1String(":")) {
            return {0, (part.isSpaced || (k + 1 < parts.size() && parts[k + 1].isSpaced) ? kWordSpace : 0.12) * em};
        }
        const bool isFirst = k == 0 || parts[k - 1].isSign() || parts[k - 1].kind == Kind::Word;
        const bool isUnary = isFirst && (k + 1 == parts.size() || !parts[k + 1].isSpaced);
        if (isFirst) {
            return {k > 0 && parts[k - 1].kind == Kind::Word ? kWordSpace * em : 0, isUnary ? 0 : kBinarySpace * em};
        }
        return {kBinarySpace * em, kBinarySpace * em};
    }
    const bool isAfterFactor = k > 0 && !parts[k - 1].isSign();
    return {!isAfterFactor ? 0 : part.isSpaced ? kWordSpace * em : 0.05 * em, 0};
}

FormulaBox rowBox(const std::vector<Formula>& parts, const QFont& font) {
    FormulaBox box;
    double x = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const auto [before, after] = spaceAround(parts, k, emOf(font));
        x += before;
        const FormulaBox part = layoutFormula(parts[k], font);
        box.add(part, {x, 0});
        x += part.width + after;
    }
    return box;
}

} // namespace

void FormulaBox::add(const FormulaBox& other, QPointF at) {
    for (Text text : other.texts) {
        text.at += at;
        texts.push_back(std::move(text));
    }
    for (Stroke stroke : other.strokes) {
        stroke.path.translate(at);
        strokes.push_back(std::move(stroke));
    }
    width = std::max(width, at.x() + other.width);
    ascent = std::max(ascent, other.ascent - at.y());
    descent = std::max(descent, other.descent + at.y());
}

FormulaBox textBox(const QString& text, QFont font, bool isItalic) {
    font.setItalic(isItalic);
    const QFontMetricsF metrics(font);
    const QRectF tight = metrics.tightBoundingRect(text);
    FormulaBox box;
    box.width = std::max(metrics.horizontalAdvance(text), tight.right());
    box.ascent = std::max(-tight.top(), metrics.xHeight());
    box.descent = std::max(tight.bottom(), 0.0);
    box.texts.push_back({{0, 0}, text, font, tight});
    return box;
}

void FormulaBox::paint(QPainter& painter, QPointF baseline, const QColor& colour) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.translate(baseline);
    for (const Text& text : texts) {
        painter.setPen(colour);
        painter.setFont(text.font);
        painter.drawText(text.at, text.text);
    }
    for (const Stroke& stroke : strokes) {
        const QRectF extent = stroke.path.boundingRect();
        painter.setRenderHint(QPainter::Antialiasing, extent.width() > 0 && extent.height() > 0); // bars are crisp
        painter.strokePath(stroke.path, QPen(colour, stroke.width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    }
    painter.restore();
}

FormulaBox layoutFormula(const Formula& formula, const QFont& font) {
    switch (formula.kind) {
    case Kind::Row: return rowBox(formula.parts, font);
    case Kind::Fraction: return fractionBox(formula, font);
    case Kind::Root: return rootBox(formula, font);
    case Kind::Script: return scriptBox(formula, font);
    case Kind::Fence: return fenceBox(formula, font);
    case Kind::Symbol: {
        const QChar letter = formula.text.front();
        const bool isGreekCapital = letter.unicode() >= 0x0391 && letter.unicode() <= 0x03A9;
        return textBox(formula.text, font, letter.isLetter() && !isGreekCapital);
    }
    case Kind::Word:
    case Kind::Number:
    case Kind::Operator:
    case Kind::Relation: break;
    }
    return textBox(formula.text, font, false);
}

} // namespace lambdascope

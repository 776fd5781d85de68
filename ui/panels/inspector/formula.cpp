// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/formula.h"

#include <QRegularExpression>
#include <QStringView>

#include <algorithm>
#include <utility>

namespace lambdascope {

namespace {

using Kind = Formula::Kind;

constexpr QStringView kOperators = u"+-−±·×,;:"; // a colon stands before what a formula is of
constexpr QStringView kRelations = u"=<>≤≥≠≈∈⪰⪯";
constexpr QStringView kOpening = u"([{⟨‖|";
constexpr QStringView kClosing = u")]}⟩‖|";
constexpr QStringView kSigns = u"∇∂∞…′%*"; // symbols that are no letters

bool isScript(QChar c) {
    return c.decompositionTag() == QChar::Super || c.decompositionTag() == QChar::Sub;
}

bool isGreek(QChar c) {
    return c.unicode() >= 0x0370 && c.unicode() <= 0x03FF;
}

/// What remains of "(a + b)" below or above a bar.
Formula withoutBrackets(std::vector<Formula> parts) {
    if (parts.size() == 1 && parts.front().kind == Kind::Fence && parts.front().text == QLatin1String("()")) {
        return parts.front().parts.front();
    }
    return {Kind::Row, {}, std::move(parts)};
}

/// Recursive descent; `m_isGood` turns false at what cannot be read.
class Reader {
  public:
    explicit Reader(QStringView text) : m_text(text) {}

    Formula row(QChar closing) {
        Formula made;
        bool isSpaced = false;
        while (m_isGood && !isAtEnd() && peek() != closing) {
            if (peek().isSpace()) {
                ++m_at;
                isSpaced = true;
                continue;
            }
            if (peek() == u'/') {
                ++m_at;
                divide(made.parts);
            } else {
                made.parts.push_back(kOperators.contains(peek())   ? taken(Kind::Operator)
                                     : kRelations.contains(peek()) ? taken(Kind::Relation)
                                                                   : factor());
                made.parts.back().isSpaced = std::exchange(isSpaced, false) && made.parts.size() > 1;
            }
        }
        return made;
    }
    [[nodiscard]] bool isGood() const { return m_isGood; }
    [[nodiscard]] bool isAtEnd() const { return m_at >= m_text.size(); }

  private:
    [[nodiscard]] QChar peek() const { return isAtEnd() ? QChar() : m_text[m_at]; }
    Formula taken(Kind kind) {
        const QChar c = m_text[m_at++];
        return {kind, c == u'-' ? QString(QChar(0x2212)) : QString(c)};
    }

    void divide(std::vector<Formula>& parts) {
        const auto first =
            std::find_if(parts.rbegin(), parts.rend(), [](const Formula& part) { return part.isSign(); }).base();
        std::vector<Formula> above(first, parts.end());
        parts.erase(first, parts.end());
        std::vector<Formula> below;
        while (m_isGood && !isAtEnd() && !peek().isSpace() && peek() != u'/' && !kOperators.contains(peek()) &&
               !kRelations.contains(peek()) && !isEndOfFence()) {
            below.push_back(factor());
        }
        m_isGood = m_isGood && !above.empty() && !below.empty();
        const bool isSpaced = !above.empty() && above.front().isSpaced;
        if (m_isGood) {
            parts.push_back(
                {Kind::Fraction, {}, {withoutBrackets(std::move(above)), withoutBrackets(std::move(below))}, isSpaced});
        }
    }
    /// Signs that open and close alike close what is open.
    [[nodiscard]] bool isEndOfFence() const {
        return kClosing.contains(peek()) && (!kOpening.contains(peek()) || m_open.contains(peek()));
    }

    Formula factor() {
        Formula base = atom();
        Formula above;
        Formula below;
        while (m_isGood && !isAtEnd() && (isScript(peek()) || peek() == u'_')) {
            if (peek() == u'_') {
                ++m_at;
                below.parts.push_back(letters(true));
            } else {
                (peek().decompositionTag() == QChar::Super ? above : below).parts.push_back(script());
            }
        }
        if (above.parts.empty() && below.parts.empty()) {
            return base;
        }
        return {Kind::Script, {}, {std::move(base), std::move(above), std::move(below)}};
    }

    Formula script() {
        const QString plain = m_text[m_at++].decomposition();
        const QChar c = plain.front();
        return {c.isDigit()              ? Kind::Number
                : kOperators.contains(c) ? Kind::Operator
                : c == u'T'              ? Kind::Word // transposed
                                         : Kind::Symbol,
                plain == QLatin1String("-") ? QString(QChar(0x2212)) : plain};
    }

    Formula atom() {
        const QChar c = peek();
        if (c == u'√') {
            ++m_at;
            return {Kind::Root, {}, {withoutBrackets({peek() == u'(' ? fence() : factor()})}};
        }
        if (kOpening.contains(c) && !isEndOfFence()) {
            return fence();
        }
        if (c.isDigit() || c == u'.') {
            return number();
        }
        if (c.decompositionTag() == QChar::Fraction) {
            ++m_at;
            const QStringList ends = c.decomposition().split(QChar(0x2044));
            return {Kind::Fraction, {}, {{Kind::Number, ends.value(0)}, {Kind::Number, ends.value(1)}}};
        }
        if (c.isLetter()) {
            return letters(false);
        }
        if (kSigns.contains(c)) {
            return taken(Kind::Symbol);
        }
        m_isGood = false;
        return {};
    }

    Formula fence() {
        const QChar opening = m_text[m_at++];
        const QChar closing = kClosing[kOpening.indexOf(opening)];
        m_open.append(closing);
        Formula inside = row(closing);
        m_open.chop(1);
        m_isGood = m_isGood && peek() == closing;
        ++m_at;
        return {Kind::Fence, QString(opening) + closing, {std::move(inside)}};
    }

    Formula number() {
        static const QRegularExpression form(QStringLiteral("^([0-9]*\\.?[0-9]+)(?:[eE]([+-]?)0*([0-9]+))?"));
        const QRegularExpressionMatch match = form.match(m_text.mid(m_at).toString());
        if (!match.hasMatch()) {
            m_isGood = false;
            return {};
        }
        m_at += match.capturedLength();
        Formula digits{Kind::Number, match.captured(1)};
        if (match.captured(3).isEmpty()) {
            return digits;
        }
        Formula power{Kind::Row, {}, {{Kind::Number, match.captured(3)}}};
        if (match.captured(2) == QLatin1String("-")) {
            power.parts.insert(power.parts.begin(), {Kind::Operator, QString(QChar(0x2212))});
        }
        return {Kind::Row,
                {},
                {digits,
                 {Kind::Operator, QStringLiteral("·")},
                 {Kind::Script, {}, {{Kind::Number, QStringLiteral("10")}, std::move(power), {}}}}};
    }

    /// A word or a symbol; below a base all letters and digits belong together.
    Formula letters(bool isBelow) {
        const auto from = m_at;
        const auto lengthWhile = [&](auto belongs) {
            auto end = from;
            while (end < m_text.size() && belongs(m_text[end]) && !isScript(m_text[end])) {
                ++end;
            }
            return end - from;
        };
        const auto isLatin = [](QChar c) { return c.isLetter() && !isGreek(c); };
        const auto all = lengthWhile([&](QChar c) { return isBelow ? c.isLetterOrNumber() : isLatin(c); });
        const auto small = lengthWhile([&](QChar c) { return isLatin(c) && c.isLower(); });
        const auto capital = lengthWhile([&](QChar c) { return isLatin(c) && c.isUpper(); });
        const bool isWord = all > 1 && (isBelow || small == all || capital == all);
        auto length = isWord ? all : std::min<qsizetype>(1, m_text.size() - from);
        while (from + length < m_text.size() && m_text[from + length].isMark()) {
            ++length; // a hat or a bar above
        }
        m_at = from + length;
        m_isGood = m_isGood && length > 0;
        return {isWord ? Kind::Word : Kind::Symbol, m_text.mid(from, length).toString()};
    }

    QStringView m_text;
    qsizetype m_at = 0;
    QString m_open; ///< signs that close what is open
    bool m_isGood = true;
};

} // namespace

std::optional<Formula> parseFormula(const QString& text) {
    Reader reader(text);
    Formula formula = reader.row(QChar());
    return reader.isGood() && reader.isAtEnd() && !formula.parts.empty() ? std::optional(std::move(formula))
                                                                         : std::nullopt;
}

} // namespace lambdascope

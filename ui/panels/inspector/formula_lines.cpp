// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/formula_layout.h"

#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <array>

namespace lambdascope {

namespace {

// In units of the type size.
constexpr double kAtRelation = 0.28; ///< blank before a relation at which lines are aligned
constexpr double kIndent = 1.2;      ///< of continued lines
constexpr double kLeading = 0.3;     ///< between lines

/// Leaves out what is beyond `width`, and says so.
FormulaBox elided(FormulaBox box, const QFont& font, double width) {
    if (box.width <= width) {
        return box;
    }
    const FormulaBox dots = textBox(QStringLiteral("…"), font, false);
    const double end = std::max(0.0, width - dots.width);
    std::erase_if(box.texts, [end](const FormulaBox::Text& text) {
        return text.at.x() + std::max(text.ink.right(), QFontMetricsF(text.font).horizontalAdvance(text.text)) > end;
    });
    std::erase_if(box.strokes,
                  [end](const FormulaBox::Stroke& stroke) { return stroke.path.boundingRect().right() > end; });
    double used = 0;
    for (const FormulaBox::Text& text : box.texts) {
        used = std::max(used, text.at.x() + text.ink.right());
    }
    for (const FormulaBox::Stroke& stroke : box.strokes) {
        used = std::max(used, stroke.path.boundingRect().right());
    }
    box.width = used;
    box.add(dots, {used, 0});
    return box;
}

/// Puts lines below each other.
class Setter {
  public:
    Setter(const QFont& font, double width) : m_font(font), m_em(QFontInfo(font).pixelSize()), m_width(width) {}

    void addLine(const FormulaBox& box, double x, bool isWords) {
        const double least = QFontMetricsF(m_font).capHeight();
        const double ascent = std::max(box.ascent, least);
        m_y += m_block.lines.empty() ? 0 : kLeading * m_em;
        m_block.lines.push_back({{x, m_y + ascent}, box, isWords});
        m_y += ascent + std::max(box.descent, 0.25 * m_em);
        m_block.width = std::max(m_block.width, x + box.width);
        m_block.height = m_y;
    }
    void addFormulas(const QStringList& texts) {
        std::vector<std::vector<Formula>> rows;
        for (const QString& text : texts) {
            if (auto formula = parseFormula(text)) {
                rows.push_back(std::move(formula->parts));
            } else {
                flush(rows);
                addWords(text, false);
            }
        }
        flush(rows);
    }
    /// With `isBehind` in the line of the last formula, where there is room.
    void addWords(const QString& words, bool isBehind) {
        const QFontMetricsF metrics(m_font);
        if (isBehind && m_block.lines.size() == 1 && !words.isEmpty()) {
            const double x = m_block.lines.front().box.width + m_block.lines.front().at.x() + m_em;
            if (x + metrics.horizontalAdvance(words) <= m_width) {
                m_block.lines.push_back({{x, m_block.lines.front().at.y()}, textBox(words, m_font, false), true});
                m_block.width = x + m_block.lines.back().box.width;
                return;
            }
        }
        QString line;
        for (const QString& word : words.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
            if (!line.isEmpty() && metrics.horizontalAdvance(longer) > m_width) {
                addLine(wordsBox(line), 0, true);
                line = word;
            } else {
                line = longer;
            }
        }
        if (!line.isEmpty()) {
            addLine(wordsBox(line), 0, true);
        }
    }
    [[nodiscard]] FormulaBlock take() { return std::move(m_block); }

  private:
    [[nodiscard]] FormulaBox wordsBox(const QString& words) const {
        return textBox(QFontMetricsF(m_font).elidedText(words, Qt::ElideRight, m_width), m_font, false);
    }
    [[nodiscard]] FormulaBox rowBox(const std::vector<Formula>& row, std::size_t first, std::size_t last) const {
        const auto at = [&](std::size_t k) { return row.begin() + static_cast<std::ptrdiff_t>(k); };
        return layoutFormula({Formula::Kind::Row, {}, std::vector<Formula>(at(first), at(last))}, m_font);
    }
    static std::size_t relationIn(const std::vector<Formula>& row) {
        return static_cast<std::size_t>(
            std::find_if(row.begin(), row.end(),
                         [](const Formula& part) { return part.kind == Formula::Kind::Relation; }) -
            row.begin());
    }
    /// Sets rows aligned at their first relations, or broken.
    void flush(std::vector<std::vector<Formula>>& rows) {
        std::vector<std::array<FormulaBox, 2>> halves;
        double left = 0;
        double right = 0;
        for (const auto& row : rows) {
            const std::size_t relation = relationIn(row);
            halves.push_back({rowBox(row, 0, relation), rowBox(row, relation, row.size())});
            left = std::max(left, halves.back()[0].width);
            right = std::max(right, halves.back()[1].width);
        }
        const double space = kAtRelation * m_em;
        const bool isAligned = left + space + right <= m_width;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if (!isAligned) {
                addBroken(rows[k]);
                continue;
            }
            FormulaBox whole = halves[k][0];
            const double indent = rows.size() > 1 ? left - whole.width : 0;
            whole.add(halves[k][1], {whole.width + (halves[k][0].texts.empty() ? 0 : space), 0});
            addLine(whole, indent, false);
        }
        rows.clear();
    }
    /// Breaks before relations and operators, as late as possible.
    void addBroken(const std::vector<Formula>& row) {
        std::size_t first = 0;
        while (first < row.size()) {
            const double indent = first == 0 ? 0 : kIndent * m_em;
            std::size_t last = row.size();
            while (last > first + 1 && indent + rowBox(row, first, last).width > m_width) {
                do {
                    --last;
                } while (last > first + 1 && !row[last].isSign());
            }
            last = last == first + 1 ? nextBreak(row, first) : last;
            addLine(elided(rowBox(row, first, last), m_font, m_width - indent), indent, false);
            first = last;
        }
    }
    /// Where a piece that is too wide in any case ends.
    static std::size_t nextBreak(const std::vector<Formula>& row, std::size_t first) {
        std::size_t last = first + 1;
        last += row[first].isSign() && last < row.size() ? 1 : 0;
        while (last < row.size() && !row[last].isSign()) {
            ++last;
        }
        return last;
    }

    QFont m_font;
    double m_em;
    double m_width;
    double m_y = 0;
    FormulaBlock m_block;
};

} // namespace

FormulaBlock layoutLines(const FormulaLines& lines, const QFont& font, double width) {
    Setter setter(font, width);
    setter.addFormulas(lines.formulas);
    setter.addWords(lines.words, lines.formulas.size() == 1);
    setter.addFormulas(lines.closing);
    return setter.take();
}

} // namespace lambdascope

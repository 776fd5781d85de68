// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lens_capability.h"
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/inspector/explanation_text.h"
#include "ui/panels/inspector/formula.h"
#include "ui/panels/inspector/formula_delegate.h"
#include "ui/panels/inspector/formula_layout.h"
#include "ui/panels/inspector/why_panel.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFontMetricsF>
#include <QGlyphRun>
#include <QImage>
#include <QPainter>
#include <QTextLayout>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>
#include <set>

namespace lambdascope {
namespace {

using Kind = Formula::Kind;

QFont sized(int pixels) {
    QFont font = QApplication::font();
    font.setPixelSize(pixels);
    return font;
}

FormulaBox boxOf(const QString& text, int pixels = 16) {
    const auto formula = parseFormula(text);
    EXPECT_TRUE(formula) << text.toStdString();
    return formula ? layoutFormula(*formula, sized(pixels)) : FormulaBox();
}

QRectF inkOf(const FormulaBox::Text& text) {
    return text.ink.translated(text.at);
}

const FormulaBox::Text& textCalled(const FormulaBox& box, const QString& text) {
    const auto found = std::find_if(box.texts.begin(), box.texts.end(),
                                    [&](const FormulaBox::Text& candidate) { return candidate.text == text; });
    EXPECT_NE(found, box.texts.end()) << text.toStdString();
    return found == box.texts.end() ? box.texts.front() : *found;
}

/// What explanations of every family write, with all rules.
const std::vector<QString>& sayings() {
    static const std::vector<QString> all{
        "⟨H,Q⟩ − r‖H‖ > 1",
        "⟨H,Q⟩ + r‖H‖ < τ − γ",
        "⟨H,Q⟩ − β⟨P,Q⟩ − r‖H − βP‖ > 1",
        "D(z) > r², for −H",
        "r² = (r of GB)² − ‖[Q of GB]₋‖²",
        "r = |λ₀ − λ|/2λ · ‖M₀‖ + (|λ₀ − λ| + λ₀ + λ)/2λ · ε",
        "r² = gap/λ − ¼‖M − M(α)‖²",
        "r² = ‖∇P‖²/4λ² + slack/λ",
        "r = √(2 gap/λ)",
        "‖x_i − x_l‖² = 3.25",
        "zᵀm₁ = -1.5e-07",
        "min zᵀw over both balls > 1",
        "f⁰ − r‖φ‖ + β_low > 1",
        "|f| < 1 for all f⁰ ± r‖φ‖ + β",
        "3.2 − 0.5 · -2e+10 = 4.2 > 1",
    };
    return all;
}

TEST(FormulaTest, IsReadAsATree) {
    const auto sum = parseFormula("⟨H,Q⟩ − r‖H‖ > 1");
    ASSERT_TRUE(sum);
    std::vector<Kind> kinds;
    for (const Formula& part : sum->parts) {
        kinds.push_back(part.kind);
    }
    EXPECT_EQ(kinds,
              (std::vector{Kind::Fence, Kind::Operator, Kind::Symbol, Kind::Fence, Kind::Relation, Kind::Number}));
    const auto quotient = parseFormula("(|a − b| + c)/2λ · ε");
    ASSERT_TRUE(quotient && quotient->parts.size() == 3);
    const Formula& fraction = quotient->parts.front();
    ASSERT_EQ(fraction.kind, Kind::Fraction);
    EXPECT_EQ(fraction.parts[0].kind, Kind::Row) << "the bar takes the place of the brackets";
    EXPECT_EQ(fraction.parts[0].parts.size(), 3U);
    EXPECT_EQ(fraction.parts[1].parts.size(), 2U);
    const auto power = parseFormula("‖[Q − zH]₋‖²");
    ASSERT_TRUE(power && power->parts.size() == 1);
    EXPECT_EQ(power->parts[0].kind, Kind::Script);
    EXPECT_EQ(power->parts[0].parts[1].parts.front().text, "2");
    const auto words = parseFormula("gap of M(α) = 3.1e-06");
    ASSERT_TRUE(words);
    EXPECT_EQ(words->parts[0].kind, Kind::Word);
    EXPECT_EQ(words->parts[2].kind, Kind::Symbol);
    EXPECT_EQ(words->parts.back().parts.size(), 3U) << "a power of ten";
    for (const char* bad : {"", "a)", "(a", "⟨a‖", "/b", "a/", "a_", "√", "‖(a‖)", "a \\frac", "€"}) {
        EXPECT_FALSE(parseFormula(QString::fromUtf8(bad))) << bad;
    }
}

TEST(FormulaTest, FractionsStandAboveAndBelowTheirBar) {
    for (const int size : {11, 16, 32}) {
        const FormulaBox box = boxOf("gap/λ", size);
        ASSERT_EQ(box.strokes.size(), 1U);
        const QRectF bar = box.strokes.front().path.boundingRect();
        const QRectF above = inkOf(textCalled(box, "gap"));
        const QRectF below = inkOf(textCalled(box, "λ"));
        EXPECT_LT(above.bottom(), bar.top());
        EXPECT_GT(below.top(), bar.bottom());
        EXPECT_GE(above.left(), bar.left());
        EXPECT_LE(above.right(), bar.right());
        EXPECT_NEAR(above.center().x(), bar.center().x(), 0.15 * size);
        EXPECT_NEAR(below.center().x(), bar.center().x(), 0.15 * size);
    }
}

TEST(FormulaTest, ScriptsStandAboveAndBelowTheBaselineAndAreSmaller) {
    const FormulaBox power = boxOf("r²");
    EXPECT_LT(textCalled(power, "2").at.y(), 0);
    EXPECT_LT(textCalled(power, "2").font.pixelSize(), textCalled(power, "r").font.pixelSize());
    const FormulaBox index = boxOf("λ₀");
    EXPECT_GT(textCalled(index, "0").at.y(), 0);
    const FormulaBox both = boxOf("w₀ᵀw");
    EXPECT_LT(inkOf(textCalled(both, "T")).bottom(), inkOf(textCalled(both, "0")).top());
    EXPECT_TRUE(textCalled(index, "λ").font.italic());
    EXPECT_FALSE(textCalled(index, "0").font.italic());
    EXPECT_FALSE(boxOf("∇").texts.front().font.italic());
}

TEST(FormulaTest, NothingCoversAnythingElse) {
    for (const QString& text : sayings()) {
        const FormulaBox box = boxOf(text);
        for (std::size_t a = 0; a < box.texts.size(); ++a) {
            const QRectF first = inkOf(box.texts[a]).adjusted(0.6, 0.6, -0.6, -0.6); // letters touch by a hair
            EXPECT_GE(inkOf(box.texts[a]).top(), -box.ascent - 0.01) << text.toStdString();
            EXPECT_LE(inkOf(box.texts[a]).bottom(), box.descent + 0.01) << text.toStdString();
            EXPECT_LE(inkOf(box.texts[a]).right(), box.width + 0.6) << text.toStdString();
            for (std::size_t b = a + 1; b < box.texts.size(); ++b) {
                EXPECT_FALSE(first.intersects(inkOf(box.texts[b]).adjusted(0.6, 0.6, -0.6, -0.6)))
                    << text.toStdString() << ": " << box.texts[a].text.toStdString() << " over "
                    << box.texts[b].text.toStdString();
            }
        }
    }
}

TEST(FormulaTest, ItsRootAndItsFencesHoldWhatIsInThem) {
    const FormulaBox root = boxOf("√(2 gap/λ)");
    QRectF around;
    for (const FormulaBox::Stroke& stroke : root.strokes) {
        around |= stroke.path.boundingRect();
    }
    for (const FormulaBox::Text& text : root.texts) {
        EXPECT_TRUE(around.contains(inkOf(text))) << text.text.toStdString();
    }
    const FormulaBox norm = boxOf("‖gap/λ‖");
    const QRectF bar = norm.strokes.back().path.boundingRect();
    EXPECT_LE(bar.top(), inkOf(textCalled(norm, "gap")).top());
    EXPECT_GE(bar.bottom(), inkOf(textCalled(norm, "λ")).bottom());
    EXPECT_LE(-bar.top(), norm.ascent + 0.01);
}

TEST(FormulaTest, WidthGrowsWithContentAndSize) {
    double before = 0;
    for (const char* text : {"r", "rr", "r + r", "r + r²", "√(r + r²)", "‖√(r + r²)‖ > 1"}) {
        const double width = boxOf(QString::fromUtf8(text)).width;
        EXPECT_GT(width, before) << text;
        before = width;
    }
    EXPECT_NEAR(boxOf("⟨H,Q⟩ − r‖H‖", 32).width / boxOf("⟨H,Q⟩ − r‖H‖", 16).width, 2, 0.25);
}

TEST(FormulaTest, EveryLetterHasAGlyph) {
    for (const QString& text : sayings()) {
        for (const FormulaBox::Text& part : boxOf(text).texts) {
            QTextLayout layout(part.text, part.font);
            layout.beginLayout();
            layout.createLine();
            layout.endLayout();
            for (const QGlyphRun& run : layout.glyphRuns()) {
                for (const quint32 glyph : run.glyphIndexes()) {
                    EXPECT_NE(glyph, 0U) << part.text.toStdString() << " in " << text.toStdString();
                }
            }
        }
    }
}

TEST(FormulaLinesTest, AreAlignedWhereTheyFitElseBrokenAndNeverWiderThanTheirRoom) {
    const FormulaLines lines{{"⟨H,Q⟩ − r‖H‖ > 1", "3.25 − 0.125 · 2.1 = 2.99 > 1"}, "", {}};
    const FormulaBlock wide = layoutLines(lines, sized(13), 900);
    ASSERT_EQ(wide.lines.size(), 2U);
    const double first = wide.lines[0].at.x() + textCalled(wide.lines[0].box, ">").at.x();
    const double second = wide.lines[1].at.x() + textCalled(wide.lines[1].box, "=").at.x();
    EXPECT_NEAR(first, second, 0.01);
    EXPECT_GT(wide.lines[1].at.y(), wide.lines[0].at.y() + wide.lines[0].box.descent + wide.lines[1].box.ascent - 0.01);
    for (const QString& text : sayings()) {
        for (const double width : {30.0, 60.0, 100.0, 180.0, 260.0}) {
            const FormulaBlock block = layoutLines({{text}, "norm of the triplet's matrix", {text}}, sized(13), width);
            EXPECT_LE(block.width, width + 1) << text.toStdString() << " in " << width;
            double y = 0;
            for (const FormulaBlock::Line& line : block.lines) {
                EXPECT_GE(line.at.y() - line.box.ascent, y - 0.01) << text.toStdString() << " in " << width;
                y = line.at.y() - line.box.ascent;
            }
            EXPECT_LE(y, block.height);
        }
    }
    const FormulaBlock narrow = layoutLines({{"slackslackslack"}, "", {}}, sized(13), 40);
    EXPECT_EQ(narrow.lines.front().box.texts.back().text, "…");
    const FormulaBlock beside = layoutLines({{"r = 2"}, "radius of the ball", {}}, sized(13), 300);
    ASSERT_EQ(beside.lines.size(), 2U);
    EXPECT_EQ(beside.lines[0].at.y(), beside.lines[1].at.y());
    EXPECT_TRUE(beside.lines[1].isWords);
}

/// Of "3 − 0.5 · 2 + 1", and the size of what it is made of.
std::pair<double, double> valueOf(const QString& sum) {
    std::pair<double, double> total{0, 0};
    double sign = 1;
    double product = 1;
    const auto close = [&] {
        total.first += sign * product;
        total.second += std::abs(product);
        product = 1;
    };
    for (const QString& word : sum.split(' ', Qt::SkipEmptyParts)) {
        if (word == "+" || word == "−") {
            close();
            sign = word == "+" ? 1 : -1;
        } else if (word != "·") {
            product *= word.toDouble();
        }
    }
    close();
    return total;
}

/// Every formula of what a lens says about its most notable items.
void readAll(const FinishedRun& run, std::set<QString>& read) {
    const auto take = [&read](const FormulaLines& lines) {
        for (const QString& formula : lines.formulas + lines.closing) {
            EXPECT_TRUE(parseFormula(formula)) << formula.toStdString();
            read.insert(formula);
        }
    };
    for (std::size_t lane = 0; lane < run.runs.ids().size(); ++lane) {
        const auto lens = run.direct(lane);
        for (const int point : {1, run.cursor.count() - 1}) {
            const auto notable = as<ItemExplainer>(*lens).notableItems(point, 4, {});
            ASSERT_TRUE(notable);
            for (const NotableItem& item : *notable) {
                const auto why = as<ItemExplainer>(*lens).explain(item.item, point, {});
                ASSERT_TRUE(why);
                for (const NamedValue& fact : why->facts) {
                    take(termLines(fact));
                }
                std::vector<BoundDecision> decisions = why->used;
                decisions.insert(decisions.end(), why->rivals.begin(), why->rivals.end());
                for (const BoundDecision& decision : decisions) {
                    take(inequalityLines(decision));
                    const QString numbers = inequalityLines(decision).formulas.last();
                    if (numbers.contains(" = ")) { // what is said to be equal is
                        const auto [value, size] = valueOf(numbers.section(" = ", 0, 0));
                        EXPECT_NEAR(value, decision.left, 1e-5 * size)
                            << decision.inequality << ": " << numbers.toStdString();
                    }
                    EXPECT_EQ(inequalityText(decision), inequalityLines(decision).formulas.join(":  "));
                    for (const NamedValue& term : decision.terms) {
                        take(termLines(term));
                    }
                }
            }
        }
    }
}

TEST(FormulaOfExplanationsTest, AllOfAllFamiliesAreRead) {
    std::set<QString> read;
    Json metric = smallMetricExperiment();
    metric["path"]["max_points"] = 4;
    metric["lanes"].push_back({{"name", "linear"}, {"bounds", {"GB"}}, {"rule", "linear"}, {"schedule", "every"}});
    metric["lanes"].push_back({{"name", "cone"}, {"bounds", {"PGB"}}, {"rule", "semidefinite"}, {"schedule", "every"}});
    readAll(FinishedRun(metric), read);
    readAll(FinishedRun(smallSvmExperiment()), read);
    Json freeBias = smallSvmExperiment();
    freeBias["problem"] = {{"kernel", "rbf"}, {"intercept", "free"}};
    freeBias["path"] = {{"kind", "grid"}, {"ratio", 1.3}, {"max_c", 10}, {"max_points", 12}};
    freeBias["lanes"] = Json::array({{{"name", "IT+GAP"}, {"bounds", {"IT", "GAP"}}, {"schedule", "every"}}});
    readAll(FinishedRun(freeBias), read);
    readAll(FinishedRun({{"family", "pu"},
                         {"data", {{"source", "breast-cancer"}, {"scale", "minmax"}, {"subset", 0.3}, {"seed", 1}}},
                         {"problem", {{"positive", "malignant"}, {"labelled_share", 0.2}, {"kernel", "linear"}}},
                         {"path", {{"kind", "prior"}, {"values", {0.3, 0.4, 0.5}}, {"lambda", 0.01}}},
                         {"lanes", {{{"name", "Pairs+GAP"}, {"bounds", {"GAP"}}}}}}),
            read);
    const auto isRead = [&read](const char* beginning) {
        return std::any_of(read.begin(), read.end(),
                           [&](const QString& formula) { return formula.startsWith(QString::fromUtf8(beginning)); });
    };
    for (const char* beginning : {"⟨H,Q⟩ − ", "⟨H,Q⟩ + β⟨P,Q⟩", "D(z)", "r = √(2 gap/λ)",
                                  "r² = ", "‖x_i − x_l‖² = ", "zᵀm", "f⁰", "min zᵀw + yb"}) {
        EXPECT_TRUE(isRead(beginning)) << beginning << " was never said: the test looks at too little";
    }
}

TEST(FormulaOfExplanationsTest, AreDrawnInTheTreeAndCopiedAsText) {
    FinishedRun run;
    const auto notable = as<ItemExplainer>(*run.direct(2)).notableItems(6, 12, {});
    ASSERT_TRUE(notable && !notable->empty());
    WhyPanel panel(run.runs, run.cursor, run.lens);
    panel.resize(280, 500);
    panel.show();
    panel.setRun(run.lane(2));
    run.cursor.moveTo(6);
    panel.askItem(notable->front().item);
    auto* tree = panel.findChild<QTreeWidget*>();
    ASSERT_TRUE(waitUntil([&] { return tree->topLevelItemCount() > 1; }));
    int formulas = 0;
    for (QTreeWidgetItemIterator it(tree); *it != nullptr; ++it) {
        const QModelIndex index = tree->indexFromItem(*it);
        const FormulaLines lines = FormulaDelegate::linesOf(index);
        if (lines.formulas.isEmpty()) {
            continue;
        }
        ++formulas;
        EXPECT_EQ(index.data(Qt::AccessibleTextRole).toString(), index.data().toString());
        EXPECT_TRUE(index.data().toString().startsWith(lines.formulas.front()));
        if (lines.formulas.size() == 2) { // an inequality: the text of what is copied holds it as it stands there
            EXPECT_TRUE(panel.text().contains(index.data().toString())) << index.data().toString().toStdString();
        }
        tree->expandItem((*it)->parent());
    }
    EXPECT_GT(formulas, 10);
    settleEvents();
    for (QTreeWidgetItemIterator it(tree); *it != nullptr; ++it) {
        const QModelIndex index = tree->indexFromItem(*it);
        if (!FormulaDelegate::linesOf(index).formulas.isEmpty()) {
            const FormulaBlock block =
                layoutLines(FormulaDelegate::linesOf(index), tree->font(), tree->visualRect(index).width() - 8);
            EXPECT_GE(tree->visualRect(index).height(), static_cast<int>(block.height)) << "not cut";
        }
    }
}

} // namespace
} // namespace lambdascope

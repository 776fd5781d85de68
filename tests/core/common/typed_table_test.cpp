// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/latex_text.h"
#include "core/common/number_text.h"
#include "core/common/typed_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace lambdascope {
namespace {

TypedTable someTable() {
    TypedTable table;
    table.columns = {
        {"lane", "lane", TypedTable::Kind::Text},        {"points", "points", TypedTable::Kind::Count},
        {"cpu", "CPU", TypedTable::Kind::Seconds},       {"cpu_ratio", "ratio", TypedTable::Kind::Ratio},
        {"final_rate", "rate", TypedTable::Kind::Share}, {"objective", "objective", TypedTable::Kind::Number}};
    table.rows = {{{"naive", {}}, {{}, 12345}, {{}, 83.25}, {"baseline", 1.0}, {{}, 0.0}, {{}, 1.0 / 3}},
                  {{"a & b|c", {}}, {{}, 7}, {{}, 0.0123456}, {"too short", {}}, {{}, 0.987654}, {{}, -3.1e-6}},
                  {{"lost", {}}}};
    return table;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

TEST(TypedTable, CsvHoldsNumbersThatReadBackAndNoWordsAmongThem) {
    const auto lines = linesOf(someTable().text(TableFormat::Csv));
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0], "lane,points,cpu,cpu_ratio,final_rate,objective");
    EXPECT_EQ(lines[1], "naive,12345,83.25,1,0," + exactText(1.0 / 3));
    EXPECT_EQ(lines[2], "a & b|c,7,0.0123456,,0.987654," + exactText(-3.1e-6));
    EXPECT_EQ(lines[3], "lost,,,,,");
    EXPECT_EQ(parseNumber(lines[1].substr(lines[1].rfind(',') + 1)), 1.0 / 3);
}

TEST(TypedTable, LatexIsATabularOfBooktabsWithUnitsInTheTitles) {
    const std::string text = someTable().text(TableFormat::Latex);
    EXPECT_TRUE(text.starts_with("% needs \\usepackage{booktabs}\n\\begin{tabular}{lrrrrr}\n\\toprule\n")) << text;
    for (const char* part : {"lane & points & CPU (s) & ratio & rate (\\%) & objective \\\\\n\\midrule\n",
                             "naive & 12,345 & 83.2 & baseline & 0 & 0.333333 \\\\",
                             "a \\& b\\textbar{}c & 7 & 0.0123 & too short & 98.8 & $-3.1 \\cdot 10^{-6}$ \\\\",
                             "lost &  &  &  &  &  \\\\\n\\bottomrule\n\\end{tabular}\n"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    }
}

TEST(TypedTable, MarkdownAlignsAndEscapesItsSeparators) {
    const auto lines = linesOf(someTable().text(TableFormat::Markdown));
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_EQ(lines[0], "| lane     | points | CPU (s) |     ratio | rate (%) | objective |");
    EXPECT_EQ(lines[1], "| -------- | -----: | ------: | --------: | -------: | --------: |");
    EXPECT_EQ(lines[2], "| naive    | 12,345 |    83.2 |  baseline |        0 |  0.333333 |");
    EXPECT_EQ(lines[3], "| a & b\\|c |      7 |  0.0123 | too short |     98.8 |  -3.1e-06 |");
}

TEST(TypedTable, DigitsRoundEveryForm) {
    for (const auto& [word, parts] :
         {std::pair("csv", std::vector<std::string>{"83,1,0,0.33", "0.012,,0.99,-3.1e-06"}),
          std::pair("latex", std::vector<std::string>{" 83 & baseline & 0 & 0.33 ", " 0.012 & too short & 99 "}),
          std::pair("markdown", std::vector<std::string>{"|      83 |", "|      0.33 |"}),
          std::pair("text", std::vector<std::string>{"  83 ", " 99% "})}) {
        const auto format = tableFormatOf(word);
        ASSERT_TRUE(format) << word;
        const std::string text = someTable().text(*format, 2);
        EXPECT_NE(text.find(parts[0]), std::string::npos) << parts[0] << " in\n" << text;
        EXPECT_NE(text.find(parts[1]), std::string::npos) << parts[1] << " in\n" << text;
    }
    EXPECT_NE(someTable().text(TableFormat::Latex, kAllDigits).find("0.3333333333333333"), std::string::npos);
    EXPECT_FALSE(tableFormatOf("html"));
}

TEST(TypedTable, NoNumberSaysSo) {
    TypedTable table{{{"a", "a", TypedTable::Kind::Number}}, {{{{}, std::nan("")}}, {{{}, -INFINITY}}}};
    EXPECT_EQ(table.text(TableFormat::Csv), "a\nnan\n-inf\n");
    EXPECT_EQ(table.text(TableFormat::Text), "   a\n nan\n-inf\n");
}

TEST(LatexText, ShowsSymbolsAsFormulasAndKeepsTheRest) {
    EXPECT_EQ(latexText("50% of λ₀ ≤ √2 · {x}_1"), "50\\% of $\\lambda$$_0$ $\\leq$ $\\surd$2 $\\cdot$ \\{x\\}\\_1");
    EXPECT_EQ(latexText("C:\\a^b~c"), "C:\\textbackslash{}a\\textasciicircum{}b\\textasciitilde{}c");
    EXPECT_EQ(latexNumber("1.5e+06"), "$1.5 \\cdot 10^{6}$");
    EXPECT_EQ(latexNumber("0.25"), "0.25");
}

} // namespace
} // namespace lambdascope

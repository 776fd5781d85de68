// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metric/problem/comparison_file.h"
#include "tests/core/data/data_folder.h"

namespace lambdascope::metric {
namespace {

using test::DataFolder;
using test::hasFault;

constexpr RowIndex kRows = 6;

ComparisonList read(const std::string& text, const std::string& name = "c.txt") {
    DataFolder folder;
    auto list = readComparisons(folder.write(name, text), kRows);
    if (!list) {
        ADD_FAILURE() << list.error().describe();
        return {};
    }
    return std::move(list).value();
}

TEST(ComparisonFile, ReadsEveryForm) {
    const ComparisonList list = read("# five forms\n"
                                     "base 0\n"
                                     "\n"
                                     "triplet 0 1 2        # a comment\n"
                                     "quadruplet 0 1 2 3 2.5\n"
                                     "similar 4 5 0.25\n"
                                     "dissimilar 1, 5, 4e0, 0.5\r\n"
                                     "\ttarget 2 3 7\n"
                                     "target 0 5");
    const std::vector<Comparison> expected = {
        {RowPair{0, 2}, RowPair{0, 1}, 1, 1, 4},
        {RowPair{2, 3}, RowPair{0, 1}, 1, 2.5, 5},
        {std::nullopt, RowPair{4, 5}, -0.25, 1, 6},
        {RowPair{1, 5}, std::nullopt, 4, 0.5, 7},
    };
    EXPECT_EQ(list.comparisons, expected);
    EXPECT_EQ(list.targets, (std::vector<TargetPair>{{{2, 3}, 7}, {{0, 5}, 1}}));
    EXPECT_EQ(list.name, "c.txt");
    EXPECT_EQ(list.sha256.size(), 64U);
}

TEST(ComparisonFile, CountsRowsFromTheBase) {
    const auto zero = read("base 0\ntriplet 0 1 5\n");
    const auto one = read("base 1\ntriplet 1 2 6\n");
    EXPECT_EQ(zero.comparisons, one.comparisons);
}

TEST(ComparisonFile, TakesPlainNumbersOnceTheFormIsNamed) {
    const auto plain = read("base 0\nform triplet\n0 1 2\n3 4 5 0.5\nform quadruplet\n0 1 2 3\n");
    ASSERT_EQ(plain.comparisons.size(), 3U);
    EXPECT_EQ(plain.comparisons[1], (Comparison{RowPair{3, 5}, RowPair{3, 4}, 1, 0.5, 4}));
    EXPECT_EQ(plain.comparisons[2], (Comparison{RowPair{2, 3}, RowPair{0, 1}, 1, 1, 6}));
}

TEST(ComparisonFile, IsReadCompressedAsWell) {
    const std::string text = "base 1\ntriplet 1 2 3\nsimilar 4 5 1\n";
    const auto plain = read(text);
    EXPECT_EQ(read(test::gzipped(text), "c.txt.gz").comparisons, plain.comparisons);
    EXPECT_EQ(read(test::bzipped(text), "c.txt.bz2").comparisons, plain.comparisons);
}

struct BrokenLine {
    std::string name;
    std::string text;
    std::size_t line;
    std::size_t column;
    std::string message;
};

void PrintTo(const BrokenLine& broken, std::ostream* stream) {
    *stream << broken.name;
}

class BrokenComparisons : public testing::TestWithParam<BrokenLine> {};

TEST_P(BrokenComparisons, AreToldWithTheirPlaceAndARemedy) {
    DataFolder folder;
    const auto file = folder.write("c.txt", GetParam().text);
    const auto list = readComparisons(file, kRows);
    ASSERT_FALSE(list);
    EXPECT_EQ(list.error().code, ErrorCode::InvalidData);
    EXPECT_TRUE(hasFault(list.error(), GetParam().line, GetParam().column, GetParam().message));
    EXPECT_EQ(list.error().faults.size(), 1U);
    EXPECT_EQ(list.error().faults.front().place.file, file.string());
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, BrokenComparisons,
    testing::Values(
        BrokenLine{"Empty", "", 0, 0, "no comparison"}, BrokenLine{"OnlyComments", "# base 0\n", 0, 0, "no comparison"},
        BrokenLine{"OnlyTargets", "base 0\ntarget 0 1\n", 0, 0, "no comparison"},
        BrokenLine{"NoBase", "triplet 0 1 2\ntriplet 0 1 3\n", 1, 1, "counted from 0 or from 1"},
        BrokenLine{"BadBase", "base 2\nbase 0\ntriplet 0 1 2\n", 1, 1, "needs 0 or 1"},
        BrokenLine{"BaseTwice", "base 0\ntriplet 0 1 2\nbase 1\n", 3, 1, "set before"},
        BrokenLine{"UnknownWord", "base 0\ntriplets 0 1 2\ntriplet 0 1 2\n", 2, 1, "unknown word \"triplets\""},
        BrokenLine{"UnknownForm", "base 0\nform pairs\ntriplet 0 1 2\n", 2, 6, "name of a form"},
        BrokenLine{"NumbersWithoutForm", "base 0\n 0 1 2\ntriplet 0 1 2\n", 2, 2, "no form was named"},
        BrokenLine{"TooFewNumbers", "base 0\nquadruplet 0 1 2\ntriplet 0 1 2\n", 2, 16, "needs 4 numbers"},
        BrokenLine{"TooManyNumbers", "base 0\ntriplet 0 1 2 1 9\n", 2, 17, "goes on with \"9\""},
        BrokenLine{"RowIsNoNumber", "base 0\ntriplet 0 x 2\n", 2, 11, "\"x\" is not a row number"},
        BrokenLine{"RowIsAFraction", "base 0\ntriplet 0 1.5 2\n", 2, 11, "\"1.5\" is not a row number"},
        BrokenLine{"RowBeyondTheData", "base 0\ntriplet 0 1 6\n", 2, 13, "no row 6"},
        BrokenLine{"RowBelowTheBase", "base 1\ntriplet 0 1 2\n", 2, 9, "no row 0"},
        BrokenLine{"RowFarTooLarge", "base 0\ntriplet 0 1 99999999999\n", 2, 13, "no row 99999999999"},
        BrokenLine{"RowWithItself", "base 0\ntriplet 3 3 2\n", 2, 11, "compared with itself"},
        BrokenLine{"AnchorIsFar", "base 0\ntriplet 3 2 3\n", 2, 13, "compared with itself"},
        BrokenLine{"PairWithItself", "base 0\nquadruplet 0 1 1 0\n", 2, 18, "pair of rows is compared with itself"},
        BrokenLine{"FarIsNear", "base 0\ntriplet 0 1 1\n", 2, 13, "pair of rows is compared with itself"},
        BrokenLine{"ZeroWeight", "base 0\ntriplet 0 1 2 0\n", 2, 15, "weight \"0\""},
        BrokenLine{"NegativeWeight", "base 0\ntriplet 0 1 2 -1\n", 2, 15, "weight \"-1\""},
        BrokenLine{"WeightIsNaN", "base 0\ntriplet 0 1 2 nan\n", 2, 15, "weight \"nan\""},
        BrokenLine{"NegativeUpperBound", "base 0\nsimilar 0 1 -1\n", 2, 13, "no bound"},
        BrokenLine{"LowerBoundZero", "base 0\ndissimilar 0 1 0\n", 2, 16, "no bound"},
        BrokenLine{"BoundIsInfinite", "base 0\nsimilar 0 1 inf\n", 2, 13, "no bound"}),
    [](const auto& entry) { return entry.param.name; });

TEST(ComparisonFile, TellsAllFaultsAtOnceUpToALimit) {
    DataFolder folder;
    const auto two = readComparisons(folder.write("two.txt", "base 0\ntriplet 0 1 9\nsimilar 0 0 1\n"), kRows);
    ASSERT_FALSE(two);
    EXPECT_EQ(two.error().faults.size(), 2U);
    std::string many = "base 0\n";
    for (int i = 0; i < 1000; ++i) {
        many += "nonsense\n";
    }
    const auto full = readComparisons(folder.write("many.txt", many), kRows);
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().faults.size(), 20U);
}

TEST(ComparisonFile, SaysWhenThereIsNoFileOrItIsBinary) {
    DataFolder folder;
    const auto missing = readComparisons(folder.path("nowhere.txt"), kRows);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::FileNotFound);
    const auto binary = readComparisons(folder.write("b.bin", std::string("\0\1\2\3base 0\n", 11)), kRows);
    EXPECT_FALSE(binary);
}

TEST(ComparisonFile, StopsWhenAsked) {
    DataFolder folder;
    std::stop_source stop;
    stop.request_stop();
    const auto list = readComparisons(folder.write("c.txt", "base 0\ntriplet 0 1 2\n"), kRows, {}, stop.get_token());
    ASSERT_FALSE(list);
    EXPECT_EQ(list.error().code, ErrorCode::Stopped);
}

} // namespace
} // namespace lambdascope::metric

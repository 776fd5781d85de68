// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/comparison_file.h"
#include "tests/core/data/data_folder.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lambdascope::ordinal {
namespace {

using Layout = ComparisonLayout;

class ComparisonFile : public testing::Test {
  protected:
    ReadComparisons read(const std::string& bytes, Layout layout = Layout::Auto, IdBase base = IdBase::Auto,
                         ObjectIndex known = 0, const std::string& name = "c.csv") {
        auto result = readComparisons(m_folder.write(name, bytes), layout, base, known);
        if (!result) {
            ADD_FAILURE() << result.error().describe();
            return {};
        }
        return std::move(*result);
    }
    std::string complaint(const std::string& text, Layout layout = Layout::Auto, ObjectIndex known = 0,
                          IdBase base = IdBase::Auto) {
        const auto result = readComparisons(m_folder.write("c.csv", text), layout, base, known);
        EXPECT_FALSE(result);
        return result ? "" : result.error().describe();
    }
    test::DataFolder m_folder;
};

const std::vector<Comparison> kTwoTriplets = {{0, 1, 0, 2}, {2, 0, 2, 1}};

TEST_F(ComparisonFile, ReadsTripletsWhateverTheSeparatorAndHeader) {
    for (const std::string text :
         {"0,1,2\n2,0,1\n", "i,j,k\n0,1,2\n2,0,1\n", "0\t1\t2\r\n2\t0\t1", "# answers\n0 1  2\n\n2 0 1\n",
          "head;close;far\n0;1;2\n2;0;1\n", "0.0,1.0,2.0\n2,0,1\n"}) {
        SCOPED_TRACE(text);
        const ReadComparisons got = read(text);
        EXPECT_EQ(got.comparisons.items, kTwoTriplets);
        EXPECT_TRUE(got.comparisons.weights.empty());
        EXPECT_EQ(got.objects, 3);
        EXPECT_EQ(got.base, 0);
        EXPECT_FALSE(got.isQuadruplets);
    }
}

TEST_F(ComparisonFile, DetectsWhereIdsBegin) {
    EXPECT_EQ(read("1,2,3\n3,1,2\n").comparisons.items, kTwoTriplets);
    EXPECT_EQ(read("1,2,3\n3,1,2\n").base, 1);
    const ReadComparisons told = read("1,2,3\n3,1,2\n", Layout::Auto, IdBase::Zero);
    EXPECT_EQ(told.base, 0);
    EXPECT_EQ(told.objects, 4);
    EXPECT_EQ(read("1,2,3\n", Layout::Auto, IdBase::Auto, 7).objects, 7);
}

TEST_F(ComparisonFile, ReadsWeightsVotesAndQuadruplets) {
    EXPECT_EQ(read("i,j,k,weight\n0,1,2,2.5\n").comparisons.weights, std::vector<double>{2.5});
    EXPECT_EQ(read("0,1,2,2.5\n").comparisons.weights, std::vector<double>{2.5}); // a fraction is no id
    EXPECT_EQ(read("0,1,2,4\n", Layout::Triplets).comparisons.weights, std::vector<double>{4});

    const ReadComparisons votes = read("i,j,k,votes_j,votes_k\n0,1,2,3,1\n1,2,0,2,0\n");
    EXPECT_TRUE(votes.hasVotes);
    EXPECT_EQ(votes.comparisons.items, (std::vector<Comparison>{{0, 1, 0, 2}, {0, 2, 0, 1}, {1, 2, 1, 0}}));
    EXPECT_EQ(votes.comparisons.weights, (std::vector<double>{3, 1, 2}));

    const std::vector<Comparison> one = {{0, 1, 2, 3}};
    EXPECT_EQ(read("i,j,l,k\n0,1,2,3\n").comparisons.items, one);
    EXPECT_EQ(read("0,1,2,3\n", Layout::Quadruplets).comparisons.items, one);
    EXPECT_EQ(read("0,1,2,3,1.5\n", Layout::Quadruplets).comparisons.weights, std::vector<double>{1.5});
    EXPECT_TRUE(read("0,1,2,3,1,0\n").hasVotes);
}

TEST_F(ComparisonFile, ReadsCompressedFilesAndArrays) {
    const std::string text = "0,1,2\n2,0,1\n";
    EXPECT_EQ(read(test::gzipped(text), Layout::Auto, IdBase::Auto, 0, "c.csv.gz").comparisons.items, kTwoTriplets);
    EXPECT_EQ(read(test::bzipped(text), Layout::Auto, IdBase::Auto, 0, "c.csv.bz2").comparisons.items, kTwoTriplets);
    std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }";
    header.resize(117, ' ');
    header += '\n';
    std::string bytes = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
    const std::int32_t values[] = {0, 1, 2, 2, 0, 1};
    bytes.append(reinterpret_cast<const char*>(values), sizeof values);
    EXPECT_EQ(read(bytes, Layout::Auto, IdBase::Auto, 0, "c.npy").comparisons.items, kTwoTriplets);
}

TEST_F(ComparisonFile, ExplainsWhatItCannotUse) {
    const auto expectParts = [](const std::string& message, std::initializer_list<const char*> parts) {
        for (const char* part : parts) {
            EXPECT_NE(message.find(part), std::string::npos) << part << " in\n" << message;
        }
    };
    expectParts(complaint(""), {"no comparison"});
    expectParts(complaint("i,j,k\n"), {"no comparison"});
    expectParts(complaint("0,1,2\n0,0,1\n"), {"c.csv:2", "compared with itself"});
    expectParts(complaint("0,1,1\n"), {"c.csv:1", "pair of objects is compared with itself"});
    expectParts(complaint("i,j,l,k\n0,1,1,0\n"), {"c.csv:2", "pair of objects"});
    expectParts(complaint("0,0,0\n"), {"compared with itself"}); // one object only
    expectParts(complaint("0,1,2\n0,1,7\n", Layout::Auto, 5), {"c.csv:2", "no object 7", "from 0 to 4"});
    expectParts(complaint("0,1,2\n0,1,-1\n"), {"no object -1"});
    expectParts(complaint("0,1,2\n", Layout::Auto, 0, IdBase::One), {"no object 0", "problem.base"});
    expectParts(complaint("0,1,2\n0,x,1\n"), {"c.csv:2:3", "\"x\" is no number"});
    expectParts(complaint("0,1,2.5\n"), {"2.5 is no whole number"});
    expectParts(complaint("0,1,2\n0,1,2,3\n"), {"c.csv:2", "4 fields", "quadruplet among triplets"});
    expectParts(complaint("i,j,k\n0,1,2,3\n"), {"c.csv:2", "quadruplet among triplets"});
    expectParts(complaint("0,1,2,3\n"), {"could be triplets", "problem.layout"});
    expectParts(complaint("0,1,2\n", Layout::Quadruplets), {"3 columns", "quadruplets have 4 to 6"});
    expectParts(complaint("0,1\n"), {"2 columns"});
    expectParts(complaint("0,1,2,-1\n", Layout::Triplets), {"weight -1"});
    expectParts(complaint("0,1,2,0\n", Layout::Triplets), {"weight 0", "quadruplets"});
    expectParts(complaint("0,1,2,0,0\n", Layout::Triplets), {"no line of the file has any vote"});
    expectParts(complaint("0,1,2000000000\n"), {"2,000,000,001 objects", "without large gaps"});
    // All of them at once.
    expectParts(complaint("0,0,1\n0,1,2\n1,1,2\n"), {"c.csv:1", "c.csv:3"});
    EXPECT_FALSE(readComparisons(m_folder.path("missing.csv"), Layout::Auto, IdBase::Auto, 0));
}

TEST_F(ComparisonFile, LeavesSelfComparisonsOutWhenTold) {
    const auto path = m_folder.write("c.csv", "1,1,2\n1,2,3\n2,3,3\n");
    const auto dropped = readComparisons(path, Layout::Auto, IdBase::Auto, 0, true);
    ASSERT_TRUE(dropped) << dropped.error().describe();
    EXPECT_EQ(dropped->comparisons.items, (std::vector<Comparison>{{0, 1, 0, 2}}));
    EXPECT_EQ(dropped->dropped, 2);
    EXPECT_FALSE(readComparisons(m_folder.write("c.csv", "1,1,2\n"), Layout::Auto, IdBase::Auto, 0, true));
}

TEST_F(ComparisonFile, ReadsNamesOfObjects) {
    const auto plain = readObjectNames(m_folder.write("n.txt", "Athens\nHook of Holland\n"), 0);
    ASSERT_TRUE(plain) << plain.error().describe();
    EXPECT_EQ(*plain, (std::vector<std::string>{"Athens", "Hook of Holland"}));
    const auto numbered = readObjectNames(m_folder.write("n.csv", "id,name\n3,c\n1,a\n"), 1);
    ASSERT_TRUE(numbered) << numbered.error().describe();
    EXPECT_EQ(*numbered, (std::vector<std::string>{"a", "2", "c"}));
    EXPECT_FALSE(readObjectNames(m_folder.write("n.csv", "id,name\nx,c\n"), 1));
}

} // namespace
} // namespace lambdascope::ordinal

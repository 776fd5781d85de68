// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_files.h"

namespace lambdascope::test {

TEST(CsvLoader, ReadsAHeaderAndTakesTheColumnNamedLikeLabels) {
    DataFolder folder;
    const auto data = loaded(plain(folder.write("a.csv", "x,class,z\n1,red,2\n3,blue,4\n5,red,6\n")));
    EXPECT_EQ(data->featureNames(), (Words{"x", "z"}));
    EXPECT_EQ(data->classNames(), (Words{"red", "blue"}));
    EXPECT_EQ(data->labels(), (Codes{0, 1, 0}));
    EXPECT_EQ(rowOf(*data, 2), (Numbers{5, 6}));
}

TEST(CsvLoader, TakesTheLastColumnWithoutAHeader) {
    DataFolder folder;
    const auto data = loaded(plain(folder.write("a.csv", "0.5,10,2\n1.5,20,10\n2.5,30,2\n")));
    EXPECT_EQ(data->classNames(), (Words{"2", "10"})); // by number, not by text
    EXPECT_EQ(data->labels(), (Codes{0, 1, 0}));
    EXPECT_TRUE(data->featureNames().empty());
    EXPECT_EQ(data->features(), 2);
}

TEST(CsvLoader, TakesTheFirstColumnWhenTheLastHoldsMeasurements) {
    DataFolder folder;
    std::string text;
    for (int i = 0; i < 40; ++i) {
        text += std::to_string(i % 2) + "," + std::to_string(i * 0.37) + "\n";
    }
    const auto data = loaded(plain(folder.write("a.csv", text)));
    EXPECT_EQ(data->classNames(), (Words{"0", "1"}));
    EXPECT_EQ(data->features(), 1);
}

TEST(CsvLoader, TakesAColumnNamedYOnlyWhenItHoldsClasses) {
    DataFolder folder;
    std::string classes = "y,z\n";
    std::string coordinates = "y,x\n";
    for (int i = 0; i < 40; ++i) {
        classes += std::to_string(i % 2) + "," + std::to_string(i % 5) + "\n";
        coordinates += std::to_string(i * 0.37) + "," + std::to_string(i * 0.21) + "\n";
    }
    EXPECT_EQ(loaded(plain(folder.write("a.csv", classes)))->featureNames(), (Words{"z"}));
    EXPECT_FALSE(loaded(plain(folder.write("b.csv", coordinates)))->isLabelled());
}

TEST(CsvLoader, LeavesMeasurementsUnlabelledUnlessToldOtherwise) {
    DataFolder folder;
    std::string text;
    for (int i = 0; i < 40; ++i) {
        text += std::to_string(i * 0.51) + "," + std::to_string(i * 0.37) + "\n";
    }
    const auto file = folder.write("a.csv", text);
    EXPECT_FALSE(loaded(plain(file))->isLabelled());
    EXPECT_EQ(loaded(plain(file))->features(), 2);
    EXPECT_NE(loaded(plain(file))->description().find("no column looks like class labels"), std::string::npos);
    EXPECT_EQ(loaded(plain(file, "last"))->classNames().size(), 40U);
}

TEST(CsvLoader, FindsTheLabelColumnByNameNumberOrPlace) {
    DataFolder folder;
    const auto file = folder.write("a.csv", "a,b,2\n1,5,u\n2,6,v\n3,5,u\n"); // "2" in the header: a number, no header
    EXPECT_EQ(failed(plain(file)).code, ErrorCode::InvalidData);
    const auto named = folder.write("b.csv", "a,b,c\n1,5,7\n2,6,8\n3,5,7\n");
    EXPECT_EQ(loaded(plain(named, "b"))->classNames(), (Words{"5", "6"}));
    EXPECT_EQ(loaded(plain(named, "2"))->classNames(), (Words{"5", "6"}));
    EXPECT_EQ(loaded(plain(named, "last"))->classNames(), (Words{"7", "8"}));
    EXPECT_EQ(loaded(plain(named, "first"))->classNames(), (Words{"1", "2", "3"}));
    EXPECT_EQ(loaded(plain(named, "none"))->features(), 3);
    EXPECT_FALSE(loaded(plain(named, "none"))->isLabelled());
}

TEST(CsvLoader, ReportsALabelColumnThatIsNotThere) {
    DataFolder folder;
    const auto file = folder.write("a.csv", "width,height,kind\n1,5,7\n2,6,8\n");
    const Error byName = failed(plain(file, "kimd"));
    EXPECT_EQ(byName.faults.at(0).key, "data.labels");
    EXPECT_NE(byName.faults.at(0).remedy.find("kind"), std::string::npos);
    EXPECT_NE(failed(plain(file, "4")).faults.at(0).message.find("3 columns"), std::string::npos);
    EXPECT_EQ(failed(plain(file, "0")).faults.at(0).key, "data.labels");
}

TEST(CsvLoader, TakesQuotedFieldsWithDelimitersQuotesAndLineEnds) {
    DataFolder folder;
    const auto data =
        loaded(plain(folder.write("a.csv", "\"a, b\",\"say \"\"x\"\"\",class\n\"1.5\",2,\"u\nv\"\n3,4,w\n")));
    EXPECT_EQ(data->featureNames(), (Words{"a, b", "say \"x\""}));
    EXPECT_EQ(data->classNames(), (Words{"u\nv", "w"}));
    EXPECT_EQ(rowOf(*data, 0), (Numbers{1.5, 2}));
}

TEST(CsvLoader, TellsTheDelimiter) {
    DataFolder folder;
    for (const char* delimiter : {",", ";", "\t", "|", " , "}) {
        const std::string d = delimiter;
        const auto data = loaded(plain(folder.write("a.csv", "a" + d + "b" + d + "class\n1" + d + "2" + d + "u\n")));
        EXPECT_EQ(rowOf(*data, 0), (Numbers{1, 2})) << d;
    }
}

TEST(CsvLoader, TakesByteOrderMarkCrlfAndAMissingLastLineEnd) {
    DataFolder folder;
    const auto data = loaded(plain(folder.write("a.csv", "\xEF\xBB\xBF"
                                                         "a,b,class\r\n1,2,u\r\n\r\n3,4,v")));
    EXPECT_EQ(data->featureNames(), (Words{"a", "b"}));
    EXPECT_EQ(data->classNames(), (Words{"u", "v"}));
}

TEST(CsvLoader, TurnsLatin1NamesIntoUtf8) {
    DataFolder folder;
    const auto data = loaded(plain(folder.write("a.csv", "gr\xF6\xDF"
                                                         "e,class\n1,\xE4\n2,b\n")));
    EXPECT_EQ(data->featureNames(), (Words{"größe"}));
    EXPECT_EQ(data->classNames(), (Words{"ä", "b"}));
}

TEST(CsvLoader, CodesColumnsOfWordsOneHot) {
    DataFolder folder;
    const auto data = loaded(plain(folder.write("a.csv", "size,colour,class\n1,red,u\n2,green,v\n3,red,u\n")));
    EXPECT_EQ(data->featureNames(), (Words{"size", "colour=red", "colour=green"}));
    EXPECT_EQ(rowOf(*data, 1), (Numbers{2, 0, 1}));
    EXPECT_NE(data->description().find("one-hot"), std::string::npos);
}

TEST(CsvLoader, KeepsAFirstColumnOfDistinctWordsAsRowNames) {
    DataFolder folder;
    const auto data = loaded(plain(folder.write("a.csv", "city,x,y\nRome,1,2\nParis,3,4\n"), "none"));
    EXPECT_EQ(data->rowNames(), (Words{"Rome", "Paris"}));
    EXPECT_EQ(data->features(), 2);
}

TEST(CsvLoader, NamesLineAndColumnOfABadNumber) {
    DataFolder folder;
    const Error error = failed(plain(folder.write("a.csv", "a,b,class\n1,2,u\n3,4.x,v\n5,6,u\n")));
    EXPECT_EQ(error.code, ErrorCode::InvalidData);
    EXPECT_TRUE(hasFault(error, 3, 3, "\"4.x\""));
    EXPECT_NE(error.faults.at(0).place.file.find("a.csv"), std::string::npos);
}

TEST(CsvLoader, AdvisesAPointForADecimalComma) {
    DataFolder folder;
    const Error error = failed(plain(folder.write("a.csv", "a;b;class\n1.5;2;u\n1,5;4;v\n3.5;4;v\n")));
    ASSERT_TRUE(hasFault(error, 3, 1, "1,5"));
    EXPECT_NE(error.faults.at(0).remedy.find("point"), std::string::npos);
}

TEST(CsvLoader, GathersAllFaultsUpToALimit) {
    DataFolder folder;
    std::string text = "a,b,class\n";
    EXPECT_EQ(failed(plain(folder.write("a.csv", text + "1,2,u\nx,2,u\n1,y,u\n1,2\n4,5,w\n"))).faults.size(), 3U);
    for (int i = 0; i < 500; ++i) {
        text += "1,2,u\n1,oops,u\n1,3,v\n";
    }
    const Error many = failed(plain(folder.write("b.csv", text)));
    EXPECT_EQ(many.faults.size(), 20U);
    EXPECT_NE(many.message.find("at least 20"), std::string::npos);
}

TEST(CsvLoader, ReportsRaggedLines) {
    DataFolder folder;
    const Error error = failed(plain(folder.write("a.csv", "a,b,class\n1,2,u\n1,2\n1,2,u,9\n3,4,u\n")));
    EXPECT_TRUE(hasFault(error, 3, 0, "2 fields"));
    EXPECT_TRUE(hasFault(error, 4, 7, "4 fields"));
}

TEST(CsvLoader, ReportsMissingAndInfiniteValues) {
    DataFolder folder;
    const auto file =
        folder.write("a.csv", "a,b,class\n1,,u\n?,2,v\nNA,3,u\nnan,4,v\ninf,5,u\n6,7,u\n1,8,v\n2,9,v\n9,9,u\n");
    const Error error = failed(plain(file));
    EXPECT_EQ(error.faults.size(), 5U);
    EXPECT_TRUE(hasFault(error, 2, 3, "missing"));
    EXPECT_TRUE(hasFault(error, 6, 1, "inf"));
    DataConfig drop = plain(file);
    drop.missing = MissingPolicy::DropRows;
    EXPECT_EQ(loaded(drop)->rows(), 4);
}

TEST(CsvLoader, ReportsAnOpenQuoteWhereItOpens) {
    DataFolder folder;
    const Error error = failed(plain(folder.write("a.csv", "a,b,class\n1,2,u\n3,\"4,v\n5,6,u\n")));
    EXPECT_TRUE(hasFault(error, 3, 3, "never closed"));
}

TEST(CsvLoader, ReportsEmptyFilesAndLoneHeaders) {
    DataFolder folder;
    EXPECT_NE(failed(plain(folder.write("a.csv", ""))).message.find("empty"), std::string::npos);
    EXPECT_NE(failed(plain(folder.write("b.csv", "\n \n\n"))).message.find("empty"), std::string::npos);
    EXPECT_NE(failed(plain(folder.write("c.csv", "a,b,class\n"))).message.find("only a header"), std::string::npos);
}

TEST(CsvLoader, ReportsAColumnOfIdentifiers) {
    DataFolder folder;
    std::string text = "x,id,class\n";
    for (int i = 0; i < 3000; ++i) {
        text += "1,id" + std::to_string(i) + "," + (i % 2 == 0 ? "u" : "v") + "\n";
    }
    EXPECT_TRUE(hasFault(failed(plain(folder.write("a.csv", text))), 1002, 3, "identifiers") ||
                hasFault(failed(plain(folder.write("a.csv", text))), 1002, 3, "different words"));
}

TEST(CsvLoader, ReadsLinesLongerThanItsBuffer) {
    DataFolder folder;
    std::string text;
    constexpr int kColumns = 300'000; // 1.2 MB a line
    for (int row = 0; row < 3; ++row) {
        for (int c = 0; c < kColumns; ++c) {
            text += (c == 0 ? "" : ",") + std::to_string(row) + ".5";
        }
        text += "\n";
    }
    const auto data = loaded(plain(folder.write("a.csv", text), "none"));
    EXPECT_EQ(data->features(), kColumns);
    EXPECT_EQ(data->dense()(2, kColumns - 1), 2.5);
}

TEST(DenseTextLoader, TakesTheFirstColumnForTheLabel) {
    DataFolder folder;
    const auto data = loaded(plain(folder.write("a.txt", "-1.0  0.5 2 \r\n 1.0\t0.25 3\r\n-1 0 4\r\n")));
    EXPECT_EQ(data->classNames(), (Words{"-1", "1"}));
    EXPECT_EQ(data->labels(), (Codes{0, 1, 0}));
    EXPECT_EQ(rowOf(*data, 1), (Numbers{0.25, 3}));
}

TEST(DenseTextLoader, TakesWordsForLabels) {
    DataFolder folder;
    EXPECT_EQ(loaded(plain(folder.write("a.txt", "cat 1 2\ndog 3 4\ncat 5 6\n")))->classNames(), (Words{"cat", "dog"}));
}

TEST(DenseTextLoader, TakesAllColumnsForFeaturesWhenNoneLooksLikeLabels) {
    DataFolder folder;
    std::string text;
    for (int i = 0; i < 30; ++i) {
        text += std::to_string(i * 0.7) + " " + std::to_string(i % 2) + "\n";
    }
    const auto file = folder.write("a.txt", text);
    EXPECT_EQ(loaded(plain(file))->features(), 2);
    EXPECT_EQ(loaded(plain(file, "last"))->classNames(), (Words{"0", "1"}));
}

TEST(DenseTextLoader, ReportsRaggedLinesAndBadNumbers) {
    DataFolder folder;
    const Error error = failed(plain(folder.write("a.txt", "1 2 3\n1 2\n2 x 3\n1 4 5\n2 4 5\n")));
    EXPECT_TRUE(hasFault(error, 2, 0, "2 fields"));
    EXPECT_TRUE(hasFault(error, 3, 3, "\"x\""));
}

} // namespace lambdascope::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_files.h"

namespace lambdascope::test {

TEST(ArffLoader, ReadsNumericAndNominalAttributes) {
    DataFolder folder;
    const auto data = loaded(plain(folder.write("a", "% comment\n@RELATION 'a b'\n\n@ATTRIBUTE 'my size' REAL\n"
                                                     "@attribute colour {red, 'dark blue'}\n"
                                                     "@attribute kind {u,v,w}\n@DATA\n% comment\n"
                                                     "1,red,v\n2,'dark blue',u\r\n 3 , red , v \n")));
    EXPECT_EQ(data->featureNames(), (Words{"my size", "colour=red", "colour=dark blue"}));
    EXPECT_EQ(data->classNames(), (Words{"u", "v"})); // as declared; nobody is a w
    EXPECT_EQ(data->labels(), (Codes{1, 0, 1}));
    EXPECT_EQ(rowOf(*data, 1), (Numbers{2, 0, 1}));
}

TEST(ArffLoader, FindsTheClassWhereverItStands) {
    DataFolder folder;
    const auto first = loaded(plain(folder.write("a", "@relation a\n@attribute class {1,2}\n@attribute x integer\n"
                                                      "@attribute c {p,q}\n@data\n2,5,p\n1,6,q\n")));
    EXPECT_EQ(first->classNames(), (Words{"1", "2"}));
    EXPECT_EQ(first->featureNames(), (Words{"x", "c=p", "c=q"}));
    const auto lastNominal =
        loaded(plain(folder.write("b", "@relation a\n@attribute c {p,q}\n@attribute x numeric\n@data\np,5\nq,6\n")));
    EXPECT_EQ(lastNominal->classNames(), (Words{"p", "q"}));
    const auto chosen = plain(first->isLabelled() ? folder.path("a") : folder.path("b"), "c");
    EXPECT_EQ(loaded(chosen)->classNames(), (Words{"p", "q"}));
}

namespace {

const std::string kSparseHeader = "@relation a\n@attribute a numeric\n@attribute b {u,v}\n@attribute c numeric\n"
                                  "@attribute class {no,'so so'}\n@data\n";

} // namespace

TEST(ArffLoader, ReadsSparseRows) {
    DataFolder folder;
    const auto data =
        loaded(plain(folder.write("a", kSparseHeader + "{0 2.5, 3 'so so'}\n{1 v,2 -1}\n%\n{ }\n{2 4 , 3 no}\n")));
    EXPECT_EQ(data->featureNames(), (Words{"a", "b=u", "b=v", "c"}));
    EXPECT_EQ(data->classNames(), (Words{"no", "so so"}));
    EXPECT_EQ(data->labels(), (Codes{1, 0, 0, 0}));
    EXPECT_EQ(rowOf(*data, 0), (Numbers{2.5, 1, 0, 0}));
    EXPECT_EQ(rowOf(*data, 1), (Numbers{0, 0, 1, -1}));
    EXPECT_EQ(rowOf(*data, 2), (Numbers{0, 1, 0, 0}));
}

TEST(ArffLoader, ReportsSparseRowsThatAreWrong) {
    DataFolder folder;
    const Error error = failed(plain(folder.write(
        "a", kSparseHeader + "{0 1\n{4 1}\n{1 w}\n{2 x}\n{2 1,0 1}\n{0 ?}\n1,u,2,no\n{0 1 2 3}\n{a 1}\n")));
    EXPECT_TRUE(hasFault(error, 7, 5, "not closed"));
    EXPECT_TRUE(hasFault(error, 8, 2, "no attribute index"));
    EXPECT_TRUE(hasFault(error, 9, 4, "declared values"));
    EXPECT_TRUE(hasFault(error, 10, 4, "not a number"));
    EXPECT_TRUE(hasFault(error, 11, 6, "out of order"));
    EXPECT_TRUE(hasFault(error, 12, 4, "missing"));
    EXPECT_TRUE(hasFault(error, 13, 1, "plain row"));
    EXPECT_TRUE(hasFault(error, 14, 4, "not a number"));
    EXPECT_TRUE(hasFault(error, 15, 2, "no attribute index"));
}

TEST(ArffLoader, ReportsAttributesThatCannotBeRead) {
    DataFolder folder;
    const Error error =
        failed(plain(folder.write("a", "@relation a\n@attribute a string\n@attribute b vector\n"
                                       "@attribute c date yyyy\n@attribute\n@attribute d {u,v\n"
                                       "@attribute e {u,u}\n@attribute 'f numeric\n@what\n@data\n1\n")));
    EXPECT_TRUE(hasFault(error, 2, 14, "not read here"));
    EXPECT_TRUE(hasFault(error, 3, 14, "ARFF does not know"));
    EXPECT_TRUE(hasFault(error, 4, 14, "not read here"));
    EXPECT_TRUE(hasFault(error, 6, 14, "not closed"));
    EXPECT_TRUE(hasFault(error, 7, 14, "twice"));
    EXPECT_TRUE(hasFault(error, 9, 1, "not expected"));
    EXPECT_EQ(error.faults.size(), 8U);
}

TEST(ArffLoader, ReportsValuesThatAreWrong) {
    DataFolder folder;
    const Error error = failed(plain(folder.write("a", "@relation a\n@attribute a numeric\n@attribute class {yes,no}\n"
                                                       "@data\n1,yes\n2,yess\nx,no\n3\n?,no\n4,'no\n5,no,7\n")));
    EXPECT_TRUE(hasFault(error, 6, 3, "declared values"));
    EXPECT_TRUE(hasFault(error, 7, 1, "not a number"));
    EXPECT_TRUE(hasFault(error, 8, 0, "2 attributes"));
    EXPECT_TRUE(hasFault(error, 9, 1, "missing"));
    EXPECT_TRUE(hasFault(error, 10, 3, "quote"));
    EXPECT_TRUE(hasFault(error, 11, 0, "3 values"));
}

TEST(ArffLoader, ReportsFilesWithoutData) {
    DataFolder folder;
    EXPECT_NE(failed(plain(folder.write("a", "@relation a\n@attribute a numeric\n"))).message.find("before @data"),
              std::string::npos);
    EXPECT_NE(
        failed(plain(folder.write("b", "@relation a\n@attribute a numeric\n@data\n%\n"))).message.find("after @data"),
        std::string::npos);
    EXPECT_NE(failed(plain(folder.write("c", "@relation a\n@data\n1\n"))).message.find("no @attribute"),
              std::string::npos);
}

TEST(ArffLoader, GivesMissingNominalsTheFrequenciesOfTheOthers) {
    DataFolder folder;
    DataConfig config = plain(folder.write("a", "@relation a\n@attribute c {p,q}\n@attribute class {1,2}\n@data\n"
                                                "p,1\np,2\nq,1\n?,2\n'p',1\n"));
    config.missing = MissingPolicy::Mean;
    EXPECT_EQ(rowOf(*loaded(config), 3), (Numbers{0.75, 0.25}));
    config.missing = MissingPolicy::DropRows;
    EXPECT_EQ(loaded(config)->rows(), 4);
}

} // namespace lambdascope::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_files.h"

namespace lambdascope::test {

namespace {

DataConfig libsvm(const std::filesystem::path& file) {
    DataConfig config = plain(file);
    config.format = DataFormat::Libsvm;
    return config;
}

} // namespace

TEST(LibsvmLoader, ReadsLabelsAndPairsWithComments) {
    DataFolder folder;
    const auto data = loaded(plain(folder.write("a.t", "+1 1:0.5 3:2 # note 9:9\n-1 2:1e-3\n\n+1\n")));
    EXPECT_EQ(data->classNames(), (Words{"-1", "1"}));
    EXPECT_EQ(data->labels(), (Codes{1, 0, 1}));
    EXPECT_EQ(rowOf(*data, 0), (Numbers{0.5, 0, 2}));
    EXPECT_EQ(rowOf(*data, 1), (Numbers{0, 1e-3, 0}));
    EXPECT_EQ(rowOf(*data, 2), (Numbers{0, 0, 0}));
}

TEST(LibsvmLoader, StoresSparselyBelowAQuarterOfNonZeros) {
    DataFolder folder;
    const auto sparse = folder.write("a", "1 1:1 9:1\n2 8:3\n1 2:5\n");
    const auto dense = folder.write("b", "1 1:1 2:1\n2 2:3\n");
    EXPECT_TRUE(loaded(plain(sparse))->isSparse());
    EXPECT_FALSE(loaded(plain(dense))->isSparse());
    DataConfig asked = plain(sparse);
    asked.storage = Storage::Dense;
    EXPECT_EQ(loaded(asked)->dense(), loaded(plain(sparse))->toDense());
    asked = plain(dense);
    asked.storage = Storage::Sparse;
    EXPECT_EQ(loaded(asked)->toDense(), loaded(plain(dense))->dense());
}

// Two lines took 17 GB for each number that is computed for every feature.
TEST(LibsvmLoader, ReportsIndicesThatLeaveLargeGaps) {
    DataFolder folder;
    const Error error = failed(libsvm(folder.write("a", "1 1:2 2147483646:1\n2 3:3\n")));
    EXPECT_TRUE(hasFault(error, 0, 0, "2,147,483,646 features, of which at most 3 have a value"));
    EXPECT_EQ(loaded(libsvm(folder.write("b", "1 1:2 8388608:1\n2 3:3\n")))->features(), 1 << 23);
}

TEST(LibsvmLoader, ReportsIndicesThatAreWrong) {
    DataFolder folder;
    const Error error = failed(libsvm(folder.write("a", "1 0:1\n1 -3:1\n1 4:1 2:1\n1 2:1 2:5\n1 2147483648:1\n"
                                                        "1 99999999999999999999:1\n1 x:1\n1 2.5:1\n1 7\n1 :4\n"
                                                        "1 3:\n1 3:abc\n1 qid:3 1:1\n")));
    EXPECT_TRUE(hasFault(error, 1, 3, "below 1"));
    EXPECT_TRUE(hasFault(error, 2, 3, "below 1"));
    EXPECT_TRUE(hasFault(error, 3, 7, "stands after 4"));
    EXPECT_TRUE(hasFault(error, 4, 7, "twice"));
    EXPECT_TRUE(hasFault(error, 5, 3, "too large"));
    EXPECT_TRUE(hasFault(error, 6, 3, "too large"));
    EXPECT_TRUE(hasFault(error, 7, 3, "not a whole number"));
    EXPECT_TRUE(hasFault(error, 8, 3, "not a whole number"));
    EXPECT_TRUE(hasFault(error, 9, 3, "index:value"));
    EXPECT_TRUE(hasFault(error, 10, 3, "not a whole number"));
    EXPECT_TRUE(hasFault(error, 11, 3, "not a number"));
    EXPECT_TRUE(hasFault(error, 12, 3, "not a number"));
    EXPECT_TRUE(hasFault(error, 13, 3, "not a whole number"));
    EXPECT_EQ(error.faults.size(), 13U);
}

TEST(LibsvmLoader, ReportsLabelsThatAreWrong) {
    DataFolder folder;
    const Error error = failed(libsvm(folder.write("a", "spam 1:1\n1,2 1:1\n1:4 2:5\nnan 1:1\n")));
    EXPECT_TRUE(hasFault(error, 1, 1, "spam"));
    EXPECT_TRUE(hasFault(error, 2, 1, "1,2"));
    EXPECT_TRUE(hasFault(error, 3, 1, "no label"));
    EXPECT_TRUE(hasFault(error, 4, 1, "nan"));
    DataConfig byName = libsvm(folder.write("b", "1 1:1\n"));
    byName.labels = "class";
    EXPECT_EQ(failed(byName).faults.at(0).key, "data.labels");
}

TEST(LibsvmLoader, ReportsMissingValuesOrFillsThemIn) {
    DataFolder folder;
    DataConfig config = libsvm(folder.write("a", "1 1:2 2:1\n2 1:nan 2:1\n1 1:4 2:1\n2 1:inf 2:1\n1 2:3\n"));
    EXPECT_TRUE(hasFault(failed(config), 2, 3, "missing"));
    EXPECT_TRUE(hasFault(failed(config), 4, 3, "not finite"));
    config.missing = MissingPolicy::Mean;
    EXPECT_EQ(rowOf(*loaded(config), 1), (Numbers{2, 1})); // (2 + 4 + 0) / 3
    config.storage = Storage::Sparse;
    EXPECT_EQ(rowOf(*loaded(config), 3), (Numbers{2, 1}));
    config.missing = MissingPolicy::DropRows;
    EXPECT_EQ(loaded(config)->rows(), 3);
    EXPECT_EQ(loaded(config)->classNames(), (Words{"1"}));
}

TEST(LibsvmLoader, LeavesOutLabelsThatLookLikeMeasurements) {
    DataFolder folder;
    std::string text;
    for (int i = 0; i < 200; ++i) {
        text += std::to_string(i * 0.31) + " 1:1\n";
    }
    DataConfig config = plain(folder.write("a", text));
    EXPECT_FALSE(loaded(config)->isLabelled());
    EXPECT_NE(loaded(config)->description().find("200 distinct values"), std::string::npos);
    config.labels = "first";
    EXPECT_EQ(loaded(config)->classNames().size(), 200U);
}

} // namespace lambdascope::test

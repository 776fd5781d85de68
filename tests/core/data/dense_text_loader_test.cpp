// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_files.h"

namespace lambdascope::test {

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

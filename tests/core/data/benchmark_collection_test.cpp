// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_files.h"

namespace lambdascope::test {

namespace {

struct Listed {
    const char* file;
    Eigen::Index rows;
    Eigen::Index features; ///< after one-hot coding
    std::vector<int> classSizes;
    bool isSparse = false;
};

/// Row, feature and class counts as the collection's own table gives them; one-hot widths counted from the files.
const std::vector<Listed>& collection() {
    static const std::vector<Listed> files = {
        {"metric/iris.dense.txt", 150, 4, {50, 50, 50}},
        {"metric/wine.dense.txt", 178, 13, {59, 71, 48}},
        {"metric/iris.arff", 150, 4, {50, 50, 50}},
        {"metric/wine.arff", 178, 13, {59, 71, 48}},
        {"metric/segment.arff", 2310, 19, {330, 330, 330, 330, 330, 330, 330}},
        {"metric/phishing.libsvm.gz", 11055, 68, {4898, 6157}},
        {"metric/phishing.csv", 11055, 30, {4898, 6157}},
        {"metric/a9a.libsvm.gz", 32561, 123, {24720, 7841}, true},
        {"metric/a9a.t.libsvm", 16281, 122, {12435, 3846}, true},
        {"metric/usps.t.libsvm", 2007, 256, {264, 198, 166, 200, 160, 170, 147, 166, 177, 359}},
        {"metric/colon-cancer.dense.txt", 62, 2000, {40, 22}},
        {"metric/mnist4000.libsvm.gz", 4000, 779, {366, 454, 417, 398, 431, 359, 378, 429, 364, 404}, true},
        {"metric/pendigits.arff", 10992, 16, {1143, 1143, 1144, 1055, 1144, 1055, 1056, 1142, 1055, 1055}},
        {"svm/wdbc.csv", 569, 30, {357, 212}},
        {"svm/dna.scale.libsvm", 2000, 180, {464, 485, 1051}},
        {"svm/mushroom.arff", 8124, 125, {4208, 3916}},
        {"svm/mushrooms126.libsvm", 8124, 126, {4208, 3916}, true},
        {"svm/shuttle.tst.csv", 14500, 9, {11478, 13, 39, 2155, 809, 4, 2}},
        {"svm/splice.libsvm", 1000, 60, {483, 517}},
        {"svm/magic04.csv", 19020, 10, {12332, 6688}},
        {"svm/heart_scale.libsvm", 270, 13, {150, 120}},
        {"svm/german_scale.libsvm", 1000, 24, {700, 300}},
        {"svm/reuters.tst.libsvm.gz", 3299, 8315, {3120, 179}, true},
        {"pu/australian.csv", 690, 42, {307, 383}},
        {"pu/diabetes.csv", 768, 8, {500, 268}},
        {"pu/heart.csv", 270, 9, {150, 120}},
        {"pu/heart-statlog.csv", 270, 13, {150, 120}},
        {"pu/house.csv", 232, 16, {124, 108}},
        {"pu/house-votes.csv", 435, 16, {168, 267}},
        {"pu/ionosphere.csv", 351, 33, {126, 225}},
        {"pu/isolet.csv", 600, 51, {300, 300}},
        {"pu/krvskp.csv", 3196, 36, {1669, 1527}},
        {"pu/liverDisorders.csv", 345, 6, {145, 200}},
        {"pu/spectf.csv", 349, 44, {95, 254}},
        {"pu/bank-marketing.csv.gz", 45211, 51, {39922, 5289}},
        {"pu/adult-train.csv.gz", 32561, 105, {24720, 7841}},
        {"pu/credit.a.arff", 690, 47, {307, 383}},
        {"pu/vote.arff", 435, 32, {267, 168}},
        {"pu/diabetes.arff", 768, 8, {500, 268}}};
    return files;
}

} // namespace

TEST(BenchmarkCollection, LoadsWithTheCountsOfItsTable) {
    const auto folder = std::filesystem::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "../shared/data";
    if (!std::filesystem::exists(folder / "metric")) {
        GTEST_SKIP() << "no benchmark collection here";
    }
    for (const Listed& listed : collection()) {
        DataConfig config = plain(folder / listed.file);
        config.missing = MissingPolicy::Mean;
        const auto data = loaded(config);
        EXPECT_EQ(data->rows(), listed.rows) << listed.file;
        EXPECT_EQ(data->features(), listed.features) << listed.file;
        EXPECT_EQ(data->isSparse(), listed.isSparse) << listed.file;
        std::vector<int> sizes(data->classNames().size(), 0);
        for (const std::int32_t label : data->labels()) {
            ++sizes.at(static_cast<std::size_t>(label));
        }
        EXPECT_EQ(sizes, listed.classSizes) << listed.file;
    }
}

} // namespace lambdascope::test

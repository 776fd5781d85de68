// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/generators.h"
#include "core/data/raw_data.h"
#include "tests/core/data/data_files.h"

#include <cmath>

namespace lambdascope::test {

namespace {

RawData made(const std::string& source, std::uint64_t seed = 1) {
    auto data = generateData(source, seed);
    if (!data) {
        ADD_FAILURE() << data.error().describe();
        return {};
    }
    return std::move(*data);
}

Eigen::RowVectorXd classMean(const RawData& data, std::int32_t label) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(data.dense.cols());
    double count = 0;
    for (Eigen::Index i = 0; i < data.dense.rows(); ++i) {
        if (data.labels.codes[static_cast<std::size_t>(i)] == label) {
            sum += data.dense.row(i);
            ++count;
        }
    }
    return sum / count;
}

} // namespace

TEST(Generators, FollowTheirSeedAlone) {
    for (const Generator& generator : generators()) {
        const std::string source = "toy:" + std::string(generator.name);
        EXPECT_EQ(made(source, 3).dense, made(source, 3).dense);
        EXPECT_NE(made(source, 3).dense, made(source, 4).dense);
        EXPECT_EQ(made(source + "?seed=4", 3).dense, made(source, 4).dense);
        EXPECT_TRUE(made(source).dense.allFinite());
    }
}

TEST(Generators, TakeTheirOptions) {
    const RawData data = made("toy:gaussian-classes?n=9000&d=5&classes=4&separation=6");
    EXPECT_EQ(data.dense.rows(), 9000);
    EXPECT_EQ(data.dense.cols(), 5);
    EXPECT_EQ(data.labels.names.size(), 4U);
    for (std::int32_t c = 0; c < 4; ++c) {
        EXPECT_NEAR((classMean(data, c) - classMean(data, (c + 1) % 4)).norm(), 6, 0.2);
    }
    EXPECT_EQ(made("toy:spirals?n=30&classes=5").labels.names.size(), 5U);
    EXPECT_EQ(made("toy:gaussian-classes?n=2&classes=5").labels.names.size(), 2U);
}

TEST(Generators, DrawTheSvmFigureAsPublished) {
    const RawData data = made("toy:svm-figure1");
    ASSERT_EQ(data.dense.rows(), 1000);
    EXPECT_EQ(std::count(data.labels.codes.begin(), data.labels.codes.end(), 0), 500);
    EXPECT_EQ(data.labels.names, (Words{"-1", "1"}));
    const RawData many = made("toy:svm-figure1?n=100000");
    EXPECT_NEAR(classMean(many, 0)[0], -0.5, 0.03);
    EXPECT_NEAR(classMean(many, 1)[1], 0.5, 0.03);
    double squares = 0;
    for (Eigen::Index i = 0; i < many.dense.rows(); ++i) {
        squares += (many.dense.row(i).array() - (i % 2 == 0 ? -0.5 : 0.5)).square().sum();
    }
    EXPECT_NEAR(squares / 200'000, 2.25, 0.05);
}

TEST(Generators, DrawUnlabelledPointsForOrdinalEmbedding) {
    const RawData data = made("toy:ordinal-gaussian?n=20000");
    EXPECT_TRUE(data.labels.codes.empty());
    EXPECT_EQ(made("toy:ordinal-gaussian").dense.rows(), 100);
    EXPECT_EQ(data.dense.cols(), 10);
    EXPECT_NEAR(data.dense.squaredNorm() / static_cast<double>(data.dense.size()), 0.05, 0.002);
}

TEST(Generators, ReportAllOptionsThatAreWrong) {
    for (const char* source : {"toy:", "toy:moons", "toy:?n=3"}) {
        EXPECT_EQ(generateData(source, 1).error().code, ErrorCode::InvalidConfiguration) << source;
    }
    const auto bad = generateData("toy:gaussian-classes?n=0&d=1.5&clases=3&separation=x&seed=-1&&n", 1);
    ASSERT_FALSE(bad.has_value());
    EXPECT_EQ(bad.error().faults.size(), 7U);
    EXPECT_EQ(bad.error().faults.at(0).key, "data.source");
    EXPECT_NE(bad.error().describe().find("Did you mean \"classes\"?"), std::string::npos);
    EXPECT_FALSE(generateData("toy:gaussian-classes?n=10000000&d=100000", 1).has_value());
}

} // namespace lambdascope::test

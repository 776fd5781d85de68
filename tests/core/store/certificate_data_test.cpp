// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/resource_folder.h"
#include "core/data/dataset.h"
#include "core/store/certificate_data.h"
#include "tests/core/store/scratch_folder.h"

namespace lambdascope {
namespace {

class CertificateData : public testing_support::ScratchFolder {
  protected:
    /// The statement about a file of the scratch folder, a bundled set or generated data.
    Json statement(DataConfig config) {
        const DataPlaces places{{scratch("")}, resourceFolder() / "datasets"};
        const auto data = loadDataset(config, places);
        EXPECT_TRUE(data);
        if (!data) {
            return {};
        }
        m_rows = (*data)->rows();
        const auto made = certificateData(**data, config, places, scratch(""), {});
        EXPECT_TRUE(made);
        return made ? *made : Json();
    }
    Json statementOf(const std::string& text, const std::string& labels = "auto") {
        write(scratch("x.txt"), text);
        DataConfig config;
        config.source = "x.txt";
        config.labels = labels;
        return statement(config);
    }
    [[nodiscard]] bool hasValues() const { return std::filesystem::exists(scratch("data.csv")); }

    Eigen::Index m_rows = 0;
};

TEST_F(CertificateData, NamesTheKeptRowsOfABundledSet) {
    DataConfig config;
    config.source = "iris";
    config.subset = 0.9;
    const Json made = statement(config);
    EXPECT_EQ(made.at("file").text(), "iris.csv");
    EXPECT_EQ(made.at("format").text(), "delimited");
    EXPECT_TRUE(made.at("header").get<bool>());
    EXPECT_EQ(made.at("label_column").get<int>(), 5);
    EXPECT_EQ(made.at("scale").text(), "minmax");
    EXPECT_EQ(made.at("rows").size(), 135U);
    EXPECT_EQ(m_rows, 135);
    EXPECT_FALSE(hasValues());
}

TEST_F(CertificateData, FindsTheLabelsWhereverTheyStand) {
    Json made = statementOf("a,1.5,2\nb,2.5,3\na,0,1\nb,1,1\n", "first");
    EXPECT_EQ(made.at("label_column").get<int>(), 1);
    EXPECT_FALSE(made.at("header").get<bool>());
    made = statementOf("p;class;q\n1;x;3\n2;y;4\n2;x;1\n");
    EXPECT_EQ(made.at("delimiter").text(), ";");
    EXPECT_EQ(made.at("label_column").get<int>(), 2);
    EXPECT_TRUE(made.at("header").get<bool>());
    made = statementOf("1 0.5 0.25\n2 0.5 0.75\n1 0.1 0.3\n2 0.2 0.1\n", "first");
    EXPECT_EQ(made.at("format").text(), "blanks");
    EXPECT_EQ(made.at("label_column").get<int>(), 1);
    made = statementOf("+1 1:0.5 3:2\n-1 2:1\n+1 1:1\n-1 3:1\n");
    EXPECT_EQ(made.at("format").text(), "libsvm");
    EXPECT_EQ(made.at("features").get<int>(), 3);
    EXPECT_FALSE(hasValues());
}

TEST_F(CertificateData, WritesTheValuesWhereThereAreNoRules) {
    DataConfig config;
    config.source = "toy:two-moons?n=20";
    Json made = statement(config);
    EXPECT_EQ(made.at("file").text(), "data.csv");
    EXPECT_EQ(made.at("scale").text(), "none");
    EXPECT_TRUE(hasValues());
    for (const bool isReduced : {false, true}) {
        config = {};
        config.source = "iris";
        if (isReduced) {
            config.pca = 2;
        } else {
            config.scale = Scaling::Standardize;
        }
        std::filesystem::remove(scratch("data.csv"));
        made = statement(config);
        EXPECT_EQ(made.at("label_column").get<int>(), isReduced ? 3 : 5);
        EXPECT_FALSE(made.contains("target_column"));
        EXPECT_TRUE(hasValues());
    }
}

TEST_F(CertificateData, NamesTheColumnOfNumbersToFit) {
    DataConfig config;
    config.source = "diabetes";
    config.subset = 0.5;
    Json made = statement(config);
    EXPECT_EQ(made.at("label_column").get<int>(), 0);
    EXPECT_EQ(made.at("target_column").get<int>(), 11);
    EXPECT_EQ(made.at("rows").size(), 221U);
    EXPECT_FALSE(hasValues());
    config.scale = Scaling::Standardize;
    made = statement(config);
    EXPECT_EQ(made.at("target_column").get<int>(), 11);
    EXPECT_EQ(made.at("file").text(), "data.csv");
    EXPECT_TRUE(hasValues());
    config = {};
    config.source = "x.txt";
    config.target = "p";
    write(scratch("x.txt"), "q,p,r\n1,0.5,2\n3,0.25,4\n");
    made = statement(config);
    EXPECT_EQ(made.at("target_column").get<int>(), 2);
    EXPECT_TRUE(made.at("header").get<bool>());
    config.target = "first";
    write(scratch("x.txt"), "0.5 1:0.5 3:2\n-1 2:1\n");
    made = statement(config);
    EXPECT_EQ(made.at("format").text(), "libsvm");
    EXPECT_EQ(made.at("target_column").get<int>(), 1);
}

TEST_F(CertificateData, HashesNumbersToFit) {
    DataConfig config;
    config.source = "x.txt";
    config.target = "last";
    write(scratch("x.txt"), "1,2\n3,4\n");
    const std::string before = statement(config).at("values_sha256").text();
    write(scratch("x.txt"), "1,2\n3,5\n");
    EXPECT_NE(statement(config).at("values_sha256").text(), before);
}

} // namespace
} // namespace lambdascope

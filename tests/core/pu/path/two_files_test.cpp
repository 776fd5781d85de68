// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pu/family.h"
#include "core/pu/path/prepared_pu.h"
#include "core/pu/path/two_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace lambdascope::pu {
namespace {

/// Two files in a folder of their own.
class PuTwoFiles : public ::testing::Test {
  protected:
    void SetUp() override {
        m_folder = std::filesystem::path(::testing::TempDir()) /
                   (std::string("pu-files-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(m_folder / name) << text;
        return (m_folder / name).string();
    }
    /// What preparing the problem on two files comes to.
    Result<std::shared_ptr<const PreparedProblem>> prepared(const std::string& labelled, const std::string& unlabeled,
                                                            const Json& problem = Json::object()) const {
        Json document = documentOf(labelled, unlabeled);
        document["problem"].mergePatch(problem);
        const SchemaCatalog catalog({family().schema});
        auto experiment = validateExperiment(document, catalog);
        EXPECT_TRUE(experiment) << (experiment ? "" : experiment.error().describe());
        const auto data = loadDataset((*experiment)->data, {});
        EXPECT_TRUE(data);
        return family().prepare(**experiment, *data, {}, {}, {});
    }
    static Json documentOf(const std::string& labelled, const std::string& unlabeled) {
        return {{"family", "pu"},
                {"name", "two files"},
                {"data", {{"source", labelled}, {"labels", "none"}, {"scale", "none"}}},
                {"problem",
                 {{"labels", "files"},
                  {"unlabeled_file", unlabeled},
                  {"kernel", "linear"},
                  {"prior", "given"},
                  {"prior_value", 0.4}}},
                {"path", {{"values", {0.1}}}}};
    }

  private:
    std::filesystem::path m_folder;
};

const char* const kPositives = "a,b\n1,2\n3,4\n";
const char* const kOthers = "a,b\n-1,0\n5,6\n7,10\n";

TEST_F(PuTwoFiles, BecomePositivesAndUnlabeled) {
    const auto made = prepared(file("p.csv", kPositives), file("u.csv", kOthers));
    ASSERT_TRUE(made) << made.error().describe();
    const auto problem = std::dynamic_pointer_cast<const PreparedPu>(*made);
    const PuSamples& samples = problem->samples();
    ASSERT_EQ(samples.positives, 2);
    ASSERT_EQ(samples.unlabeled, 3);
    EXPECT_TRUE(samples.truth.empty());
    EXPECT_EQ(samples.dense(0, 1), 2);
    EXPECT_EQ(samples.dense(1, 0), 3);
    EXPECT_EQ(samples.dense.bottomRows(3).sum(), -1 + 0 + 5 + 6 + 7 + 10);
    EXPECT_EQ(problem->prior(), 0.4);
}

TEST_F(PuTwoFiles, AreScaledTogether) {
    const auto made = prepared(file("p.csv", kPositives), file("u.csv", kOthers), {{"scale", "minmax"}});
    ASSERT_TRUE(made) << made.error().describe();
    const PuSamples& samples = std::dynamic_pointer_cast<const PreparedPu>(*made)->samples();
    EXPECT_EQ(samples.dense.maxCoeff(), 1);
    EXPECT_EQ(samples.dense.minCoeff(), -1);
    EXPECT_NEAR(samples.dense(0, 0), -0.5, 1e-15); // 1 between −1 and 7
}

TEST_F(PuTwoFiles, WithFaultsAreRefusedWithPlaceAndRemedy) {
    const std::string positives = file("p.csv", kPositives);
    const auto narrow = prepared(positives, file("narrow.csv", "a\n1\n2\n"));
    ASSERT_FALSE(narrow);
    EXPECT_EQ(narrow.error().faults.front().key, "problem.unlabeled_file");
    const auto broken = prepared(positives, file("broken.csv", "a,b\n1,2\n3\n4,5\n"));
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().faults.front().place.line, 3);
    EXPECT_NE(broken.error().describe().find("broken.csv"), std::string::npos);
    const auto missing = prepared(positives, "/nowhere/at-all.csv");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().faults.front().key, "problem.unlabeled_file");
}

TEST_F(PuTwoFiles, PriorsThatRoundingTakesForZeroOrOneAreRefused) {
    // From 1 − 1e-12 on m = 2πn is 2n itself: all s are 2, whatever the data say.
    const std::string positives = file("p.csv", kPositives);
    const std::string others = file("u.csv", kOthers);
    for (const double prior : {1e-8, 0.5, 1 - 1e-8}) {
        EXPECT_TRUE(prepared(positives, others, {{"prior_value", prior}})) << prior;
    }
    for (const double prior : {1e-300, 1e-10, 1 - 1e-12, 1 - 0x1p-53}) {
        const auto made = prepared(positives, others, {{"prior_value", prior}});
        ASSERT_FALSE(made) << prior;
        EXPECT_EQ(made.error().faults.front().key, "problem.prior");
        Json document = documentOf(positives, others);
        document["path"] = {{"kind", "prior"}, {"values", {prior}}};
        const SchemaCatalog catalog({family().schema});
        const auto experiment = validateExperiment(document, catalog);
        ASSERT_FALSE(experiment) << prior;
        EXPECT_EQ(experiment.error().faults.front().key, "path.values");
    }
}

TEST_F(PuTwoFiles, FaultsOfTheFieldsComeAllAtOnce) {
    Json document = documentOf(file("p.csv", kPositives), "");
    document["data"]["scale"] = "minmax";
    document["data"]["subset"] = 0.5;
    document["problem"]["prior"] = "training";
    const SchemaCatalog catalog({family().schema});
    const auto experiment = validateExperiment(document, catalog);
    ASSERT_FALSE(experiment);
    std::vector<std::string> keys;
    for (const Fault& fault : experiment.error().faults) {
        keys.push_back(fault.key);
        EXPECT_FALSE(fault.remedy.empty());
    }
    EXPECT_EQ(keys, (std::vector<std::string>{"problem.unlabeled_file", "data.scale", "data.subset", "problem.prior"}));
}

} // namespace
} // namespace lambdascope::pu

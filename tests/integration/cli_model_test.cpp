// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lambdascope {
namespace {

using testing_support::CliResult;

class ModelCommands : public testing_support::ScratchFolder {
  protected:
    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }
};

TEST_F(ModelCommands, AModelPredictsTheRowsItWasTrainedOn) {
    const CliResult run = cli({"run", "ogawa-table-4", "--set", "data.subset=0.6", "--set", "path.max_c=3", "--lanes",
                               "Full,Shrink+IT", "--out", "out", "--library", "none"});
    ASSERT_EQ(run.status, 0) << run.err;
    const CliResult exported = cli({"export-model", "out", "last.model", "--lane", "Shrink+IT"});
    ASSERT_EQ(exported.status, 0) << exported.err;
    EXPECT_NE(exported.out.find("Shrink+IT at C = "), std::string::npos) << exported.out;
    EXPECT_NE(contents(scratch("last.model")).find("kernel_type rbf"), std::string::npos);
    // Scaled over all rows: nearly the coordinates of the run, which scaled by six tenths of them.
    const CliResult predicted = cli({"predict", "last.model", "breast-cancer", "--set", "data.scale=minmax", "--out",
                                     "predicted.csv", "--positive", "benign"});
    ASSERT_EQ(predicted.status, 0) << predicted.err;
    EXPECT_NE(predicted.out.find("rows classified wrongly, error 0.0"), std::string::npos) << predicted.out;
    EXPECT_NE(predicted.out.find("AUC 0.99"), std::string::npos) << predicted.out;
    const std::string table = contents(scratch("predicted.csv"));
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 570);

    const CliResult first = cli({"export-model", "out", "first.model", "--point", "0"});
    ASSERT_EQ(first.status, 0) << first.err;
    EXPECT_NE(first.out.find("Full"), std::string::npos);
    EXPECT_NE(contents(scratch("first.model")), contents(scratch("last.model")));

    EXPECT_EQ(cli({"export-model", "out", "last.model"}).status, 2); // there already
    EXPECT_EQ(cli({"export-model", "out", "last.model", "--force"}).status, 0);
    EXPECT_EQ(cli({"export-model", "out", "x.model", "--point", "999"}).status, 2);
    EXPECT_EQ(cli({"export-model", "out", "x.model", "--lane", "none"}).status, 2);
    EXPECT_EQ(cli({"export-model", "nowhere", "x.model"}).status, 2);
    EXPECT_EQ(cli({"predict", "last.model", "breast-cancer", "--positive", "none"}).status, 2);
}

TEST_F(ModelCommands, RegressionIsVerifiedAndItsModelGivesNumbers) {
    const CliResult run = cli({"run", "diabetes-tube", "--set", "path.max_c=300", "--set", "path.ratio=4", "--set",
                               "data.scale=minmax", "--set", "data.subset=0.7", "--out", "out", "--library", "none"});
    ASSERT_EQ(run.status, 0) << run.err;
    const CliResult verified = cli({"verify", "out"});
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
    const CliResult exported = cli({"export-model", "out", "sugar.model", "--lane", "Shrink"});
    ASSERT_EQ(exported.status, 0) << exported.err;
    const std::string model = contents(scratch("sugar.model"));
    EXPECT_TRUE(model.starts_with("svm_type epsilon_svr\nkernel_type rbf\n")) << model.substr(0, 60);
    EXPECT_EQ(model.find("label"), std::string::npos);
    const CliResult predicted =
        cli({"predict", "sugar.model", "diabetes", "--set", "data.scale=minmax", "--out", "numbers.csv"});
    ASSERT_EQ(predicted.status, 0) << predicted.err;
    EXPECT_NE(predicted.out.find("442 rows: f from "), std::string::npos) << predicted.out;
    EXPECT_NE(predicted.out.find("R² 0."), std::string::npos) << predicted.out;
    EXPECT_TRUE(contents(scratch("numbers.csv")).starts_with("row,value\n0,"));
    const CliResult byRun = cli({"predict", "out", "diabetes", "--lane", "BT1"});
    ASSERT_EQ(byRun.status, 0) << byRun.err;
    EXPECT_NE(byRun.out.find("R² 0."), std::string::npos) << byRun.out;
    const CliResult converted = cli({"convert", "diabetes", "sugar.libsvm"});
    ASSERT_EQ(converted.status, 0) << converted.err;
    EXPECT_TRUE(contents(scratch("sugar.libsvm")).starts_with("151 1:59 2:2 "))
        << contents(scratch("sugar.libsvm")).substr(0, 40);
    const CliResult certified = cli({"certify", "out", "--out", "proof"});
    EXPECT_EQ(certified.status, 0) << certified.err;
    EXPECT_NE(certified.out.find("check.py"), std::string::npos) << certified.out;
}

TEST_F(ModelCommands, SayWhatTheyCannotRead) {
    const CliResult missing = cli({"predict", "none.model", "iris"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_NE(missing.err.find("none.model"), std::string::npos) << missing.err;
    write(scratch("bad.model"), "svm_type c_svc\nkernel_type sigmoid\n");
    const CliResult bad = cli({"predict", "bad.model", "iris"});
    EXPECT_EQ(bad.status, 2);
    EXPECT_NE(bad.err.find("bad.model:2"), std::string::npos) << bad.err;
    const CliResult run = cli({"run", "iris-six-lanes", "--set", "path.max_points=2", "--set", "data.subset=0.5",
                               "--lanes", "naive", "--out", "out", "--library", "none"});
    ASSERT_EQ(run.status, 0) << run.err;
    const CliResult metric = cli({"export-model", "out", "x.model"});
    EXPECT_EQ(metric.status, 2);
    EXPECT_NE(metric.err.find("family"), std::string::npos) << metric.err;
}

TEST_F(ModelCommands, InvalidKernelsAreRefused) {
    const std::string rest = "nr_class 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:1 2:2\n-1 1:2 2:1\n";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"kernel_type rbf\ngamma -1\n", "m.model:3"},
        {"kernel_type rbf\ngamma 0\n", "above 0"},
        {"kernel_type rbf\ngamma nan\n", "gamma is no number"},
        {"kernel_type rbf\n", "gamma is missing"},
        {"kernel_type polynomial\ndegree -2\ngamma 1\ncoef0 0\n", "degree"},
        {"kernel_type polynomial\ndegree 2.5\ngamma 1\ncoef0 0\n", "degree"}};
    write(scratch("d.csv"), "a,b,class\n1,2,1\n2,1,-1\n");
    for (const auto& [header, part] : cases) {
        SCOPED_TRACE(header);
        write(scratch("m.model"), "svm_type c_svc\n" + header + rest);
        const CliResult result = cli({"predict", "m.model", "d.csv"});
        EXPECT_EQ(result.status, 2) << result.out;
        EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    }
    write(scratch("m.model"), "svm_type c_svc\nkernel_type linear\n" + rest);
    const CliResult good = cli({"predict", "m.model", "d.csv"});
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_EQ(good.err, "");
}

TEST_F(ModelCommands, DataOfOtherFeaturesAreWarnedOf) {
    write(scratch("m.model"), "svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n"
                              "1 1:1 3:2\n-1 1:2 3:1\n");
    write(scratch("more.csv"), "a,b,c,d,class\n1,2,3,4,1\n2,1,4,3,-1\n");
    write(scratch("fewer.csv"), "a,b,class\n1,2,1\n2,1,-1\n");
    const CliResult more = cli({"predict", "m.model", "more.csv"});
    EXPECT_EQ(more.status, 0) << more.err;
    EXPECT_NE(more.err.find("the data have 4 features, the support vectors of the model only 3"), std::string::npos)
        << more.err;
    const CliResult fewer = cli({"predict", "m.model", "fewer.csv"});
    EXPECT_EQ(fewer.status, 0) << fewer.err;
    EXPECT_NE(fewer.err.find("the data have only 2 features"), std::string::npos) << fewer.err;
}

} // namespace
} // namespace lambdascope

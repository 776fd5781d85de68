// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of numbers to fit, in place of labels: data.target.
#include "core/data/data_source.h"
#include "core/data/dataset.h"
#include "tests/core/store/scratch_folder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {
namespace {

class TargetColumn : public testing_support::ScratchFolder {
  protected:
    Result<std::shared_ptr<const Dataset>> load(const std::string& file, const std::string& text,
                                                const std::string& target, DataConfig config = {}) {
        write(scratch(file), text);
        config.source = scratch(file).string();
        config.target = target;
        config.scale = Scaling::None;
        return loadDataset(config, {});
    }
    static std::vector<double> targetsOf(const Dataset& data) { return {data.targets().begin(), data.targets().end()}; }
};

const char* const kTable = "a,b,y\n1,2,0.5\n3,4,-1e3\n5,6,0.5\n";

TEST_F(TargetColumn, IsTakenByNameNumberOrPlaceFromAnyFormat) {
    const std::vector<double> expected = {0.5, -1000, 0.5};
    for (const char* target : {"y", "3", "last"}) {
        const auto data = load("t.csv", kTable, target);
        ASSERT_TRUE(data) << data.error().describe();
        EXPECT_EQ(targetsOf(**data), expected);
        EXPECT_FALSE((*data)->isLabelled());
        EXPECT_EQ((*data)->features(), 2);
        EXPECT_EQ((*data)->targetName(), std::string(target) == "y" ? "y" : "target");
        EXPECT_NE((*data)->description().find("from -1000 to 0.5"), std::string::npos) << (*data)->description();
    }
    const auto first = load("t.csv", kTable, "first");
    ASSERT_TRUE(first);
    EXPECT_EQ(targetsOf(**first), (std::vector<double>{1, 3, 5}));
    const auto libsvm = load("t.libsvm", "0.5 1:1 2:2\n-1e3 1:3 2:4\n0.5 1:5 2:6\n", "first");
    ASSERT_TRUE(libsvm) << libsvm.error().describe();
    EXPECT_EQ(targetsOf(**libsvm), expected);
    const auto arff = load("t.arff",
                           "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute y numeric\n@data\n"
                           "1,2,0.5\n3,4,-1e3\n5,6,0.5\n",
                           "y");
    ASSERT_TRUE(arff) << arff.error().describe();
    EXPECT_EQ(targetsOf(**arff), expected);
    EXPECT_TRUE((*load("t.csv", kTable, "auto"))->targets().size() == 0);
}

TEST_F(TargetColumn, FollowsItsRowsThroughSubsetEditsAndMissingValues) {
    std::string text = "x,y\n";
    for (int i = 0; i < 40; ++i) {
        text += std::to_string(i) + "," + std::to_string(10 * i) + "\n";
    }
    DataConfig config;
    config.subset = 0.7;
    config.edits = "omit 3; move 5 500";
    const auto data = load("t.csv", text, "y", config);
    ASSERT_TRUE(data) << data.error().describe();
    EXPECT_EQ((*data)->rows(), 27);
    ASSERT_NE((*data)->heldOut(), nullptr);
    EXPECT_EQ((*data)->heldOut()->rows(), 12);
    for (const Dataset* part : {data->get(), (*data)->heldOut()}) {
        ASSERT_EQ(part->targets().size(), part->rows());
        for (Eigen::Index i = 0; i < part->rows(); ++i) {
            const double x = part->dense()(i, 0) == 500 ? 5 : part->dense()(i, 0);
            EXPECT_EQ(part->targets()(i), 10 * x);
            EXPECT_NE(x, 3);
        }
    }
    config = {};
    config.missing = MissingPolicy::DropRows;
    const auto dropped = load("m.csv", "x,y\n1,10\n2,?\n?,30\n4,40\n", "y", config);
    ASSERT_TRUE(dropped) << dropped.error().describe();
    EXPECT_EQ(targetsOf(**dropped), (std::vector<double>{10, 40}));
}

TEST_F(TargetColumn, ChangesTheHashOfTheContent) {
    const auto one = load("t.csv", "x,y\n1,2\n2,3\n", "y");
    const auto other = load("t.csv", "x,y\n1,2\n2,4\n", "y");
    ASSERT_TRUE(one && other);
    EXPECT_NE((*one)->contentSha256(), (*other)->contentSha256());
}

TEST_F(TargetColumn, FaultsSayWhereAndWhatToDo) {
    const auto word = load("t.csv", "x,y\n1,2\n2,many\n3,4\n", "y");
    ASSERT_FALSE(word);
    EXPECT_EQ(word.error().faults.at(0).place.line, 3u);
    EXPECT_EQ(word.error().faults.at(0).place.column, 3u);
    EXPECT_NE(word.error().describe().find("is not a number"), std::string::npos) << word.error().describe();
    const auto missing = load("t.csv", "x,y\n1,2\n2,\n3,4\n", "y");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().faults.at(0).place.line, 3u);
    DataConfig mean;
    mean.missing = MissingPolicy::Mean;
    const auto filled = load("t.csv", "x,y\n1,2\n2,?\n3,4\n", "y", mean);
    ASSERT_FALSE(filled);
    EXPECT_NE(filled.error().describe().find("target of row 2 is missing"), std::string::npos)
        << filled.error().describe();
    const auto unknown = load("t.csv", "x,price\n1,2\n2,3\n", "prize");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().faults.at(0).key, "data.target");
    EXPECT_NE(unknown.error().describe().find("price"), std::string::npos);
    const auto nominal =
        load("t.arff", "@relation r\n@attribute x numeric\n@attribute y {a,b}\n@data\n1,a\n2,b\n", "y");
    ASSERT_FALSE(nominal);
    EXPECT_EQ(nominal.error().faults.at(0).key, "data.target");
    DataConfig labelled;
    labelled.labels = "x";
    const auto both = load("t.csv", "x,y,z\n1,2,3\n2,3,4\n", "y", labelled);
    ASSERT_FALSE(both);
    EXPECT_EQ(both.error().faults.at(0).key, "data.labels");
    DataConfig added;
    added.edits = "add 1 A";
    const auto more = load("t.csv", "x,y\n1,2\n2,3\n", "y", added);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().faults.at(0).key, "data.edits");
}

TEST(BundledTargets, AreThoseOfTheirSets) {
    DataConfig config;
    config.source = "diabetes";
    const auto diabetes = loadDataset(config, {});
    ASSERT_TRUE(diabetes) << diabetes.error().describe();
    EXPECT_EQ((*diabetes)->rows(), 442);
    EXPECT_EQ((*diabetes)->features(), 10);
    EXPECT_EQ((*diabetes)->targets().minCoeff(), 25);
    EXPECT_EQ((*diabetes)->targets().maxCoeff(), 346);
    EXPECT_EQ((*diabetes)->targets().sum(), 67243);
    EXPECT_EQ((*diabetes)->targetName(), "progression");
    config.target = "bmi";
    const auto other = loadDataset(config, {});
    ASSERT_TRUE(other);
    EXPECT_EQ((*other)->targets()(0), 32.1);
    config = {};
    config.source = "toy:sine?n=50&noise=0";
    config.scale = Scaling::None;
    const auto sine = loadDataset(config, {});
    ASSERT_TRUE(sine);
    EXPECT_EQ((*sine)->features(), 1);
    for (Eigen::Index i = 0; i < 50; ++i) {
        EXPECT_DOUBLE_EQ((*sine)->targets()(i), std::sin((*sine)->dense()(i, 0)));
    }
    config.target = "x";
    EXPECT_FALSE(loadDataset(config, {}));
}

} // namespace
} // namespace lambdascope

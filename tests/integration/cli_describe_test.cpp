// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/data_profile.h"
#include "core/families.h"
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/cli_process.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

using testing_support::CliResult;

class DescribeCommand : public testing_support::ScratchFolder {
  protected:
    CliResult cli(const std::vector<std::string>& arguments) { return testing_support::runCli(scratch(""), arguments); }
};

TEST_F(DescribeCommand, TellsWhatADataSetHoldsAndWhatEachFamilyNeeds) {
    write(scratch("my.csv"), "city,width,note,kind\nRome,1.5,good,ant\nOslo,2.5,bad,bee\nBern,-3,good,ant\n"
                             "Kyiv,0.25,poor,fly\nRiga,4,bad,bee\nBonn,7,good,ant\n");
    const CliResult told = cli({"describe", "my.csv"});
    ASSERT_EQ(told.status, 0) << told.err;
    for (const char* part :
         {"my: CSV, 6 rows × 4 features, 3 classes", "row names from column 1", "SHA-256 ",
          "line  city  width  note  kind", "   4  Bern  -3", "ant       3    50%",
          "width          -3        7   2.04167", "svm", "but an SVM separates two", "ordinal  nothing more"}) {
        EXPECT_NE(told.out.find(part), std::string::npos) << part << " in\n" << told.out;
    }
    const CliResult csv = cli({"describe", "my.csv", "--format", "csv"});
    EXPECT_EQ(csv.out.substr(0, csv.out.find('\n')), "feature,lowest,highest,mean,missing") << csv.out;
    EXPECT_NE(cli({"describe", "iris", "--format", "markdown", "--digits", "2"}).out.find("|  5.8 |"),
              std::string::npos);
}

TEST_F(DescribeCommand, BrokenDataShowTheirHeadAndAllFaults) {
    write(scratch("bad.csv"), "a,b,label\n1,2,x\n3,oops,y\n4,5\n7,,y\n");
    const CliResult told = cli({"describe", "bad.csv"});
    EXPECT_EQ(told.status, 2);
    EXPECT_NE(told.out.find("oops"), std::string::npos) << told.out;
    for (const char* place : {"bad.csv:3:3", "bad.csv:4", "bad.csv:5:3"}) {
        EXPECT_NE(told.err.find(place), std::string::npos) << place << " in\n" << told.err;
    }
    EXPECT_EQ(cli({"describe", "nowhere.csv"}).status, 2);
    EXPECT_EQ(cli({"describe", "iris", "--set", "problem.k=3"}).status, 2);
}

/// What describe says a family lacks is what preparing an experiment of it says, and where it says nothing, the family
/// takes the data.
TEST(DataFits, SayWhatPreparingAnExperimentSays) {
    DataPlaces places;
    int lacking = 0;
    int fitting = 0;
    for (const char* source : {"iris", "wine", "toy:two-moons?n=40", "toy:svm-figure1?n=30", "iris#none", "wine#first",
                               "iris#1", "toy:two-moons?n=2"}) {
        const std::string text = source;
        const std::size_t mark = text.find('#');
        DataConfig config;
        config.source = text.substr(0, mark);
        config.labels = mark == std::string::npos ? "auto" : text.substr(mark + 1);
        config.subset = config.source == "iris" || config.source == "wine" ? 0.3 : 1;
        const DataProfile profile = profileData(config, places, ProfileExtent::Whole);
        ASSERT_TRUE(profile.dataset) << source << ": " << profile.fault->describe();
        const Json section{{"source", config.source}, {"labels", config.labels}, {"subset", config.subset}};
        const auto fits = dataFits(Json{{"data", section}}, profile.dataset, places);
        ASSERT_EQ(fits.size(), builtInFamilies().size());
        for (std::size_t f = 0; f < fits.size(); ++f) {
            const Family& family = builtInFamilies()[f];
            const auto experiment =
                validateExperiment(Json{{"family", family.schema.id}, {"data", section}}, builtInCatalog());
            ASSERT_TRUE(experiment) << experiment.error().describe();
            const auto prepared = family.prepare(**experiment, profile.dataset, places, {}, {});
            ASSERT_EQ(!prepared.has_value(), fits[f].need.has_value())
                << source << ", " << fits[f].family << ": "
                << (prepared ? fits[f].need->text() : prepared.error().describe());
            if (fits[f].need) {
                EXPECT_EQ(*fits[f].need, prepared.error().faults.front());
                ++lacking;
            } else {
                ++fitting;
            }
        }
    }
    EXPECT_GE(lacking, 6);
    EXPECT_GE(fitting, 10);
}

} // namespace
} // namespace lambdascope

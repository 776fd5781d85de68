// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/data_profile.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

class DataProfileTest : public testing::Test {
  protected:
    DataProfileTest() : m_folder(fs::temp_directory_path() / ("lambdascope-profile-" + std::to_string(::getpid()))) {
        fs::create_directories(m_folder);
    }
    ~DataProfileTest() override {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }

    DataProfile profile(const std::string& text, DataConfig config = {}, ProfileExtent extent = ProfileExtent::Whole) {
        std::ofstream(m_folder / "my.csv", std::ios::binary) << text;
        config.source = "my.csv";
        return profileData(config, {{m_folder}, {}}, extent);
    }

    fs::path m_folder;
};

const std::string kThreeClasses = "city,width,note,kind\n"
                                  "Rome,1.5,good,ant\n"
                                  "Oslo,2.5,bad,bee\n"
                                  "Bern,-3,good,ant\n"
                                  "Kyiv,0.25,poor,fly\n"
                                  "Riga,4,bad,bee\n"
                                  "Bonn,7,good,ant\n";

TEST_F(DataProfileTest, TellsClassesRangesAndTheRawHeadOfATableWithWords) {
    const DataProfile told = profile(kThreeClasses);
    ASSERT_FALSE(told.fault) << told.fault->describe();
    EXPECT_EQ(told.rows, 6);
    ASSERT_EQ(told.classes.size(), 3U);
    EXPECT_EQ(told.classes[0].name, "ant");
    EXPECT_EQ(told.classes[0].rows, 3);
    EXPECT_EQ(told.classes[2].rows, 1);
    ASSERT_EQ(told.measures.size(), 4U) << "width, and a feature per word of note";
    EXPECT_EQ(told.measures[0].name, "width");
    EXPECT_EQ(told.measures[0].lowest, -3);
    EXPECT_EQ(told.measures[0].highest, 7);
    EXPECT_NEAR(told.measures[0].mean, 12.25 / 6, 1e-15);
    EXPECT_EQ(told.measures[1].name, "note=good");
    EXPECT_EQ(told.head.columns, (std::vector<std::string>{"city", "width", "note", "kind"}));
    ASSERT_EQ(told.head.records.size(), 6U);
    EXPECT_EQ(told.head.records[2].cells, (std::vector<std::string>{"Bern", "-3", "good", "ant"}));
    EXPECT_EQ(told.head.records[2].line, 4U);
    EXPECT_EQ(told.head.records[2].columns, (std::vector<std::size_t>{1, 6, 9, 14}));
    EXPECT_TRUE(told.dataset);
    EXPECT_EQ(told.sha256.size(), 64U);
    EXPECT_EQ(profileSentence(told), "CSV, 6 rows × 4 features, 3 classes");
}

TEST_F(DataProfileTest, CountsGapsAlsoWhereTheyAreForbidden) {
    const std::string text = "a,b,label\n1,?,x\n2,5,y\n,6,x\n4,7,\n9,NA,y\n3,2,x\n8,1,y\n";
    for (const MissingPolicy policy : {MissingPolicy::Fail, MissingPolicy::DropRows}) {
        DataConfig config;
        config.missing = policy;
        const DataProfile told = profile(text, config);
        EXPECT_EQ(told.missingValues, 3);
        EXPECT_EQ(told.missingLabels, 1);
        EXPECT_EQ(told.incompleteRows, 4);
        ASSERT_EQ(told.measures.size(), 2U);
        EXPECT_EQ(told.measures[0].missing, 1);
        EXPECT_EQ(told.measures[1].missing, 2);
        EXPECT_EQ(told.measures[1].lowest, 1);
        EXPECT_EQ(told.measures[1].highest, 7);
        EXPECT_EQ(told.classes[0].rows, 3);
        EXPECT_EQ(told.classes[1].rows, 3);
        ASSERT_EQ(told.fault.has_value(), policy == MissingPolicy::Fail);
        EXPECT_EQ(told.dataset != nullptr, policy != MissingPolicy::Fail);
        if (told.fault) {
            ASSERT_EQ(told.fault->faults.size(), 4U);
            EXPECT_EQ(told.fault->faults[0].place.line, 2U);
            EXPECT_EQ(told.fault->faults[0].place.column, 3U);
            EXPECT_NE(told.fault->faults[0].remedy.find("drop-rows"), std::string::npos);
        }
    }
}

TEST_F(DataProfileTest, ShowsTheHeadAndTheFaultyLinesOfABrokenTable) {
    std::string text = "a,b,label\n";
    for (int i = 0; i < 100; ++i) {
        text += i == 57   ? "1,oops,x\n"
                : i == 80 ? "1,2\n"
                          : std::to_string(i) + ",2," + (i % 2 == 0 ? "x" : "y") + "\n";
    }
    const DataProfile told = profile(text);
    ASSERT_TRUE(told.fault);
    ASSERT_EQ(told.fault->faults.size(), 2U);
    EXPECT_EQ(told.fault->faults[0].place.line, 59U);
    EXPECT_EQ(told.fault->faults[0].place.column, 3U);
    EXPECT_EQ(told.fault->faults[1].place.line, 82U);
    ASSERT_EQ(told.head.records.size(), DataProfile::kMostRecords + 2);
    EXPECT_EQ(told.head.records[DataProfile::kMostRecords].line, 59U);
    EXPECT_EQ(told.head.records[DataProfile::kMostRecords].cells[1], "oops");
    EXPECT_EQ(told.head.records[DataProfile::kMostRecords].columns[1], 3U);
    EXPECT_EQ(told.head.records.back().cells.size(), 2U);
    EXPECT_FALSE(told.dataset);
}

TEST_F(DataProfileTest, AHeadHasTheWholeLinesOfTheFirstMebibyteOnly) {
    std::string text = "a,b,label\n";
    std::mt19937 random(7);
    std::size_t lines = 0;
    std::size_t linesOfHead = 0;
    while (text.size() < 3'000'000) {
        text += std::to_string(random()) + "," + std::to_string(lines) + ",c" + std::to_string(lines % 3) + "\n";
        ++lines;
        linesOfHead += text.size() <= (std::size_t{1} << 20) ? 1 : 0;
    }
    text += "last,line,is wrong\n";
    const DataProfile head = profile(text, {}, ProfileExtent::Head);
    EXPECT_FALSE(head.fault) << head.fault->describe();
    EXPECT_FALSE(head.isWhole);
    EXPECT_EQ(head.rows, static_cast<std::int64_t>(linesOfHead));
    EXPECT_EQ(head.measures[1].highest, static_cast<double>(linesOfHead - 1));
    EXPECT_EQ(head.sha256, "");
    EXPECT_FALSE(head.dataset);
    EXPECT_EQ(profileSentence(head).find("CSV, the first "), 0U) << profileSentence(head);
    const DataProfile whole = profile(text);
    ASSERT_TRUE(whole.fault) << "the wrong line is beyond the head";
    EXPECT_EQ(whole.fault->faults[0].place.line, lines + 2);
    const DataProfile small = profile(kThreeClasses, {}, ProfileExtent::Head);
    EXPECT_TRUE(small.isWhole) << "the head of a small file is all of it";
    EXPECT_EQ(small.sha256.size(), 64U);
}

TEST_F(DataProfileTest, ThePictureSpreadsOverTheRowsAndKeepsTheirClasses) {
    std::string text;
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 9000; ++i) {
        const double along = 10 * normal(random);
        text += std::to_string(along + 0.1 * normal(random)) + "," + std::to_string(-along) + "," +
                std::to_string(along > 0 ? 1 : 0) + "\n";
    }
    const DataProfile told = profile(text);
    ASSERT_TRUE(told.picture);
    const AxesPicture& picture = *told.picture;
    ASSERT_EQ(picture.first.size(), DataProfile::kMostPoints);
    ASSERT_EQ(picture.classes.size(), DataProfile::kMostPoints);
    EXPECT_EQ(picture.rows.front(), 0);
    EXPECT_GT(picture.rows.back(), 8900);
    const auto spread = [](const std::vector<double>& values) {
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        return *high - *low;
    };
    EXPECT_GT(spread(picture.first), 10 * spread(picture.second));
    // The classes lie apart along the first axis, whichever way it points.
    double turn = 0;
    for (std::size_t i = 0; i < picture.first.size(); ++i) {
        turn += (picture.classes[i] == 1 ? 1 : -1) * picture.first[i];
    }
    int wrong = 0;
    for (std::size_t i = 0; i < picture.first.size(); ++i) {
        wrong += (picture.classes[i] == 1) != (turn * picture.first[i] > 0) ? 1 : 0;
    }
    EXPECT_LT(wrong, 60);
    EXPECT_NE(picture.note.find("of the variance"), std::string::npos) << picture.note;
}

TEST_F(DataProfileTest, SparseDataCountZerosThatAreNotStored) {
    DataConfig config;
    config.storage = Storage::Sparse;
    const DataProfile told = profile("+1 1:2 3:-4\n-1 3:6\n+1 1:4\n-1 2:5\n", config);
    ASSERT_FALSE(told.fault) << told.fault->describe();
    EXPECT_TRUE(told.isSparse);
    ASSERT_EQ(told.measures.size(), 3U);
    EXPECT_EQ(told.measures[0].lowest, 0);
    EXPECT_EQ(told.measures[0].highest, 4);
    EXPECT_EQ(told.measures[0].mean, 1.5);
    EXPECT_EQ(told.measures[2].lowest, -4);
    ASSERT_EQ(told.head.records.size(), 4U);
    EXPECT_EQ(told.head.columns.back(), "class");
    EXPECT_EQ(told.head.records[1].cells, (std::vector<std::string>{"0", "0", "6", "-1"}));
}

TEST_F(DataProfileTest, MissingFilesGeneratorsAndNoRowsAreTold) {
    DataConfig config;
    config.source = "nowhere.csv";
    const DataProfile nothing = profileData(config, {{m_folder}, {}}, ProfileExtent::Head);
    ASSERT_TRUE(nothing.fault);
    EXPECT_EQ(nothing.fault->code, ErrorCode::FileNotFound);
    EXPECT_TRUE(nothing.head.records.empty());
    config.source = "toy:two-moons?n=50";
    const DataProfile moons = profileData(config, {}, ProfileExtent::Head);
    EXPECT_EQ(moons.rows, 50);
    EXPECT_TRUE(moons.picture);
    EXPECT_EQ(moons.head.records.size(), DataProfile::kMostRecords);
    config.source = "toy:sine?n=50";
    const DataProfile sine = profileData(config, {}, ProfileExtent::Head);
    EXPECT_TRUE(sine.hasTargets);
    EXPECT_EQ(sine.head.columns, (std::vector<std::string>{"x", "y"})) << "the number to fit beside the features";
    for (const HeadRecord& record : sine.head.records) {
        ASSERT_EQ(record.cells.size(), 2U);
        EXPECT_NEAR(std::stod(record.cells[1]), std::sin(std::stod(record.cells[0])), 1) << "with noise";
    }
    config.source = "none";
    EXPECT_FALSE(profileData(config, {}, ProfileExtent::Whole).fault);
    std::stop_source stop;
    stop.request_stop();
    config.source = "my.csv";
    std::ofstream(m_folder / "my.csv") << kThreeClasses;
    const DataProfile stopped = profileData(config, {{m_folder}, {}}, ProfileExtent::Whole, {}, stop.get_token());
    ASSERT_TRUE(stopped.fault);
    EXPECT_EQ(stopped.fault->code, ErrorCode::Stopped);
}

struct Breakage {
    const char* name;
    std::string text;
    std::size_t line;
    std::size_t column;
    const char* message;
    const char* remedy;
};

void PrintTo(const Breakage& broken, std::ostream* out) {
    *out << broken.name;
}

class BrokenTables : public DataProfileTest, public testing::WithParamInterface<Breakage> {};

TEST_P(BrokenTables, SayLineColumnAndRemedy) {
    const Breakage& broken = GetParam();
    const DataProfile told = profile(broken.text);
    ASSERT_TRUE(told.fault) << profileSentence(told);
    ASSERT_FALSE(told.fault->faults.empty()) << told.fault->message;
    const Fault& fault = told.fault->faults.front();
    EXPECT_EQ(fault.place.line, broken.line) << fault.text();
    EXPECT_EQ(fault.place.column, broken.column) << fault.text();
    EXPECT_NE(fault.message.find(broken.message), std::string::npos) << fault.text();
    EXPECT_NE(fault.remedy.find(broken.remedy), std::string::npos) << fault.text();
}

const std::string kGood = "a,b,label\n1,2,x\n3,4,y\n5,6,x\n";

INSTANTIATE_TEST_SUITE_P(
    TenWays, BrokenTables,
    testing::Values(Breakage{"Word", kGood + "7,oops,y\n", 5, 3, "\"oops\" in column 2 (\"b\") is not a number",
                             "Correct"},
                    Breakage{"DecimalComma", "a;b;label\n1;2;x\n3;4;y\n5;6,5;x\n", 4, 3, "is not a number",
                             "decimal point instead of the comma"},
                    Breakage{"FieldMissing", kGood + "7,y\n", 5, 0, "has 2 fields, but line 1 has 3", "same number"},
                    Breakage{"FieldTooMany", kGood + "7,8,9,y\n", 5, 7, "has 4 fields", "quote values"},
                    Breakage{"OpenQuote", kGood + "7,\"8,y\n", 5, 3, "", "quote"},
                    Breakage{"Gap", kGood + "7,,y\n", 5, 3, "is missing", "drop-rows"},
                    Breakage{"Infinity", kGood + "7,inf,y\n", 5, 3, "not finite", "drop-rows"},
                    Breakage{"OnlyHeader", "a,b,label\n", 1, 0, "only a header", "Add a line"},
                    Breakage{"Empty", "", 0, 0, "empty", ""},
                    Breakage{"Binary", kGood + std::string("7,\0,y\n", 6), 0, 0, "is binary data", "LIBSVM"}),
    [](const auto& test) { return test.param.name; });

} // namespace
} // namespace lambdascope

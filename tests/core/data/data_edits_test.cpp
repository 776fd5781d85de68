// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/number_text.h"
#include "core/common/random_stream.h"
#include "core/data/data_edits.h"
#include "core/data/data_profile.h"
#include "tests/core/data/data_files.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lambdascope::test {

namespace {

const EditableRows kEditedRows{4, 2, {"a", "b c", "1"}, false};

DataConfig configOf(const std::string& source, const std::string& edits) {
    DataConfig config;
    config.source = source;
    config.scale = Scaling::None;
    config.edits = edits;
    return config;
}

std::shared_ptr<const Dataset> load(const DataConfig& config) {
    const auto data = loadDataset(config, {});
    EXPECT_TRUE(data.has_value()) << (data ? "" : data.error().describe());
    return data ? *data : nullptr;
}

std::vector<std::string> faultsOf(const std::string& edits, const EditableRows& rows = kEditedRows) {
    std::vector<std::string> texts;
    if (const auto read = readEdits(edits, rows); !read) {
        for (const Fault& fault : read.error().faults) {
            EXPECT_EQ(fault.key, "data.edits");
            EXPECT_FALSE(fault.remedy.empty()) << fault.message;
            texts.push_back(fault.message);
        }
    }
    return texts;
}

std::string classOf(const Dataset& data, std::size_t row) {
    return data.classNames()[static_cast<std::size_t>(data.labels()[row])];
}

} // namespace

TEST(DataEdits, FollowEachOtherAndKeepOneStatePerRow) {
    const auto edits = readEdits("move 0 1 2; relabel 1 b c\nadd 5 -6e-1 +1; move 0 3 4;; add 7 8 a; omit 4; omit 2;"
                                 "relabel 5 \"b c\"; move 5 9 9",
                                 kEditedRows);
    ASSERT_TRUE(edits.has_value()) << edits.error().describe();
    const RowEdits expected{{{0, {{3, 4}, "", false}}, {1, {{}, "b c", false}}, {2, {{}, "", true}}},
                            {{{9, 9}, "b c", false}}}; // the row that was added first was omitted
    EXPECT_EQ(*edits, expected);
    EXPECT_EQ(*readEdits(" ;\n; ", kEditedRows), RowEdits());
}

TEST(DataEdits, ClassesMayStandInQuotes) {
    for (const std::string name : {"A", "two words", "semi;colon", "say \"so\"", " blank", "\"", "line\nend"}) {
        std::string quoted;
        for (const char c : name) {
            quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
        }
        const auto edits = readEdits("add 1 2 \"" + quoted + "\"; add 3 4 B", {0, 2, {}, true});
        ASSERT_TRUE(edits.has_value()) << edits.error().describe();
        EXPECT_EQ(*edits, (RowEdits{{}, {{{1, 2}, name, false}, {{3, 4}, "B", false}}}));
    }
}

TEST(DataEdits, AreWrittenAsTheyAreRead) {
    const std::vector<std::string> names{"a",          "b c",    "1",          "1.0",       "semi;colon",
                                         "say \"so\"", " blank", "\"",         "line\nend", "\"in\"",
                                         "omit 1",     "-0",     "ends here ", "\"half",    "tab\tin"};
    const auto value = [](RandomStream& random) {
        const std::array edges{0.0, 1e-308, -5e-324, 1e308, 0.1, 1.0 / 3, -123456789.125};
        return random.uniform() < 0.5 ? edges[static_cast<std::size_t>(7 * random.uniform())] : random.normal();
    };
    for (const EditableRows& rows :
         {EditableRows{30, 3, names, false}, EditableRows{0, 2, {}, true}, EditableRows{30, 1, {}, false}}) {
        const bool isNamed = !rows.classNames.empty() || rows.takesNewClasses;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            RandomStream random(seed);
            const auto drawn = [&](bool isClassed) {
                EditedRow row;
                for (std::int64_t i = 0; i < rows.features; ++i) {
                    row.values.push_back(value(random));
                }
                row.className = isClassed ? names[static_cast<std::size_t>(15 * random.uniform())] : "";
                return row;
            };
            RowEdits edits;
            for (std::int64_t row = 0; row < rows.rows; ++row) {
                const double what = random.uniform();
                if (what < 0.2) {
                    edits.changed[row].isOmitted = true;
                } else if (what < 0.6) {
                    edits.changed[row] = drawn(isNamed && what < 0.4);
                } else if (isNamed && what < 0.7) {
                    edits.changed[row].className = names.back();
                }
            }
            for (int i = 0; i < 5; ++i) {
                edits.added.push_back(drawn(isNamed));
            }
            const auto again = readEdits(editsText(edits), rows);
            ASSERT_TRUE(again.has_value()) << editsText(edits) << '\n' << again.error().describe();
            EXPECT_EQ(*again, edits) << editsText(edits);
        }
    }
    EXPECT_EQ(editsText({}), "");
    EXPECT_EQ(editsText({{{2, {{0.5, -1.25}, "b c", false}}, {7, {{}, "", true}}}, {{{1, 2}, "x;y", false}}}),
              "move 2 0.5 -1.25; relabel 2 b c; omit 7; add 1 2 \"x;y\"");
    EXPECT_EQ(editsText({{{2, {{0.5, 1}, "a", true}}}, {}}), "omit 2");
}

TEST(DataEdits, OfASourceAreOfItsRowsAsTheyWereRead) {
    const DataFolder folder;
    DataConfig config = configOf(folder.write("t.csv", "p,q,class\n0,0,u\n1,?,v\n2,4,u\n").string(), "omit 0");
    config.scale = Scaling::MinMax;
    config.subset = 0.5;
    config.missing = MissingPolicy::DropRows;
    const auto source = readSourceRows(config, {});
    ASSERT_TRUE(source.has_value()) << source.error().describe();
    EXPECT_EQ(source->shape.rows, 3);
    EXPECT_EQ(source->shape.features, 2);
    EXPECT_EQ(source->shape.classNames, (std::vector<std::string>{"u", "v"}));
    EXPECT_FALSE(source->shape.takesNewClasses);
    EXPECT_EQ(source->rows.classes, (std::vector<std::string>{"u", "v", "u"}));
    EXPECT_EQ(source->featureNames, (std::vector<std::string>{"p", "q"}));
    EXPECT_EQ(source->rows.values(2, 1), 4);
    EXPECT_TRUE(std::isnan(source->rows.values(1, 1)));
    const auto painted = readSourceRows(configOf(std::string(kPaintedSource), "add 1 2 A"), {});
    ASSERT_TRUE(painted.has_value());
    EXPECT_EQ(painted->shape.rows, 0);
    EXPECT_TRUE(painted->shape.takesNewClasses);
    EXPECT_FALSE(readSourceRows(configOf("toy:two-moons?n=600000", ""), {}).has_value()) << "too many by hand";
}

TEST(DataEdits, FaultsNameTheEditAndARemedy) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(faultsOf("move 0 1 2; move 4 1 2"), Texts{"edit 2 (\"move 4 1 2\"): there is no row 4"});
    EXPECT_EQ(faultsOf("omit -1"), Texts{"edit 1 (\"omit -1\"): there is no row -1"});
    EXPECT_EQ(faultsOf("omit two"), Texts{"edit 1 (\"omit two\"): the number of a row is missing, not \"two\""});
    EXPECT_EQ(faultsOf("omit"), Texts{"edit 1 (\"omit\"): the number of a row is missing"});
    EXPECT_EQ(faultsOf("omit 1; omit 1"), Texts{"edit 2 (\"omit 1\"): row 1 was omitted by an edit before"});
    EXPECT_EQ(faultsOf("omit 1 2"), Texts{"edit 1 (\"omit 1 2\"): nothing may follow, but \"2\" does"});
    EXPECT_EQ(faultsOf("move 0 1"), Texts{"edit 1 (\"move 0 1\"): has 1 values, but the data have 2 features"});
    EXPECT_EQ(faultsOf("move 0 1 2 3"), Texts{"edit 1 (\"move 0 1 2 3\"): nothing may follow, but \"3\" does"});
    EXPECT_EQ(faultsOf("move 0 1 nan"),
              Texts{"edit 1 (\"move 0 1 nan\"): value 2 of 2 is \"nan\", which is no finite number"});
    EXPECT_EQ(faultsOf("move 0 1e999 1"),
              Texts{"edit 1 (\"move 0 1e999 1\"): value 1 of 2 is \"1e999\", which is no finite number"});
    EXPECT_EQ(faultsOf("relabel 0 d"), Texts{"edit 1 (\"relabel 0 d\"): there is no class \"d\""});
    EXPECT_EQ(faultsOf("add 1 2"), Texts{"edit 1 (\"add 1 2\"): the class is missing"});
    EXPECT_EQ(faultsOf("relabel 0 a", {4, 2, {}, false}), Texts{"edit 1 (\"relabel 0 a\"): the data have no classes"});
    EXPECT_EQ(faultsOf("moev 0 1 2; drop 3; omit 9").size(), 3U) << "all at once";
    EXPECT_EQ(readEdits("mov 0 1 2", kEditedRows).error().faults.front().remedy, "Did you mean \"move\"?");
    EXPECT_TRUE(faultsOf("add 1 2", {4, 2, {}, false}).empty()) << "a row without a class where there are none";
    std::string many;
    for (int i = 0; i < 1000; ++i) {
        many += "omit 9;";
    }
    EXPECT_EQ(faultsOf(many).size(), 20U);
}

TEST(DataEdits, ChangeTheRowsBeforeAnythingElse) {
    const DataFolder folder;
    const auto file = folder.write("t.csv", "p,q,class\n0,0,u\n1,5,v\n2,?,u\n10,3,v\n4,4,u\n").string();
    DataConfig config = configOf(file, {});
    config.missing = MissingPolicy::DropRows;
    EXPECT_EQ(load(config)->rows(), 4);
    config.edits = "move 0 -10 1; relabel 1 u; omit 3; add 6 9 v; move 2 2 2";
    const auto data = load(config);
    ASSERT_NE(data, nullptr);
    ASSERT_EQ(data->rows(), 5);
    EXPECT_EQ(data->dense()(0, 0), -10);
    EXPECT_EQ(data->dense()(2, 1), 2) << "a missing value may be filled in";
    EXPECT_EQ(data->dense()(3, 0), 4) << "row 3 is omitted";
    EXPECT_EQ(data->dense()(4, 1), 9);
    EXPECT_EQ(classOf(*data, 1), "u");
    EXPECT_EQ(classOf(*data, 4), "v");
    EXPECT_NE(data->description().find("what if: 2 moved, 1 relabelled, 1 omitted, 1 added"), std::string::npos)
        << data->description();
    config.scale = Scaling::MinMax;
    EXPECT_EQ(load(config)->dense()(0, 0), -1) << "scaled over the rows as they are now";
    config.edits = "relabel 0 v; relabel 2 v; relabel 4 v; move 2 1 1";
    EXPECT_EQ(load(config)->classNames(), std::vector<std::string>{"v"}) << "classes without rows go";
    config.edits = "omit 0; omit 1; omit 2; omit 3; omit 4";
    const auto none = loadDataset(config, {});
    ASSERT_FALSE(none.has_value());
    EXPECT_NE(none.error().describe().find("data.edits: omits all rows"), std::string::npos) << none.error().describe();
}

TEST(DataEdits, ThatUndoEachOtherGiveTheIdenticalData) {
    const DataFolder folder;
    const auto sparse = folder.write("s.libsvm", "1 3:0.25 90:1\n-1 2:7\n1 100:0.125\n-1 5:1 6:2\n1 1:3\n").string();
    for (const std::string& source : {std::string("iris"), std::string("toy:two-moons?n=40"), sparse}) {
        for (const Scaling scaling : {Scaling::None, Scaling::MinMax}) {
            DataConfig config = configOf(source, {});
            config.scale = scaling;
            config.subset = 0.8;
            const auto before = load(config);
            const auto read = load(configOf(source, {}));
            const DenseRows values = read->isSparse() ? DenseRows(read->sparse()) : DenseRows(read->dense());
            const std::vector<std::string>& classes = read->classNames();
            for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                RandomStream random(seed);
                const auto drawn = [&](std::int64_t below) {
                    return static_cast<std::int64_t>(random.uniform() * static_cast<double>(below));
                };
                std::string there;
                std::string back;
                for (int i = 0; i < 4; ++i) {
                    const std::int64_t row = drawn(values.rows());
                    const std::string number = std::to_string(row);
                    std::string away;
                    std::string home;
                    for (std::int64_t c = 0; c < values.cols(); ++c) {
                        away += ' ' + exactText(random.normal());
                        home += ' ' + exactText(values(row, c));
                    }
                    there += "move " + number + away + ";relabel " + number + ' ' +
                             classes[static_cast<std::size_t>(drawn(std::ssize(classes)))] + ";add" + away + ' ' +
                             classes.front() + ";";
                    back += "move " + number + home + ";relabel " + number + ' ' +
                            classOf(*read, static_cast<std::size_t>(row)) + ";omit " +
                            std::to_string(values.rows() + i) + ";";
                }
                config.edits = there;
                EXPECT_NE(load(config)->contentSha256(), before->contentSha256());
                config.edits = there + back;
                const auto after = load(config);
                EXPECT_EQ(after->contentSha256(), before->contentSha256()) << source << ' ' << config.edits;
                EXPECT_EQ(after->isSparse(), before->isSparse());
                EXPECT_EQ(after->sourceSha256(), before->sourceSha256()) << "the file is the same all the time";
            }
        }
    }
}

TEST(DataEdits, MakeAPaintedSetOfNothing) {
    DataConfig config = configOf(std::string(kPaintedSource), "add 0 1 B; add 2 3 A; add 4 5 \"C;\"; move 0 -1 1");
    const auto data = load(config);
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(data->rows(), 3);
    EXPECT_EQ(data->featureNames(), (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(data->classNames(), (std::vector<std::string>{"A", "B", "C;"})) << "whichever was painted first";
    EXPECT_EQ(data->dense()(0, 0), -1);
    EXPECT_EQ(data->description().find("what if"), std::string::npos);
    config.edits = "add 0 1 10; add 2 3 9";
    EXPECT_EQ(load(config)->classNames(), (std::vector<std::string>{"9", "10"}));
    config.edits.clear();
    const auto none = loadDataset(config, {});
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().faults.front().key, "data.edits");
    EXPECT_TRUE(profileData(configOf(config.source, "add 1 1 A"), {}, ProfileExtent::Whole).dataset != nullptr);
}

TEST(DataEdits, AreSaidInAFewWords) {
    EXPECT_EQ(editsSummary("move 0 1 1; move 3 1 1; relabel 0 a; omit 2"), "2 moved, 1 relabelled, 1 omitted");
    EXPECT_EQ(whatIfText("iris", "omit 2"), "what if: 1 omitted");
    EXPECT_EQ(whatIfText("iris", " ; "), "");
    EXPECT_EQ(whatIfText(kPaintedSource, "add 1 2 A"), "") << "there is no other state";
    for (const char* form : {"move ROW VALUE …", "relabel ROW CLASS", "omit ROW", "add VALUE … CLASS"}) {
        EXPECT_NE(editsHelp().find(form), std::string::npos);
    }
}

} // namespace lambdascope::test

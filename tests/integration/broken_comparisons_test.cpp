// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison files that cannot be used, through the program: place, message and remedy, and nothing left behind.
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/broken_input.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

using testing_support::BrokenInput;

constexpr const char* kRows = "a,b,class\n1,2,x\n2,1,x\n1,1,x\n8,9,y\n9,8,y\n8,8,y\n";

/// An experiment on six rows with comparisons from c.txt.
BrokenInput onComparisons(const std::string& name, const std::string& text, std::vector<std::string> fragments,
                          const std::string& data = "", const std::string& problem = "") {
    const std::string experiment = "{\"family\": \"metric\",\n \"data\": {\"source\": \"d.csv\"" + data +
                                   "},\n \"problem\": {\"constraints\": \"file\", \"file\": \"c.txt\"" + problem + "}}";
    return {name,
            {{"e.json", experiment}, {"d.csv", kRows}, {"c.txt", text}},
            {"run", "e.json", "--out", "out"},
            std::move(fragments)};
}

std::vector<BrokenInput> brokenComparisons() {
    const std::string good = "base 0\ntriplet 0 1 3\n";
    std::vector<BrokenInput> list = {
        onComparisons("Empty", "", {"c.txt", "no comparison"}),
        onComparisons("NoBase", "triplet 0 1 3\n", {"c.txt:1:1", "counted from 0 or from 1"}),
        onComparisons("UnknownWord", good + "tripletts 0 1 4\n", {"c.txt:3:1", "unknown word \"tripletts\""}),
        onComparisons("RowBeyondTheData", good + "triplet 0 1 6\n", {"c.txt:3:13", "no row 6"}),
        onComparisons("RowIsNoNumber", good + "triplet 0 one 4\n", {"c.txt:3:11", "\"one\" is not a row number"}),
        onComparisons("RowWithItself", good + "triplet 2 2 4\n", {"c.txt:3:11", "compared with itself"}),
        onComparisons("TooFewNumbers", good + "quadruplet 0 1 3\n", {"c.txt:3", "needs 4 numbers"}),
        onComparisons("WeightOfNothing", good + "triplet 0 1 4 0\n", {"c.txt:3:15", "weight \"0\""}),
        onComparisons("NegativeBound", good + "similar 0 1 -2\n", {"c.txt:3:13", "no bound"}),
        onComparisons("TwoFaultsAreBothTold", good + "triplet 0 1 9\nsimilar 0 0 1\n",
                      {"2 faults", "c.txt:3:13", "c.txt:4:11"}),
        onComparisons("BinaryRubbish", std::string("\0\1\2\3base 0\n", 11), {"c.txt"}),
        onComparisons("EditsWouldRenumberRows", good, {"data.edits", "Remove the edits"}, ", \"edits\": \"omit 1\""),
        onComparisons("SubsetWouldRenumberRows", good, {"data.subset", "Set subset to 1"}, ", \"subset\": 0.5"),
        onComparisons("DroppedRowsWouldRenumberRows", good, {"data.missing", "Set missing to"},
                      ", \"missing\": \"drop-rows\""),
    };
    BrokenInput missing = onComparisons("MissingFile", good, {"c.txt"});
    missing.files.erase("c.txt");
    list.push_back(missing);
    BrokenInput unnamed = onComparisons("NoFileNamed", good, {"problem.file", "Name the file with the comparisons"});
    unnamed.files["e.json"] = "{\"family\": \"metric\", \"data\": {\"source\": \"d.csv\"},\n"
                              " \"problem\": {\"constraints\": \"file\"}}";
    list.push_back(unnamed);
    return list;
}

class BrokenComparisonFiles : public testing_support::ScratchFolder, public testing::WithParamInterface<BrokenInput> {};

TEST_P(BrokenComparisonFiles, AreExplainedAndLeaveNothingBehind) {
    expectExplanation(GetParam(), scratch("work"));
}

INSTANTIATE_TEST_SUITE_P(CommandLine, BrokenComparisonFiles, testing::ValuesIn(brokenComparisons()),
                         [](const auto& given) { return given.param.name; });

} // namespace
} // namespace lambdascope

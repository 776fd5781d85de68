// SPDX-License-Identifier: GPL-3.0-or-later
// Answers that cannot be embedded, through the program: place, message and remedy, and nothing left behind.
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/broken_input.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

using testing_support::BrokenInput;

/// An ordinal experiment with comparisons from c.csv.
BrokenInput onAnswers(const std::string& name, const std::string& text, std::vector<std::string> fragments,
                      const std::string& problem = "", const std::string& data = "\"source\": \"none\"") {
    const std::string experiment = "{\"family\": \"ordinal\",\n \"data\": {" + data +
                                   "},\n \"problem\": {\"comparisons\": \"file\", \"file\": \"c.csv\"" + problem + "}}";
    return {name,
            {{"e.json", experiment},
             {"c.csv", text},
             {"rows.csv", "a,b,class\n1,2,x\n2,1,x\n1,1,y\n"},
             {"n.txt", "a\nb\n"}},
            {"run", "e.json", "--out", "out"},
            std::move(fragments)};
}

std::vector<BrokenInput> brokenAnswers() {
    std::vector<BrokenInput> list = {
        onAnswers("EmptyFile", "", {"c.csv", "no comparison"}),
        onAnswers("OnlyAHeader", "i,j,k\n", {"c.csv", "no comparison"}),
        onAnswers("IdBeyondTheRows", "0,1,2\n0,1,3\n", {"c.csv:2", "no object 3", "from 0 to 2"}, "",
                  "\"source\": \"rows.csv\""),
        onAnswers("NegativeId", "0,1,2\n-4,1,2\n", {"no object -4"}),
        onAnswers("ObjectWithItself", "i,j,k\n0,1,2\n1,1,2\n", {"c.csv:3", "compared with itself"}),
        onAnswers("OneObjectOnly", "1,1,1\n", {"c.csv:1", "compared with itself"}),
        onAnswers("QuadrupletAmongTriplets", "0,1,2\n0,1,2,3\n", {"c.csv:2", "4 fields", "quadruplet among triplets"}),
        onAnswers("QuadrupletUnderATripletHeader", "i,j,k\n0,1,2,3\n", {"c.csv:2", "quadruplet among triplets"}),
        onAnswers("FourColumnsCouldBeEither", "0,1,2,3\n", {"could be triplets", "problem.layout"}),
        onAnswers("TripletsAsQuadruplets", "0,1,2\n", {"3 columns", "quadruplets"}, ", \"layout\": \"quadruplets\""),
        onAnswers("WordInsteadOfId", "0,1,2\n0,rome,2\n", {"c.csv:2:3", "\"rome\" is no number"}),
        onAnswers("BadWeight", "i,j,k,weight\n0,1,2,-1\n", {"c.csv:2", "weight -1"}),
        onAnswers("TwoFaultsAreBothTold", "0,0,2\n0,1,2\n2,1,1\n", {"c.csv:1", "c.csv:3"}),
        onAnswers("TooFewNames", "0,1,2\n", {"problem.names", "names 2 objects"}, ", \"names\": \"n.txt\""),
        onAnswers("MoreTrainingThanThereIs", "0,1,2\n0,2,1\n", {"problem.train", "only 2 comparisons"},
                  ", \"train\": 9"),
        onAnswers("HugeGaps", "0,1,2000000000\n", {"2,000,000,001 objects"}),
        onAnswers("SubsetWouldRenumberRows", "0,1,2\n", {"data.subset", "Set subset to 1"}, "",
                  "\"source\": \"rows.csv\", \"subset\": 0.5"),
        onAnswers("BinaryRubbish", std::string("\0\1\2\3 0 1\n", 9), {"c.csv"}),
    };
    BrokenInput missing = onAnswers("MissingFile", "0,1,2\n", {"c.csv"});
    missing.files.erase("c.csv");
    list.push_back(missing);
    BrokenInput oneRow = onAnswers("OneRowOfData", "0,1,2\n", {"data.source", "1 row", "three objects"});
    oneRow.files["e.json"] = "{\"family\": \"ordinal\", \"data\": {\"source\": \"one.csv\", \"labels\": \"none\"}}";
    oneRow.files["one.csv"] = "a,b\n1,2\n";
    list.push_back(oneRow);
    BrokenInput noRows = onAnswers("NoRowsToCompare", "0,1,2\n", {"data.source", "compares rows"});
    noRows.files["e.json"] = "{\"family\": \"ordinal\", \"data\": {\"source\": \"none\"}}";
    list.push_back(noRows);
    for (const std::string family : {"metric", "svm"}) {
        BrokenInput other = onAnswers("NoRowsFor_" + family, "0,1,2\n", {"data.labels"});
        other.files["e.json"] = "{\"family\": \"" + family + "\", \"data\": {\"source\": \"none\"}}";
        list.push_back(other);
    }
    return list;
}

class BrokenAnswerFiles : public testing_support::ScratchFolder, public testing::WithParamInterface<BrokenInput> {};

TEST_P(BrokenAnswerFiles, AreExplainedAndLeaveNothingBehind) {
    expectExplanation(GetParam(), scratch("work"));
}

INSTANTIATE_TEST_SUITE_P(CommandLine, BrokenAnswerFiles, testing::ValuesIn(brokenAnswers()),
                         [](const auto& given) { return given.param.name; });

} // namespace
} // namespace lambdascope

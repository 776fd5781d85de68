// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/store/scratch_folder.h"
#include "tests/integration/broken_input.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

using testing_support::BrokenInput;
using testing_support::expectExplanation;

std::string experiment(const std::string& members) {
    return "{\n  \"family\": \"metric\",\n" + members + "\n}\n";
}

std::string ofData(const std::string& file, const std::string& more = "") {
    return experiment("  \"data\": {\"source\": \"" + file + "\"" + more + "},\n  \"problem\": {\"k\": 2}");
}

/// Four samples of each of two classes.
std::string smallTable() {
    return "a,b,class\n1,2,x\n2,1,x\n1,1,x\n2,2,x\n8,9,y\n9,8,y\n8,8,y\n9,9,y\n";
}

std::vector<std::string> runFile(const std::string& file = "e.json", std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"run", file, "--out", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

std::string svmExperiment(const std::string& members) {
    return "{\n  \"family\": \"svm\",\n" + members + "\n}\n";
}

/// An SVM on a kernel matrix in k.csv.
BrokenInput brokenKernel(const std::string& name, const std::string& matrix, std::vector<std::string> fragments) {
    return {
        name,
        {{"e.json", svmExperiment("  \"data\": {\"source\": \"k.csv\", \"scale\": \"none\", \"labels\": \"last\"},\n"
                                  "  \"problem\": {\"kernel\": \"precomputed\"}")},
         {"k.csv", "a,b,c,class\n" + matrix}},
        runFile(),
        std::move(fragments)};
}

/// What an SVM cannot use.
std::vector<BrokenInput> brokenSvms() {
    const std::string toy = "  \"data\": {\"source\": \"toy:svm-figure1?n=200000\"},\n";
    return {
        {"SvmOfThreeClasses",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"iris\"}")}},
         runFile(),
         {"problem.positive", "3 classes", "Name the class"}},
        {"SvmOfAnUnknownClass",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"wine\"},\n  \"problem\": {\"positive\": \"red\"}")}},
         runFile(),
         {"problem.positive", "no class \"red\""}},
        {"SvmOfOneClass",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"d.csv\"}")}, {"d.csv", "a,b,class\n1,2,x\n2,1,x\n"}},
         runFile(),
         {"data.labels", "label x"}},
        {"RegressionOnWords",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"iris\"},\n  \"problem\": {\"task\": \"regression\"}")}},
         runFile(),
         {"data.target", "labels are words", "Name a column of numbers"}},
        {"RegressionOnAWordInTheTarget",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"d.csv\", \"target\": \"y\"},\n"
                                   "  \"problem\": {\"task\": \"regression\"}")},
          {"d.csv", "a,y\n1,2\n2,2.5\n3,many\n4,5\n"}},
         runFile(),
         {"d.csv:4:3", "\"many\"", "is not a number"}},
        {"RegressionOnAMissingTarget",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"d.csv\", \"target\": \"y\"},\n"
                                   "  \"problem\": {\"task\": \"regression\"}")},
          {"d.csv", "a,y\n1,2\n2,?\n3,4\n"}},
         runFile(),
         {"d.csv:3:3", "missing", "drop-rows"}},
        {"RegressionOnAConstant",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"d.csv\", \"target\": \"y\"},\n"
                                   "  \"problem\": {\"task\": \"regression\"}")},
          {"d.csv", "a,y\n1,2\n2,2\n3,2\n"}},
         runFile(),
         {"data.target", "all targets are 2"}},
        {"RegressionWithAnUnknownColumn",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"d.csv\", \"target\": \"prize\"},\n"
                                   "  \"problem\": {\"task\": \"regression\"}")},
          {"d.csv", "a,price\n1,2\n2,3\n3,2\n"}},
         runFile(),
         {"data.target", "no column named \"prize\"", "price"}},
        {"RegressionWithATubeRoundAll",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"diabetes\"},\n"
                                   "  \"problem\": {\"task\": \"regression\", \"epsilon\": 500}")}},
         runFile(),
         {"problem.epsilon", "a constant fits best", "Lower epsilon"}},
        {"OneClassWithSharesAboveOne",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"iris\"},\n  \"problem\": {\"task\": \"novelty\"},\n"
                                   "  \"path\": {\"kind\": \"list\", \"unit\": \"nu\", \"values\": [1.5, 0.5]},\n"
                                   "  \"lanes\": [{\"name\": \"a\"}]")}},
         runFile(),
         {"path.values", "ν = 1.5", "above 0 and up to 1"}},
        {"OneClassWithCBelowWhatHasASolution",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"iris\"},\n  \"problem\": {\"task\": \"novelty\"},\n"
                                   "  \"path\": {\"kind\": \"list\", \"values\": [0.001, 0.5]},\n"
                                   "  \"lanes\": [{\"name\": \"a\"}]")}},
         runFile(),
         {"path", "C = 0.001", "is above 1", "Begin at C_min"}},
        {"OneClassByATestWithoutProof",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"iris\"},\n  \"problem\": {\"task\": \"novelty\"},\n"
                                   "  \"lanes\": [{\"name\": \"a\", \"bounds\": [\"BT1\"]}]")}},
         runFile(),
         {"lanes[0].bounds", "BT1", "not proven for one class"}},
        {"SvmWithNegativeC",
         {{"e.json", svmExperiment("  \"path\": {\"kind\": \"list\", \"values\": [-1, 2]}")}},
         runFile(),
         {"e.json:3", "path.values", "-1", "above 0"}},
        {"SvmWithFallingC",
         {{"e.json", svmExperiment("  \"path\": {\"kind\": \"list\", \"values\": [3, 2]}")}},
         runFile(),
         {"path.values", "falls from 3 to 2"}},
        {"SvmWithoutAnyC",
         {{"e.json", svmExperiment("  \"path\": {\"kind\": \"list\"}")}},
         runFile(),
         {"path.values", "is empty"}},
        {"SvmOfValuesThatOverflow",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"d.csv\", \"scale\": \"none\"}")},
          {"d.csv", "a,b,class\n1e200,2,x\n2,1,y\n3,1,y\n"}},
         runFile(),
         {"problem.kernel", "too large for floating point", "data.scale"}},
        {"RbfFarFromTheOrigin",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"d.csv\", \"scale\": \"none\"},\n"
                                   "  \"problem\": {\"kernel\": \"rbf\"}")},
          {"d.csv", "a,b,class\n1700000001,2,x\n1700000002,1,y\n1700000004,1,y\n"}},
         runFile(),
         {"problem.kernel", "1.7e+09 from the origin", "data.scale"}},
        {"SvmWeightThatOverflows",
         {{"e.json", svmExperiment("  \"data\": {\"source\": \"d.csv\"},\n"
                                   "  \"problem\": {\"weights\": \"w.txt\"}")},
          {"d.csv", "a,b,class\n1,2,x\n2,1,y\n3,1,y\n"},
          {"w.txt", "1\n1e308\n1\n"}},
         runFile(),
         {"w.txt:2:1", "1e+30"}},
        {"KernelRowBeyondItsMemory",
         {{"e.json", svmExperiment(toy + "  \"problem\": {\"kernel\": \"rbf\", \"kernel_memory\": 1}")}},
         runFile(),
         {"problem.kernel_memory", "one kernel row of 200,000 samples takes 1.6 MB"}},
        {"ScaledKernelMatrix",
         {{"e.json", svmExperiment("  \"problem\": {\"kernel\": \"precomputed\"}")}},
         runFile(),
         {"data.scale", "kernel matrix"}},
        {"LiblinearWithAKernel",
         {{"e.json", svmExperiment("  \"problem\": {\"kernel\": \"rbf\"},\n  \"solver\": {\"method\": \"liblinear\"},\n"
                                   "  \"lanes\": [{\"name\": \"a\"}]")}},
         runFile(),
         {"lanes[0].solver.method", "no kernel rbf"}},
        brokenKernel("KernelNotSquare", "1,0,0,x\n0,1,0,y\n", {"2 rows and 3 columns", "whole kernel matrix"}),
        brokenKernel("KernelWithNan", "1,0,0,x\n0,1,nan,y\n0,0,1,y\n", {"k.csv:3:5", "nan"}),
        brokenKernel("KernelNotSymmetric", "1,0.5,0,x\n0.4,1,0,y\n0,0,1,y\n",
                     {"not symmetric", "0.4 in row 2, column 1", "0.5 in row 1, column 2"}),
        brokenKernel("KernelNotPositive", "1,2,0,x\n2,1,0,y\n0,0,1,y\n", {"not positive semidefinite", "identity"}),
        brokenKernel("KernelWithNegativeDiagonal", "1,0,0,x\n0,-1,0,y\n0,0,1,y\n",
                     {"row 2, column 2", "never negative"}),
    };
}

std::vector<BrokenInput> brokenInputs() {
    const std::string gzipHead("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\xd4\x49\xd2", 14);
    const std::string iris = experiment("  \"data\": {\"source\": \"iris\"}");
    return {
        {"ValuesThatOverflow",
         {{"e.json", ofData("d.csv", ", \"scale\": \"none\"")}, {"d.csv", smallTable() + "1,1e160,x\n"}},
         runFile(),
         {"data.scale", "1e+160", "feature 2", "too large for floating point"}},
        {"UnknownKey",
         {{"e.json", experiment("  \"problem\": {\n    \"gama\": 0.1}")}},
         runFile(),
         {"e.json:4:5", "problem.gama", "unknown key", "Did you mean \"gamma\"?"}},
        {"TwoWrongKeysAreBothTold",
         {{"e.json", experiment("  \"problem\": {\"kk\": 3},\n  \"paths\": {}")}},
         runFile(),
         {"2 faults", "e.json:3:15", "problem.kk", "e.json:4:3", "paths"}},
        {"NegativeStart",
         {{"e.json", experiment("  \"path\": {\"start\": -5}")}},
         runFile(),
         {"path.start", "-5", "above 0"}},
        {"RatioTwo",
         {{"e.json", experiment("  \"path\": {\"ratio\": 2}")}},
         runFile(),
         {"e.json:3:12", "path.ratio", "above 0 and below 1"}},
        {"KTooLarge", {{"e.json", iris}}, runFile("e.json", {"--set", "problem.k=5000"}), {"problem.k", "5000"}},
        {"OneClass",
         {{"e.json", ofData("d.csv")}, {"d.csv", "a,b,class\n1,2,x\n2,1,x\n3,3,x\n"}},
         runFile(),
         {"class"}},
        {"LabelColumnMissing",
         {{"e.json", ofData("d.csv", ", \"labels\": \"species\"")}, {"d.csv", smallTable()}},
         runFile(),
         {"d.csv", "species"}},
        {"RaggedTable", {{"e.json", ofData("d.csv")}, {"d.csv", smallTable() + "1,x\n"}}, runFile(), {"d.csv:10"}},
        {"NotANumber",
         {{"e.json", ofData("d.csv")}, {"d.csv", smallTable() + "1,nan,x\n"}},
         runFile(),
         {"d.csv:10:3", "nan", "drop-rows"}},
        {"TruncatedGzip", {{"e.json", ofData("d.csv.gz")}, {"d.csv.gz", gzipHead}}, runFile(), {"d.csv.gz"}},
        {"UnwritableOutFolder", {{"e.json", iris}}, {"run", "e.json", "--out", "/proc/out"}, {"/proc/out", "Choose"}},
        {"OutIsAFile",
         {{"e.json", iris}, {"out", "precious"}},
         runFile(),
         {"out is a file, not a folder", "Choose the name of a folder"}},
        {"OutHoldsOtherThings",
         {{"e.json", iris}, {"full/thesis.tex", "precious"}},
         {"run", "e.json", "--out", "full"},
         {"full holds files that are no run", "Choose a new or empty folder"}},
        {"MissingExperiment", {}, runFile("nowhere.json"), {"nowhere.json", "Check the path"}},
        {"MissingData", {{"e.json", ofData("nowhere.csv")}}, runFile(), {"nowhere.csv"}},
        {"FolderAsData", {{"e.json", ofData("folder")}, {"folder/x", ""}}, runFile(), {"folder"}},
        {"FolderAsExperiment", {{"folder/x", ""}}, runFile("folder"), {"folder is a folder", "Name a .json file"}},
        {"SyntaxError", {{"e.json", "{\"family\": \"metric\",\n \"data\" {}}"}}, runFile(), {"e.json:2"}},
        {"DuplicateKey",
         {{"e.json", experiment("  \"data\": {\"seed\": 1,\n    \"seed\": 2}")}},
         runFile(),
         {"e.json:4:5", "seed"}},
        {"EmptyExperiment", {{"e.json", ""}}, runFile(), {"e.json"}},
        {"EmptyData", {{"e.json", ofData("d.csv")}, {"d.csv", ""}}, runFile(), {"d.csv", "empty"}},
        {"UnknownLane",
         {{"e.json", iris}},
         runFile("e.json", {"--lanes", "nothing-like-it"}),
         {"no lane \"nothing-like-it\"", "Choose among"}},
        {"UnknownBound",
         {{"e.json", experiment("  \"lanes\": [{\"name\": \"a\", \"bounds\": [\"PBG\"]}]")}},
         runFile(),
         {"e.json:3", "lanes[0].bounds", "PBG", "\"PGB\""}},
        {"SettingWithoutValue",
         {{"e.json", iris}},
         runFile("e.json", {"--set", "problem.k"}),
         {"--set takes key=value"}},
        {"SettingOfUnknownKey",
         {{"e.json", iris}},
         runFile("e.json", {"--set", "problem.q=3"}),
         {"--set", "problem.q", "unknown key"}},
        {"UnknownFamily", {{"e.json", "{\"family\": \"metrics\"}"}}, runFile(), {"e.json:1", "metrics", "\"metric\""}},
        {"DuplicateLaneNames",
         {{"e.json", experiment("  \"lanes\": [{\"name\": \"a\"}, {\"name\": \"a\"}]")}},
         runFile(),
         {"lanes[1].name", "earlier lane", "a name of its own"}},
        {"BadThreads", {{"e.json", iris}}, runFile("e.json", {"--threads", "many"}), {"--threads", "1 to 1024"}},
        {"UnknownCommand", {}, {"rum"}, {"no command \"rum\"", "Did you mean run?"}},
        {"UnknownPreset", {}, {"run", "wine-six-lane"}, {"neither an experiment file nor a preset", "wine-six-lanes"}},
        {"UnknownOption", {{"e.json", iris}}, runFile("e.json", {"--fast"}), {"--fast", "run --help"}},
        {"ForeignLibrary",
         {{"e.json", iris},
          {"lib", "this is not a database but it is long enough to be looked at as if it were one, "
                  "with more than the hundred bytes of a header"}},
         runFile("e.json", {"--library", "lib"}),
         {"run library lib", "--library"}},
        {"BinaryRubbishAsExperiment", {{"e.json", std::string("\x00\xff\xfe\x01", 4)}}, runFile(), {"e.json"}},
    };
}

class BrokenInputs : public testing_support::ScratchFolder, public testing::WithParamInterface<BrokenInput> {};

TEST_P(BrokenInputs, IsExplainedAndLeavesNothingBehind) {
    expectExplanation(GetParam(), scratch("work"));
}

INSTANTIATE_TEST_SUITE_P(CommandLine, BrokenInputs, testing::ValuesIn(brokenInputs()),
                         [](const auto& given) { return given.param.name; });
INSTANTIATE_TEST_SUITE_P(Svm, BrokenInputs, testing::ValuesIn(brokenSvms()),
                         [](const auto& given) { return given.param.name; });

} // namespace
} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/error.h"

#include <gtest/gtest.h>

using namespace lambdascope;

TEST(Fault, SaysWhereWhatAndWhatToDo) {
    const Fault fault{"problem.k", "is 0 but must be at least 1", "Give a whole number.", {"a.json", 3, 7}};
    EXPECT_EQ(fault.text(), "a.json:3:7: problem.k: is 0 but must be at least 1. Give a whole number.");
}

TEST(Fault, LeavesOutWhatIsUnknown) {
    EXPECT_EQ((Fault{"", "is empty.", "Fill it.", {"a.csv", 0, 0}}.text()), "a.csv: is empty. Fill it.");
    EXPECT_EQ((Fault{"k", "missing", "", {}}.text()), "k: missing");
    EXPECT_EQ((SourcePlace{"", 4, 0}.text()), "line 4");
}

TEST(Error, ListsEveryFaultBelowItsSummary) {
    Error error = plainError(ErrorCode::InvalidData, "2 faults");
    error.faults = {{"", "first", "", {"f", 1, 2}}, {"", "second", "", {"f", 3, 4}}};
    EXPECT_EQ(error.describe(), "2 faults\n  f:1:2: first\n  f:3:4: second");
}

TEST(Error, TellsTheFirstFaultsOfMany) {
    Error error = plainError(ErrorCode::InvalidData, "many faults");
    const auto withFaults = [&](std::size_t count) {
        error.faults.assign(count, Fault{"", "wrong", "", {"f", 1, 2}});
        return error.describe();
    };
    const std::string most = withFaults(Error::kMostTold);
    EXPECT_EQ(error.untold(), "");
    EXPECT_EQ(error.told().size(), Error::kMostTold);
    EXPECT_EQ(withFaults(Error::kMostTold + 3), most + "\n  and 3 more");
    EXPECT_EQ(withFaults(100000).size(), (most + "\n  and 99980 more").size());
    EXPECT_EQ(error.faults.size(), 100000U);
}

TEST(Error, DoesNotRepeatASingleFault) {
    const Error error = singleFault(ErrorCode::FileNotFound, {"", "no such file", "Check the name.", {"x", 0, 0}});
    EXPECT_EQ(error.describe(), "x: no such file. Check the name.");
}

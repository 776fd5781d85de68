// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/audit_file.h"
#include "core/store/build_facts.h"

#include <gtest/gtest.h>

namespace lambdascope {
namespace {

LaneAudit goodAudit() {
    LaneAudit audit;
    audit.lane = "GB";
    audit.report.decisions = 3234;
    audit.report.smallestSlack = 0.01;
    audit.report.noteGap(9e-11, 4);
    audit.path.points = 48;
    return audit;
}

TEST(Judgement, WhatIsDecidedAndBoundedIsProven) {
    LaneAudit audit = goodAudit();
    EXPECT_EQ(judgementOf(audit).verdict, Verdict::Proven);
    EXPECT_TRUE(judgementOf(audit).reasons.empty());
    EXPECT_EQ(judgementText(audit), "proven: 0 of 3,234 decisions wrong, smallest slack 0.01");
    audit.path.differences = 9; // bits are another question
    EXPECT_EQ(judgementOf(audit).verdict, Verdict::Proven);
    EXPECT_EQ(judgementOf(LaneAudit()).verdict, Verdict::Proven) << "nothing decided, nothing wrong";
    audit.unsafeReason = "it guesses";
    EXPECT_EQ(judgementText(audit),
              "unsafe lane (it guesses), proven: 0 of 3,234 decisions wrong, smallest slack 0.01");
}

TEST(Judgement, UndecidedDecisionsAreNotProven) {
    LaneAudit audit = goodAudit();
    audit.report.undecided = 577;
    EXPECT_EQ(judgementOf(audit).verdict, Verdict::NotProven);
    EXPECT_EQ(judgementText(audit), "not proven: 577 of 3,234 decisions are too near their threshold to tell");
}

TEST(Judgement, AReferenceThatMissesItsPromiseIsNotProven) {
    LaneAudit audit = goodAudit();
    audit.report.noteGap(0.067, 31);
    audit.report.noteGap(1e-12, 32);
    EXPECT_EQ(judgementOf(audit).verdict, Verdict::NotProven);
    EXPECT_EQ(judgementOf(audit).reasons.at(0),
              "the reference solution of point 31 has a relative gap of 0.067; 1e-10 is promised");
    audit.report.noteGap(0.001, 33);
    EXPECT_NE(judgementOf(audit).reasons.at(0).find("the largest of 2"), std::string::npos);
    LaneAudit hinge;
    hinge.report.promisedGap = 1e-7;
    hinge.report.noteGap(9e-8, 0);
    EXPECT_EQ(judgementOf(hinge).verdict, Verdict::Proven);
    LaneAudit nothing;
    nothing.report.noteGap(std::numeric_limits<double>::quiet_NaN(), 0);
    EXPECT_EQ(judgementOf(nothing).verdict, Verdict::NotProven);
}

TEST(Judgement, PointsThatCouldNotBeCheckedAreNotProven) {
    LaneAudit audit = goodAudit();
    audit.path.addUnproven("nothing bounds them");
    EXPECT_EQ(judgementOf(audit).reasons.at(0), "1 of 48 points could not be checked: nothing bounds them");
    EXPECT_EQ(judgementOf(audit).verdict, Verdict::NotProven);
}

TEST(Judgement, WrongCountsMoreAndSaysTheRestAsWell) {
    LaneAudit audit = goodAudit();
    audit.report.undecided = 1;
    audit.report.wrong = 12;
    audit.path.addWrong("primal at point 3");
    const Judgement judgement = judgementOf(audit);
    EXPECT_EQ(judgement.verdict, Verdict::Wrong);
    EXPECT_EQ(judgement.reasons,
              (std::vector<std::string>{"12 of 3,234 decisions are wrong", "1 stored value cannot be true",
                                        "1 of 3,234 decisions is too near its threshold to tell"}));
    audit.report.wrong = 0;
    EXPECT_EQ(judgementOf(audit).verdict, Verdict::Wrong);
}

/// An audit.json as version 0.1.0 wrote it before there were three verdicts.
Json oldAudit() {
    return Json{{"lane", "GB"},
                {"is_good", true},
                {"unsafe_reason", ""},
                {"decisions", 3234},
                {"wrong", 0},
                {"undecided", 0},
                {"smallest_slack", 0.1},
                {"points", 48},
                {"largest_relative_gap", 9e-11},
                {"seconds", 1.5},
                {"wrong_examples", Json::array()},
                {"path_points", 48},
                {"path_differences", 0},
                {"path_examples", Json::array()}};
}

TEST(OldAudit, IsJudgedAgainByItsNumbers) {
    Json json = oldAudit();
    const auto verdict = [&json] { return judgementOf(auditFromJson(json).value()).verdict; };
    EXPECT_EQ(verdict(), Verdict::Proven);
    json["undecided"] = 577;
    EXPECT_EQ(verdict(), Verdict::NotProven);
    json = oldAudit();
    json["largest_relative_gap"] = 1.8e5;
    EXPECT_EQ(verdict(), Verdict::NotProven);
    EXPECT_EQ(judgementOf(auditFromJson(json).value()).reasons.at(0),
              "the least exact reference solution has a relative gap of 1.8e+05; 1e-10 is promised");
    json = oldAudit();
    json["path_differences"] = 2;
    EXPECT_EQ(verdict(), Verdict::NotProven);
    json["wrong"] = 1;
    EXPECT_EQ(verdict(), Verdict::Wrong);
}

TEST(BuildFacts, NameWhatDiffersAndNothingElse) {
    const Json here = buildFacts();
    EXPECT_TRUE(buildDifferences(here).empty());
    Json there = here;
    there["asserts"] = here["asserts"] == "on" ? "off" : "on";
    there.erase("compiler");
    const std::vector<std::string> differences = buildDifferences(there);
    ASSERT_EQ(differences.size(), 2U);
    EXPECT_EQ(differences[0].substr(0, 30), "compiler: unknown in the run, ");
    EXPECT_EQ(differences[1].substr(0, 8), "asserts:");
    EXPECT_EQ(buildDifferences(Json()).size(), 1U) << "a run of an earlier version";
}

} // namespace
} // namespace lambdascope

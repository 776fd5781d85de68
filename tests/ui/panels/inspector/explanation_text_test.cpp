// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/explanation_text.h"

#include <gtest/gtest.h>

namespace lambdascope {

TEST(ExplanationText, SaysTheInequalityInNumbers) {
    BoundDecision decision{"PGB", "sphere", "R", "⟨H,Q⟩ − r‖H‖ > 1", 3 - 0.5 * 2, 1, 0.75, {}};
    decision.terms = {{"⟨H,Q⟩", "", 3}, {"r", "", 0.5}, {"‖H‖", "", 2}, {"δ", "", 0.25}};
    EXPECT_EQ(inequalityText(decision), "⟨H,Q⟩ − r‖H‖ > 1:  3 − 0.5 · 2 = 2 > 1");
    EXPECT_EQ(decisionText(decision), "R");
    decision.set.clear();
    decision.inequality = "⟨H,Q⟩ + r‖H‖ < 1 − γ";
    decision.left = 4;
    decision.threshold = 0.95;
    EXPECT_EQ(inequalityText(decision), "⟨H,Q⟩ + r‖H‖ < 1 − γ:  3 + 0.5 · 2 = 4 ≥ 0.95");
    EXPECT_EQ(decisionText(decision), "undecided");
}

TEST(ExplanationText, PutsNumbersInOnlyWhereTheyMakeUpTheLeftSide) {
    BoundDecision decision{"GAP", "interval", "", "f⁰ − r‖φ‖ + β_low > 1", 3 - 0.5 * 2 + 0.25, 1, 1.25, {}};
    decision.terms = {{"f⁰", "", 3}, {"r", "", 0.5}, {"‖φ‖", "", 2}, {"β", "", 9}, {"β_low", "", 0.25}};
    EXPECT_EQ(inequalityText(decision), "f⁰ − r‖φ‖ + β_low > 1:  3 − 0.5 · 2 + 0.25 = 2.25 > 1");
    decision.inequality = "min zᵀw over both balls > 1";
    EXPECT_EQ(inequalityText(decision), "min zᵀw over both balls > 1:  2.25 > 1") << "r is a part of no word";
    decision.inequality = "r > 1";
    EXPECT_EQ(inequalityText(decision), "r > 1:  2.25 > 1");
}

TEST(ExplanationText, TellsWhatBecameOfTheItem) {
    ItemExplanation why;
    why.title = "triplet (4, 9, 71)";
    why.trueSet = "R";
    const ExplainedPlace place{"λ", 12.5};
    EXPECT_TRUE(explanationHeadline(why, place).contains("no screening"));
    why.checks = 4;
    why.iteration = 30;
    EXPECT_TRUE(explanationHeadline(why, place).contains("none of 4 checks"));
    why.checks = 1;
    const QString once = explanationHeadline(why, place);
    EXPECT_TRUE(once.contains("the one check, at iteration 30, did not decide it. At the")) << once.toStdString();
    why.checks = 4;
    why.set = "R";
    why.check = 0;
    why.used = {{"PGB", "sphere", "R", "x > 1", 2, 1, 1, {}}, {"GB", "sphere", "", "x > 1", 0, 1, -1, {}}};
    // The first screening of a lane that waits until it pays is not the one of the path.
    EXPECT_TRUE(explanationHeadline(why, place).contains("rule, while solving, at iteration 30. "));
    EXPECT_FALSE(explanationHeadline(why, place).contains("path screening"));
    why.iteration = 0;
    EXPECT_TRUE(explanationHeadline(why, place).contains("rule, in the path screening, before the first iteration. "));
    const QString decided = explanationHeadline(why, place);
    EXPECT_TRUE(decided.contains("fixed in R at λ = 12.5 by PGB, sphere rule")) << decided.toStdString();
    EXPECT_FALSE(decided.contains("GB, sphere rule and")) << decided.toStdString();
    why.isAfterwards = true;
    const QString late = explanationHeadline(why, place);
    EXPECT_TRUE(late.contains("stayed in the problem") && late.contains("afterwards")) << late.toStdString();
    EXPECT_FALSE(late.contains("was fixed")) << late.toStdString();
}

TEST(ExplanationText, NamesTheEarlierReference) {
    ItemExplanation why;
    why.title = "triplet (4, 9, 71)";
    why.set = "R";
    why.trueSet = "R";
    why.checks = 3;
    why.check = 0;
    FixingReference reference;
    reference.axisValue = 12.5;
    reference.point = 7;
    reference.low = 8.25;
    reference.high = 17;
    reference.decision.bound = "RRPB";
    reference.decision.rule = "sphere";
    reference.decision.set = "R";
    why.reference = reference;
    const QString headline = explanationHeadline(why, {"λ", 9.5});
    for (const char* part : {"Triplet (4, 9, 71)", "λ₀ = 12.5", "point 8", "RRPB", "from 8.25 to 17", "λ = 9.5"}) {
        EXPECT_TRUE(headline.contains(QString::fromUtf8(part))) << part << " in " << headline.toStdString();
    }
    EXPECT_TRUE(explanationText(why, {"λ", 9.5}).contains("RRPB"));
    why.reference.reset();
    EXPECT_FALSE(explanationHeadline(why, {"λ", 9.5}).contains("12.5"));
}

} // namespace lambdascope

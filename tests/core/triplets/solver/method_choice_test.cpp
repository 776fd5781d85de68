// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triplets/solver/method_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lambdascope::triplets {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kShare = 2000; ///< gap at the beginning of a λ over what it has to come down to

StepGuess of(double work) {
    return {work, work};
}

MethodChoice decided(const MethodRecord& record, double set, double whole = kNever) {
    MethodChoice choice(record, true);
    choice.decide(kShare, 0, {{of(set), of(whole)}});
    return choice;
}

MethodRecord recordOfGradient(double work, bool wasNewton = false) {
    MethodRecord record;
    record.wasNewton = wasNewton;
    record.gradientWork = work;
    record.gradientFall = std::log(kShare);
    record.evaluationWork = work / 10;
    return record;
}

/// Of λ that took 1,000 in all, by projected gradient 100 each, and of steps on working sets that take what is guessed.
MethodRecord recordOfBoth() {
    MethodRecord record = recordOfGradient(100);
    record.spent = 1000;
    record.newton[NewtonKind::WorkingSet] = {1, 8};
    return record;
}

TEST(MethodChoice, TakesNewtonWhenLessWorkIsExpectedOfIt) {
    MethodRecord record = recordOfGradient(100);
    record.newton[NewtonKind::WorkingSet] = {1, 7};
    EXPECT_FALSE(decided(record, 100).takesNewton());
    EXPECT_TRUE(decided(record, 30).takesNewton());
    record.newton[NewtonKind::WorkingSet] = {4, 7};
    EXPECT_FALSE(decided(record, 30).takesNewton());
    record.newton[NewtonKind::WorkingSet] = {1, 1}; // of many steps
    EXPECT_FALSE(decided(record, 30).takesNewton());
    EXPECT_FALSE(decided({}, 1).takesNewton()); // knows nothing
    MethodChoice forced({}, false);
    forced.decide(kShare, 0, {{of(1e9), of(kNever)}});
    EXPECT_TRUE(forced.takesNewton());
}

TEST(MethodChoice, TakesTheKindOfWhichLessWorkIsExpected) {
    MethodRecord record = recordOfGradient(1e6);
    record.newton = {{StepRecord{1, 7}, StepRecord{1, 7}}};
    const auto kind = [&](double set, double whole) { return decided(record, set, whole).kind(); };
    EXPECT_EQ(kind(100, 50), NewtonKind::WholeSets);
    EXPECT_EQ(kind(100, 95), NewtonKind::WorkingSet); // for so little it does not change
    EXPECT_EQ(kind(100, kNever), NewtonKind::WorkingSet);
    EXPECT_EQ(kind(kNever, 1e3), NewtonKind::WholeSets);
    record.newton[NewtonKind::WholeSets] = {4, 7};
    EXPECT_EQ(kind(100, 50), NewtonKind::WorkingSet);
    record.newton[NewtonKind::WholeSets] = {1, 0.5}; // of many steps
    EXPECT_EQ(kind(100, 50), NewtonKind::WorkingSet);
}

// Steps over whole sets that lower the gap by a hundred each, then hardly; the other kind is dear.
TEST(MethodChoice, StaysWithAKindThatIsSlowForSomeSteps) {
    const auto stepsBeforeTheOther = [](double mean) {
        MethodRecord record;
        record.kind = NewtonKind::WholeSets;
        record.newton = {{StepRecord{1, 7, 7}, StepRecord{1, std::log(100), mean}}};
        MethodChoice choice(record, false);
        int steps = 0;
        for (double share = kShare; steps < 40; ++steps, share *= 0.95) {
            choice.decide(share, 10.0 * steps, {{of(100), of(10)}});
            if (choice.kind() == NewtonKind::WorkingSet) {
                break;
            }
        }
        return steps;
    };
    EXPECT_LT(stepsBeforeTheOther(0), 5);
    EXPECT_GE(stepsBeforeTheOther(std::log(100)), 12);
    EXPECT_LT(stepsBeforeTheOther(std::log(100)), 20);
    EXPECT_LT(stepsBeforeTheOther(0.1), 5);
}

TEST(MethodChoice, RemembersTheMeanFallOfTheStepsOfALambda) {
    MethodRecord record;
    record.kind = NewtonKind::WholeSets;
    MethodChoice choice(record, false);
    choice.decide(std::exp(8), 0, {{of(kNever), of(10)}});
    choice.decide(std::exp(7), 10, {{of(kNever), of(10)}});
    choice.decide(std::exp(2), 20, {{of(kNever), of(10)}});
    MethodRecord after = choice.finished(30);
    const double first = after.newton[NewtonKind::WholeSets].mean; // the last one may have been worth more than 2
    EXPECT_GE(first, 8.0 / 3);
    EXPECT_LT(first, 5);
    EXPECT_EQ(after.newton[NewtonKind::WorkingSet].mean, 0);
    MethodChoice next(after, false);
    next.decide(std::exp(1), 0, {{of(kNever), of(10)}});
    next.decide(std::exp(0.9), 10, {{of(kNever), of(10)}});
    after = next.finished(20);
    EXPECT_LT(after.newton[NewtonKind::WholeSets].mean, first);
}

// A step that finds nothing is not repeated for ever, whatever the other kind takes.
TEST(MethodChoice, TakesTheOtherKindWhereStepsFail) {
    for (const bool chooses : {false, true}) {
        MethodRecord record = recordOfGradient(1e9, true);
        MethodChoice choice(record, chooses);
        int attempts = 0;
        do {
            choice.decide(kShare, 10.0 * attempts, {{of(1e3), of(10)}});
            ASSERT_TRUE(choice.takesNewton());
            choice.gradientTakesOver(10.0 * attempts);
        } while (choice.kind() == NewtonKind::WholeSets && ++attempts < 50);
        EXPECT_LE(attempts, 8);
    }
}

// However cheap the one seems.
TEST(MethodChoice, TakesTheKindsInTurnWhereNeitherFindsAnything) {
    MethodChoice choice({}, false);
    PerKind<int> taken;
    for (int attempt = 0; attempt < 44; ++attempt) {
        choice.decide(kShare, 10.0 * attempt, {{of(1e3), of(10)}});
        ++taken[choice.kind()];
        choice.gradientTakesOver(10.0 * attempt + 5);
    }
    EXPECT_NEAR(taken[NewtonKind::WholeSets], taken[NewtonKind::WorkingSet], 4);
}

TEST(MethodChoice, EndsWithTheMethodOfWhichLessIsExpected) {
    MethodRecord record = recordOfGradient(100, true);
    record.newton[NewtonKind::WorkingSet] = {1, 7};
    MethodChoice choice(record, true);
    choice.decide(kShare, 0, {{of(40), of(kNever)}});
    ASSERT_TRUE(choice.takesNewton());
    choice.decide(1.3, 40, {{of(40), of(kNever)}}); // one evaluation does
    EXPECT_FALSE(choice.takesNewton());
    choice.decide(300, 40, {{of(40), of(kNever)}}); // or not
    EXPECT_TRUE(choice.takesNewton());
}

// A Newton step that lowered the gap by little tells nothing of how projected gradient goes on from there.
TEST(MethodChoice, ComesBackToNewtonWhereProjectedGradientTakesTooLongAfterIt) {
    MethodRecord record = recordOfGradient(100, true);
    record.newton = {{StepRecord{1, 7}, StepRecord{1, 7}}};
    record.endingGain = 13; // from as far away
    record.endingShare = 7;
    MethodChoice choice = decided(record, 60, 20);
    ASSERT_TRUE(choice.takesNewton());
    int steps = -1;
    do {
        choice.decide(0.9 * kShare, 20 + 10 * ++steps, {{of(60), of(60)}});
    } while (!choice.takesNewton() && steps < 100);
    EXPECT_GT(steps, 0);
    EXPECT_LE(steps, 13); // which took what two steps on the working set would
}

TEST(MethodChoice, DoesNotExpectOfFarAwayWhatWasSeenNearTheEnd) {
    MethodRecord record = recordOfGradient(100, true);
    record.newton[NewtonKind::WorkingSet] = {1, 7};
    record.endingGain = 13;
    const auto takesNewtonAgain = [&](double endingShare) {
        record.endingShare = endingShare;
        MethodChoice choice = decided(record, 30);
        choice.decide(300, 30, {{of(30), of(kNever)}}); // most is left
        return choice.takesNewton();
    };
    EXPECT_TRUE(takesNewtonAgain(0.5));
    EXPECT_FALSE(takesNewtonAgain(8));
}

// As projected gradient becomes slower along a path, so does what it does after a Newton step.
TEST(MethodChoice, ExpectsProjectedGradientToSlowDownAfterNewtonToo) {
    for (const double work : {10.0, 100.0, 1000.0, 10000.0}) {
        MethodRecord record = recordOfGradient(work, true);
        record.newton[NewtonKind::WorkingSet] = {1, 7};
        record.evaluationWork = 1;
        record.endingGain = 2;
        record.endingShare = 8;
        MethodChoice choice = decided(record, 3);
        ASSERT_TRUE(choice.takesNewton());
        choice.decide(300, 3, {{of(30), of(kNever)}});
        EXPECT_EQ(choice.takesNewton(), work > 500) << work;
    }
}

/// The last step of a λ finds no better point where there is none, and the gap is closed by a better dual one.
TEST(MethodChoice, DoesNotHoldAgainstNewtonThatNothingWasLeftToFind) {
    MethodRecord record = recordOfGradient(1000, true);
    record.newton[NewtonKind::WorkingSet] = {1, 8};
    const auto fallAfter = [&](bool advances, double ofGradient) {
        MethodChoice choice = decided(record, 30);
        if (advances) {
            choice.decide(4, 30, {{of(30), of(kNever)}});
        }
        EXPECT_TRUE(choice.takesNewton());
        choice.gradientTakesOver(60);
        return choice.finished(60 + ofGradient).newton[NewtonKind::WorkingSet].fall;
    };
    EXPECT_GT(fallAfter(true, 100), 5); // one evaluation
    EXPECT_LT(fallAfter(true, 500), 3);
    EXPECT_LT(fallAfter(false, 100), 3); // Newton found nothing at all
}

TEST(MethodChoice, GivesATrialOfNewtonABudget) {
    MethodRecord record = recordOfBoth();
    MethodChoice choice = decided(record, 60);
    ASSERT_TRUE(choice.takesNewton());
    EXPECT_FALSE(choice.givesUpNewton(20, 60));
    EXPECT_TRUE(choice.givesUpNewton(40, 150));
    choice.gradientTakesOver(40);
    EXPECT_FALSE(choice.takesNewton());
    choice.decide(kShare, 60, {{of(1e-3), of(kNever)}}); // no way back at this λ
    EXPECT_FALSE(choice.takesNewton());
    const MethodRecord after = choice.finished(140);
    EXPECT_FALSE(after.wasNewton);
    EXPECT_EQ(after.gradientWork, 0.3 * 100 + 0.7 * 100);     // what Newton took is none of it
    EXPECT_EQ(after.newton[NewtonKind::WorkingSet].worth, 1); // it had nothing to begin with
    MethodRecord second = record;
    second.halfLost = 10;
    choice = decided(second, 60);
    ASSERT_TRUE(choice.takesNewton());
    ASSERT_TRUE(choice.givesUpNewton(40, 150));
    EXPECT_GE(choice.finished(140).newton[NewtonKind::WorkingSet].worth, 190.0 / 60); // at least
    record.wasNewton = true; // Newton that follows Newton has none
    MethodChoice next = decided(record, 60);
    ASSERT_TRUE(next.takesNewton());
    EXPECT_FALSE(next.givesUpNewton(40, 1e9));
    // But a kind of steps that was never taken has one.
    next = decided(record, kNever, 60);
    ASSERT_TRUE(next.takesNewton());
    EXPECT_TRUE(next.givesUpNewton(40, 1e9));
}

// What a step on trial has taken is taken, whether it goes on or not.
TEST(MethodChoice, LetsATrialEndAStepOfWhichLittleIsLeft) {
    const auto givesUp = [](double work, double next) {
        MethodChoice choice = decided(recordOfBoth(), 60); // its budget is above 60 and below 100
        EXPECT_TRUE(choice.takesNewton());
        return choice.givesUpNewton(work, next);
    };
    EXPECT_FALSE(givesUp(60, 0));
    EXPECT_FALSE(givesUp(100, 5));
    EXPECT_TRUE(givesUp(100, 30));
    EXPECT_TRUE(givesUp(200, 1)); // but so much is never lost
}

TEST(MethodChoice, StaysWithNewtonUnlessClearlyLessIsExpectedOfProjectedGradient) {
    for (const double gradient : {50.0, 80.0, 90.0, 110.0}) {
        MethodRecord record = recordOfBoth();
        record.gradientWork = gradient;
        record.wasNewton = true;
        EXPECT_EQ(decided(record, 100).takesNewton(), gradient > 85) << gradient;
    }
}

// What trials lost is gained back before the next one, unless that is expected to save as much.
TEST(MethodChoice, KeepsWhatTrialsLoseToAShareOfTheWork) {
    MethodRecord record = recordOfBoth();
    EXPECT_TRUE(decided(record, 80).takesNewton());
    record.lost = 45;
    EXPECT_FALSE(decided(record, 80).takesNewton());
    EXPECT_TRUE(decided(record, 20).takesNewton());
    record.lost = 0; // a trial that takes 70 more than projected gradient was expected to:
    MethodChoice choice = decided(record, 80);
    choice.decide(50, 80, {{of(80), of(kNever)}});
    ASSERT_FALSE(choice.takesNewton());
    const MethodRecord after = choice.finished(170);
    EXPECT_NEAR(after.lost + after.halfLost, 70, 1e-9);
    EXPECT_FALSE(after.wasNewton); // it did not win
}

// The first step after projected gradient has no dual variables to begin with, and so takes more than later ones.
TEST(MethodChoice, LearnsOfTheSecondOfTwoTrialsWhatStepsTake) {
    const auto worthAfter = [](const MethodRecord& record) {
        MethodChoice choice = decided(record, 80);
        EXPECT_TRUE(choice.takesNewton());
        choice.decide(0.5, 240, {{of(80), of(kNever)}}); // three times the guess
        return choice.finished(240).newton[NewtonKind::WorkingSet].worth;
    };
    MethodRecord record = recordOfBoth();
    EXPECT_EQ(worthAfter(record), 1);
    record.halfLost = 10;
    EXPECT_GT(worthAfter(record), 1.5);
}

/// A λ at which a Newton step on the working set takes 80 and the rest, by projected gradient, as much as to have
/// `work` in all.
MethodRecord tried(const MethodRecord& record, double work) {
    MethodChoice choice = decided(record, 80);
    EXPECT_TRUE(choice.takesNewton());
    choice.decide(50, 80, {{of(80), of(kNever)}});
    return choice.finished(work);
}

TEST(MethodChoice, TriesNewtonTwiceBeforeWhatThatLostIsHeldAgainstIt) {
    MethodRecord record = recordOfBoth();
    record.lost = 5;
    const MethodRecord once = tried(record, 170);
    EXPECT_NEAR(once.halfLost, 70, 1e-9);
    EXPECT_NEAR(once.lost, 0.9 * 5, 1e-9);
    EXPECT_FALSE(once.wasNewton);
    EXPECT_EQ(once.newton[NewtonKind::WorkingSet].fall, 8); // it had nothing to begin with
    // The second one wins or loses.
    const MethodRecord won = tried(once, 85);
    EXPECT_TRUE(won.wasNewton);
    EXPECT_EQ(won.halfLost, 0);
    EXPECT_TRUE(tried(once, 120).wasNewton); // or loses so little that nobody can tell
    EXPECT_FALSE(tried(record, 110).wasNewton);
    const MethodRecord lost = tried(once, 170);
    EXPECT_FALSE(lost.wasNewton);
    EXPECT_EQ(lost.halfLost, 0);
    EXPECT_GT(lost.lost, 100);
    EXPECT_LT(lost.newton[NewtonKind::WorkingSet].fall, 6);
    EXPECT_FALSE(decided(lost, 80).takesNewton());
    // Or there is none, since too much is expected of it.
    MethodChoice none = decided(once, 300);
    ASSERT_FALSE(none.takesNewton());
    const MethodRecord without = none.finished(100);
    EXPECT_EQ(without.halfLost, 0);
    EXPECT_NEAR(without.lost, 0.81 * 5 + 70, 1e-9);
    // Steps over whole sets begin with nothing that the ones before left.
    MethodRecord whole = recordOfBoth();
    whole.newton = {{StepRecord{1, 8}, StepRecord{1, 8}}};
    whole.halfLost = 70;
    EXPECT_TRUE(decided(whole, 80).takesNewton());
    EXPECT_FALSE(decided(whole, kNever, 80).takesNewton());
}

TEST(MethodChoice, HoldsAgainstATrialNoMoreThanItTook) {
    const MethodRecord slow = tried(recordOfBoth(), 1000); // 920 of it by projected gradient
    EXPECT_NEAR(slow.lost + slow.halfLost, 80, 1e-9);
    MethodRecord record = recordOfBoth();
    record.wasNewton = true;
    record.sinceGradient = 100;
    MethodChoice choice = decided(record, 80);
    ASSERT_FALSE(choice.takesNewton()); // projected gradient is tried
    choice.decide(kShare, 30, {{of(80), of(kNever)}});
    ASSERT_TRUE(choice.takesNewton());
    EXPECT_NEAR(choice.finished(1000).lost, 30, 1e-9);
}

// A step that is cut short but led on is Newton's, and what follows is not taken for a λ by projected gradient.
TEST(MethodChoice, CountsWhatAStepThatWasCutShortFoundAsNewtons) {
    MethodRecord record = recordOfBoth();
    MethodChoice choice = decided(record, 60);
    ASSERT_TRUE(choice.takesNewton());
    ASSERT_TRUE(choice.givesUpNewton(80, 100)); // the step ends here
    choice.decide(3, 80, {{of(60), of(kNever)}});
    EXPECT_FALSE(choice.takesNewton());
    const MethodRecord after = choice.finished(95);
    EXPECT_TRUE(after.wasNewton); // it took less
    EXPECT_NEAR(after.gradientWork, 100, 1e-9);
    EXPECT_NEAR(after.endingGain, std::log(3) / 15 * 100 / std::log(kShare), 1e-9);
}

} // namespace
} // namespace lambdascope::triplets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lens_capability.h"
#include "tests/ui/panels/inspector/finished_run.h"
#include "tests/ui/ui_test_main.h"
#include "ui/panels/inspector/certificate_bar.h"

#include <gtest/gtest.h>

#include <QPushButton>
#include <QSignalSpy>

namespace lambdascope {

TEST(CertificateBarTest, VerifiesInTheBackgroundAndSaysWhatItFound) {
    FinishedRun run;
    CertificateBar bar(run.runs, run.lens);
    bar.setRun(run.lane(0));
    EXPECT_TRUE(bar.text().contains("nothing to verify"));
    bar.setRun(run.lane(2));
    EXPECT_TRUE(bar.text().contains("not verified"));
    buttonOf(bar, "Verify")->click(); // it may have ended by now, and not have said so yet
    EXPECT_TRUE(waitUntil([&] { return run.runs.display(run.lane(2)).audit.has_value(); }));
    const auto report = as<DecisionAuditor>(*run.runner->makeLens(2)).audit(0, {}, {});
    ASSERT_TRUE(report);
    EXPECT_GT(report->decisions, 0);
    EXPECT_EQ(bar.text(), QString::fromUtf8("✓ proven: ") + QString::fromStdString(auditText(*report)));
    bar.setRun(run.lane(1));
    EXPECT_TRUE(bar.text().contains("not verified")) << "each lane has its own";
}

TEST(CertificateBarTest, SaysWhatIsNotProvenAndWhatIsWrong) {
    FinishedRun run;
    CertificateBar bar(run.runs, run.lens);
    bar.setRun(run.lane(2));
    LaneAudit audit;
    audit.report.decisions = 3234;
    audit.report.undecided = 577;
    run.runs.setAudit(run.lane(2), audit);
    EXPECT_EQ(bar.text(), "? not proven: 577 of 3,234 decisions are too near their threshold to tell");
    audit.path.addWrong("primal at point 3");
    run.runs.setAudit(run.lane(2), audit);
    EXPECT_TRUE(bar.text().startsWith(QString::fromUtf8("✗ wrong: 1 stored value"))) << bar.text().toStdString();
    audit = {};
    audit.unsafeReason = "it guesses";
    run.runs.setAudit(run.lane(2), audit);
    EXPECT_TRUE(bar.text().startsWith("! unsafe lane (it guesses), proven")) << bar.text().toStdString();
}

TEST(CertificateBarTest, AStoppedAuditLeavesNoVerdict) {
    FinishedRun run;
    run.lens.audit(run.lane(1));
    run.lens.cancelAudit(run.lane(1));
    EXPECT_FALSE(run.lens.isAuditing(run.lane(1)));
    run.lens.audit(run.lane(2));
    EXPECT_TRUE(waitUntil([&] { return run.runs.display(run.lane(2)).audit.has_value(); }));
    EXPECT_FALSE(run.runs.display(run.lane(1)).audit);
}

TEST(RunLensSessionTest, SaysWhyARunCannotBeLookedInto) {
    RunCollection runs;
    RunLensSession lens(runs, {&tinyCatalog(), findTinyFamily, [] { return tinyPlaces(); }});
    EXPECT_FALSE(lens.obstacle(RunId{77}).isEmpty());
    runs.apply(tinyEvents({.id = RunId{1}, .isEnded = false}));
    EXPECT_TRUE(lens.obstacle(RunId{1}).contains("still computes"));
    runs.apply(tinyEvents({.id = RunId{2}, .lane = "half", .isBaseline = false, .share = 0.5}));
    EXPECT_TRUE(lens.obstacle(RunId{2}).isEmpty());
    QSignalSpy failures(&lens, &RunLensSession::failed);
    lens.explain(RunId{2}, "1, 2, 3", 0);
    EXPECT_TRUE(waitUntil([&] { return failures.count() == 1; })) << "this family has no lens";
}

TEST(RunLensSessionTest, GoesAwayWhileItIsAsked) {
    FinishedRun run;
    for (int i = 0; i < 3; ++i) {
        RunLensSession lens(run.runs, {nullptr, {}, [] { return tinyPlaces(); }});
        lens.audit(run.lane(2));
        lens.findNotable(run.lane(1), 3);
    }
    settleEvents();
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inspect/audit_report.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lambdascope {
namespace {

TEST(DecisionAudit, CountsWhatIsNoNumberAsDoubtful) {
    DecisionAudit audit;
    EXPECT_FALSE(audit.count(0, -5, std::nan("")));
    EXPECT_FALSE(audit.count(1, std::nan(""), 1e-9));
    EXPECT_FALSE(audit.count(2, 1, 0.5));
    EXPECT_TRUE(audit.count(3, -1, 0.5));
    EXPECT_EQ(audit.decided, 4);
    EXPECT_EQ(audit.doubtful, 2);
    EXPECT_EQ(audit.wrong, 1);
}

TEST(AuditReport, SaysWhenItsSolutionsAreNotAsExactAsAskedFor) {
    AuditReport report;
    DecisionAudit audit;
    (void)audit.count(0, 1, 0.5);
    report.add(audit, 0);
    report.noteGap(9e-11, 0);
    EXPECT_EQ(auditText(report), "0 of 1 decisions wrong, smallest slack 1");
    report.noteGap(2e-5, 1);
    report.noteGap(1e-11, 2);
    EXPECT_EQ(auditText(report), "0 of 1 decisions wrong, smallest slack 1, by solutions that are exact to a relative "
                                 "gap of 2e-05 only");
    EXPECT_EQ(report.loosePoints, 1);
    EXPECT_EQ(report.largestGapPoint, 1);
    report.noteGap(std::nan(""), 3);
    EXPECT_EQ(report.loosePoints, 2);
    EXPECT_EQ(report.largestGapPoint, 3);
    EXPECT_GT(report.largestGap, 1e300); // finite, so that files can hold it
}

} // namespace
} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/audit_file.h"
#include "tests/core/store/scratch_folder.h"

namespace lambdascope {
namespace {

class StoredPathTest : public testing_support::ScratchFolder {
  protected:
    Result<StoredPath> read(const std::string& text) {
        write(scratch("path.csv"), text);
        return readStoredPath(scratch("path.csv"));
    }
};

TEST_F(StoredPathTest, IgnoresAnUnfinishedLastLineAndNamesABadOne) {
    const auto unfinished = read("index,lambda,primal,wall\n0,2,0.1,77\n1,1,0.3");
    ASSERT_TRUE(unfinished);
    EXPECT_EQ(unfinished->rows.size(), 1U);
    for (const char* bad : {"index,lambda\n0,2\n1,abc\n", "index,lambda\n0,2\n1\n"}) {
        const auto result = read(bad);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::InvalidData);
        EXPECT_EQ(result.error().faults.at(0).place.line, 3U);
    }
    EXPECT_EQ(readStoredPath(scratch("nothing.csv")).error().code, ErrorCode::FileNotFound);
}

TEST_F(StoredPathTest, AnAuditReadsBackAsItWasWritten) {
    std::filesystem::create_directory(scratch("PGB"));
    LaneAudit audit;
    audit.lane = "PGB";
    audit.unsafeReason = "theory only";
    audit.report = {1234567, 2, 3, 0.1 + 0.2, 99, 7, 40, 1e-11, 2.5, {"triplet (1, 2, 3)"}, 1e-7, 9, 4, {}};
    audit.path.points = 40;
    audit.path.addWrong("gap at point 3");
    audit.path.addUnproven("nothing bounds it");
    audit.path.addDifference("dual at point 2");
    ASSERT_TRUE(writeAudit(scratch(""), audit, "1.0"));
    const auto read = readAudit(scratch(""), "PGB");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->lane, audit.lane);
    EXPECT_EQ(read->unsafeReason, audit.unsafeReason);
    EXPECT_EQ(read->report.decisions, audit.report.decisions);
    EXPECT_EQ(read->report.wrong, audit.report.wrong);
    EXPECT_EQ(read->report.undecided, audit.report.undecided);
    EXPECT_EQ(read->report.smallestSlack, audit.report.smallestSlack);
    EXPECT_EQ(read->report.closestItem, 99);
    EXPECT_EQ(read->report.closestPoint, 7);
    EXPECT_EQ(read->report.points, audit.report.points);
    EXPECT_EQ(read->report.examples, audit.report.examples);
    EXPECT_EQ(judgementOf(*read).verdict, Verdict::Wrong);
    EXPECT_EQ(judgementOf(*read).reasons, judgementOf(audit).reasons);
    EXPECT_EQ(auditToJson(*read), auditToJson(audit));
    EXPECT_FALSE(readAudit(scratch(""), "GB"));
    write(scratch("PGB") / "audit.json", "{\"lane\": 3}");
    EXPECT_FALSE(readAudit(scratch(""), "PGB"));
}

} // namespace
} // namespace lambdascope

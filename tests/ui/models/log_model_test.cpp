// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/session/tiny_family.h"
#include "ui/models/log_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

namespace lambdascope {

namespace {

class LogModelTest : public testing::Test {
  protected:
    QString message(int row) const { return m_log.index(row, LogModel::Message).data().toString(); }

    LogModel m_log;
    QAbstractItemModelTester m_tester{&m_log, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(LogModelTest, TellsStartsPointsAndEndsButNoIterations) {
    m_log.add(tinyEvents({.id = RunId{1}, .points = 3, .iterations = 100}));
    ASSERT_EQ(m_log.rowCount(), 5);
    EXPECT_TRUE(message(0).startsWith("started"));
    EXPECT_EQ(m_log.index(2, LogModel::Source).data().toString(), "plain");
    EXPECT_TRUE(message(2).startsWith("point 2, λ = 4")) << message(2).toStdString(); // as the slider counts
    EXPECT_TRUE(message(4).contains("3 point"));
}

TEST_F(LogModelTest, GivesEveryFaultALineOfItsOwn) {
    Error error = plainError(ErrorCode::InvalidData, "two things");
    error.faults = {{"problem.k", "too large", "Take less.", {}}, {"", "bad number", "", {"a.csv", 3, 4}}};
    m_log.add(error, "experiment");
    m_log.add(plainError(ErrorCode::Internal, "one thing"), "experiment");
    ASSERT_EQ(m_log.rowCount(), 3);
    EXPECT_TRUE(message(1).contains("a.csv:3:4"));
    EXPECT_EQ(message(2), "one thing");
    EXPECT_EQ(m_log.index(0, 0).data(LogModel::LevelRole).toInt(), static_cast<int>(LogLevel::Error));
    EXPECT_EQ(m_log.text().count('\n'), 3);
}

TEST_F(LogModelTest, KeepsTheNewestLinesOnly) {
    // One line for the start, one per point, one for the end.
    m_log.add(tinyEvents({.id = RunId{1}, .points = LogModel::kCapacity - 2, .iterations = 1}));
    ASSERT_EQ(m_log.rowCount(), LogModel::kCapacity);
    const QString third = message(2);
    m_log.add(LogLevel::Info, "test", "one");
    m_log.add(LogLevel::Info, "test", "two");
    EXPECT_EQ(m_log.rowCount(), LogModel::kCapacity);
    EXPECT_EQ(message(0), third);
    m_log.add(tinyEvents({.id = RunId{1}, .points = LogModel::kCapacity + 50, .iterations = 1}));
    EXPECT_EQ(m_log.rowCount(), LogModel::kCapacity);
    m_log.clear();
    EXPECT_EQ(m_log.rowCount(), 0);
}

} // namespace
} // namespace lambdascope

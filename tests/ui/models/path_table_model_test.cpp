// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/session/tiny_family.h"
#include "ui/models/path_table_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QStringList>

namespace lambdascope {

TEST(PathTableModel, AppendsRowsAsPointsFinish) {
    RunCollection runs;
    PathTableModel model(runs);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto events = tinyEvents({.id = RunId{4}, .points = 5});
    runs.apply({events.begin(), events.begin() + 12}); // one point and a piece
    model.setRun(RunId{4});
    EXPECT_EQ(model.rowCount(), 1);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    runs.apply({events.begin() + 12, events.end()});
    EXPECT_EQ(model.rowCount(), 5);
    EXPECT_EQ(resets.count(), 0);
    EXPECT_EQ(model.index(2, 1).data(Qt::EditRole).toDouble(), 2);
    EXPECT_EQ(model.headerData(1, Qt::Horizontal).toString(), "λ");
    EXPECT_EQ(model.headerData(12, Qt::Horizontal).toString(), "CPU solving (s)");
    EXPECT_EQ(model.headerData(12, Qt::Horizontal, Qt::ToolTipRole).toString(), "cpu_solve");
}

TEST(PathTableModel, CsvHasAllColumnsAndExactNumbers) {
    RunCollection runs;
    runs.apply(tinyEvents({.id = RunId{4}, .points = 2, .share = 1.0 / 3, .cpuPerPoint = 0.1}));
    PathTableModel model(runs);
    model.setRun(RunId{4});
    const QStringList lines = model.csv().split('\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 3);
    EXPECT_TRUE(lines[0].startsWith("index,lambda,iterations,"));
    EXPECT_TRUE(lines[2].startsWith("1,4,4,"));
    EXPECT_EQ(lines[1].split(',').size(), model.columnCount());
    EXPECT_EQ(lines[1].split(',')[12].toDouble(), 0.1);
}

TEST(PathTableModel, LetsGoOfADeletedRun) {
    RunCollection runs;
    runs.apply(tinyEvents({.id = RunId{4}}));
    PathTableModel model(runs);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRun(RunId{4});
    runs.remove({RunId{4}});
    EXPECT_EQ(model.rowCount(), 0);
    EXPECT_EQ(model.columnCount(), 0);
    EXPECT_TRUE(model.csv().isEmpty());
}

} // namespace lambdascope

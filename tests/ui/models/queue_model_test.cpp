// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/models/queue_model.h"
#include "ui/session/runs/run_event_bridge.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

namespace lambdascope {

TEST(QueueModel, ListsWhatWaitsInOrder) {
    RunEventBridge bridge;
    RunController controller(bridge, {.library = nullptr, .findFamily = findTinyFamily});
    QueueModel model(controller);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    controller.start({tinyExperiment({{"points", 1000000}, {"delay_us", 500}}), tinyPlaces(), {}, {}});
    controller.enqueue({tinyExperiment({{"points", 1}}), tinyPlaces(), {}, {}});
    controller.enqueue({tinyExperiment({{"points", 2}}), tinyPlaces(), {"half"}, {}});
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(0, QueueModel::Name).data().toString(), "tiny experiment");
    EXPECT_EQ(model.index(0, QueueModel::Data).data().toString(), "iris");
    EXPECT_EQ(model.index(0, QueueModel::Lanes).data().toString(), "plain, half");
    EXPECT_EQ(model.index(1, QueueModel::Lanes).data().toString(), "half");
    controller.moveQueued(1, 0);
    EXPECT_EQ(model.index(0, QueueModel::Lanes).data().toString(), "half");
    controller.removeQueued(0);
    EXPECT_EQ(model.rowCount(), 1);
    controller.stop();
    ASSERT_TRUE(waitUntil([&] { return !controller.isBusy(); }));
    controller.releaseQueue();
    EXPECT_EQ(model.rowCount(), 0);
}

} // namespace lambdascope

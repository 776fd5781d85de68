// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field_table.h"
#include "tests/ui/session/tiny_family.h"
#include "tests/ui/ui_test_main.h"
#include "ui/session/experiment/data_preview.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace lambdascope {

namespace {

Json dataOf(const std::string& source) {
    std::vector<Fault> faults;
    return dataFields().schema().resolve({{"source", source}}, "data", faults);
}

} // namespace

TEST(DataPreview, SaysWhatIsInTheData) {
    DataPreview preview;
    EXPECT_EQ(preview.state(), DataPreview::State::Empty);
    preview.request(dataOf("iris"), tinyPlaces());
    EXPECT_EQ(preview.state(), DataPreview::State::Loading);
    ASSERT_TRUE(waitUntil([&] { return preview.state() != DataPreview::State::Loading; }));
    ASSERT_EQ(preview.state(), DataPreview::State::Ready) << preview.summary().toStdString();
    EXPECT_TRUE(preview.summary().contains("150 rows")) << preview.summary().toStdString();
    EXPECT_TRUE(preview.summary().contains("4 features"));
    EXPECT_EQ(factsOf(*preview.dataset()).rows, 150);
}

TEST(DataPreview, NoTableIsNotOneOfNoRows) {
    DataPreview preview;
    preview.request(dataOf("none"), tinyPlaces());
    ASSERT_TRUE(waitUntil([&] { return preview.state() == DataPreview::State::Ready; }));
    EXPECT_EQ(preview.summary(), "no table of data");
}

TEST(DataPreview, ExplainsDataThatCannotBeRead) {
    DataPreview preview;
    preview.request(dataOf("no-such-file.csv"), tinyPlaces());
    ASSERT_TRUE(waitUntil([&] { return preview.state() == DataPreview::State::Failed; }));
    EXPECT_TRUE(preview.summary().contains("no-such-file.csv")) << preview.summary().toStdString();
    EXPECT_EQ(preview.dataset(), nullptr);
}

TEST(DataPreview, DropsTheResultOfAStaleRequest) {
    DataPreview preview;
    QStringList ready;
    QObject::connect(&preview, &DataPreview::changed, &preview, [&] {
        if (preview.state() == DataPreview::State::Ready) {
            ready << QString::number(factsOf(*preview.dataset()).features);
        }
    });
    preview.request(dataOf("iris"), tinyPlaces());
    preview.request(dataOf("wine"), tinyPlaces());
    ASSERT_TRUE(waitUntil([&] { return preview.state() == DataPreview::State::Ready; }));
    EXPECT_EQ(ready, QStringList{"13"});
}

TEST(DataPreview, AsksOnceForTheSameData) {
    DataPreview preview;
    preview.request(dataOf("iris"), tinyPlaces());
    ASSERT_TRUE(waitUntil([&] { return preview.state() == DataPreview::State::Ready; }));
    QSignalSpy changed(&preview, &DataPreview::changed);
    preview.request(dataOf("iris"), tinyPlaces());
    settleEvents();
    EXPECT_EQ(changed.count(), 0);
}

TEST(DataPreview, CanBeDestroyedWhileReading) {
    auto preview = std::make_unique<DataPreview>();
    preview->request(dataOf("digits"), tinyPlaces());
    bool isReading = false;
    QObject::connect(preview.get(), &DataPreview::changed, preview.get(), [&] { isReading = true; });
    (void)waitUntil([&] { return isReading; }, 300);
    preview.reset(); // must return, and nothing may arrive afterwards
    settleEvents();
    SUCCEED();
}

} // namespace lambdascope

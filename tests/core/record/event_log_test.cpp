// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/event_log.h"
#include "tests/core/run/toy_task.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace lambdascope {
namespace {

class EventLog : public testing::Test {
  protected:
    void SetUp() override {
        m_file = std::filesystem::path(testing::TempDir()) /
                 ("event_log_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".jsonl");
        for (const RunEvent& event : toy::eventsOfRun(RunId{2})) {
            m_text += eventLine(event);
            ++m_count;
        }
    }
    void TearDown() override { std::filesystem::remove(m_file); }

    Result<std::vector<RunEvent>> read(const std::string& text) {
        std::ofstream(m_file, std::ios::binary) << text;
        return readEventLog(m_file);
    }

    std::filesystem::path m_file;
    std::string m_text;
    std::size_t m_count = 0;
};

TEST_F(EventLog, ReplaysWhatWasWritten) {
    const auto events = read(m_text);
    ASSERT_TRUE(events);
    RecordingSink sink;
    replay(*events, sink);
    EXPECT_EQ(toy::briefly(sink.events()), toy::briefly(toy::eventsOfRun(RunId{2})));
}

TEST_F(EventLog, CutAnywhereInTheLastLineLosesOnlyThatLine) {
    const std::size_t lastLine = m_text.rfind('\n', m_text.size() - 2) + 1;
    for (std::size_t length = lastLine; length < m_text.size() - 1; ++length) {
        const auto events = read(m_text.substr(0, length));
        ASSERT_TRUE(events) << events.error().describe();
        EXPECT_EQ(events->size(), m_count - 1) << length;
    }
    // Only the newline is missing: the line is whole.
    const auto events = read(m_text.substr(0, m_text.size() - 1));
    ASSERT_TRUE(events);
    EXPECT_EQ(events->size(), m_count);
}

TEST_F(EventLog, NamesTheLineThatIsBroken) {
    std::string broken = m_text;
    const std::size_t second = broken.find('\n') + 1;
    broken.replace(second, 5, "#####");
    const auto events = read(broken);
    ASSERT_FALSE(events);
    EXPECT_EQ(events.error().code, ErrorCode::InvalidData);
    EXPECT_EQ(events.error().faults.at(0).place.line, 2U);
}

TEST_F(EventLog, MissingFileIsAnError) {
    const auto events = readEventLog(m_file.string() + ".nowhere");
    ASSERT_FALSE(events);
    EXPECT_EQ(events.error().code, ErrorCode::FileUnreadable);
}

TEST(PointBuffer, KeepsOrderAndBoundsIterations) {
    PointBuffer buffer;
    std::int64_t sequence = 0;
    buffer.add({RunId{1}, sequence++, PointStarted{}});
    for (int i = 0; i < 5000; ++i) {
        if (i % 1000 == 0) {
            Screened screened;
            screened.check = i / 1000;
            buffer.add({RunId{1}, sequence++, screened});
        }
        Iterated iterated;
        iterated.iteration = i;
        buffer.add({RunId{1}, sequence++, iterated});
    }
    buffer.add({RunId{1}, sequence++, PointFinished{}});
    const std::vector<RunEvent> events = buffer.take();
    EXPECT_LE(events.size(), PointBuffer::kKeptIterations + 7);
    EXPECT_TRUE(std::is_sorted(events.begin(), events.end(),
                               [](const RunEvent& a, const RunEvent& b) { return a.sequence < b.sequence; }));
    EXPECT_EQ(std::count_if(events.begin(), events.end(),
                            [](const RunEvent& e) { return std::holds_alternative<Screened>(e.body); }),
              5);
    EXPECT_EQ(std::get<Iterated>(events[events.size() - 2].body).iteration, 4999);
    EXPECT_TRUE(buffer.take().empty());
}

} // namespace
} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
// A run library that is removed or renamed while it is in use, or holds rows that nobody wrote.
#include "core/record/event_log.h"
#include "core/store/library_sink.h"
#include "core/store/run_library.h"
#include "core/store/sqlite_database.h"
#include "tests/core/run/toy_task.h"
#include "tests/core/store/scratch_folder.h"

#include <functional>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> linesOf(const std::vector<RunEvent>& events) {
    std::vector<std::string> lines;
    for (const RunEvent& event : events) {
        lines.push_back(eventLine(event));
    }
    return lines;
}

class LibraryLoss : public testing_support::ScratchFolder {
  protected:
    LibraryLoss() {
        RunWishes wishes;
        wishes.embeddings = true;
        wishes.solutions = true;
        m_events = toy::eventsOfRun(RunId{7}, {}, wishes);
        setenv("XDG_DATA_HOME", scratch("data").c_str(), 1);
    }
    static std::shared_ptr<RunLibrary> open(const fs::path& file) {
        auto library = RunLibrary::open(file);
        EXPECT_TRUE(library) << library.error().describe();
        return *library;
    }
    std::vector<RunEvent> m_events;
};

TEST_F(LibraryLoss, IsToldAndNothingIsMissing) {
    const std::vector<std::pair<const char*, std::function<void(const fs::path&)>>> disturbances = {
        {"removed", [](const fs::path& file) { fs::remove(file); }},
        {"removed with its log",
         [](const fs::path& file) {
             for (const char* end : {"", "-wal", "-shm"}) {
                 fs::remove(file.string() + end);
             }
         }},
        {"its folder removed", [](const fs::path& file) { fs::remove_all(file.parent_path()); }},
        {"renamed", [](const fs::path& file) { fs::rename(file, file.string() + "-old"); }},
        {"replaced", [](const fs::path& file) {
             fs::remove_all(file.parent_path());
             (void)open(file);
         }}};
    int number = 0;
    for (const auto& [name, disturb] : disturbances) {
        for (std::size_t when = 0; when <= m_events.size(); ++when) {
            SCOPED_TRACE(name + std::string(" before event ") + std::to_string(when));
            const fs::path file = scratch(std::to_string(number++)) / "runs.sqlite";
            std::vector<Error> notices;
            fs::path place;
            LibraryRunId earlier;
            LibraryRunId id;
            {
                const auto library = open(file);
                LibrarySink before(library);
                replay(toy::eventsOfRun(RunId{3}, {}, {}), before);
                earlier = before.libraryRun(RunId{3}).value();
                library->setNotice([&](const Error& error) { notices.push_back(error); });
                LibrarySink sink(library);
                for (std::size_t i = 0; i < m_events.size(); ++i) {
                    if (i == when) {
                        disturb(file);
                    }
                    sink.publish(m_events[i]);
                }
                if (when == m_events.size()) {
                    disturb(file);
                    EXPECT_TRUE(library->experiments());
                }
                EXPECT_FALSE(sink.error()) << sink.error()->describe();
                id = sink.libraryRun(RunId{7}).value();
                place = library->path();
            }
            ASSERT_EQ(notices.size(), 1U);
            EXPECT_NE(notices[0].describe().find(place.string()), std::string::npos) << notices[0].describe();
            EXPECT_EQ(place == file, name != std::string("replaced")) << place;
            const auto library = open(place);
            const auto events = library->loadEvents(id, RunId{7});
            ASSERT_TRUE(events) << events.error().describe();
            EXPECT_EQ(linesOf(*events), linesOf(m_events));
            EXPECT_TRUE(library->loadRecord(earlier)) << "runs from before are kept, too";
            EXPECT_EQ(library->experiments()->size(), 2U);
        }
    }
}

TEST_F(LibraryLoss, DamagedRowsAreToldInPlainWords) {
    const fs::path file = scratch("runs.sqlite");
    const std::string deep(100'000, '[');
    const std::vector<std::string> texts = {"",
                                            "junk",
                                            "[]",
                                            "{}",
                                            "3",
                                            "null",
                                            "{\"event\":\"iterated\",\"run\":1}",
                                            "{\"run\":1e999}",
                                            deep,
                                            "{\"run\":\"a\",\"seq\":[]}"};
    for (const char* column :
         {"events.body", "points.embedding", "experiments.document", "audits.body", "points.termination"}) {
        for (const std::string& text : texts) {
            SCOPED_TRACE(column + (" = " + text.substr(0, 40)));
            fs::remove(file);
            fs::remove(file.string() + "-wal");
            fs::remove(file.string() + "-shm");
            const auto library = open(file);
            LibrarySink sink(library);
            replay(m_events, sink);
            const LibraryRunId run = *sink.libraryRun(RunId{7});
            const std::string table = std::string(column).substr(0, std::string(column).find('.'));
            const std::string name = std::string(column).substr(table.size() + 1);
            SqliteDatabase database(file);
            if (table == "audits") {
                database.prepare("INSERT INTO audits(run_id, body) VALUES(?, ?)")
                    .bind(1, run.value)
                    .bind(2, text)
                    .run();
            } else {
                database.prepare("UPDATE " + table + " SET " + name + " = ?").bind(1, text).run();
            }
            const auto expectPlain = [](const auto& result) {
                if (result) {
                    return true;
                }
                const std::string message = result.error().describe();
                EXPECT_EQ(message.find("json.exception"), std::string::npos) << message;
                EXPECT_EQ(message.find("unexpected failure"), std::string::npos) << message;
                EXPECT_NE(message.find("runs.sqlite"), std::string::npos) << message;
                EXPECT_LT(message.size(), 1000U);
                return false;
            };
            const bool isRead = expectPlain(library->loadRecord(run));
            const bool isDocument = expectPlain(library->experimentDocument(*sink.experimentId()));
            (void)expectPlain(library->audit(run));
            EXPECT_EQ(isRead, table == "experiments" || table == "audits");
            EXPECT_TRUE(isDocument || table == "experiments");
            EXPECT_TRUE(expectPlain(library->experiments()));
        }
    }
}

TEST_F(LibraryLoss, MatricesOfAnotherSizeThanTheySayAreTold) {
    const fs::path file = scratch("runs.sqlite");
    for (const auto& [rows, columns] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {-2, -3}, {1LL << 62, 4}, {1LL << 62, 1LL << 62}, {3, 3}, {0, 6}, {6, 0}, {-6, -1}}) {
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
        fs::remove(file);
        const auto library = open(file);
        LibrarySink sink(library);
        replay(m_events, sink);
        SqliteDatabase database(file);
        database.prepare("UPDATE solutions SET row_count = ?, column_count = ?").bind(1, rows).bind(2, columns).run();
        const auto record = library->loadRecord(*sink.libraryRun(RunId{7}));
        ASSERT_FALSE(record);
        EXPECT_NE(record.error().describe().find("matrix of point 0"), std::string::npos) << record.error().describe();
    }
}

} // namespace
} // namespace lambdascope

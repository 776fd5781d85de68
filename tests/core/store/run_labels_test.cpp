// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/json_text.h"
#include "core/record/event_log.h"
#include "core/store/library_sink.h"
#include "core/store/run_library.h"
#include "core/store/sqlite_database.h"
#include "tests/core/run/toy_task.h"
#include "tests/core/store/scratch_folder.h"

#include <algorithm>
#include <thread>

namespace lambdascope {
namespace {

class LibraryLabels : public testing_support::ScratchFolder {
  protected:
    [[nodiscard]] std::filesystem::path file() const { return scratch("library.sqlite"); }
    std::shared_ptr<RunLibrary> open() {
        auto library = RunLibrary::open(file());
        EXPECT_TRUE(library) << library.error().describe();
        return *library;
    }
    static LibraryExperimentId record(const std::shared_ptr<RunLibrary>& library, std::int64_t run,
                                      const std::string& document = {}) {
        LibrarySink sink(library);
        std::vector<RunEvent> events = toy::eventsOfRun(RunId{run});
        if (!document.empty()) {
            std::get<RunStarted>(events.front().body).experiment = *parseOwnJson(document, {});
        }
        replay(events, sink);
        EXPECT_FALSE(sink.error());
        return sink.experimentId().value_or(LibraryExperimentId{});
    }
    static std::vector<std::int64_t> idsOf(const Result<std::vector<LibraryExperiment>>& experiments) {
        std::vector<std::int64_t> ids;
        std::transform(experiments->begin(), experiments->end(), std::back_inserter(ids),
                       [](const LibraryExperiment& experiment) { return experiment.id.value; });
        return ids;
    }
};

const char* const kDocument = R"({"name": "x", "data": {"source": "wine"}, "lanes": [{"name": "naive", "bounds": []},
    {"name": "a", "bounds": ["PGB", "GB"]}, {"name": "b", "bounds": ["PGB"]}, {"name": "c"}, "odd"]})";

TEST_F(LibraryLabels, KnowDataAndBoundsOfTheDocument) {
    const auto library = open();
    (void)record(library, 1, kDocument);
    const LibraryExperiment experiment = library->experiments()->front();
    EXPECT_EQ(experiment.source, "wine");
    std::vector<std::string> bounds = experiment.bounds;
    std::sort(bounds.begin(), bounds.end());
    EXPECT_EQ(bounds, (std::vector<std::string>{"GB", "PGB"})) << "each once";
    EXPECT_TRUE(experiment.tags.empty());
    EXPECT_FALSE(experiment.isStarred);
}

TEST_F(LibraryLabels, TagsNotesAndStarsStay) {
    const LibraryExperimentId id = record(open(), 1);
    {
        const auto library = open();
        ASSERT_TRUE(library->changeTags(id, {"paper", "figure-9"}, {}));
        ASSERT_TRUE(library->changeTags(id, {"paper", "draft"}, {"figure-9", "unknown"}));
        ASSERT_TRUE(library->setNotes(id, "Größe 'x'; --\nsecond line"));
        ASSERT_TRUE(library->setStarred(id, true));
    }
    const LibraryExperiment experiment = *open()->experiment(id);
    EXPECT_EQ(experiment.tags, (std::vector<std::string>{"draft", "paper"}));
    EXPECT_EQ(experiment.notes, "Größe 'x'; --\nsecond line");
    EXPECT_TRUE(experiment.isStarred);
    ASSERT_TRUE(open()->setStarred(id, false));
    EXPECT_FALSE(open()->experiment(id)->isStarred);
}

TEST_F(LibraryLabels, WhatIsNoTagOrNotThereIsRefused) {
    const auto library = open();
    const LibraryExperimentId id = record(library, 1);
    for (const char* tag : {"", "two words", "a,b", "quo\"te", "line\nend"}) {
        const auto done = library->changeTags(id, {"good", tag}, {});
        ASSERT_FALSE(done) << tag;
        EXPECT_EQ(done.error().code, ErrorCode::BadUsage);
    }
    EXPECT_TRUE(library->experiment(id)->tags.empty()) << "not even the good one";
    const LibraryExperimentId unknown{77};
    EXPECT_FALSE(library->changeTags(unknown, {"x"}, {}));
    EXPECT_FALSE(library->setNotes(unknown, "x"));
    EXPECT_FALSE(library->setStarred(unknown, true));
    EXPECT_FALSE(library->discard({id, unknown}));
    EXPECT_EQ(library->experiments()->size(), 1U) << "all or none";
    EXPECT_FALSE(library->restore({unknown}));
}

TEST_F(LibraryLabels, DiscardedExperimentsComeBackFromAnyProgram) {
    std::vector<LibraryExperimentId> ids;
    for (int i = 0; i < 4; ++i) {
        ids.push_back(record(open(), i + 1));
    }
    ASSERT_TRUE(open()->setStarred(ids[1], true));
    ASSERT_TRUE(open()->discard({ids[0]}));
    ASSERT_TRUE(open()->discard({ids[1], ids[3]}));
    EXPECT_EQ(idsOf(open()->experiments()), (std::vector<std::int64_t>{ids[2].value}));
    EXPECT_EQ(idsOf(open()->discarded()), (std::vector<std::int64_t>{ids[3].value, ids[1].value, ids[0].value}));
    EXPECT_TRUE(open()->experiment(ids[1])) << "can still be looked at";
    EXPECT_FALSE(open()->discard({ids[0]})) << "is gone from the lists already";
    EXPECT_EQ(*open()->restoreLast(), (std::vector<LibraryExperimentId>{ids[1], ids[3]}));
    EXPECT_EQ(open()->experiments()->size(), 3U);
    EXPECT_TRUE(open()->experiment(ids[1])->isStarred) << "with all that was said of it";
    ASSERT_TRUE(open()->restore({ids[0]}));
    EXPECT_EQ(open()->experiments()->size(), 4U);
    EXPECT_TRUE(open()->restoreLast()->empty());
}

TEST_F(LibraryLabels, WhatWasDiscardedLongAgoGoesForGood) {
    const LibraryExperimentId kept = record(open(), 1);
    const LibraryExperimentId gone = record(open(), 2);
    ASSERT_TRUE(open()->discard({kept, gone}));
    {
        SqliteDatabase database(file());
        database
            .prepare("UPDATE labels SET discarded_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-31 days') "
                     "WHERE experiment_id = ?")
            .bind(1, gone.value)
            .run();
    }
    EXPECT_EQ(idsOf(open()->discarded()), (std::vector<std::int64_t>{kept.value}));
    SqliteDatabase database(file());
    SqliteStatement count = database.prepare("SELECT count(*) FROM points WHERE run_id NOT IN (SELECT id FROM runs)");
    ASSERT_TRUE(count.step());
    EXPECT_EQ(count.integer(0), 0) << "nothing of it is left";
}

TEST_F(LibraryLabels, AFileOfTheThirdVersionGetsThem) {
    LibraryExperimentId wine;
    LibraryExperimentId damaged;
    {
        const auto library = open();
        wine = record(library, 1, kDocument);
        damaged = record(library, 2);
    }
    {
        SqliteDatabase older(file());
        older.execute("DROP TRIGGER labels_of_new");
        older.execute("DROP TABLE labels");
        older.execute("PRAGMA user_version = 3");
        older.prepare("UPDATE experiments SET document = '{\"lanes\": [' WHERE id = ?").bind(1, damaged.value).run();
    }
    const auto library = open();
    ASSERT_EQ(library->experiments()->size(), 2U);
    EXPECT_EQ(library->experiment(wine)->source, "wine");
    EXPECT_EQ(library->experiment(wine)->bounds.size(), 2U);
    EXPECT_EQ(library->experiment(damaged)->source, "");
    ASSERT_TRUE(library->changeTags(damaged, {"broken"}, {}));
    EXPECT_TRUE(record(library, 3).value > damaged.value);
    EXPECT_EQ(library->experiments()->size(), 3U) << "new ones have labels as well";
}

TEST_F(LibraryLabels, ProgramsThatTagAtOnceLoseNothing) {
    const LibraryExperimentId id = record(open(), 1);
    constexpr int kThreads = 3;
    constexpr int kTags = 15;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < kThreads; ++t) {
            threads.emplace_back([this, id, t] {
                const auto library = RunLibrary::open(file()); // a connection of its own, as another program has
                for (int i = 0; i < kTags; ++i) {
                    EXPECT_TRUE((*library)->changeTags(id, {"t" + std::to_string(t) + "-" + std::to_string(i)}, {}));
                }
            });
        }
    }
    EXPECT_EQ(open()->experiment(id)->tags.size(), static_cast<std::size_t>(kThreads * kTags));
}

} // namespace
} // namespace lambdascope

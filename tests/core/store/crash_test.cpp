// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/event_log.h"
#include "core/store/library_sink.h"
#include "core/store/process_mark.h"
#include "core/store/run_folder.h"
#include "core/store/run_folder_writer.h"
#include "core/store/run_library.h"
#include "tests/core/run/toy_task.h"
#include "tests/core/store/scratch_folder.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace lambdascope {
namespace {

/// Runs a toy path that writes to library and run folder, in a process of its own that kills itself (SIGKILL, nothing
/// is cleaned up) while point `fatalPoint` is in work.
class KilledProcess : public testing_support::ScratchFolder, public testing::WithParamInterface<int> {
  protected:
    void runAndDie(int fatalPoint) const {
        auto library = RunLibrary::open(scratch("library.sqlite"));
        RunFolderFacts facts;
        facts.experiment = Json{{"name", "toy experiment"}};
        facts.lanes = {"lane"};
        auto folder = RunFolderWriter::create(scratch("out"), facts);
        if (!library || !folder) {
            _exit(1);
        }
        LibrarySink librarySink(*library);
        TeeSink sink({folder->get(), &librarySink});
        toy::Task::Plan plan;
        plan.schedule = {16, 8, 4, 2, 1};
        plan.onPoint = [&](const PathPoint& point, RunContext& context) -> std::optional<Result<PointReport>> {
            if (point.index == fatalPoint) {
                context.publish(Iterated{point.index, 1, 3.0, {}, 0.1, 7, 1.0});
                kill(getpid(), SIGKILL);
            }
            return std::nullopt;
        };
        RunWishes wishes;
        wishes.embeddings = true;
        wishes.solutions = true;
        PathRunner runner = toy::makeRunner(plan, RunContext(RunId{1}, sink, {}, nullptr, wishes));
        (void)toy::runToEnd(runner);
        _exit(0);
    }
};

TEST_P(KilledProcess, LosesAtMostThePointInWork) {
    const int fatalPoint = GetParam();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        runAndDie(fatalPoint);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;

    const auto library = RunLibrary::open(scratch("library.sqlite"));
    ASSERT_TRUE(library) << library.error().describe();
    const auto experiments = (*library)->experiments();
    ASSERT_TRUE(experiments);
    const LibraryRun& listed = experiments->at(0).runs.at(0);
    EXPECT_EQ(listed.state, RunRecord::State::Interrupted);
    EXPECT_EQ(listed.finishedPoints, fatalPoint);

    const auto fromLibrary = (*library)->loadRecord(listed.id);
    const auto fromFolder = readRunFolder(scratch("out"));
    ASSERT_TRUE(fromLibrary);
    ASSERT_TRUE(fromFolder);
    ASSERT_EQ(fromFolder->size(), 1U);
    for (const RunRecord* record : {&*fromLibrary, &fromFolder->front()}) {
        EXPECT_EQ(record->state(), RunRecord::State::Interrupted);
        ASSERT_EQ(record->finishedPointCount(), static_cast<std::size_t>(fatalPoint));
        for (int i = 0; i < fatalPoint; ++i) {
            const PointRecord& point = record->points().at(static_cast<std::size_t>(i));
            EXPECT_EQ(point.index, i);
            EXPECT_EQ(point.values.size(), toy::columns().size());
            EXPECT_EQ(point.screenings.size(), 1U);
            EXPECT_EQ(point.iterations.size(), 2U);
            EXPECT_NE(point.embedding, nullptr);
        }
    }
    const std::string rows = contents(scratch("out") / "lane" / "path.csv");
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), fatalPoint + 1);
    // The folder is free again: no living process claims it.
    EXPECT_TRUE(checkRunFolder(scratch("out"), ExistingRun::Replace));
}

INSTANTIATE_TEST_SUITE_P(AtAnyPoint, KilledProcess, testing::Values(0, 1, 4));

TEST(ProcessMark, KnowsTheLivingFromTheDead) {
    EXPECT_TRUE(isProcessAlive(ownProcessMark()));
    EXPECT_FALSE(isProcessAlive(""));
    EXPECT_FALSE(isProcessAlive("x:y:z"));
    EXPECT_FALSE(isProcessAlive(ownProcessMark() + "0")) << "the same number, but started at another time";
    EXPECT_FALSE(isProcessAlive("another-boot" + ownProcessMark().substr(ownProcessMark().find(':'))));
}

} // namespace
} // namespace lambdascope

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

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;
using Begun = std::function<void(int point, RunContext&)>;

/// A toy path that writes to library and run folder, in a process of its own.
class DyingProcess : public testing_support::ScratchFolder {
  protected:
    /// `begun` is called as each point begins; the process ends with the path.
    [[noreturn]] void run(std::vector<double> schedule, const Begun& begun) const {
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
        plan.schedule = std::move(schedule);
        plan.onPoint = [&](const PathPoint& point, RunContext& context) -> std::optional<Result<PointReport>> {
            begun(point.index, context);
            return std::nullopt;
        };
        RunWishes wishes;
        wishes.embeddings = true;
        wishes.solutions = true;
        PathRunner runner = toy::makeRunner(plan, RunContext(RunId{1}, sink, {}, nullptr, wishes));
        (void)toy::runToEnd(runner);
        _exit(0);
    }
    /// Library and folder hold at least so many points, whole ones, of a run that was interrupted.
    void expectPoints(std::size_t least, std::size_t most) const {
        const auto library = RunLibrary::open(scratch("library.sqlite"));
        ASSERT_TRUE(library) << library.error().describe();
        const auto experiments = (*library)->experiments();
        ASSERT_TRUE(experiments);
        const LibraryRun& listed = experiments->at(0).runs.at(0);
        EXPECT_EQ(listed.state, RunRecord::State::Interrupted);
        const auto fromLibrary = (*library)->loadRecord(listed.id);
        const auto fromFolder = readRunFolder(scratch("out"));
        ASSERT_TRUE(fromLibrary);
        ASSERT_TRUE(fromFolder);
        ASSERT_EQ(fromFolder->size(), 1U);
        EXPECT_EQ(listed.finishedPoints, fromLibrary->finishedPointCount());
        for (const RunRecord* record : {&*fromLibrary, &fromFolder->front()}) {
            EXPECT_EQ(record->state(), RunRecord::State::Interrupted);
            const std::size_t points = record->finishedPointCount();
            EXPECT_GE(points, least);
            EXPECT_LE(points, most);
            for (std::size_t i = 0; i < points; ++i) {
                const PointRecord& point = record->points().at(i);
                EXPECT_EQ(point.index, static_cast<int>(i));
                EXPECT_EQ(point.values.size(), toy::columns().size());
                EXPECT_EQ(point.screenings.size(), 1U);
                EXPECT_EQ(point.iterations.size(), 2U);
                EXPECT_NE(point.embedding, nullptr);
            }
        }
        const std::string rows = contents(scratch("out") / "lane" / "path.csv");
        const auto written = static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '\n')) - 1;
        EXPECT_GE(written, least);
        EXPECT_LE(written, fromFolder->front().finishedPointCount()); // events are written before rows
        // The folder is free again: no living process claims it.
        EXPECT_TRUE(checkRunFolder(scratch("out"), ExistingRun::Replace));
    }
};

/// Kills itself (nothing is cleaned up) while point GetParam() is in work.
class KilledProcess : public DyingProcess, public testing::WithParamInterface<int> {};

TEST_P(KilledProcess, LosesAtMostThePointInWork) {
    const int fatalPoint = GetParam();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        run({16, 8, 4, 2, 1}, [fatalPoint](int point, RunContext& context) {
            if (point == fatalPoint) {
                context.publish(Iterated{point, 1, 3.0, {}, 0.1, 7, 1.0});
                kill(getpid(), SIGKILL);
            }
        });
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    expectPoints(static_cast<std::size_t>(fatalPoint), static_cast<std::size_t>(fatalPoint));
}

INSTANTIATE_TEST_SUITE_P(AtAnyPoint, KilledProcess, testing::Values(0, 1, 4));

// Killed from outside, in the middle of whatever it writes: what it had finished is in library and folder.
// LAMBDASCOPE_KILLS sets how often.
TEST_F(DyingProcess, LosesNoFinishedPointWheneverItIsKilled) {
    constexpr std::size_t kPoints = 20000;
    const char* wished = std::getenv("LAMBDASCOPE_KILLS");
    const int kills = wished != nullptr ? std::atoi(wished) : 10;
    std::mt19937 random(11);
    std::uniform_int_distribution<int> pointsToAwait(1, 60);
    std::uniform_int_distribution<int> microseconds(0, 3000);
    std::size_t kept = 0;
    for (int attempt = 0; attempt < kills && !HasFailure(); ++attempt) {
        std::array<int, 2> pipe{};
        ASSERT_EQ(::pipe(pipe.data()), 0);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            close(pipe[0]);
            std::vector<double> schedule(kPoints);
            std::iota(schedule.rbegin(), schedule.rend(), 1.0);
            run(std::move(schedule), [&](int point, RunContext&) { (void)!::write(pipe[1], &point, sizeof point); });
        }
        close(pipe[1]);
        int begun = 0; // all points before it are finished
        const auto readOne = [&] { return ::read(pipe[0], &begun, sizeof begun) == sizeof begun; };
        for (int left = pointsToAwait(random); left > 0 && readOne(); --left) {
        }
        usleep(static_cast<useconds_t>(microseconds(random)));
        kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << status;
        while (readOne()) {
        }
        close(pipe[0]);
        expectPoints(static_cast<std::size_t>(begun), static_cast<std::size_t>(begun) + 1);
        kept += static_cast<std::size_t>(begun);
        fs::remove_all(scratch("out"));
        fs::remove(scratch("library.sqlite"));
    }
    std::printf("killed %d times, %zu finished points, all kept\n", kills, kept);
}

TEST(ProcessMark, KnowsTheLivingFromTheDead) {
    EXPECT_TRUE(isProcessAlive(ownProcessMark()));
    EXPECT_FALSE(isProcessAlive(""));
    EXPECT_FALSE(isProcessAlive("x:y:z"));
    EXPECT_FALSE(isProcessAlive(ownProcessMark() + "0")) << "the same number, but started at another time";
    EXPECT_FALSE(isProcessAlive("another-boot" + ownProcessMark().substr(ownProcessMark().find(':'))));
}

} // namespace
} // namespace lambdascope

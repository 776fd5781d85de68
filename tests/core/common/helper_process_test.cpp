// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/common/helper_process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <vector>

namespace lambdascope {
namespace {

namespace fs = std::filesystem;

/// Programs of a few lines, in place of those that are started.
class HelperProcesses : public ::testing::Test {
  protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / ("lambdascope-helpers-" + std::to_string(::getpid()));
        fs::create_directories(m_folder);
    }
    void TearDown() override {
        EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process was left";
        EXPECT_EQ(errno, ECHILD);
        fs::remove_all(m_folder);
    }
    fs::path script(const std::string& lines) {
        const fs::path file = m_folder / ("script" + std::to_string(m_scripts++));
        std::ofstream(file) << "#!/bin/sh\n" << lines << "\n";
        fs::permissions(file, fs::perms::owner_all);
        return file;
    }
    /// What comes of waiting for a message.
    static HelperTrouble troubleOf(HelperProcess& process) {
        std::string said;
        HelperProcess::Trouble trouble = process.start();
        if (!trouble) {
            trouble = process.receiveMessage(said);
        }
        EXPECT_TRUE(trouble) << said;
        EXPECT_FALSE(process.isRunning());
        return trouble.value_or(HelperTrouble());
    }
    HelperTrouble troubleOf(const std::string& lines) {
        HelperProcess process(script(lines));
        return troubleOf(process);
    }
    /// Of the process alone, whose socket is at both ends of it: what is sent comes back.
    fs::path echo() { return script("exec cat <&0 >&0"); }

    fs::path m_folder;
    int m_scripts = 0;
};

TEST_F(HelperProcesses, SayAndHearWhatIsLongerThanASocketHolds) {
    HelperProcess process(echo());
    ASSERT_FALSE(process.start());
    for (const std::size_t size : {0, 1, 1000, 100'000}) {
        const std::string said(size, 'x');
        ASSERT_FALSE(process.sendMessage(said));
        std::string heard = "before";
        ASSERT_FALSE(process.receiveMessage(heard));
        EXPECT_EQ(heard, said);
    }
    EXPECT_TRUE(process.isRunning());
    EXPECT_GE(process.cpuSeconds(), 0);
    EXPECT_GT(process.peakBytes(), 1000U);
}

TEST_F(HelperProcesses, TellWhyNothingComes) {
    EXPECT_EQ(troubleOf("kill -KILL $$").kind, HelperTrouble::Kind::Killed);
    EXPECT_EQ(troubleOf("exit 127").kind, HelperTrouble::Kind::NotLoaded);
    EXPECT_EQ(troubleOf("exit 0").kind, HelperTrouble::Kind::Ended);
    const HelperTrouble broken = troubleOf("kill -SEGV $$");
    EXPECT_EQ(broken.kind, HelperTrouble::Kind::Ended);
    EXPECT_EQ(broken.detail, "Segmentation fault");
    EXPECT_EQ(troubleOf("printf '\\7\\0\\0\\0\\0\\0\\0\\0nonsense' >&0; sleep 600").kind, HelperTrouble::Kind::Unclear);
    EXPECT_EQ(troubleOf("printf 'nothing but nonsense' >&0; sleep 600").kind, HelperTrouble::Kind::Unclear);
    for (const fs::path& program : {m_folder / "nowhere", script("exit 0")}) {
        if (fs::exists(program)) {
            fs::permissions(program, fs::perms::owner_read);
        }
        HelperProcess process(program);
        const HelperTrouble trouble = troubleOf(process);
        EXPECT_EQ(trouble.kind,
                  fs::exists(program) ? HelperTrouble::Kind::NotStartable : HelperTrouble::Kind::NotThere);
        const HelperComplaint complaint = complaintOf(trouble, program, "reads minds");
        EXPECT_NE(complaint.message.find("the program that reads minds, " + program.string()), std::string::npos);
        EXPECT_NE(complaint.remedy.find("Install"), std::string::npos);
    }
}

TEST_F(HelperProcesses, AreGoneWhenNobodyWaitsAnyLonger) {
    for (const bool sends : {false, true}) {
        int questions = 0;
        HelperProcess process(script("exec sleep 600"), [&questions] { return ++questions < 4; });
        ASSERT_FALSE(process.start());
        std::string heard;
        const auto trouble =
            sends ? process.sendMessage(std::string(std::size_t{64} << 20, 'x')) : process.receiveMessage(heard);
        ASSERT_TRUE(trouble);
        EXPECT_EQ(trouble->kind, HelperTrouble::Kind::GivenUp);
        EXPECT_EQ(questions, 4);
        EXPECT_FALSE(process.isRunning());
        EXPECT_TRUE(process.sendMessage(heard)) << "nobody is there";
        // Another one can be started by the same means.
        questions = 0;
        EXPECT_FALSE(process.start());
    }
}

TEST_F(HelperProcesses, ComputeNothingWhileTheyAreHeld) {
    HelperProcess process(script("while :; do :; done"));
    ASSERT_FALSE(process.start());
    const auto worksOn = [&process](double least) {
        const double before = process.cpuSeconds();
        for (int tick = 0; tick < 2000 && process.cpuSeconds() < before + least; ++tick) {
            ::usleep(5000);
        }
        return process.cpuSeconds() - before;
    };
    EXPECT_GE(worksOn(0.02), 0.02);
    process.hold();
    ::usleep(50'000); // until it is held on all processors
    const double held = process.cpuSeconds();
    ::usleep(50'000);
    EXPECT_EQ(process.cpuSeconds(), held);
    process.goOn();
    EXPECT_GE(worksOn(0.02), 0.02);
    process.hold();
    EXPECT_NE(process.end(), -1) << "also one that is held";
}

TEST_F(HelperProcesses, AreThereWhereThisProgramWasBuilt) {
    const fs::path program = helperProgram("lambdascope-nowhere");
    EXPECT_EQ(program.filename(), "lambdascope-nowhere");
    EXPECT_TRUE(program.is_absolute());
}

} // namespace
} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/hdf5_library.h"
#include "core/data/hdf5_process.h"
#include "tests/core/data/data_folder.h"
#include "tests/core/data/hdf5_writer.h"

#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace lambdascope::test {

namespace {

namespace fs = std::filesystem;

Numbers someValues(std::size_t count) {
    Numbers values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<double>((i * 7919) % 1013) - 0.3;
    }
    return values;
}

/// All numbers of a file, each data set in pieces of three rows.
Numbers valuesIn(Hdf5File& file, const std::string& path) {
    Numbers all;
    if (const auto trouble = file.open(path)) {
        ADD_FAILURE() << trouble->message;
        return all;
    }
    for (const Hdf5DataSet& set : file.dataSets()) {
        for (std::uint64_t first = 0; first < set.rows; first += 3) {
            const std::uint64_t count = std::min<std::uint64_t>(3, set.rows - first);
            Numbers rows(count * set.columns);
            const auto trouble = file.readRows(set, first, count, rows.data());
            EXPECT_FALSE(trouble) << trouble->message;
            all.insert(all.end(), rows.begin(), rows.end());
        }
    }
    return all;
}

class Hdf5ProcessTest : public testing::Test {
  protected:
    void TearDown() override {
        EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process was left";
        EXPECT_EQ(errno, ECHILD);
    }
    /// A program that does this in place of lambdascope-hdf5.
    fs::path script(const std::string& lines) {
        const fs::path file = folder.write("script" + std::to_string(scripts++), "#!/bin/sh\n" + lines + "\n");
        fs::permissions(file, fs::perms::owner_all);
        return file;
    }
    std::string good() {
        const fs::path file = folder.path("good.h5");
        if (!fs::exists(file)) {
            Hdf5Writer(file).add("X", {40, 3}, someValues(120)).add("y", {40}, Numbers(40, 1), H5T_NATIVE_INT);
        }
        return file.string();
    }
    Hdf5Trouble troubleWith(const fs::path& program, Hdf5ProcessLimits limits = {}, std::stop_token stop = {}) {
        Hdf5Process file(std::move(stop), limits, program);
        return file.open(good()).value_or(Hdf5Trouble());
    }

    DataFolder folder;
    int scripts = 0;
};

TEST_F(Hdf5ProcessTest, ReadsWhatTheLibraryReads) {
    const std::string many = folder.path("many.h5").string();
    Hdf5Writer(many, 512)
        .add("packed/a", {200, 30}, someValues(6000), H5T_NATIVE_FLOAT, {16, 7})
        .add("packed/b", {17, 5}, someValues(85), H5T_NATIVE_DOUBLE, {17, 5})
        .add("big-endian", {9, 4}, someValues(36), H5T_IEEE_F64BE)
        .add("whole", {11}, someValues(11), H5T_STD_I16BE)
        .add("wide", {2, 300'000}, someValues(600'000), H5T_NATIVE_CHAR);
    for (const std::string& path : {many, good()}) {
        Hdf5Library here;
        Hdf5Process there;
        const Numbers expected = valuesIn(here, path);
        EXPECT_GT(expected.size(), 100U);
        EXPECT_EQ(valuesIn(there, path), expected);
        ASSERT_EQ(there.dataSets().size(), here.dataSets().size());
        for (std::size_t i = 0; i < here.dataSets().size(); ++i) {
            EXPECT_EQ(there.dataSets()[i].path, here.dataSets()[i].path);
            EXPECT_EQ(there.dataSets()[i].rows, here.dataSets()[i].rows);
            EXPECT_EQ(there.dataSets()[i].columns, here.dataSets()[i].columns);
            EXPECT_EQ(there.dataSets()[i].isWhole, here.dataSets()[i].isWhole);
        }
    }
}

TEST_F(Hdf5ProcessTest, SeveralReadAtOnce) {
    const std::string path = good();
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&path] {
            Hdf5Process file;
            EXPECT_EQ(valuesIn(file, path).size(), 160U);
        });
    }
}

TEST_F(Hdf5ProcessTest, OneThatIsKilledIsToldOf) {
    EXPECT_NE(troubleWith(script("kill -KILL $$")).message.find("was killed"), std::string::npos);
    const std::string pid = folder.path("pid").string();
    Hdf5Process file({}, {}, script("echo $$ >" + pid + "\nexec " + hdf5Program().string() + " \"$1\""));
    ASSERT_FALSE(file.open(good()));
    int process = 0;
    std::ifstream(pid) >> process;
    ASSERT_GT(process, 1);
    ASSERT_EQ(::kill(process, SIGKILL), 0);
    Numbers values(120);
    for (int again = 0; again < 2; ++again) {
        const auto trouble = file.readRows(file.dataSets()[0], 0, 40, values.data());
        ASSERT_TRUE(trouble);
        EXPECT_FALSE(trouble->message.empty());
        EXPECT_TRUE(again == 1 || trouble->message.find("was killed") != std::string::npos) << trouble->message;
    }
}

TEST_F(Hdf5ProcessTest, OneThatEndsOrTalksNonsenseIsToldOf) {
    EXPECT_NE(troubleWith("/bin/true").message.find("ended while reading it"), std::string::npos);
    EXPECT_NE(troubleWith(script("kill -SEGV $$")).message.find("Segmentation fault"), std::string::npos);
    EXPECT_NE(troubleWith(script("exit 127")).message.find("does not start"), std::string::npos);
    EXPECT_NE(troubleWith(script("printf '\\7\\0\\0\\0\\0\\0\\0\\0nonsense' >&0")).message.find("no clear answer"),
              std::string::npos);
    EXPECT_NE(troubleWith(script("printf 'nothing but nonsense' >&0")).message.find("no clear answer"),
              std::string::npos);
}

TEST_F(Hdf5ProcessTest, AProgramThatIsNotThereIsToldOf) {
    for (const fs::path& program : {folder.path("nowhere") / "lambdascope-hdf5", folder.write("no-program", "")}) {
        const Hdf5Trouble trouble = troubleWith(program);
        EXPECT_EQ(trouble.code, ErrorCode::FileUnreadable);
        EXPECT_NE(trouble.message.find(program.string()), std::string::npos) << trouble.message;
        EXPECT_NE(trouble.remedy.find("Install"), std::string::npos);
    }
}

TEST_F(Hdf5ProcessTest, TooMuchMemoryIsRefused) {
#ifdef LAMBDASCOPE_SANITIZED
    GTEST_SKIP() << "sanitizers take terabytes of addresses";
#endif
    const std::string path = folder.path("large-chunk.h5").string();
    constexpr hsize_t kSide = 12'000; // a chunk of 144 MB
    Hdf5Writer(path).add("X", {10, 10}, someValues(100), H5T_NATIVE_CHAR, {kSide, kSide});
    Numbers values(100);
    Hdf5Process little({}, {.memory = std::uint64_t{128} << 20});
    ASSERT_FALSE(little.open(path));
    ASSERT_EQ(little.dataSets().size(), 1U);
    const auto trouble = little.readRows(little.dataSets()[0], 0, 10, values.data());
    ASSERT_TRUE(trouble);
    EXPECT_NE(trouble->message.find("takes too much memory"), std::string::npos) << trouble->message;
    Hdf5Process enough;
    ASSERT_FALSE(enough.open(path));
    EXPECT_FALSE(enough.readRows(enough.dataSets()[0], 0, 10, values.data()));
    // Rows that nobody has room for.
    const auto endless = enough.readRows({"/X", 1, std::uint64_t{1} << 40, 1}, 0, 1, values.data());
    ASSERT_TRUE(endless);
    EXPECT_NE(endless->message.find("too much memory"), std::string::npos) << endless->message;
}

TEST_F(Hdf5ProcessTest, OneThatComesToNoEndIsEnded) {
    EXPECT_NE(troubleWith(script("while :; do :; done"), {.seconds = 0.2}).message.find("came to no end"),
              std::string::npos);
}

TEST_F(Hdf5ProcessTest, AStopIsHeardWhileItWaits) {
    std::stop_source stop;
    std::jthread asker([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        stop.request_stop();
    });
    EXPECT_EQ(troubleWith(script("exec sleep 600"), {}, stop.get_token()).code, ErrorCode::Stopped);
}

} // namespace

} // namespace lambdascope::test

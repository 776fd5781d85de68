// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/hdf5_library.h"
#include "core/data/hdf5_process.h"
#include "tests/core/data/data_files.h"
#include "tests/core/data/hdf5_writer.h"

#include <sys/wait.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

namespace lambdascope::test {

namespace {

void putMatlabHeader(const std::filesystem::path& file) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream << "MATLAB 7.3 MAT-file, Platform: GLNXA64";
}

} // namespace

TEST(Hdf5Loader, ReadsFeaturesAndLabelsByName) {
    DataFolder folder;
    const auto file = folder.path("a.h5");
    Hdf5Writer(file)
        .add("X", {3, 2}, {1, 2, 3, 4, 5, 6}, H5T_NATIVE_FLOAT)
        .add("extra/other", {4, 4}, Numbers(16, 0))
        .add("y", {3}, {7, 8, 7}, H5T_NATIVE_INT);
    const auto data = loaded(plain(file));
    EXPECT_EQ(rowOf(*data, 1), (Numbers{3, 4}));
    EXPECT_EQ(data->classNames(), (Words{"7", "8"}));
    EXPECT_EQ(data->labels(), (Codes{0, 1, 0}));
    EXPECT_EQ(loaded(plain(file, "none"))->isLabelled(), false);
}

TEST(Hdf5Loader, TurnsMatlabsOrder) {
    DataFolder folder;
    const auto file = folder.path("a.mat");
    // X is 3 × 2 in MATLAB, stored column by column: h5dump shows 2 × 3. y is 3 × 1, shown as 1 × 3.
    Hdf5Writer(file, 512).add("X", {2, 3}, {1, 3, 5, 2, 4, 6}).add("y", {1, 3}, {1, 2, 2});
    putMatlabHeader(file);
    const auto data = loaded(plain(file));
    EXPECT_EQ(rowOf(*data, 0), (Numbers{1, 2}));
    EXPECT_EQ(rowOf(*data, 2), (Numbers{5, 6}));
    EXPECT_EQ(data->labels(), (Codes{0, 1, 1}));
    EXPECT_NE(data->description().find("MAT v7.3"), std::string::npos);
}

TEST(Hdf5Loader, TransposesWhenTheLabelsCountTheColumns) {
    DataFolder folder;
    const auto file = folder.path("a.h5");
    Hdf5Writer(file).add("data", {2, 3}, {1, 3, 5, 2, 4, 6}).add("labels", {3}, {1, 2, 2});
    EXPECT_EQ(rowOf(*loaded(plain(file)), 1), (Numbers{3, 4}));
}

TEST(Hdf5Loader, TakesTheOnlyMatrixAndALabelColumnInIt) {
    DataFolder folder;
    const auto file = folder.path("a.h5");
    Hdf5Writer(file).add("g/table", {4, 2}, {.5, 1, .6, 2, .7, 1, .8, 2}).add("v", {9}, Numbers(9, 1));
    const auto data = loaded(plain(file));
    EXPECT_EQ(data->classNames(), (Words{"1", "2"}));
    EXPECT_EQ(rowOf(*data, 3), (Numbers{.8}));
}

TEST(Hdf5Loader, ReadsMatricesLargerThanAPieceInBothOrders) {
    DataFolder folder;
    constexpr hsize_t kRows = 3000;
    constexpr hsize_t kColumns = 300;
    Numbers values(kRows * kColumns);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(i % 1013) + 0.5;
    }
    Hdf5Writer(folder.path("a.h5")).add("X", {kRows, kColumns}, values);
    Hdf5Writer(folder.path("b.mat"), 512).add("X", {kRows, kColumns}, values);
    putMatlabHeader(folder.path("b.mat"));
    const auto byRows = loaded(plain(folder.path("a.h5"), "none"));
    const auto byColumns = loaded(plain(folder.path("b.mat"), "none"));
    EXPECT_EQ(byRows->dense()(2999, 299), values.back());
    EXPECT_EQ(byRows->dense(), byColumns->dense().transpose());
}

// A damaged shape made the library fill gigabytes with zeros.
TEST(Hdf5Loader, ReportsAShapeThatTheFileDoesNotStore) {
    DataFolder folder;
    const auto file = folder.path("a.h5");
    constexpr char kRows = 77;
    Hdf5Writer(file).add("X", {kRows, 3}, Numbers(kRows * 3, 1));
    std::ifstream stream(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    // The sizes stand in the file as eight bytes each, lowest first: 77, then 3.
    const std::string shape({kRows, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0});
    const std::size_t at = bytes.find(shape);
    ASSERT_NE(at, std::string::npos);
    bytes[at + 3] = 0x20;
    EXPECT_NE(failed(plain(folder.write("b.h5", bytes))).describe().find("does not store all"), std::string::npos);
}

TEST(Hdf5Loader, ReportsWhatCannotBeUsed) {
    DataFolder folder;
    const auto file = folder.path("a.h5");
    Hdf5Writer(file).add("p", {2, 2}, {1, 2, 3, 4}).add("q", {2, 2}, {1, 2, 3, 4});
    EXPECT_NE(failed(plain(file)).describe().find("/q (2 × 2)"), std::string::npos);
    Hdf5Writer(file).add("X", {3, 2}, {1, 2, 3, 4, 5, 6}).add("y", {4}, {1, 2, 1, 2});
    EXPECT_NE(failed(plain(file)).describe().find("do not fit"), std::string::npos);
    EXPECT_EQ(failed(plain(file, "nobody")).faults.at(0).key, "data.labels");
    Hdf5Writer(file).add("X", {2, 2}, {1, std::nan(""), 3, 4});
    EXPECT_NE(failed(plain(file)).describe().find("row 1, column 2"), std::string::npos);
    DataConfig forced = plain(folder.write("text", "1,2,3\n"));
    forced.format = DataFormat::Hdf5;
    EXPECT_NE(failed(forced).describe().find("not a sound HDF5 file"), std::string::npos);
    Hdf5Writer(file).add("X", {20, 20}, Numbers(400, 1));
    std::filesystem::resize_file(file, 1000);
    EXPECT_EQ(failed(plain(file)).code, ErrorCode::InvalidData);
}

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

// Version 1.10.8 takes the empty buffer of its metadata for the place of a heap that has none, and copies from nowhere.
TEST_F(Hdf5ProcessTest, ADamagedFileThatEndsTheLibraryIsRefused) {
    const fs::path file =
        fs::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "tests/fuzz/corpus/hdf5_process/heap_without_place.h5";
    const Error error = failed(plain(file));
    EXPECT_EQ(error.code, ErrorCode::InvalidData);
    ASSERT_EQ(error.faults.size(), 1U);
    EXPECT_EQ(error.faults[0].place.file, file.string());
    unsigned major = 0;
    unsigned minor = 0;
    unsigned release = 0;
    H5get_libversion(&major, &minor, &release);
    if (major == 1 && minor == 10 && release == 8) {
        EXPECT_NE(error.describe().find("the HDF5 library ended while reading it"), std::string::npos);
        EXPECT_NE(error.faults[0].remedy.find("h5repack"), std::string::npos);
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

TEST_F(Hdf5ProcessTest, AStopWhileRowsComeEndsTheLoad) {
    const std::string path = folder.path("large.h5").string();
    Hdf5Writer(path).add("X", {3000, 600}, someValues(1'800'000));
    std::stop_source stop;
    const auto data = loadDataset(
        plain(path, "none"), places(),
        [&stop](double share, std::string_view) {
            if (share > 0.3) {
                stop.request_stop();
            }
        },
        stop.get_token());
    ASSERT_FALSE(data);
    EXPECT_EQ(data.error().code, ErrorCode::Stopped);
}

} // namespace

} // namespace lambdascope::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/hdf5_library.h"
#include "tests/core/data/data_files.h"
#include "tests/core/data/hdf5_writer.h"

#include <zlib.h>

#include <array>
#include <cmath>
#include <functional>

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

namespace {

/// A matrix of 12 × 3 whose three chunks hold 4 × 3 doubles and are packed by what `pack` adds; where bytes are given
/// they are written as the second chunk, past all but the skipped filters.
void writeChunked(const std::filesystem::path& file, const std::function<void(hid_t)>& pack,
                  const std::vector<unsigned char>& second = {}, std::uint32_t skipped = 0) {
    Hdf5Writer(file).add("X", {12, 3}, Numbers(36, 1.5), H5T_NATIVE_DOUBLE, {4, 3}, pack);
    if (!second.empty()) {
        const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t data = H5Dopen2(opened, "X", H5P_DEFAULT);
        const std::array<hsize_t, 2> place = {4, 0};
        EXPECT_GE(H5Dwrite_chunk(data, H5P_DEFAULT, skipped, place.data(), second.size(), second.data()), 0);
        H5Dclose(data);
        H5Fclose(opened);
    }
}

std::vector<unsigned char> deflated(std::size_t bytes) {
    const std::vector<unsigned char> plainly(bytes, 0);
    std::vector<unsigned char> packed(compressBound(bytes));
    uLongf length = packed.size();
    EXPECT_EQ(compress(packed.data(), &length, plainly.data(), bytes), Z_OK);
    packed.resize(length);
    return packed;
}

constexpr std::size_t kChunkBytes = 4 * 3 * sizeof(double);

} // namespace

// The library read past the end of such a chunk, and what stood there was taken for numbers.
TEST(Hdf5Loader, ReportsAChunkShorterThanItsShape) {
    DataFolder folder;
    const auto file = folder.path("a.h5");
    const auto deflate = [](hid_t layout) { H5Pset_deflate(layout, 1); };
    const auto isShort = [&] {
        const Error error = failed(plain(file, "none"));
        return error.describe().find("/X has a chunk that holds less than its shape") != std::string::npos;
    };
    writeChunked(file, deflate, deflated(kChunkBytes));
    EXPECT_EQ(loaded(plain(file, "none"))->dense()(7, 2), 0);
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{8}, kChunkBytes - 1}) {
        writeChunked(file, deflate, deflated(bytes));
        EXPECT_TRUE(isShort()) << bytes;
        if (bytes > 0) {
            writeChunked(file, deflate, std::vector<unsigned char>(bytes, 0), 1); // past the filter
            EXPECT_TRUE(isShort()) << bytes;
        }
    }
    writeChunked(file, deflate, std::vector<unsigned char>(kChunkBytes, 0), 1);
    EXPECT_EQ(loaded(plain(file, "none"))->dense()(7, 2), 0);
    std::vector<unsigned char> cut = deflated(kChunkBytes);
    cut.resize(cut.size() / 2);
    writeChunked(file, deflate, cut);
    EXPECT_TRUE(isShort());
}

TEST(Hdf5Loader, ChecksChunksInWhateverOrderTheirRowsAreRead) {
    DataFolder folder;
    const auto file = folder.path("a.h5");
    writeChunked(
        file, [](hid_t layout) { H5Pset_deflate(layout, 1); }, deflated(kChunkBytes - 1));
    Hdf5Library library;
    ASSERT_FALSE(library.open(file.string()));
    Numbers rows(6);
    for (const std::uint64_t first : {8, 0, 2, 10}) {
        EXPECT_FALSE(library.readRows(library.dataSets()[0], first, 2, rows.data())) << first;
    }
    for (const std::uint64_t first : {6, 4, 3}) {
        EXPECT_TRUE(library.readRows(library.dataSets()[0], first, 2, rows.data())) << first;
    }
}

TEST(Hdf5Loader, UnpacksTheFiltersThatItCanCheck) {
    DataFolder folder;
    const auto file = folder.path("a.h5");
    using Pack = std::function<void(hid_t)>;
    const Pack deflate = [](hid_t layout) { H5Pset_deflate(layout, 1); };
    const Pack shuffle = [](hid_t layout) { H5Pset_shuffle(layout); };
    const Pack sum = [](hid_t layout) { H5Pset_fletcher32(layout); };
    for (const std::vector<Pack>& packs : std::vector<std::vector<Pack>>{
             {}, {shuffle}, {sum}, {shuffle, deflate}, {deflate, sum}, {sum, deflate}, {shuffle, sum, deflate}}) {
        writeChunked(file, [&packs](hid_t layout) {
            for (const Pack& pack : packs) {
                pack(layout);
            }
        });
        EXPECT_EQ(loaded(plain(file, "none"))->dense()(7, 2), 1.5) << packs.size();
    }
    writeChunked(file, [](hid_t layout) { H5Pset_nbit(layout); });
    const Error error = failed(plain(file, "none"));
    EXPECT_NE(error.describe().find("packed by a filter other than"), std::string::npos);
    EXPECT_NE(error.faults.at(0).remedy.find("h5repack"), std::string::npos);
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

// Version 1.10.8 takes the empty buffer of its metadata for the place of a heap that has none, and copies from nowhere.
TEST(Hdf5Loader, ADamagedFileThatEndsTheLibraryIsRefused) {
    const std::filesystem::path file =
        std::filesystem::path(LAMBDASCOPE_TEST_SOURCE_DIR) / "tests/fuzz/corpus/hdf5_process/heap_without_place.h5";
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

TEST(Hdf5Loader, AStopWhileRowsComeEndsTheLoad) {
    DataFolder folder;
    const std::string path = folder.path("large.h5").string();
    Hdf5Writer(path).add("X", {3000, 600}, Numbers(1'800'000, 0.5));
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

} // namespace lambdascope::test

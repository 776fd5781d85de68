// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_files.h"

#include <hdf5.h>

#include <cmath>

namespace lambdascope::test {

namespace {

/// Writes data sets with the HDF5 library itself; `userBlock` bytes go in front, as MATLAB's header does.
class Hdf5Writer {
  public:
    explicit Hdf5Writer(const std::filesystem::path& file, hsize_t userBlock = 0) {
        const hid_t properties = H5Pcreate(H5P_FILE_CREATE);
        H5Pset_userblock(properties, userBlock);
        m_file = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, properties, H5P_DEFAULT);
        H5Pclose(properties);
    }
    Hdf5Writer(const Hdf5Writer&) = delete;
    Hdf5Writer& operator=(const Hdf5Writer&) = delete;
    ~Hdf5Writer() { H5Fclose(m_file); }

    Hdf5Writer& add(const std::string& name, std::vector<hsize_t> shape, const Numbers& values,
                    hid_t type = H5T_NATIVE_DOUBLE) {
        const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        const hid_t links = H5Pcreate(H5P_LINK_CREATE);
        H5Pset_create_intermediate_group(links, 1);
        const hid_t data = H5Dcreate2(m_file, name.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(data);
        H5Pclose(links);
        H5Sclose(space);
        return *this;
    }

  private:
    hid_t m_file;
};

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

} // namespace lambdascope::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/data_files.h"

#include <cmath>

namespace lambdascope::test {

namespace {

std::string npy(const std::string& type, bool fortran, const std::string& shape, const std::string& values,
                int version = 1) {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    while ((8 + lengthBytes + header.size() + 1) % 64 != 0) {
        header += ' ';
    }
    header += '\n';
    std::string file = "\x93NUMPY";
    file += static_cast<char>(version);
    file += '\0';
    for (std::size_t i = 0; i < lengthBytes; ++i) {
        file += static_cast<char>((header.size() >> (8 * i)) & 255);
    }
    return file + header + values;
}

template <class T>
std::string bytes(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

} // namespace

TEST(NpyLoader, ReadsAllElementTypesInBothOrders) {
    DataFolder folder;
    const auto expect = [&](const std::string& file) {
        const auto data = loaded(plain(folder.write("a.npy", file), "none"));
        EXPECT_EQ(rowOf(*data, 0), (Numbers{1, 2, 3}));
        EXPECT_EQ(rowOf(*data, 1), (Numbers{4, 5, 6}));
    };
    expect(npy("<f8", false, "(2, 3)", bytes<double>({1, 2, 3, 4, 5, 6})));
    expect(npy("<f4", false, "(2, 3)", bytes<float>({1, 2, 3, 4, 5, 6}), 2));
    expect(npy("<i8", false, "(2, 3)", bytes<std::int64_t>({1, 2, 3, 4, 5, 6})));
    expect(npy("<i4", true, "(2, 3)", bytes<std::int32_t>({1, 4, 2, 5, 3, 6})));
    expect(npy("|u1", true, "(2, 3)", bytes<std::uint8_t>({1, 4, 2, 5, 3, 6}), 2));
    expect(gzipped(npy("<f8", true, "(2, 3)", bytes<double>({1, 4, 2, 5, 3, 6}))));
}

TEST(NpyLoader, TakesALabelColumnAsCsvDoes) {
    DataFolder folder;
    const auto file = folder.write("a.npy", npy("<f8", false, "(4, 2)", bytes<double>({.1, 7, .2, 5, .3, 7, .4, 5})));
    const auto data = loaded(plain(file));
    EXPECT_EQ(data->classNames(), (Words{"5", "7"}));
    EXPECT_EQ(data->labels(), (Codes{1, 0, 1, 0}));
    EXPECT_EQ(rowOf(*data, 3), (Numbers{.4}));
    EXPECT_EQ(loaded(plain(file, "1"))->classNames().size(), 4U);
    EXPECT_EQ(failed(plain(file, "3")).faults.at(0).key, "data.labels");
    EXPECT_EQ(failed(plain(file, "class")).faults.at(0).key, "data.labels");
}

TEST(NpyLoader, ReadsAOneDimensionalArrayAsOneFeature) {
    DataFolder folder;
    EXPECT_EQ(loaded(plain(folder.write("a.npy", npy("<f8", false, "(3,)", bytes<double>({1, 2, 3})))))->features(), 1);
}

TEST(NpyLoader, ReportsFilesThatAreCutOffOrWrong) {
    DataFolder folder;
    const std::string whole = npy("<f8", false, "(2, 3)", bytes<double>({1, 2, 3, 4, 5, 6}));
    const auto error = [&](const std::string& file) {
        DataConfig config = plain(folder.write("a.npy", file));
        config.format = DataFormat::Npy;
        return failed(config).describe();
    };
    for (std::size_t length : {std::size_t{9}, std::size_t{40}, whole.size() - 20, whole.size() - 1}) {
        EXPECT_NE(error(whole.substr(0, length)).find("cut off"), std::string::npos) << length;
    }
    EXPECT_NE(error(gzipped(whole.substr(0, whole.size() - 1))).find("cut off"), std::string::npos);
    EXPECT_NE(error("abc").find("does not begin"), std::string::npos);
    EXPECT_NE(error(npy(">f8", false, "(1, 1)", "12345678")).find("little-endian"), std::string::npos);
    EXPECT_NE(error(npy("<f8", false, "(1, 1, 1)", "12345678")).find("3 dimensions"), std::string::npos);
    EXPECT_NE(error(npy("<f8", false, "()", "12345678")).find("0 dimensions"), std::string::npos);
    EXPECT_NE(error(npy("<f8", false, "(0, 3)", "")).find("no samples"), std::string::npos);
    EXPECT_NE(error(npy("<f8", false, "(-1, 3)", "")).find("cannot be read"), std::string::npos);
    EXPECT_NE(error(npy("<f8", false, "(1, 1)", bytes<double>({std::nan("")}))).find("row 1, column 1"),
              std::string::npos);
}

TEST(NpyLoader, ReportsShapesThatNoMemoryHolds) {
    DataFolder folder;
    for (const char* shape : {"(4294967296, 4294967296)", "(18446744073709551615, 2)", "(4611686018427387904, 4)",
                              "(99999999999999999999999, 1)", "(1000000000000, 1)"}) {
        const Error error = failed(plain(folder.write("a.npy", npy("|u1", false, shape, "1234"))));
        EXPECT_FALSE(error.message.empty()) << shape;
    }
}

} // namespace lambdascope::test

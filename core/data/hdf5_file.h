// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lambdascope {

/// A data set of numbers with one or two dimensions in an HDF5 file.
struct Hdf5DataSet {
    std::string path; ///< such as "/group/X"
    std::uint64_t rows = 0;
    std::uint64_t columns = 1; ///< 1 for one dimension
    bool isWhole = true;       ///< the file stores enough bytes for that shape

    /// The part of the path after the last slash.
    [[nodiscard]] std::string name() const { return path.substr(path.rfind('/') + 1); }
};

/// An HDF5 file open for reading. The library under it is not made for several threads: calls are serialized.
class Hdf5File {
  public:
    /// Nothing when the file is no sound HDF5 file.
    static std::unique_ptr<Hdf5File> open(const std::string& path);

    virtual ~Hdf5File() = default;

    /// All data sets of integers or floating-point numbers with one or two dimensions, in order of their paths.
    [[nodiscard]] virtual std::vector<Hdf5DataSet> dataSets() const = 0;

    /// Rows first … first + count − 1 of a data set as doubles, row after row. False when the file is damaged there.
    virtual bool readRows(const Hdf5DataSet& set, std::uint64_t first, std::uint64_t count, double* to) const = 0;
};

} // namespace lambdascope

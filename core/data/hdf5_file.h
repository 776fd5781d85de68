// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lambdascope {

/// A data set of numbers with one or two dimensions in an HDF5 file.
struct Hdf5DataSet {
    std::string path; ///< such as "/group/X"
    std::uint64_t rows = 0;
    std::uint64_t columns = 1; ///< 1 for one dimension
    std::uint8_t isWhole = 1;  ///< the file stores enough bytes for that shape

    /// The part of the path after the last slash.
    [[nodiscard]] std::string name() const { return path.substr(path.rfind('/') + 1); }
    void transfer(auto& archive) {
        auto& [itsPath, itsRows, itsColumns, itsWhole] = *this;
        archive(itsPath, itsRows, itsColumns, itsWhole);
    }
};

/// Why a file, or a part of it, could not be read.
struct Hdf5Trouble {
    ErrorCode code = ErrorCode::InvalidData;
    std::string message; ///< goes on after the name of the file: "is not …"
    std::string remedy;

    void transfer(auto& archive) {
        auto& [itsCode, itsMessage, itsRemedy] = *this;
        archive(itsCode, itsMessage, itsRemedy);
    }
};

/// An HDF5 file that is read: by the library itself (Hdf5Library), or by a process that may end over it (Hdf5Process).
/// Not for several threads at once.
class Hdf5File {
  public:
    Hdf5File() = default;
    Hdf5File(const Hdf5File&) = delete;
    Hdf5File& operator=(const Hdf5File&) = delete;
    virtual ~Hdf5File() = default;

    /// Comes first, and once.
    [[nodiscard]] virtual std::optional<Hdf5Trouble> open(const std::string& path) = 0;

    /// All data sets of integers or floating-point numbers with one or two dimensions, in order of their paths.
    [[nodiscard]] const std::vector<Hdf5DataSet>& dataSets() const { return m_sets; }

    /// Rows first … first + count − 1 of a data set as doubles, row after row.
    [[nodiscard]] virtual std::optional<Hdf5Trouble> readRows(const Hdf5DataSet& set, std::uint64_t first,
                                                              std::uint64_t count, double* to) = 0;

  protected:
    std::vector<Hdf5DataSet> m_sets;
};

} // namespace lambdascope

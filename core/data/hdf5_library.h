// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/hdf5_file.h"

namespace lambdascope {

/// Reads by the HDF5 library in this process. A damaged file may make the library end the process: see Hdf5Process.
class Hdf5Library final : public Hdf5File {
  public:
    ~Hdf5Library() override;

    std::optional<Hdf5Trouble> open(const std::string& path) override;
    std::optional<Hdf5Trouble> readRows(const Hdf5DataSet& set, std::uint64_t first, std::uint64_t count,
                                        double* to) override;

    /// Rows [begin, end) of a data set.
    struct RowRange {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };

  private:
    void findDataSets();
    void closeDataSet();
    /// What is wrong with the chunks of the open data set that hold these rows.
    std::optional<Hdf5Trouble> checkChunks(const Hdf5DataSet& set, RowRange rows);

    std::int64_t m_file = -1; ///< handles of the library
    std::int64_t m_data = -1; ///< of the data set that was read last, whose chunks are kept
    std::string m_dataPath;
    RowRange m_checked; ///< the chunks that hold these are known to be whole
};

} // namespace lambdascope

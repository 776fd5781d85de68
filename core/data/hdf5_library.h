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

  private:
    void findDataSets();
    void closeDataSet();

    std::int64_t m_file = -1; ///< handles of the library
    std::int64_t m_data = -1; ///< of the data set that was read last, whose chunks are kept
    std::string m_dataPath;
    std::uint64_t m_checkedRows = 0; ///< below it, its chunks are known to be whole
};

} // namespace lambdascope

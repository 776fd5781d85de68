// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lambdascope::test {

/// Writes data sets with the HDF5 library itself; `userBlock` bytes go in front, as MATLAB's header does;
/// a data set with a chunk is packed by what `pack` adds to its properties.
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

    Hdf5Writer& add(
        const std::string& name, std::vector<hsize_t> shape, const std::vector<double>& values,
        hid_t type = H5T_NATIVE_DOUBLE, std::vector<hsize_t> chunk = {},
        const std::function<void(hid_t)>& pack = [](hid_t layout) { H5Pset_deflate(layout, 1); }) {
        const std::vector<hsize_t> growing(shape.size(), H5S_UNLIMITED); // whose chunks may be larger than they are
        const hid_t space =
            H5Screate_simple(static_cast<int>(shape.size()), shape.data(), chunk.empty() ? nullptr : growing.data());
        const hid_t links = H5Pcreate(H5P_LINK_CREATE);
        H5Pset_create_intermediate_group(links, 1);
        const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
        if (!chunk.empty()) {
            H5Pset_chunk(layout, static_cast<int>(chunk.size()), chunk.data());
            pack(layout);
        }
        const hid_t data = H5Dcreate2(m_file, name.c_str(), type, space, links, layout, H5P_DEFAULT);
        H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(data);
        H5Pclose(layout);
        H5Pclose(links);
        H5Sclose(space);
        return *this;
    }

  private:
    hid_t m_file;
};

} // namespace lambdascope::test

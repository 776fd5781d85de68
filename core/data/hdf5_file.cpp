// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/hdf5_file.h"

#include <hdf5.h>

#include <array>
#include <mutex>

namespace lambdascope {

namespace {

std::mutex& libraryMutex() {
    static std::mutex mutex;
    return mutex;
}

/// Closes an HDF5 handle.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);

    Handle(hid_t id, Close close) : m_id(id), m_close(close) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (m_id >= 0) {
            m_close(m_id);
        }
    }
    [[nodiscard]] hid_t id() const { return m_id; }
    [[nodiscard]] bool isValid() const { return m_id >= 0; }

  private:
    hid_t m_id;
    Close m_close;
};

void silenceLibrary() {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // its own messages would go to stderr; ours are faults
}

/// Whether the bytes that a data set takes in the file can hold its shape; a damaged shape would have the library
/// make up billions of zeros.
bool storesItsShape(hid_t data, hid_t type, std::uint64_t rows, std::uint64_t columns) {
    const Handle properties(H5Dget_create_plist(data), H5Pclose);
    const double needed =
        static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(H5Tget_size(type));
    const auto stored = static_cast<double>(H5Dget_storage_size(data));
    constexpr double kBestCompression = 2000; // deflate packs zeros a thousandfold
    const bool isChunked = properties.isValid() && H5Pget_layout(properties.id()) == H5D_CHUNKED;
    return stored * (isChunked ? kBestCompression : 1) >= needed;
}

bool describe(hid_t file, const char* path, Hdf5DataSet& set) {
    const Handle data(H5Dopen2(file, path, H5P_DEFAULT), H5Dclose);
    if (!data.isValid()) {
        return false;
    }
    const Handle type(H5Dget_type(data.id()), H5Tclose);
    const Handle space(H5Dget_space(data.id()), H5Sclose);
    if (!type.isValid() || !space.isValid()) {
        return false;
    }
    const H5T_class_t kind = H5Tget_class(type.id());
    const int dimensions = H5Sget_simple_extent_ndims(space.id());
    if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || dimensions < 1 || dimensions > 2) {
        return false;
    }
    std::array<hsize_t, 2> sizes = {0, 1};
    if (H5Sget_simple_extent_dims(space.id(), sizes.data(), nullptr) < 0) {
        return false;
    }
    set = {path, sizes[0], sizes[1], storesItsShape(data.id(), type.id(), sizes[0], sizes[1])};
    return true;
}

struct Visit {
    hid_t file;
    std::vector<Hdf5DataSet>* found;
};

herr_t visitObject(hid_t, const char* name, const H5O_info_t* info, void* data) {
    const auto& visit = *static_cast<Visit*>(data);
    if (info->type == H5O_TYPE_DATASET) {
        Hdf5DataSet set;
        if (describe(visit.file, name, set)) {
            set.path = "/" + std::string(name);
            visit.found->push_back(std::move(set));
        }
    }
    return 0;
}

class OpenHdf5File final : public Hdf5File {
  public:
    explicit OpenHdf5File(hid_t file) : m_file(file) {}
    OpenHdf5File(const OpenHdf5File&) = delete;
    OpenHdf5File& operator=(const OpenHdf5File&) = delete;
    ~OpenHdf5File() override {
        const std::lock_guard lock(libraryMutex());
        H5Fclose(m_file);
    }

    [[nodiscard]] std::vector<Hdf5DataSet> dataSets() const override {
        const std::lock_guard lock(libraryMutex());
        silenceLibrary();
        std::vector<Hdf5DataSet> found;
        Visit visit{m_file, &found};
        H5Ovisit2(m_file, H5_INDEX_NAME, H5_ITER_INC, visitObject, &visit, H5O_INFO_BASIC);
        return found;
    }

    bool readRows(const Hdf5DataSet& set, std::uint64_t first, std::uint64_t count, double* to) const override {
        const std::lock_guard lock(libraryMutex());
        silenceLibrary();
        const Handle data(H5Dopen2(m_file, set.path.c_str(), H5P_DEFAULT), H5Dclose);
        if (!data.isValid()) {
            return false;
        }
        const Handle space(H5Dget_space(data.id()), H5Sclose);
        const std::array<hsize_t, 2> start = {first, 0};
        const std::array<hsize_t, 2> size = {count, set.columns};
        const hsize_t total = count * set.columns;
        const Handle memory(H5Screate_simple(1, &total, nullptr), H5Sclose);
        return space.isValid() && memory.isValid() &&
               H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr) >= 0 &&
               H5Dread(data.id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, to) >= 0;
    }

  private:
    hid_t m_file;
};

} // namespace

std::unique_ptr<Hdf5File> Hdf5File::open(const std::string& path) {
    const std::lock_guard lock(libraryMutex());
    silenceLibrary();
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    return file >= 0 ? std::make_unique<OpenHdf5File>(file) : nullptr;
}

} // namespace lambdascope

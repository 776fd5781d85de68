// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/hdf5_file.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <utility>

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

/// Takes down the names of a group's links to objects of this file, not of those that stand for another path.
herr_t noteLink(hid_t, const char* name, const H5L_info_t* link, void* names) {
    if (link->type == H5L_TYPE_HARD) {
        static_cast<std::vector<std::string>*>(names)->emplace_back(name);
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
        // Group by group rather than by H5Ovisit, which descends for ever where a damaged group holds itself.
        std::vector<Hdf5DataSet> found;
        std::set<haddr_t> seen;
        std::vector<std::string> groups = {"/"};
        while (!groups.empty()) {
            const std::string path = std::move(groups.back());
            groups.pop_back();
            const Handle group(H5Gopen2(m_file, path.c_str(), H5P_DEFAULT), H5Gclose);
            std::vector<std::string> names;
            if (group.isValid()) {
                H5Literate(group.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, noteLink, &names);
            }
            for (const std::string& name : names) {
                H5O_info_t object;
                if (H5Oget_info_by_name2(group.id(), name.c_str(), &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0 ||
                    !seen.insert(object.addr).second) {
                    continue;
                }
                Hdf5DataSet set;
                if (object.type == H5O_TYPE_GROUP) {
                    groups.push_back(path + name + '/');
                } else if (object.type == H5O_TYPE_DATASET && describe(m_file, (path + name).c_str(), set)) {
                    found.push_back(std::move(set));
                }
            }
        }
        std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
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

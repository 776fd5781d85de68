// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/hdf5_library.h"

#include <hdf5.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <set>
#include <utility>

namespace lambdascope {

namespace {

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

/// Whether it was memory that the call of the library which failed last was short of.
bool lackedMemory() {
    bool lacked = false;
    const auto look = [](unsigned, const H5E_error2_t* error, void* to) -> herr_t {
        *static_cast<bool*>(to) |= error->maj_num == H5E_RESOURCE;
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &lacked);
    return lacked;
}

Hdf5Trouble tooLarge(const std::string& path) {
    return {ErrorCode::InvalidData, "is damaged, or stored in too large pieces: " + path + " takes too much memory",
            "Write it again with smaller chunks, by h5repack or h5py."};
}

Hdf5Trouble unreadable(const std::string& path) {
    if (lackedMemory()) {
        return tooLarge(path);
    }
    return {ErrorCode::InvalidData, "is damaged: " + path + " cannot be read", "Copy or save the file again."};
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
    set = {path, sizes[0], sizes[1],
           storesItsShape(data.id(), type.id(), sizes[0], sizes[1]) ? std::uint8_t{1} : std::uint8_t{0}};
    return true;
}

/// Takes down the names of a group's links to objects of this file, not of those that stand for another path.
herr_t noteLink(hid_t, const char* name, const H5L_info_t* link, void* names) {
    if (link->type == H5L_TYPE_HARD) {
        static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    }
    return 0;
}

constexpr std::uint64_t kChecksumBytes = 4;

/// How the chunks of a data set are cut and packed.
struct ChunkLayout {
    std::array<hsize_t, 2> shape = {1, 1};
    std::uint64_t bytes = 0;           ///< of an unpacked chunk
    std::vector<H5Z_filter_t> filters; ///< in the order in which they were applied
};

/// Nothing for a data set that is stored in one piece.
std::optional<ChunkLayout> chunkLayout(hid_t data) {
    const Handle properties(H5Dget_create_plist(data), H5Pclose);
    const Handle type(H5Dget_type(data), H5Tclose);
    if (!properties.isValid() || !type.isValid() || H5Pget_layout(properties.id()) != H5D_CHUNKED) {
        return {};
    }
    ChunkLayout layout;
    H5Pget_chunk(properties.id(), 2, layout.shape.data());
    layout.bytes = layout.shape[0] * layout.shape[1] * H5Tget_size(type.id());
    for (int i = 0; i < H5Pget_nfilters(properties.id()); ++i) {
        std::size_t values = 0;
        layout.filters.push_back(
            H5Pget_filter2(properties.id(), static_cast<unsigned>(i), nullptr, &values, nullptr, 0, nullptr, nullptr));
    }
    return layout;
}

/// Whether the length of unpacked chunks can be told: not of szip, n-bit, scale-offset and plugins, nor of what is
/// shuffled once it is deflated.
bool canTellLength(const ChunkLayout& layout) {
    const auto deflate = std::find(layout.filters.begin(), layout.filters.end(), H5Z_FILTER_DEFLATE);
    const auto isKnown = [&](const H5Z_filter_t& filter) {
        return filter == H5Z_FILTER_FLETCHER32 || &filter == std::to_address(deflate) ||
               (filter == H5Z_FILTER_SHUFFLE && &filter < std::to_address(deflate));
    };
    return std::all_of(layout.filters.begin(), layout.filters.end(), isKnown);
}

/// Whether these bytes inflate to at least so many.
bool inflatesTo(std::vector<unsigned char>& packed, std::uint64_t wanted) {
    z_stream stream = {};
    if (inflateInit(&stream) != Z_OK) {
        return false;
    }
    std::array<unsigned char, 1 << 16> unpacked;
    stream.next_in = packed.data();
    stream.avail_in = static_cast<uInt>(packed.size());
    int status = Z_OK;
    while (status == Z_OK && stream.total_out < wanted) {
        stream.next_out = unpacked.data();
        stream.avail_out = unpacked.size();
        status = inflate(&stream, Z_NO_FLUSH);
    }
    const bool isEnough = stream.total_out >= wanted;
    inflateEnd(&stream);
    return isEnough;
}

/// The bytes of the file that a data set is in.
std::uint64_t fileBytes(hid_t data) {
    hsize_t bytes = 0;
    const Handle file(H5Iget_file_id(data), H5Fclose);
    H5Fget_filesize(file.id(), &bytes);
    return bytes;
}

/// Whether the chunk that begins there is, once unpacked, as long as its shape says.
bool isWhole(hid_t data, const ChunkLayout& layout, const std::array<hsize_t, 2>& offset) {
    unsigned skipped = 0; // bit i: filter i was not applied to this chunk
    haddr_t address = HADDR_UNDEF;
    hsize_t stored = 0;
    if (H5Dget_chunk_info_by_coord(data, offset.data(), &skipped, &address, &stored) < 0 || stored > fileBytes(data)) {
        return false;
    }
    if (address == HADDR_UNDEF) {
        return true; // never written: the library fills it
    }
    std::uint64_t wanted = layout.bytes;
    for (std::size_t i = 0; i < layout.filters.size(); ++i) {
        if ((skipped >> i & 1U) != 0) {
            continue;
        }
        if (layout.filters[i] == H5Z_FILTER_FLETCHER32) {
            wanted += kChecksumBytes;
        } else if (layout.filters[i] == H5Z_FILTER_DEFLATE) {
            std::vector<unsigned char> packed(stored);
            std::uint32_t mask = 0;
            return H5Dread_chunk(data, H5P_DEFAULT, offset.data(), &mask, packed.data()) >= 0 &&
                   inflatesTo(packed, wanted);
        }
    }
    return stored >= wanted;
}

/// What is wrong with the chunks that hold the given rows, which are made to be all rows of these chunks. The library
/// (1.10) does not look at their length: it copies from a shorter one beyond its end, and takes for data whatever
/// stands there. Costs one more unpacking of them.
std::optional<Hdf5Trouble> troubleOfChunks(hid_t data, const Hdf5DataSet& set, Hdf5Library::RowRange& rows) {
    const auto layout = chunkLayout(data);
    if (!layout) {
        return {};
    }
    if (!canTellLength(*layout)) {
        return Hdf5Trouble{ErrorCode::InvalidData,
                           set.path + " is packed by a filter other than deflate, shuffle and Fletcher-32",
                           "Pack it by deflate: h5repack -f GZIP=6 OLD NEW."};
    }
    const auto [height, width] = layout->shape;
    rows = {rows.begin / height * height, (rows.end + height - 1) / height * height};
    for (std::uint64_t row = rows.begin; row < rows.end; row += height) {
        for (std::uint64_t column = 0; column < set.columns; column += width) {
            if (!isWhole(data, *layout, {row, column})) {
                return Hdf5Trouble{ErrorCode::InvalidData,
                                   "is damaged: " + set.path + " has a chunk that holds less than its shape",
                                   "Copy or save the file again."};
            }
        }
    }
    return {};
}

/// Opens a data set so that chunks stay unpacked until the rows that they reach over are read.
hid_t openForRows(hid_t file, const Hdf5DataSet& set) {
    constexpr std::uint64_t kMostKept = std::uint64_t{256} << 20;
    const hid_t data = H5Dopen2(file, set.path.c_str(), H5P_DEFAULT);
    const Handle properties(data < 0 ? -1 : H5Dget_create_plist(data), H5Pclose);
    const Handle type(data < 0 ? -1 : H5Dget_type(data), H5Tclose);
    if (!properties.isValid() || !type.isValid() || H5Pget_layout(properties.id()) != H5D_CHUNKED) {
        return data;
    }
    std::array<hsize_t, 2> chunk = {1, 1};
    H5Pget_chunk(properties.id(), 2, chunk.data());
    const std::uint64_t across = (set.columns + chunk[1] - 1) / chunk[1];
    const double bytes = static_cast<double>(across) * static_cast<double>(chunk[0]) * static_cast<double>(chunk[1]) *
                         static_cast<double>(H5Tget_size(type.id()));
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    constexpr std::size_t kSlots = 12421; // a prime, as the library wishes
    constexpr double kDropReadFirst = 1;
    if (bytes > static_cast<double>(kMostKept) ||
        H5Pset_chunk_cache(access.id(), kSlots, static_cast<std::size_t>(bytes), kDropReadFirst) < 0) {
        return data;
    }
    H5Dclose(data);
    return H5Dopen2(file, set.path.c_str(), access.id());
}

} // namespace

Hdf5Library::~Hdf5Library() {
    closeDataSet();
    if (m_file >= 0) {
        H5Fclose(m_file);
    }
}

void Hdf5Library::closeDataSet() {
    if (m_data >= 0) {
        H5Dclose(m_data);
    }
    m_data = -1;
}

std::optional<Hdf5Trouble> Hdf5Library::open(const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // its own messages would go to stderr; ours are faults
    m_file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (m_file < 0) {
        return Hdf5Trouble{ErrorCode::InvalidData, "is not a sound HDF5 file: cut off, damaged, or of another format",
                           "Copy or save the file again, or set \"format\"."};
    }
    findDataSets();
    return {};
}

void Hdf5Library::findDataSets() {
    // Group by group rather than by H5Ovisit, which descends for ever where a damaged group holds itself.
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
                m_sets.push_back(std::move(set));
            }
        }
    }
    std::sort(m_sets.begin(), m_sets.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
}

std::optional<Hdf5Trouble> Hdf5Library::checkChunks(const Hdf5DataSet& set, RowRange rows) try {
    if (m_checked.begin <= rows.begin && rows.end <= m_checked.end) {
        return {};
    }
    auto trouble = troubleOfChunks(m_data, set, rows);
    if (!trouble) {
        const bool follows = m_checked.begin <= rows.begin && rows.begin <= m_checked.end;
        m_checked = {follows ? m_checked.begin : rows.begin, rows.end};
    }
    return trouble;
} catch (const std::bad_alloc&) {
    return tooLarge(set.path);
}

std::optional<Hdf5Trouble> Hdf5Library::readRows(const Hdf5DataSet& set, std::uint64_t first, std::uint64_t count,
                                                 double* to) {
    if (m_data < 0 || m_dataPath != set.path) {
        closeDataSet();
        m_data = openForRows(m_file, set);
        m_dataPath = set.path;
        m_checked = {};
    }
    if (m_data < 0) {
        return unreadable(set.path);
    }
    if (auto trouble = checkChunks(set, {first, first + count})) {
        return trouble;
    }
    const Handle space(H5Dget_space(m_data), H5Sclose);
    const std::array<hsize_t, 2> start = {first, 0};
    const std::array<hsize_t, 2> size = {count, set.columns};
    const hsize_t total = count * set.columns;
    const Handle memory(H5Screate_simple(1, &total, nullptr), H5Sclose);
    if (space.isValid() && memory.isValid() &&
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr) >= 0 &&
        H5Dread(m_data, H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, to) >= 0) {
        return {};
    }
    return unreadable(set.path);
}

} // namespace lambdascope

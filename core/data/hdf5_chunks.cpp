// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/hdf5_chunks.h"

#include <hdf5.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <vector>

namespace lambdascope {

namespace {

constexpr std::uint64_t kChecksumBytes = 4;

/// How the chunks of a data set are cut and packed.
struct ChunkLayout {
    std::uint64_t columns = 1;
    std::array<hsize_t, 2> shape = {1, 1};
    std::uint64_t bytes = 0;           ///< of an unpacked chunk
    std::vector<H5Z_filter_t> filters; ///< in the order in which they were applied
};

/// Of a data set in one piece no layout, with no trouble.
std::optional<ChunkLayout> layoutOf(hid_t data, ChunkTrouble& trouble) {
    ChunkLayout layout;
    const hid_t properties = H5Dget_create_plist(data);
    const hid_t type = H5Dget_type(data);
    const hid_t space = H5Dget_space(data);
    std::array<hsize_t, 2> sizes = {0, 1};
    const bool isChunked = properties >= 0 && H5Pget_layout(properties) == H5D_CHUNKED;
    if (isChunked && type >= 0 && space >= 0) {
        H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
        H5Pget_chunk(properties, 2, layout.shape.data());
        layout.columns = sizes[1];
        layout.bytes = layout.shape[0] * layout.shape[1] * H5Tget_size(type);
        for (int i = 0; i < H5Pget_nfilters(properties); ++i) {
            std::size_t values = 0;
            layout.filters.push_back(
                H5Pget_filter2(properties, static_cast<unsigned>(i), nullptr, &values, nullptr, 0, nullptr, nullptr));
        }
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(properties);
    const auto deflate = std::find(layout.filters.begin(), layout.filters.end(), H5Z_FILTER_DEFLATE);
    for (auto filter = layout.filters.begin(); filter != layout.filters.end(); ++filter) {
        const bool keepsLength =
            *filter == H5Z_FILTER_FLETCHER32 || (*filter == H5Z_FILTER_SHUFFLE && filter < deflate);
        if (!keepsLength && filter != deflate) {
            trouble = ChunkTrouble::PackedUnknown;
        }
    }
    return isChunked ? std::optional(layout) : std::nullopt;
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
    const hid_t file = H5Iget_file_id(data);
    H5Fget_filesize(file, &bytes);
    H5Fclose(file);
    return bytes;
}

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

} // namespace

ChunkTrouble checkChunks(std::int64_t data, std::uint64_t first, std::uint64_t count, std::uint64_t& checkedTo) try {
    ChunkTrouble trouble = ChunkTrouble::None;
    if (first + count <= checkedTo) {
        return trouble;
    }
    const std::optional<ChunkLayout> layout = layoutOf(data, trouble);
    if (!layout || trouble != ChunkTrouble::None) {
        return trouble;
    }
    const auto [height, width] = layout->shape;
    std::uint64_t row = std::max(first, checkedTo) / height * height;
    for (; row < first + count; row += height) {
        for (std::uint64_t column = 0; column < layout->columns; column += width) {
            if (!isWhole(data, *layout, {row, column})) {
                return ChunkTrouble::TooShort;
            }
        }
    }
    checkedTo = row;
    return trouble;
} catch (const std::bad_alloc&) {
    return ChunkTrouble::TooLarge;
}

} // namespace lambdascope

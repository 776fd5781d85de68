// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace lambdascope {

/// What is wrong with the chunks of a data set.
enum class ChunkTrouble : std::uint8_t { None, TooShort, TooLarge, PackedUnknown };

/// Whether the chunks that hold the given rows are, once unpacked, as long as the shape of a chunk says. The HDF5
/// library (1.10) does not look: it copies from a shorter one beyond its end, and takes for data whatever stands there.
///
/// `data` is a handle of an open data set; one that is stored in one piece has no trouble here. Told of are the
/// filters deflate, shuffle and Fletcher-32. TooLarge stands for chunks that memory does not hold, PackedUnknown stands
/// for any other filter (szip, n-bit, scale-offset, plugins). Costs one more unpacking of the chunks: `first` should
/// only grow from call to call, and `checkedTo`, which begins at 0, says below which row all chunks are known to be
/// sound.
ChunkTrouble checkChunks(std::int64_t data, std::uint64_t first, std::uint64_t count, std::uint64_t& checkedTo);

} // namespace lambdascope

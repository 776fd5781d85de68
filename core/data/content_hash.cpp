// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/content_hash.h"

#include "core/data/raw_data.h"
#include "core/data/sha256.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace lambdascope {

namespace {

/// A few milliseconds of hashing between two looks at the stop token.
constexpr std::size_t kPiece = std::size_t{1} << 17;

template <class T>
void addNumbers(Sha256& hash, std::span<const T> numbers, const std::stop_token& stop) {
    for (; !numbers.empty() && !stop.stop_requested(); numbers = numbers.subspan(std::min(kPiece, numbers.size()))) {
        const auto piece = numbers.first(std::min(kPiece, numbers.size()));
        if constexpr (std::endian::native == std::endian::little) {
            hash.add(std::as_bytes(piece));
        } else {
            for (const T number : piece) {
                auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(number);
                std::reverse(bytes.begin(), bytes.end());
                hash.add(bytes);
            }
        }
    }
}

} // namespace

Result<std::string> contentSha256(const RawData& data, const std::stop_token& stop) {
    Sha256 hash;
    hash.addNumber(static_cast<std::uint64_t>(data.rows()));
    hash.addNumber(static_cast<std::uint64_t>(data.features()));
    hash.addNumber(data.isSparse ? 1 : 0);
    if (data.isSparse) {
        const auto stored = static_cast<std::size_t>(data.sparse.nonZeros());
        const auto rows = static_cast<std::size_t>(data.sparse.rows());
        addNumbers(hash, std::span<const std::int32_t>(data.sparse.outerIndexPtr(), rows + 1), stop);
        addNumbers(hash, std::span<const std::int32_t>(data.sparse.innerIndexPtr(), stored), stop);
        addNumbers(hash, std::span<const double>(data.sparse.valuePtr(), stored), stop);
    } else {
        addNumbers(hash, std::span<const double>(data.dense.data(), static_cast<std::size_t>(data.dense.size())), stop);
    }
    addNumbers(hash, std::span<const std::int32_t>(data.labels.codes), stop);
    for (const std::string& name : data.labels.names) {
        hash.addNumber(name.size());
        hash.add(name.data(), name.size());
    }
    if (stop.stop_requested()) {
        return Failure(plainError(ErrorCode::Stopped, "Preparing the data was stopped."));
    }
    return hash.hexDigest();
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/content_hash.h"

#include "core/data/sha256.h"

#include <bit>
#include <span>

namespace lambdascope {

namespace {

template <class T>
void addNumbers(Sha256& hash, std::span<const T> numbers) {
    if constexpr (std::endian::native == std::endian::little) {
        hash.add(std::as_bytes(numbers));
    } else {
        for (const T number : numbers) {
            hash.addNumber(std::bit_cast<std::uint64_t>(static_cast<double>(number)));
        }
    }
}

} // namespace

std::string contentSha256(const RawData& data) {
    Sha256 hash;
    hash.addNumber(static_cast<std::uint64_t>(data.rows()));
    hash.addNumber(static_cast<std::uint64_t>(data.features()));
    hash.addNumber(data.isSparse ? 1 : 0);
    if (data.isSparse) {
        const auto stored = static_cast<std::size_t>(data.sparse.nonZeros());
        const auto rows = static_cast<std::size_t>(data.sparse.rows());
        addNumbers(hash, std::span<const std::int32_t>(data.sparse.outerIndexPtr(), rows + 1));
        addNumbers(hash, std::span<const std::int32_t>(data.sparse.innerIndexPtr(), stored));
        addNumbers(hash, std::span<const double>(data.sparse.valuePtr(), stored));
    } else {
        addNumbers(hash, std::span<const double>(data.dense.data(), static_cast<std::size_t>(data.dense.size())));
    }
    addNumbers(hash, std::span<const std::int32_t>(data.labels.codes));
    for (const std::string& name : data.labels.names) {
        hash.addNumber(name.size());
        hash.add(name.data(), name.size());
    }
    return hash.hexDigest();
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sparse_builder.h"

#include "core/common/number_text.h"
#include "core/data/memory_limit.h"

#include <algorithm>
#include <limits>

namespace lambdascope {

void SparseBuilder::add(std::int32_t column, double value) {
    m_width = std::max(m_width, std::int64_t{column} + 1);
    if (value != 0) { // NaN, a missing value, is kept
        m_columns.append(column);
        m_values.append(value);
    }
}

void SparseBuilder::endRow() {
    m_ends.push_back(static_cast<std::int64_t>(m_values.size()));
}

Result<void> SparseBuilder::finish(RawData& data, Storage storage, std::int64_t columns, FaultList& faults) {
    columns = std::max(columns, m_width);
    const double cells = static_cast<double>(m_ends.size()) * static_cast<double>(columns);
    const double density = cells > 0 ? static_cast<double>(m_values.size()) / cells : 0;
    data.isSparse = storage == Storage::Sparse || (storage == Storage::AsStored && density < kSparseDensity);
    // What is computed for each feature, such as its mean, takes memory for features without a value, too.
    constexpr double kRoom = 1 << 23; // takes 400 MB
    if (static_cast<double>(columns) > kRoom + 100.0 * static_cast<double>(m_values.size())) {
        faults.add(0, 0,
                   "the largest index makes " + groupedText(columns) + " features, of which at most " +
                       groupedText(static_cast<std::int64_t>(m_values.size())) + " have a value",
                   "Number the features without large gaps.");
        return faults.failure();
    }
    if (data.isSparse && m_values.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        faults.add(0, 0, "the file holds more than 2,147,483,647 non-zeros", "Take a part of the rows.");
        return faults.failure(ErrorCode::OutOfMemory);
    }
    if (!data.isSparse && !fitsInMemory(m_ends.size(), static_cast<std::uint64_t>(columns))) {
        faults.add(0, 0, "stored densely the samples take " + byteText(8 * cells) + ", more than this machine has",
                   "Set \"storage\" to \"sparse\".");
        return faults.failure(ErrorCode::OutOfMemory);
    }
    data.isSparse ? fillSparse(data, columns) : fillDense(data, columns);
    return {};
}

void SparseBuilder::fillSparse(RawData& data, std::int64_t columns) {
    const auto count = static_cast<Eigen::Index>(m_values.size());
    data.sparse.resize(static_cast<Eigen::Index>(m_ends.size()), columns);
    data.sparse.resizeNonZeros(count);
    std::int32_t* column = data.sparse.innerIndexPtr();
    m_columns.drain(
        [&](std::span<const std::int32_t> block) { column = std::copy(block.begin(), block.end(), column); });
    double* value = data.sparse.valuePtr();
    m_values.drain([&](std::span<const double> block) { value = std::copy(block.begin(), block.end(), value); });
    std::int32_t* outer = data.sparse.outerIndexPtr();
    *outer = 0;
    std::transform(m_ends.begin(), m_ends.end(), outer + 1,
                   [](std::int64_t end) { return static_cast<std::int32_t>(end); });
}

void SparseBuilder::fillDense(RawData& data, std::int64_t columns) {
    const auto rows = static_cast<Eigen::Index>(m_ends.size());
    data.dense.setZero(rows, columns);
    // Columns and values are walked in step; their blocks differ in length, so the columns go into one list first:
    // 4 bytes per non-zero beside the 8 of the values, less than what the dense matrix takes in the end.
    std::vector<std::int32_t> columnOf;
    columnOf.reserve(m_columns.size());
    m_columns.drain(
        [&](std::span<const std::int32_t> block) { columnOf.insert(columnOf.end(), block.begin(), block.end()); });
    std::size_t at = 0;
    std::size_t row = 0;
    m_values.drain([&](std::span<const double> block) {
        for (const double value : block) {
            while (static_cast<std::int64_t>(at) >= m_ends[row]) {
                ++row;
            }
            data.dense(static_cast<Eigen::Index>(row), columnOf[at++]) = value;
        }
    });
}

} // namespace lambdascope

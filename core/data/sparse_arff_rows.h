// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/loader.h"
#include "core/data/sparse_builder.h"
#include "core/data/table_builder.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace lambdascope {

/// Gathers rows "{index value, index value}" of a sparse ARFF file.
class SparseArffRows {
  public:
    SparseArffRows(const std::vector<TableColumn>& attributes, std::optional<std::size_t> labelColumn,
                   MissingPolicy missing, FaultList& faults);

    /// `row` is the part of `line` from the opening brace on.
    void add(std::string_view line, std::string_view row, std::size_t lineNumber);
    Result<RawData> finish(Storage storage);

  private:
    struct Cell {
        std::size_t attribute;
        double value; ///< number, index of the nominal value, or NaN
    };
    bool readCell(std::string_view row, std::size_t& at, std::size_t offset, std::size_t lineNumber);
    std::optional<double> valueOf(std::size_t attribute, const TextField& field, std::size_t lineNumber);
    void store();

    const std::vector<TableColumn>& m_attributes;
    std::optional<std::size_t> m_labelColumn;
    MissingPolicy m_missing;
    FaultList& m_faults;
    std::vector<std::int32_t> m_begin; ///< first feature of each attribute
    std::int32_t m_width = 0;
    std::vector<std::unordered_map<std::string, std::int32_t>> m_codes;
    std::vector<Cell> m_cells; ///< of the current row
    std::vector<double> m_labels;
    SparseBuilder m_rows;
};

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/blocked_array.h"
#include "core/data/delimited_text.h"
#include "core/data/fault_list.h"
#include "core/data/loader.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lambdascope {

struct RawData;

struct TableColumn {
    std::string name;
    bool isNominal = false;          ///< holds words rather than numbers
    bool isDeclared = false;         ///< no words but `values` are allowed
    std::vector<std::string> values; ///< words met so far, or declared
};

/// Which column of a table holds the labels.
struct LabelPlace {
    std::optional<std::size_t> known;    ///< this one
    std::vector<std::size_t> candidates; ///< else the first of these that looks like classes
};

/// Gathers the rows of a table of numbers and words. In the end words become one-hot columns "name=word", the label
/// column becomes labels, and a first column in which every row has another word becomes names of the rows.
/// Memory: the finished matrix plus one block of BlockedArray.
class TableBuilder {
  public:
    /// More different words than this are identifiers or free text, not categories.
    static constexpr std::size_t kMostWords = 1000;
    static constexpr std::size_t kMostClasses = 100'000;

    TableBuilder(std::vector<TableColumn> columns, LabelPlace labels, MissingPolicy missing, FaultList& faults);

    [[nodiscard]] std::size_t columnCount() const { return m_columns.size(); }

    /// Sets a value of the current row; what is wrong with it becomes a fault.
    void set(std::size_t column, const TextField& field, std::size_t line);
    void endRow();

    /// The table; the faults found on the way if there are any.
    Result<RawData> finish();

  private:
    using WordCodes = std::unordered_map<std::string, std::int32_t>;
    struct Layout; ///< where each column goes

    void setNumber(std::size_t column, const TextField& field, std::size_t line);
    void setWord(std::size_t column, const TextField& field, std::size_t line);
    std::optional<std::int32_t> newWord(std::size_t column, const TextField& field, std::size_t line);
    void missing(std::size_t column, const TextField& field, std::size_t line);
    [[nodiscard]] std::string columnText(std::size_t column) const;
    [[nodiscard]] bool looksLikeLabels(std::size_t column) const;
    [[nodiscard]] bool namesRows(std::size_t column) const;
    [[nodiscard]] std::vector<double> valuesOf(std::size_t column) const;
    void chooseLabelColumn(RawData& data);
    void takeLabels(RawData& data);
    void takeRowNames(RawData& data);
    [[nodiscard]] Layout layOut(RawData& data) const;
    void fill(RawData& data, const Layout& layout);

    std::vector<TableColumn> m_columns;
    std::vector<WordCodes> m_codes;
    LabelPlace m_labels;
    std::optional<std::size_t> m_labelColumn;
    std::optional<std::size_t> m_nameColumn;
    MissingPolicy m_missing;
    FaultList& m_faults;
    std::vector<double> m_row; ///< numbers, codes of words, NaN for missing
    std::size_t m_rowCount = 0;
    BlockedArray<double> m_cells; ///< rows in order; a row stands in one block
    std::vector<char> m_hasTooManyWords;
    std::vector<char> m_hasRepeatedWord;
};

} // namespace lambdascope

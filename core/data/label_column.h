// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/fault_list.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lambdascope {

/// Class labels as they come from a file.
struct RawLabels {
    std::vector<std::int32_t> codes; ///< index into `names`, or −1 where the label is missing; empty for no labels
    std::vector<std::string> names;  ///< sorted numerically if all are numbers, else as they first appeared
};

/// What DataConfig::labels asks for, or DataConfig::target.
struct LabelWish {
    enum class Kind { Auto, None, First, Last, Named };
    Kind kind = Kind::Auto;
    std::string name;      ///< a column's name, or its number from 1
    bool isTarget = false; ///< a column of numbers rather than of classes

    [[nodiscard]] const char* key() const { return isTarget ? "data.target" : "data.labels"; }
    [[nodiscard]] std::string noun() const { return isTarget ? "target" : "labels"; }

    static LabelWish from(const std::string& text, bool isTarget = false);
};

/// Index of the wished column among `columnNames`, or of `columnCount` columns that have no names. Nothing for None
/// and Auto; a fault when no such column exists. A name wins over a number.
std::optional<std::size_t> findLabelColumn(const LabelWish& wish, const std::vector<std::string>& columnNames,
                                           std::size_t columnCount, FaultList& faults);

/// Index of the column whose name says that it holds classes: class, label, classes or labels, in any case.
std::optional<std::size_t> columnNamedLikeLabels(const std::vector<std::string>& columnNames);

/// The columns to try for labels when no name is that plain: one named target or y, then `places`.
std::vector<std::size_t> labelCandidates(const std::vector<std::string>& columnNames, std::vector<std::size_t> places);

/// Distinct values of a numeric column, counted up to a limit.
class ValueCounter {
  public:
    void add(double value);

    /// Whether the column holds class numbers rather than measurements: at least two distinct values, not all
    /// distinct (eight values or more), at most max(50, half the values) of them, and with fractions at most a tenth
    /// of the values (at least 4, at most 50).
    [[nodiscard]] bool looksLikeClasses() const;
    [[nodiscard]] std::size_t distinctCount() const { return m_seen.size(); }

  private:
    std::size_t m_count = 0;
    bool m_hasFractions = false;
    std::unordered_map<double, bool> m_seen;
};

/// Labels given as numbers; NaN is a missing label.
RawLabels labelsFromNumbers(const std::vector<double>& values);

/// Labels given as indices into `names`, −1 for missing. Unused names go; names that are all numbers are merged when
/// equal ("1", "+1", "1.0") and sorted, others keep their order.
RawLabels labelsFromCodes(std::vector<std::int32_t> codes, const std::vector<std::string>& names);

/// The numbers that classes are named by, one per row, NaN where the label is missing; nothing when some class has
/// another name.
std::optional<std::vector<double>> numbersFromLabels(const RawLabels& labels);

/// Renumbers `labels` so that every class name is used by some row.
void dropUnusedClasses(std::vector<std::int32_t>& codes, std::vector<std::string>& names);

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/report_row.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace lambdascope {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

} // namespace

ReportRow::ReportRow(std::vector<ColumnDescription> columns)
    : m_columns(std::move(columns)), m_values(m_columns.size(), kUnknown), m_isSet(m_columns.size(), false) {}

void ReportRow::set(std::string_view key, double value) {
    const std::size_t place = placeOfColumn(m_columns, key);
    assert(place < m_columns.size() && "no such column");
    assert(!m_isSet[place] && "a column is set twice");
    m_values[place] = value;
    m_isSet[place] = true;
}

void ReportRow::leave(std::string_view key) {
    set(key, kUnknown);
}

std::vector<double> ReportRow::take() {
    assert(std::find(m_isSet.begin(), m_isSet.end(), false) == m_isSet.end() && "a column has no value");
    return std::move(m_values);
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sparse_arff_rows.h"

#include "core/common/number_text.h"
#include "core/common/trimmed_text.h"
#include "core/data/label_column.h"
#include "core/data/text_encoding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

constexpr double kMissingValue = std::numeric_limits<double>::quiet_NaN();

} // namespace

SparseArffRows::SparseArffRows(const std::vector<TableColumn>& attributes, std::optional<std::size_t> labelColumn,
                               MissingPolicy missing, FaultList& faults)
    : m_attributes(attributes), m_labelColumn(labelColumn), m_missing(missing), m_faults(faults),
      m_codes(attributes.size()) {
    for (std::size_t a = 0; a < attributes.size(); ++a) {
        m_begin.push_back(m_width);
        if (a != labelColumn) {
            m_width += attributes[a].isNominal ? static_cast<std::int32_t>(attributes[a].values.size()) : 1;
        }
        for (std::size_t v = 0; v < attributes[a].values.size(); ++v) {
            m_codes[a].emplace(attributes[a].values[v], static_cast<std::int32_t>(v));
        }
    }
}

std::optional<double> SparseArffRows::valueOf(std::size_t attribute, const TextField& field, std::size_t lineNumber) {
    const TableColumn& a = m_attributes[attribute];
    const std::string place = " for attribute " + excerpt(a.name);
    if (a.isNominal && !field.isMissing()) {
        const auto code = m_codes[attribute].find(utf8Text(field.text));
        if (code == m_codes[attribute].end()) {
            m_faults.add(lineNumber, field.column, excerpt(field.text) + place + " is none of its declared values",
                         "Declare it, or correct the value.");
            return std::nullopt;
        }
        return code->second;
    }
    const auto number = field.isMissing() ? std::optional(kMissingValue) : parseNumber(field.text);
    if (!number) {
        m_faults.add(lineNumber, field.column, excerpt(field.text) + place + " is not a number", "Correct the value.");
        return std::nullopt;
    }
    if (!std::isfinite(*number) && m_missing == MissingPolicy::Fail) {
        m_faults.add(lineNumber, field.column, "the value" + place + " is missing or not finite",
                     "Fill it in, or set data.missing to \"drop-rows\" or \"mean\".");
        return std::nullopt;
    }
    return std::isfinite(*number) ? *number : kMissingValue;
}

/// Reads "index value" from `row` at `at`, up to the comma or brace that follows. False at a fault.
bool SparseArffRows::readCell(std::string_view row, std::size_t& at, std::size_t offset, std::size_t lineNumber) {
    const auto skipBlanks = [&] {
        while (at < row.size() && (row[at] == ' ' || row[at] == '\t')) {
            ++at;
        }
    };
    const std::size_t begin = at;
    const std::size_t indexEnd = std::min(row.find_first_of(" \t,}", at), row.size());
    const auto index = parseInteger(row.substr(at, indexEnd - at));
    if (!index || *index < 0 || static_cast<std::uint64_t>(*index) >= m_attributes.size()) {
        m_faults.add(lineNumber, offset + begin, excerpt(row.substr(at, indexEnd - at)) + " is no attribute index",
                     "Write \"index value\" with indices from 0 to " + std::to_string(m_attributes.size() - 1) + ".");
        return false;
    }
    const auto attribute = static_cast<std::size_t>(*index);
    if (!m_cells.empty() && m_cells.back().attribute >= attribute) {
        m_faults.add(lineNumber, offset + begin, "the index " + std::to_string(*index) + " is repeated or out of order",
                     "Sort the indices of each row and give each once.");
        return false;
    }
    at = indexEnd;
    skipBlanks();
    TextField field{{}, offset + at, false};
    std::string unquoted;
    if (at < row.size() && (row[at] == '\'' || row[at] == '"')) {
        const char quote = row[at++];
        for (; at < row.size() && row[at] != quote; ++at) {
            at += row[at] == '\\' && at + 1 < row.size() ? 1 : 0;
            unquoted += row[at];
        }
        at = std::min(at + 1, row.size());
        field.wasQuoted = true;
        field.text = unquoted;
        skipBlanks();
    } else {
        const std::size_t end = std::min(row.find_first_of(",}", at), row.size());
        field.text = trimmed(row.substr(at, end - at));
        at = end;
    }
    const auto value = valueOf(attribute, field, lineNumber);
    if (value) {
        m_cells.push_back({attribute, *value});
    }
    return value.has_value();
}

void SparseArffRows::add(std::string_view line, std::string_view row, std::size_t lineNumber) {
    const auto offset = static_cast<std::size_t>(row.data() - line.data()) + 1;
    m_cells.clear();
    std::size_t at = std::min(row.find_first_not_of(" \t", 1), row.size());
    while (at < row.size() && row[at] != '}') {
        if (!readCell(row, at, offset, lineNumber)) {
            return;
        }
        if (at < row.size() && row[at] == ',') {
            at = std::min(row.find_first_not_of(" \t", at + 1), row.size());
        } else if (at < row.size() && row[at] != '}') {
            break;
        }
    }
    if (at >= row.size() || row[at] != '}') {
        m_faults.add(lineNumber, offset + at, "the sparse row is not closed by }", "Write {index value, …}.");
        return;
    }
    store();
}

void SparseArffRows::store() {
    double label = 0;
    auto cell = m_cells.begin();
    for (std::size_t a = 0; a < m_attributes.size(); ++a) {
        const bool isGiven = cell != m_cells.end() && cell->attribute == a;
        const double value = isGiven ? (cell++)->value : 0;
        if (a == m_labelColumn) {
            label = value;
        } else if (!m_attributes[a].isNominal) {
            m_rows.add(m_begin[a], value);
        } else if (std::isnan(value)) {
            for (std::size_t v = 0; v < m_attributes[a].values.size(); ++v) {
                m_rows.add(m_begin[a] + static_cast<std::int32_t>(v), kMissingValue);
            }
        } else if (!m_attributes[a].values.empty()) {
            m_rows.add(m_begin[a] + static_cast<std::int32_t>(value), 1);
        }
    }
    m_labels.push_back(label);
    m_rows.endRow();
}

Result<RawData> SparseArffRows::finish(Storage storage) {
    if (m_faults.isEmpty() && m_rows.rowCount() == 0) {
        m_faults.add(0, 0, "the file holds no samples", "Add a line for each sample after @data.");
    }
    if (m_faults.isEmpty() && m_width == 0) {
        m_faults.add(0, 0, "no attributes are left for the features", "Declare one besides the class.");
    }
    if (!m_faults.isEmpty()) {
        return m_faults.failure();
    }
    RawData data;
    for (std::size_t a = 0; a < m_attributes.size(); ++a) {
        if (a == m_labelColumn) {
            continue;
        }
        if (!m_attributes[a].isNominal) {
            data.featureNames.push_back(m_attributes[a].name);
        }
        for (const std::string& value : m_attributes[a].values) {
            data.featureNames.push_back(m_attributes[a].name + "=" + value);
        }
    }
    if (m_labelColumn && m_attributes[*m_labelColumn].isNominal) {
        std::vector<std::int32_t> codes(m_labels.size());
        std::transform(m_labels.begin(), m_labels.end(), codes.begin(),
                       [](double code) { return std::isnan(code) ? -1 : static_cast<std::int32_t>(code); });
        data.labels = labelsFromCodes(std::move(codes), m_attributes[*m_labelColumn].values);
    } else if (m_labelColumn) {
        data.labels = labelsFromNumbers(m_labels);
    }
    if (auto filled = m_rows.finish(data, storage, m_width, m_faults); !filled) {
        return Failure(std::move(filled).error());
    }
    return data;
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/table_builder.h"

#include "core/common/number_text.h"
#include "core/config/field.h"
#include "core/data/label_column.h"
#include "core/data/memory_limit.h"
#include "core/data/raw_data.h"
#include "core/data/text_encoding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::string remedyForNumber(std::string_view text) {
    std::string withPoint(text);
    std::replace(withPoint.begin(), withPoint.end(), ',', '.');
    if (withPoint != text && parseNumber(withPoint)) {
        return "Write a decimal point instead of the comma.";
    }
    return "Correct the value, or mark it as missing with \"?\".";
}

} // namespace

/// First finished column of each table column, and how many it takes: 0 for labels and row names.
struct TableBuilder::Layout {
    std::vector<std::size_t> begin;
    std::vector<std::size_t> width;
    std::size_t total = 0;
};

TableBuilder::TableBuilder(std::vector<TableColumn> columns, LabelPlace labels, MissingPolicy missing,
                           FaultList& faults)
    : m_columns(std::move(columns)), m_codes(m_columns.size()), m_labels(std::move(labels)),
      m_labelColumn(m_labels.known), m_missing(missing), m_faults(faults), m_row(m_columns.size(), kMissing),
      m_hasTooManyWords(m_columns.size(), 0), m_hasRepeatedWord(m_columns.size(), 0) {
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        for (std::size_t v = 0; v < m_columns[c].values.size(); ++v) {
            m_codes[c].emplace(m_columns[c].values[v], static_cast<std::int32_t>(v));
        }
    }
}

std::string TableBuilder::columnText(std::size_t column) const {
    const std::string& name = m_columns[column].name;
    return "column " + std::to_string(column + 1) + (name.empty() ? "" : " (" + excerpt(name) + ")");
}

void TableBuilder::missing(std::size_t column, const TextField& field, std::size_t line) {
    m_row[column] = kMissing;
    if (m_missing == MissingPolicy::Fail) {
        const std::string what = field.text.empty() ? "the value" : excerpt(field.text);
        m_faults.add(line, field.column, what + " in " + columnText(column) + " is missing or not finite",
                     "Fill it in, or set data.missing to \"drop-rows\" or \"mean\".");
    }
}

void TableBuilder::set(std::size_t column, const TextField& field, std::size_t line) {
    if (field.isMissing()) {
        missing(column, field, line);
    } else if (m_columns[column].isNominal) {
        setWord(column, field, line);
    } else {
        setNumber(column, field, line);
    }
}

void TableBuilder::setNumber(std::size_t column, const TextField& field, std::size_t line) {
    const auto number = parseNumber(field.text);
    if (!number) {
        m_faults.add(line, field.column, excerpt(field.text) + " in " + columnText(column) + " is not a number",
                     remedyForNumber(field.text));
    } else if (!std::isfinite(*number)) {
        missing(column, field, line);
    } else {
        m_row[column] = *number;
    }
}

void TableBuilder::setWord(std::size_t column, const TextField& field, std::size_t line) {
    const std::string word = utf8Text(field.text);
    const auto found = m_codes[column].find(word);
    if (found != m_codes[column].end()) {
        m_hasRepeatedWord[column] = 1;
        m_row[column] = found->second;
    } else if (const auto code = newWord(column, field, line)) {
        m_codes[column].emplace(word, *code);
        m_columns[column].values.push_back(word);
        m_row[column] = *code;
    }
}

/// The code for a word that was not met before; nothing when the column may not have it.
std::optional<std::int32_t> TableBuilder::newWord(std::size_t column, const TextField& field, std::size_t line) {
    const TableColumn& c = m_columns[column];
    if (c.isDeclared) {
        const auto closest = closestWord(utf8Text(field.text), c.values);
        m_faults.add(line, field.column,
                     excerpt(field.text) + " is none of the declared values of attribute " + excerpt(c.name),
                     closest ? "Did you mean " + excerpt(*closest) + "?" : "Declare it, or correct the value.");
        return std::nullopt;
    }
    const std::size_t most = column == m_labels.known ? kMostClasses : kMostWords;
    const bool mayNameRows = column == 0 && m_labels.known != column && m_hasRepeatedWord[0] == 0;
    if (c.values.size() < most || mayNameRows) {
        return static_cast<std::int32_t>(c.values.size());
    }
    if (m_hasTooManyWords[column] == 0) {
        m_hasTooManyWords[column] = 1;
        m_faults.add(line, field.column,
                     columnText(column) + " has more than " + groupedText(static_cast<std::int64_t>(most)) +
                         " different words, such as " + excerpt(field.text),
                     "Remove the column: these look like identifiers or free text, not categories.");
    }
    return std::nullopt;
}

void TableBuilder::endRow() {
    m_cells.append(m_row);
    ++m_rowCount;
}

std::vector<double> TableBuilder::valuesOf(std::size_t column) const {
    std::vector<double> values;
    values.reserve(m_rowCount);
    m_cells.forEachBlock([&](std::span<const double> cells) {
        for (std::size_t at = column; at < cells.size(); at += m_columns.size()) {
            values.push_back(cells[at]);
        }
    });
    return values;
}

bool TableBuilder::namesRows(std::size_t column) const {
    const TableColumn& c = m_columns[column];
    return column == 0 && c.isNominal && !c.isDeclared && m_rowCount >= 2 && m_columns.size() >= 2 &&
           c.values.size() == m_rowCount;
}

bool TableBuilder::looksLikeLabels(std::size_t column) const {
    if (m_columns[column].isNominal) {
        return !namesRows(column);
    }
    ValueCounter counter;
    for (const double value : valuesOf(column)) {
        counter.add(value);
    }
    return counter.looksLikeClasses();
}

void TableBuilder::chooseLabelColumn(RawData& data) {
    if (m_labels.known) {
        return;
    }
    for (const std::size_t candidate : m_labels.candidates) {
        if (looksLikeLabels(candidate)) {
            m_labelColumn = candidate;
            data.notes.push_back("labels from " + columnText(candidate));
            return;
        }
    }
    if (!m_labels.candidates.empty()) {
        data.notes.push_back("no column looks like class labels");
    }
}

void TableBuilder::takeLabels(RawData& data) {
    if (!m_labelColumn) {
        return;
    }
    const TableColumn& column = m_columns[*m_labelColumn];
    const std::vector<double> values = valuesOf(*m_labelColumn);
    if (!column.isNominal) {
        data.labels = labelsFromNumbers(values);
        return;
    }
    std::vector<std::int32_t> codes(values.size());
    std::transform(values.begin(), values.end(), codes.begin(),
                   [](double value) { return std::isnan(value) ? -1 : static_cast<std::int32_t>(value); });
    data.labels = labelsFromCodes(std::move(codes), column.values);
}

void TableBuilder::takeRowNames(RawData& data) {
    if (m_labelColumn != std::size_t{0} && namesRows(0)) {
        m_nameColumn = 0;
        data.rowNames = std::move(m_columns[0].values);
        data.notes.push_back("row names from " + columnText(0));
    }
}

TableBuilder::Layout TableBuilder::layOut(RawData& data) const {
    Layout layout;
    std::size_t expanded = 0;
    bool hasNames = false;
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        const bool isTaken = c == m_labelColumn || c == m_nameColumn;
        const bool isWords = m_columns[c].isNominal && !isTaken;
        layout.begin.push_back(layout.total);
        layout.width.push_back(isTaken ? 0 : isWords ? m_columns[c].values.size() : 1);
        layout.total += layout.width.back();
        expanded += isWords ? 1 : 0;
        hasNames = hasNames || isWords || (!isTaken && !m_columns[c].name.empty());
    }
    if (expanded > 0) {
        data.notes.push_back(std::to_string(expanded) + (expanded == 1 ? " column" : " columns") +
                             " of words one-hot coded");
    }
    for (std::size_t c = 0; c < m_columns.size() && hasNames; ++c) {
        const std::string name = m_columns[c].name.empty() ? "x" + std::to_string(c + 1) : m_columns[c].name;
        for (std::size_t v = 0; v < layout.width[c]; ++v) {
            data.featureNames.push_back(m_columns[c].isNominal ? name + "=" + m_columns[c].values[v] : name);
        }
    }
    return layout;
}

void TableBuilder::fill(RawData& data, const Layout& layout) {
    data.dense.resize(static_cast<Eigen::Index>(m_rowCount), static_cast<Eigen::Index>(layout.total));
    double* to = data.dense.data();
    m_cells.drain([&](std::span<const double> cells) {
        for (; !cells.empty(); cells = cells.subspan(m_columns.size()), to += layout.total) {
            for (std::size_t c = 0; c < m_columns.size(); ++c) {
                double* at = to + layout.begin[c];
                if (layout.width[c] > 0 && m_columns[c].isNominal) {
                    std::fill_n(at, layout.width[c], std::isnan(cells[c]) ? kMissing : 0.0);
                    if (!std::isnan(cells[c])) {
                        at[static_cast<std::size_t>(cells[c])] = 1;
                    }
                } else if (layout.width[c] > 0) {
                    *at = cells[c];
                }
            }
        }
    });
}

Result<RawData> TableBuilder::finish() {
    if (m_faults.isEmpty() && m_rowCount == 0) {
        m_faults.add(0, 0, "the file holds no samples", "Add a line for each sample.");
    }
    if (m_faults.isEmpty() && m_rowCount > std::numeric_limits<std::int32_t>::max()) {
        m_faults.add(0, 0, "the file holds more than 2,147,483,647 samples", "Take a part of them.");
    }
    if (!m_faults.isEmpty()) {
        return m_faults.failure();
    }
    RawData data;
    chooseLabelColumn(data);
    takeLabels(data);
    takeRowNames(data);
    const Layout layout = layOut(data);
    if (layout.total == 0) {
        m_faults.add(0, 0, "no columns are left for the features", "Check the delimiter and the label column.");
        return m_faults.failure();
    }
    if (!fitsInMemory(m_rowCount, layout.total)) {
        m_faults.add(0, 0,
                     "the samples take " +
                         byteText(8.0 * static_cast<double>(m_rowCount) * static_cast<double>(layout.total)) +
                         ", more than this machine has",
                     "Take a part of the rows or columns.");
        return m_faults.failure(ErrorCode::OutOfMemory);
    }
    fill(data, layout);
    return data;
}

} // namespace lambdascope

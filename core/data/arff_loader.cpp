// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/arff_loader.h"

#include "core/common/trimmed_text.h"
#include "core/data/arff_header.h"
#include "core/data/label_column.h"
#include "core/data/raw_data.h"
#include "core/data/sparse_arff_rows.h"
#include "core/data/table_builder.h"
#include "core/data/text_encoding.h"

namespace lambdascope {

namespace {

/// The samples of an ARFF file, plain or sparse as the first of them is.
class ArffRows {
  public:
    ArffRows(InputReader& input, FaultList& faults) : m_input(input), m_faults(faults) {}

    /// Goes to the first sample. False when there is none.
    bool start() {
        if (!nextRow()) {
            return false;
        }
        m_isSparse = m_row.front() == '{';
        const bool hasTabsOnly =
            m_row.find(',') == std::string_view::npos && m_row.find('\t') != std::string_view::npos;
        m_splitter = FieldSplitter({hasTabsOnly ? '\t' : ',', "'\"", true});
        return true;
    }
    [[nodiscard]] bool isSparse() const { return m_isSparse; }

    void readInto(SparseArffRows& rows) {
        do {
            if (m_row.front() == '{') {
                rows.add(m_line, m_row, m_input.lineNumber());
            } else {
                m_faults.add(m_input.lineNumber(), 1, "a plain row stands among sparse ones",
                             "Write all rows in the same form.");
            }
        } while (!m_faults.isFull() && nextRow());
    }

    void readInto(TableBuilder& table) {
        std::vector<TextField> fields;
        do {
            if (m_splitter.split(m_line, fields) != FieldSplitter::Status::Complete) {
                m_faults.add(m_input.lineNumber(), fields.back().column, "the quote that opens here is wrong",
                             "Put quotes around whole values; write a quote inside as \\'.");
            } else if (fields.size() != table.columnCount()) {
                m_faults.add(m_input.lineNumber(), 0,
                             "the row has " + std::to_string(fields.size()) + " values, but " +
                                 std::to_string(table.columnCount()) + " attributes are declared",
                             "Give a value for each attribute, ? for missing ones.");
            } else {
                for (std::size_t c = 0; c < fields.size(); ++c) {
                    table.set(c, fields[c], m_input.lineNumber());
                }
                table.endRow();
            }
        } while (!m_faults.isFull() && nextRow());
    }

  private:
    bool nextRow() {
        while (m_input.nextLine(m_line)) {
            m_row = trimmed(m_line);
            if (!m_row.empty() && m_row.front() != '%') {
                return true;
            }
        }
        return false;
    }

    InputReader& m_input;
    FaultList& m_faults;
    std::string_view m_line;
    std::string_view m_row; ///< the line without blanks around it
    bool m_isSparse = false;
    FieldSplitter m_splitter{{',', "'\"", true}};
};

} // namespace

Result<RawData> ArffLoader::load(InputReader& input, const LoadOptions& options) const {
    FaultList faults(input.file());
    const auto attributes = readArffHeader(input, faults);
    if (input.failure()) {
        return Failure(*input.failure());
    }
    if (!attributes) {
        return faults.failure();
    }
    const LabelWish wish = LabelWish::from(options.labels, options.isTarget);
    LabelPlace labels{findLabelColumn(wish, columnNames(*attributes), attributes->size(), faults), {}};
    if (!faults.isEmpty()) {
        return faults.failure();
    }
    if (options.isTarget && labels.known && (*attributes)[*labels.known].isNominal) {
        faults.addForKey(wish.key(),
                         "the attribute " + excerpt((*attributes)[*labels.known].name) +
                             " holds words, but a target is a number",
                         "Name a numeric attribute, or declare this one numeric.");
        return faults.failure();
    }
    if (wish.kind == LabelWish::Kind::Auto) {
        labels.known = classAttribute(*attributes);
        labels.candidates = labelCandidates(columnNames(*attributes), {attributes->size() - 1, 0});
    }
    ArffRows rows(input, faults);
    if (!rows.start()) {
        if (input.failure()) {
            return Failure(*input.failure());
        }
        faults.add(input.lineNumber(), 0, "no samples come after @data", "Add a line for each sample.");
        return faults.failure();
    }
    if (rows.isSparse()) {
        SparseArffRows sparse(*attributes, labels.known, options.missing, faults);
        rows.readInto(sparse);
        return input.failure() ? Result<RawData>(Failure(*input.failure())) : sparse.finish(options.storage);
    }
    TableBuilder table(*attributes, labels, options.missing, faults);
    rows.readInto(table);
    return input.failure() ? Result<RawData>(Failure(*input.failure())) : table.finish();
}

} // namespace lambdascope

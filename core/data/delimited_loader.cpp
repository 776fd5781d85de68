// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/delimited_loader.h"

#include "core/data/label_column.h"
#include "core/data/raw_data.h"
#include "core/data/table_builder.h"
#include "core/data/table_sniffer.h"

namespace lambdascope {

namespace {

std::vector<std::string> namesOf(const TableShape& shape) {
    std::vector<std::string> names;
    for (const TableColumn& column : shape.columns) {
        if (shape.hasHeader) {
            names.push_back(column.name);
        }
    }
    return names;
}

void readRecords(RecordReader& records, const TableShape& shape, TableBuilder& table, FaultList& faults) {
    std::vector<TextField> fields;
    if (shape.hasHeader) {
        records.next(fields);
    }
    while (!faults.isFull() && records.next(fields)) {
        if (fields.size() != table.columnCount()) {
            const std::size_t column = fields.size() > table.columnCount() ? fields[table.columnCount()].column : 0;
            faults.add(records.line(), column,
                       "the line has " + std::to_string(fields.size()) + (fields.size() == 1 ? " field" : " fields") +
                           ", but line " + std::to_string(shape.firstLine) + " has " +
                           std::to_string(table.columnCount()),
                       "Give every line the same number of fields; quote values that contain the delimiter.");
            continue;
        }
        for (std::size_t c = 0; c < fields.size(); ++c) {
            table.set(c, fields[c], records.line());
        }
        table.endRow();
    }
    if (const auto& problem = records.problem()) {
        faults.add(problem->line, problem->column, problem->message, problem->remedy);
    }
}

} // namespace

Result<RawData> DelimitedLoader::loadTable(InputReader& input, const LoadOptions& options, const FieldSyntax& syntax,
                                           AutoLabels autoLabels) {
    const auto head = input.lookAhead();
    if (!head) {
        return Failure(head.error());
    }
    TableShape shape = sniffTable(*head, input.sawAll(), syntax);
    FaultList faults(input.file());
    if (shape.recordCount == 0 && input.sawAll()) {
        faults.add(0, 0, "the file is empty", "Add a line for each sample.");
        return faults.failure();
    }
    if (shape.hasHeader && shape.recordCount == 1 && input.sawAll()) {
        faults.add(shape.firstLine, 0, "the file holds only a header, no samples", "Add a line for each sample.");
        return faults.failure();
    }
    const std::vector<std::string> names = namesOf(shape);
    const LabelWish wish = LabelWish::from(options.labels, options.isTarget);
    LabelPlace labels{findLabelColumn(wish, names, shape.columns.size(), faults), {}};
    if (!faults.isEmpty()) {
        return faults.failure();
    }
    if (wish.kind == LabelWish::Kind::Auto) {
        labels.known = columnNamedLikeLabels(names);
        labels.candidates = labelCandidates(names, autoLabels == AutoLabels::First
                                                       ? std::vector<std::size_t>{0}
                                                       : std::vector{shape.columns.size() - 1, std::size_t{0}});
    }
    if (labels.known) {
        shape.columns[*labels.known].isNominal = !options.isTarget; // class names may mix numbers and words
    }
    TableBuilder table(shape.columns, labels, options.missing, faults);
    RecordReader records(input, syntax);
    readRecords(records, shape, table, faults);
    if (input.failure()) {
        return Failure(*input.failure());
    }
    return table.finish();
}

Result<RawData> CsvLoader::load(InputReader& input, const LoadOptions& options) const {
    FieldSyntax syntax{m_delimiter, "\"", false};
    if (m_delimiter == 0) {
        const auto head = input.lookAhead();
        if (!head) {
            return Failure(head.error());
        }
        syntax.delimiter = sniffDelimiter(*head, input.sawAll());
    }
    return loadTable(input, options, syntax, AutoLabels::LastThenFirst);
}

Result<RawData> DenseTextLoader::load(InputReader& input, const LoadOptions& options) const {
    return loadTable(input, options, {' ', "", false}, AutoLabels::First);
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ordinal/path/comparison_file.h"

#include "core/common/number_text.h"
#include "core/data/delimited_text.h"
#include "core/data/fault_list.h"
#include "core/data/input_reader.h"
#include "core/data/text_encoding.h"
#include "core/ordinal/path/answer_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lambdascope::ordinal {

namespace {

/// Ids of objects go so far in a file of names, beyond which one of them is a slip: this, and this for every line.
constexpr std::int64_t kLeastIds = 10000;
constexpr std::int64_t kIdsPerLine = 100;

enum class Extra { None, Weight, Votes };

/// What the columns mean.
struct Columns {
    std::size_t ids = 3;
    Extra extra = Extra::None;
};

bool hasName(const AnswerRows& rows, std::size_t column, std::string_view part) {
    return column < rows.header.size() && rows.header[column].find(part) != std::string::npos;
}

Extra extraOf(const AnswerRows& rows, std::size_t ids) {
    return rows.columns == ids + 2 ? Extra::Votes : rows.columns == ids + 1 ? Extra::Weight : Extra::None;
}

/// Columns of a file whose layout is not told. Zero ids for what cannot be known.
Columns guessColumns(const AnswerRows& rows) {
    if (rows.columns == 3 || rows.columns == 6) {
        const std::size_t ids = rows.columns == 3 ? 3 : 4;
        return {ids, extraOf(rows, ids)};
    }
    if (!rows.header.empty()) {
        const bool isWeighted = hasName(rows, 3, "weight") || hasName(rows, 3, "count") || hasName(rows, 3, "vote");
        const std::size_t ids = isWeighted ? 3 : 4;
        return {ids, extraOf(rows, ids)};
    }
    if (rows.columns == 4) {
        for (std::size_t row = 0; row < rows.rows(); ++row) {
            if (const double value = rows.row(row)[3]; value != std::floor(value)) {
                return {3, Extra::Weight};
            }
        }
    }
    return {0, Extra::None};
}

/// Turns rows of numbers into comparisons, noting every fault.
class Interpreter {
  public:
    Interpreter(const AnswerRows& rows, FaultList& faults, Columns columns, int base, ObjectIndex known, bool dropsSelf)
        : m_rows(rows), m_faults(faults), m_columns(columns), m_base(base), m_known(known), m_dropsSelf(dropsSelf) {}

    void read(ReadComparisons& to) {
        for (std::size_t row = 0; row < m_rows.rows() && !m_faults.isFull(); ++row) {
            readRow(row, to);
        }
        to.isQuadruplets = m_columns.ids == 4;
        to.hasVotes = m_columns.extra == Extra::Votes;
        to.base = m_base;
        to.objects = std::max(m_known, m_largest + 1);
    }

  private:
    void fault(std::size_t row, const std::string& message, std::string remedy) {
        const std::string at = m_rows.isArray ? "row " + std::to_string(m_rows.lines[row]) + ": " : "";
        m_faults.add(m_rows.isArray ? 0 : m_rows.lines[row], 0, at + message, std::move(remedy));
    }

    bool readId(std::size_t row, double number, ObjectIndex& id) {
        constexpr double kMost = std::numeric_limits<ObjectIndex>::max() - 1;
        if (number != std::floor(number) || !(std::abs(number) <= kMost)) {
            fault(row, "the id " + exactText(number) + " is no whole number",
                  "Ids are whole numbers; check the columns (problem.layout).");
            return false;
        }
        const double place = number - m_base;
        if (place < 0 || (m_known > 0 && place >= m_known)) {
            const std::string range =
                m_known > 0 ? "from " + std::to_string(m_base) + " to " + std::to_string(m_known - 1 + m_base)
                            : "at least " + std::to_string(m_base);
            fault(row, "there is no object " + exactText(number) + "; ids are " + range,
                  "Correct the id, or set problem.base to what the first object has.");
            return false;
        }
        id = static_cast<ObjectIndex>(place);
        m_largest = std::max(m_largest, id);
        return true;
    }

    void readRow(std::size_t row, ReadComparisons& to) {
        const double* values = m_rows.row(row);
        ObjectIndex ids[4] = {};
        for (std::size_t column = 0; column < m_columns.ids; ++column) {
            if (!readId(row, values[column], ids[column])) {
                return;
            }
        }
        const Comparison c = m_columns.ids == 3 ? Comparison{ids[0], ids[1], ids[0], ids[2]}
                                                : Comparison{ids[0], ids[1], ids[2], ids[3]};
        const bool isSelf = c.i == c.j || c.l == c.k || (c.i == c.l && c.j == c.k) || (c.i == c.k && c.j == c.l);
        if (isSelf && m_dropsSelf) {
            ++to.dropped;
            return;
        }
        if (c.i == c.j || c.l == c.k) {
            fault(row, "an object is compared with itself",
                  "The two objects of a pair must differ; problem.drop_self leaves such lines out.");
            return;
        }
        if ((c.i == c.l && c.j == c.k) || (c.i == c.k && c.j == c.l)) {
            fault(row, "a pair of objects is compared with itself", "The two pairs must differ.");
            return;
        }
        readExtra(row, values + m_columns.ids, c, to);
    }

    void readExtra(std::size_t row, const double* extra, const Comparison& c, ReadComparisons& to) {
        switch (m_columns.extra) {
        case Extra::None: to.comparisons.add(c, 1); return;
        case Extra::Weight:
            if (!(extra[0] > 0) || !std::isfinite(extra[0])) {
                fault(row, "the weight " + shortText(extra[0]) + " is not a number above 0",
                      "Correct it, or leave the line out. If the column holds ids, set problem.layout to "
                      "\"quadruplets\".");
                return;
            }
            to.comparisons.add(c, extra[0]);
            return;
        case Extra::Votes:
            if (!(extra[0] >= 0) || !(extra[1] >= 0) || !std::isfinite(extra[0] + extra[1])) {
                fault(row, "votes must be numbers of at least 0", "Correct them, or leave the line out.");
                return;
            }
            if (extra[0] > 0) {
                to.comparisons.add(c, extra[0]);
            }
            if (extra[1] > 0) {
                to.comparisons.add(reversed(c), extra[1]);
            }
            return;
        }
    }

    const AnswerRows& m_rows;
    FaultList& m_faults;
    Columns m_columns;
    int m_base;
    ObjectIndex m_known;
    bool m_dropsSelf;
    ObjectIndex m_largest = -1;
};

int baseOf(const AnswerRows& rows, std::size_t ids, IdBase base) {
    if (base != IdBase::Auto) {
        return base == IdBase::Zero ? 0 : 1;
    }
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        if (std::any_of(rows.row(row), rows.row(row) + ids, [](double id) { return id < 1; })) {
            return 0;
        }
    }
    return 1;
}

/// The columns of a file, or why they cannot be known.
Result<Columns> columnsOf(const AnswerRows& rows, ComparisonLayout layout, const std::string& file) {
    if (layout == ComparisonLayout::Auto) {
        const Columns columns = guessColumns(rows);
        if (columns.ids == 0 && (rows.columns == 4 || rows.columns == 5)) {
            return fileFailure(ErrorCode::InvalidData, file,
                               "the file has " + std::to_string(rows.columns) +
                                   " columns and no header, which could be triplets with weights or votes, or "
                                   "quadruplets",
                               "Say which by problem.layout, \"triplets\" or \"quadruplets\".", rows.lines.front());
        }
        if (columns.ids != 0 && rows.columns >= columns.ids && rows.columns <= columns.ids + 2) {
            return columns;
        }
        return fileFailure(ErrorCode::InvalidData, file,
                           "the file has " + std::to_string(rows.columns) +
                               (rows.columns == 1 ? " column" : " columns") + ", but comparisons have 3 to 6",
                           "Give columns i j k or i j l k, then maybe a weight or two of votes.");
    }
    const std::size_t ids = layout == ComparisonLayout::Triplets ? 3 : 4;
    if (rows.columns < ids || rows.columns > ids + 2) {
        const bool isTriplets = ids == 3;
        return fileFailure(ErrorCode::InvalidData, file,
                           "the file has " + std::to_string(rows.columns) + " columns, but " +
                               (isTriplets ? "triplets" : "quadruplets") + " have " + std::to_string(ids) + " to " +
                               std::to_string(ids + 2),
                           std::string("Check problem.layout; ") +
                               (isTriplets ? "quadruplets are i j l k." : "triplets are i j k."));
    }
    Columns columns{ids, extraOf(rows, ids)};
    return columns;
}

/// Ids that leave most objects out would take memory for nothing, and are rather a wrong column.
bool hasLargeGaps(const ReadComparisons& read) {
    constexpr double kRoom = 10000;
    return static_cast<double>(read.objects) > kRoom + 100.0 * static_cast<double>(read.comparisons.size());
}

} // namespace

Result<ReadComparisons> readComparisons(const std::filesystem::path& file, ComparisonLayout layout, IdBase base,
                                        ObjectIndex known, bool dropsSelf, const DataProgress& progress,
                                        std::stop_token stop) {
    auto source = ByteSource::open(file, progress, stop);
    if (!source) {
        return Failure(std::move(source).error());
    }
    InputReader input(std::move(*source));
    FaultList faults(input.file());
    auto rows = readAnswerRows(input, faults);
    if (!rows) {
        return Failure(std::move(rows).error());
    }
    if (!faults.isEmpty()) {
        return faults.failure();
    }
    if (rows->rows() == 0) {
        return fileFailure(ErrorCode::InvalidData, input.file(), "the file has no comparison",
                           "Give lines \"i j k\" (i is closer to j than to k).");
    }
    const auto columns = columnsOf(*rows, layout, input.file());
    if (!columns) {
        return Failure(columns.error());
    }
    ReadComparisons read;
    Interpreter(*rows, faults, *columns, baseOf(*rows, columns->ids, base), known, dropsSelf).read(read);
    if (!faults.isEmpty()) {
        return faults.failure();
    }
    if (read.comparisons.size() == 0) {
        return fileFailure(ErrorCode::InvalidData, input.file(),
                           "no line of the file has any vote, or all were dropped", "Give lines with votes above 0.");
    }
    if (known == 0 && hasLargeGaps(read)) {
        return fileFailure(ErrorCode::InvalidData, input.file(),
                           "the largest id makes " + groupedText(read.objects) +
                               " objects, of which only a few are "
                               "compared",
                           "Number the objects without large gaps, or check the columns (problem.layout).");
    }
    auto hash = input.source().sha256();
    if (!hash) {
        return Failure(std::move(hash).error());
    }
    read.sha256 = std::move(*hash);
    read.name = utf8Text(file.filename().string());
    return read;
}

Result<std::vector<std::string>> readObjectNames(const std::filesystem::path& file, int base,
                                                 const DataProgress& progress, std::stop_token stop) {
    auto source = ByteSource::open(file, progress, stop);
    if (!source) {
        return Failure(std::move(source).error());
    }
    InputReader input(std::move(*source));
    const auto head = input.lookAhead();
    if (!head) {
        return Failure(head.error());
    }
    char delimiter = delimiterOf(*head);
    RecordReader reader(input, FieldSyntax{.delimiter = delimiter == ' ' ? '\n' : delimiter});
    FaultList faults(input.file());
    std::vector<std::string> names;
    std::vector<TextField> fields;
    bool isFirst = true;
    while (!faults.isFull() && reader.next(fields)) {
        const auto id = fields.size() > 1 ? parseInteger(fields[0].text) : std::nullopt;
        if (fields.size() < 2) {
            names.push_back(utf8Text(fields[0].text));
        } else if (id && *id >= base &&
                   *id - base < kLeastIds + kIdsPerLine * static_cast<std::int64_t>(reader.line())) {
            const auto place = static_cast<std::size_t>(*id - base);
            names.resize(std::max(names.size(), place + 1));
            names[place] = utf8Text(fields[1].text);
        } else if (!isFirst) {
            faults.add(reader.line(), fields[0].column, excerpt(fields[0].text) + " is no id",
                       "Give columns id and name, or one name per line; ids count from 0 or 1 with few gaps.");
        }
        isFirst = false;
    }
    if (input.failure()) {
        return Failure(*input.failure());
    }
    if (const auto& problem = reader.problem()) {
        faults.add(problem->line, problem->column, problem->message, problem->remedy);
    }
    if (!faults.isEmpty()) {
        return faults.failure();
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty()) {
            names[i] = std::to_string(i + static_cast<std::size_t>(base));
        }
    }
    return names;
}

} // namespace lambdascope::ordinal

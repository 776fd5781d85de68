// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/data_profile.h"

#include "core/common/number_text.h"
#include "core/data/delimited_text.h"
#include "core/data/missing_values.h"
#include "core/data/principal_axes.h"
#include "core/data/read_source.h"
#include "core/data/row_selection.h"
#include "core/data/scaling.h"
#include "core/data/table_sniffer.h"
#include "core/data/text_encoding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <set>

namespace lambdascope {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// How the records of a format are cut; nothing for formats that are no tables of text.
std::optional<FieldSyntax> syntaxOf(const FileHead& head) {
    switch (head.format) {
    case DataFormat::Csv: return FieldSyntax{sniffDelimiter(head.text, head.isAll), "\"", false};
    case DataFormat::Tsv: return FieldSyntax{'\t', "\"", false};
    case DataFormat::DenseText: return FieldSyntax{' ', "", false};
    default: return std::nullopt;
    }
}

HeadRecord recordOf(const std::vector<TextField>& fields, std::size_t line) {
    HeadRecord record{line, {}, {}};
    for (const TextField& field : fields) {
        record.cells.push_back(utf8Text(field.text));
        record.columns.push_back(field.column);
    }
    return record;
}

/// The beginning of a file of text, kept while it is loaded: its first records, and those of given lines.
class RawHead {
  public:
    explicit RawHead(const FileHead& head) : m_syntax(syntaxOf(head)), m_isAll(head.isAll) {
        if (m_syntax) {
            m_text = head.text;
            const TableShape shape = sniffTable(m_text, m_isAll, *m_syntax);
            m_hasHeader = shape.hasHeader;
            for (std::size_t c = 0; c < shape.columns.size(); ++c) {
                m_columns.push_back(m_hasHeader ? shape.columns[c].name : std::to_string(c + 1));
            }
        }
    }

    [[nodiscard]] bool isAll() const { return m_isAll; }
    [[nodiscard]] bool isTable() const { return m_syntax.has_value(); }

    /// The first records, and after them those that begin in one of `lines`.
    [[nodiscard]] DataHead read(const std::set<std::size_t>& lines) const {
        DataHead head{m_columns, m_hasHeader, true, {}};
        TextLines text(m_text, m_isAll);
        RecordReader reader(text, *m_syntax);
        std::vector<TextField> fields;
        if (m_hasHeader) {
            reader.next(fields);
        }
        const std::size_t last = lines.empty() ? 0 : *lines.rbegin();
        while ((head.records.size() < DataProfile::kMostRecords || reader.line() < last) && reader.next(fields)) {
            if (head.records.size() < DataProfile::kMostRecords || lines.contains(reader.line())) {
                head.records.push_back(recordOf(fields, reader.line()));
            }
        }
        return head;
    }

  private:
    std::optional<FieldSyntax> m_syntax;
    bool m_isAll = true;
    std::string m_text;
    bool m_hasHeader = false;
    std::vector<std::string> m_columns;
};

/// Lines of a file that faults name.
std::set<std::size_t> faultyLines(const Error& error) {
    std::set<std::size_t> lines;
    for (const Fault& fault : error.faults) {
        if (fault.place.line > 0) {
            lines.insert(fault.place.line);
        }
    }
    return lines;
}

double valueAt(const RawData& data, Eigen::Index row, Eigen::Index column) {
    return data.isSparse ? data.sparse.coeff(row, column) : data.dense(row, column);
}

/// The first rows as they were read, label or target last; at most some features, as of a file without columns of text.
DataHead headOf(const RawData& data) {
    constexpr Eigen::Index kMostColumns = 30;
    constexpr int kDigits = 6;
    const Eigen::Index columns = std::min(data.features(), kMostColumns);
    DataHead head;
    head.hasNames = !data.featureNames.empty();
    for (Eigen::Index c = 0; c < columns; ++c) {
        head.columns.push_back(head.hasNames ? data.featureNames[static_cast<std::size_t>(c)] : std::to_string(c + 1));
    }
    if (!data.labels.codes.empty()) {
        head.columns.push_back("class");
    }
    if (!data.targets.empty()) {
        head.columns.push_back(data.targetName.empty() ? "target" : data.targetName);
    }
    const Eigen::Index rows = std::min<Eigen::Index>(data.rows(), DataProfile::kMostRecords);
    for (Eigen::Index i = 0; i < rows; ++i) {
        HeadRecord record;
        for (Eigen::Index c = 0; c < columns; ++c) {
            const double value = valueAt(data, i, c);
            record.cells.push_back(std::isnan(value) ? std::string("?") : shortText(value, kDigits));
        }
        if (!data.labels.codes.empty()) {
            const std::int32_t code = data.labels.codes[static_cast<std::size_t>(i)];
            record.cells.push_back(code < 0 ? "?" : data.labels.names[static_cast<std::size_t>(code)]);
        }
        if (!data.targets.empty()) {
            const double target = data.targets[static_cast<std::size_t>(i)];
            record.cells.push_back(std::isnan(target) ? "?" : shortText(target, kDigits));
        }
        head.records.push_back(std::move(record));
    }
    return head;
}

/// Calls visit(row, column, value) for every stored value.
template <class Visit>
void visitStored(const RawData& data, Visit visit) {
    for (Eigen::Index i = 0; i < data.rows(); ++i) {
        if (data.isSparse) {
            for (SparseRows::InnerIterator it(data.sparse, i); it; ++it) {
                visit(i, it.index(), it.value());
            }
        } else {
            for (Eigen::Index c = 0; c < data.dense.cols(); ++c) {
                visit(i, c, data.dense(i, c));
            }
        }
    }
}

void countClasses(DataProfile& profile, const RawLabels& labels, std::vector<char>& isIncomplete) {
    for (const std::string& name : labels.names) {
        profile.classes.push_back({name, 0});
    }
    for (std::size_t i = 0; i < labels.codes.size(); ++i) {
        if (labels.codes[i] < 0) {
            ++profile.missingLabels;
            isIncomplete[i] = 1;
        } else {
            ++profile.classes[static_cast<std::size_t>(labels.codes[i])].rows;
        }
    }
}

void measure(DataProfile& profile, const RawData& data) {
    struct Sums {
        double lowest = std::numeric_limits<double>::infinity();
        double highest = -std::numeric_limits<double>::infinity();
        double mean = 0; // running, so that no sum overflows
        std::int64_t count = 0;
        std::int64_t missing = 0;
    };
    profile.rows = data.rows();
    profile.features = data.features();
    profile.isSparse = data.isSparse;
    profile.hasTargets = !data.targets.empty();
    std::vector<char> isIncomplete(static_cast<std::size_t>(data.rows()), 0);
    countClasses(profile, data.labels, isIncomplete);
    std::vector<Sums> sums(std::min(static_cast<std::size_t>(data.features()), DataProfile::kMostFeatures));
    visitStored(data, [&](Eigen::Index row, Eigen::Index column, double value) {
        const auto c = static_cast<std::size_t>(column);
        if (std::isnan(value)) {
            ++profile.missingValues;
            isIncomplete[static_cast<std::size_t>(row)] = 1;
        }
        if (c < sums.size()) {
            Sums& s = sums[c];
            if (std::isnan(value)) {
                ++s.missing;
                return;
            }
            s.lowest = std::min(s.lowest, value);
            s.highest = std::max(s.highest, value);
            ++s.count;
            s.mean += value / static_cast<double>(s.count) - s.mean / static_cast<double>(s.count);
        }
    });
    profile.incompleteRows = std::count(isIncomplete.begin(), isIncomplete.end(), 1);
    for (std::size_t c = 0; c < sums.size(); ++c) {
        Sums s = sums[c];
        const std::int64_t present = data.rows() - s.missing;
        if (s.count < present) { // zeros that are not stored
            s.lowest = std::min(s.lowest, 0.0);
            s.highest = std::max(s.highest, 0.0);
            s.mean *= static_cast<double>(s.count) / static_cast<double>(present);
        }
        const std::string name = data.featureNames.empty() ? std::to_string(c + 1) : data.featureNames[c];
        profile.measures.push_back(present == 0 ? ProfiledFeature{name, kNone, kNone, kNone, s.missing}
                                                : ProfiledFeature{name, s.lowest, s.highest, s.mean, s.missing});
    }
}

/// `most` numbers of rows, spread over all.
std::vector<std::size_t> spreadRows(std::size_t rows, std::size_t most) {
    const std::size_t count = std::min(rows, most);
    std::vector<std::size_t> chosen(count);
    for (std::size_t i = 0; i < count; ++i) {
        chosen[i] = i * rows / count;
    }
    return chosen;
}

/// Nothing where there is no plane to draw: fewer than two features or rows, a feature without values, too large.
std::optional<AxesPicture> pictureOf(const RawData& data, Scaling scaling, const std::stop_token& stop) {
    constexpr Eigen::Index kFew = 400;
    constexpr std::size_t kManyRows = 4000;
    constexpr Eigen::Index kMostColumns = 50'000;
    if (data.features() < 2 || data.rows() < 3 || data.features() > kMostColumns) {
        return std::nullopt;
    }
    const std::vector<std::size_t> rows = spreadRows(
        static_cast<std::size_t>(data.rows()), data.features() > kFew ? static_cast<std::size_t>(kFew) : kManyRows);
    RawData some = takeRows(data, rows);
    const std::vector<std::int32_t> codes = std::move(some.labels.codes);
    some.labels = {};
    if (!resolveMissing(some, MissingPolicy::Mean, {}) || !scaleFeatures(some, scaling, stop) ||
        !projectOnPrincipalAxes(some, 2, stop)) {
        return std::nullopt;
    }
    AxesPicture picture;
    picture.note = some.notes.empty() ? std::string() : some.notes.back();
    for (const std::size_t i : spreadRows(rows.size(), DataProfile::kMostPoints)) {
        picture.first.push_back(some.dense(static_cast<Eigen::Index>(i), 0));
        picture.second.push_back(some.dense(static_cast<Eigen::Index>(i), 1));
        picture.rows.push_back(static_cast<std::int64_t>(rows[i]));
        if (!codes.empty()) {
            picture.classes.push_back(codes[i]);
        }
    }
    return picture;
}

void takeData(DataProfile& profile, const ReadData& read, const DataConfig& config, const std::stop_token& stop) {
    profile.name = read.name;
    profile.notes = read.data.notes;
    profile.sha256 = read.sha256;
    profile.isWhole = read.isWhole;
    measure(profile, read.data);
    profile.picture = pictureOf(read.data, config.scale, stop);
}

/// Reads and measures; the head is kept also where that fails.
DataProfile profileSource(const DataConfig& config, const DataPlaces& places, ProfileExtent extent,
                          const DataProgress& progress, const std::stop_token& stop) {
    DataProfile profile;
    std::optional<RawHead> raw;
    ReadRequest request{config, places, extent == ProfileExtent::Head, {}, progress, stop};
    request.onHead = [&raw](const FileHead& head) { raw.emplace(head); };
    auto read = readSource(request);
    std::set<std::size_t> lines;
    if (!read) {
        profile.fault = read.error();
        lines = faultyLines(*profile.fault);
        // If nothing but gaps is wrong, all can be told nevertheless.
        DataConfig tolerant = config;
        tolerant.missing = MissingPolicy::DropRows;
        if (config.missing == MissingPolicy::Fail && profile.fault->code == ErrorCode::InvalidData) {
            read = readSource({tolerant, places, request.isHeadOnly, {}, progress, stop});
        }
    }
    profile.isWhole = extent == ProfileExtent::Whole || !raw || raw->isAll();
    if (raw && raw->isTable()) {
        profile.head = raw->read(lines);
    } else if (read) {
        profile.head = headOf(read->data);
    }
    if (!read) {
        return profile;
    }
    takeData(profile, *read, config, stop);
    if (profile.fault || !profile.isWhole) {
        return profile;
    }
    auto prepared = prepareData(std::move(*read), config, progress, stop);
    if (prepared) {
        profile.dataset = std::move(*prepared);
    } else {
        profile.fault = prepared.error();
    }
    return profile;
}

} // namespace

DataProfile profileData(const DataConfig& config, const DataPlaces& places, ProfileExtent extent,
                        const DataProgress& progress, std::stop_token stop) {
    DataProfile profile;
    try {
        if (config.source == kNoSource) {
            auto none = loadDataset(config, places, progress, stop);
            profile.name = config.source;
            profile.dataset = none ? *none : nullptr;
            return profile;
        }
        return profileSource(config, places, extent, progress, stop);
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
    profile.fault = singleFault(ErrorCode::OutOfMemory, {"data.source",
                                                         "the data \"" + config.source + "\" do not fit in memory",
                                                         "Take a part of the rows or columns.",
                                                         {}});
    return profile;
}

std::string profileSentence(const DataProfile& profile) {
    const auto counted = [](std::int64_t count, const char* one, const char* many) {
        return groupedText(count) + " " + (count == 1 ? one : many);
    };
    std::string text = profile.notes.empty() ? std::string() : profile.notes.front() + ", ";
    text += profile.isWhole ? "" : "the first ";
    text += counted(profile.rows, "row", "rows") + " × " + counted(profile.features, "feature", "features");
    text += profile.isSparse ? " (sparse)" : "";
    text += profile.hasTargets ? ", a number to fit in each row"
            : profile.classes.empty()
                ? ", no labels"
                : ", " + counted(static_cast<std::int64_t>(profile.classes.size()), "class", "classes");
    if (profile.missingValues > 0) {
        text += ", " + counted(profile.missingValues, "missing value", "missing values") + " in " +
                counted(profile.incompleteRows, "row", "rows");
    }
    if (profile.missingLabels > 0) {
        text += ", " + counted(profile.missingLabels, "missing label", "missing labels");
    }
    return text;
}

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/common/result.h"
#include "core/config/json.h"
#include "core/data/alike_rows.h"

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace lambdascope {

/// A source of two features, x and y, whose rows all come from DataConfig::edits.
inline constexpr std::string_view kPaintedSource = "painted";

/// The ways to change a row, in two sentences: the help of the field DataConfig::edits, "move 12 0.5 -1.25; omit 7".
[[nodiscard]] std::string editsHelp();

/// What has become of a row.
struct EditedRow {
    std::vector<double> values; ///< one per feature; empty: those that were read
    std::string className;      ///< empty: the one that was read, or none
    bool isOmitted = false;
    bool operator==(const EditedRow&) const = default;
};

/// The edits of a data set, at most one state per row.
struct RowEdits {
    std::map<std::int64_t, EditedRow> changed; ///< rows that were read, by their number from 0
    std::vector<EditedRow> added;              ///< none of them omitted
    bool operator==(const RowEdits&) const = default;

    [[nodiscard]] bool changeValues() const; ///< rather than classes and which rows there are alone
};

/// What edits are of.
struct EditableRows {
    std::int64_t rows = 0;
    std::int64_t features = 0;
    std::vector<std::string> classNames; ///< empty without labels
    bool takesNewClasses = false;        ///< a painted set has the classes that its rows name
};

/// Carries out edits in the order in which they stand. Rows count from 0 as they were read; added rows count on
/// from the last, and an omitted row keeps its number. Errors: InvalidData (key data.edits), all at once, each with the
/// place of its edit: an unknown word, class or row, a row that is omitted already, too few or too many values, values
/// that are not finite.
[[nodiscard]] Result<RowEdits> readEdits(std::string_view text, const EditableRows& rows);

/// A text that reads back as `edits`, to the last bit, and says of an omitted row nothing else; empty for none.
[[nodiscard]] std::string editsText(const RowEdits& edits);

/// "3 moved, 1 omitted" of a text of edits, right or wrong; empty for none.
[[nodiscard]] std::string editsSummary(std::string_view text);

/// What is said of a run whose data were changed: "what if: 3 moved, 1 omitted". Empty for data as they were read, and
/// for painted ones, which have no other state.
[[nodiscard]] std::string whatIfText(std::string_view source, std::string_view edits);
[[nodiscard]] std::string whatIfText(const Json& data); ///< of the data section of a document, or of anything else

/// The rows of a source as they were read: before edits, missing values, subset and scaling. NaN and empty class names
/// where something is missing. Errors: those of loadDataset().
struct SourceRows {
    PlainRows rows;
    EditableRows shape;
    std::vector<std::string> featureNames; ///< may be empty
};
[[nodiscard]] Result<SourceRows> readSourceRows(const DataConfig& config, const DataPlaces& places,
                                                const std::stop_token& stop = {});

} // namespace lambdascope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/delimited_text.h"
#include "core/data/loader.h"

namespace lambdascope {

/// Reads the records of a delimited text into a table: what CSV, TSV and dense text have in common.
class DelimitedLoader : public Loader {
  protected:
    /// `autoLabels`: which columns may hold the labels when nothing is said.
    enum class AutoLabels { LastThenFirst, First };
    static Result<RawData> loadTable(InputReader& input, const LoadOptions& options, const FieldSyntax& syntax,
                                     AutoLabels autoLabels);
};

/// CSV and TSV. Whether there is a header, which character delimits (comma, semicolon, tab, bar) and which columns
/// hold words is told from the beginning of the file; columns of words become one-hot. Quoted fields may hold
/// delimiters, line ends and doubled quotes. Missing marks: empty, ?, NA, N/A, NaN. Lines that begin with '#' before
/// the first record are comments.
class CsvLoader final : public DelimitedLoader {
  public:
    /// `delimiter` 0 for one that is told from the content.
    explicit CsvLoader(char delimiter = 0) : m_delimiter(delimiter) {}

    Result<RawData> load(InputReader& input, const LoadOptions& options) const override;

  private:
    char m_delimiter;
};

/// Lines "label v1 v2 …", separated by blanks. Without a wish the first column holds the labels if it looks like
/// classes; otherwise all columns are features.
class DenseTextLoader final : public DelimitedLoader {
  public:
    Result<RawData> load(InputReader& input, const LoadOptions& options) const override;
};

} // namespace lambdascope

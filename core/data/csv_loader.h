// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/delimited_loader.h"

namespace lambdascope {

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

} // namespace lambdascope
